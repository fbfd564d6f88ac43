// How many years files of a report type, or without one, are kept.
import { Button, NumberInput, Radio, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { RetentionRules } from '#contract/retention.ts';
import { RETENTION_YEARS_MAX, USUAL_RETENTION_YEARS } from '#contract/retention-words.ts';
import { rulesQuery, useSaveRule } from '#web/data/retention.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { ApiFault, fieldFaultsOf } from '#web/lib/api-fault.ts';
import { retentionDone, retentionFailed, retentionWords } from '#web/lib/retention-messages.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';

export interface KeptFor {
  /** Null for what has no type. */
  readonly reportTypeId: number | null;
  /** 'Timesheets', 'Documents Without a Type' */
  readonly name: string;
}

/** Empty while a number is typed; null for ever. */
type Years = number | '' | null;

interface Chosen {
  readonly years: Years;
  /** Of what was shown before it was chosen: what is loaded since is somebody else's word. */
  readonly over: string | undefined;
}

export function RetentionDialog({ opened, subject, close }: Dialog<KeptFor>) {
  const rules = useQuery({ ...rulesQuery(), enabled: opened });
  const saving = useSaveRule();
  /** Null where what is stored is shown. */
  const [choice, setChoice] = useState<Chosen | null>(null);
  /** What is said where somebody else has said something meanwhile. */
  const [overtaken, setOvertaken] = useState<string | null>(null);
  const [fault, setFault] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (opened) return;
    setChoice(null);
    setOvertaken(null);
    setBefore(undefined);
    setFault(undefined);
  }, [opened]);
  const [before, setBefore] = useState<number | undefined>(undefined);
  const stored = ruleOf(rules.data, subject);
  const chosen = choice === null ? (stored?.years ?? null) : choice.years;
  const isFew = typeof chosen === 'number' && chosen < USUAL_RETENTION_YEARS;
  const choose = (next: Years) => {
    if (typeof chosen === 'number') setBefore(chosen);
    setChoice({ years: next, over: choice === null ? stored?.version : choice.over });
    setFault(undefined);
  };
  const save = async (ifMatch: string | undefined) => {
    if (subject === null || chosen === '') return;
    try {
      await saving.mutateAsync({ reportTypeId: subject.reportTypeId, years: chosen, ifMatch });
      toast.success(retentionDone.ruleSaved);
      close();
    } catch (error) {
      if (error instanceof ApiFault && error.code === 'changed_meanwhile') {
        await rules.refetch();
        setOvertaken(error.message);
        return;
      }
      setOvertaken(null);
      toastFault(error, retentionFailed.saveRule);
      setFault(fieldFaultsOf(error)['years']);
    }
  };
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={`How long to keep ${subject?.name ?? ''}`}
      dirty={choice !== null && choice.years !== stored?.years}
      busy={saving.isPending}
      conflict={
        overtaken === null
          ? null
          : {
              message: overtaken,
              busy: saving.isPending,
              reload: () => {
                setChoice(null);
                setOvertaken(null);
              },
              keepMine: () => void save(stored?.version),
            }
      }
      onSubmit={(event) => {
        event.preventDefault();
        void save(choice?.over ?? stored?.version);
      }}
      submitLabel="Save"
      busyLabel="Saving..."
      canSubmit={rules.isSuccess && chosen !== ''}
      warning={isFew ? retentionWords.few : null}
      size="md"
    >
      <Stack gap="sm">
        <HowLong chosen={chosen} before={before} choose={choose} fault={fault} disabled={saving.isPending} />
        <Text size="sm" c="dimmed">
          {retentionWords.usual}{' '}
          {chosen === USUAL_RETENTION_YEARS ? null : (
            <Button variant="subtle" size="compact-sm" onClick={() => choose(USUAL_RETENTION_YEARS)}>
              Use {USUAL_RETENTION_YEARS} years
            </Button>
          )}
        </Text>
        <Text size="sm" c="dimmed">
          {retentionWords.late}
        </Text>
        {rules.isError ? <Text size="sm">{rules.error.message}</Text> : null}
      </Stack>
    </FormDialog>
  );
}

interface HowLongProps {
  chosen: Years;
  /** Proposed where somebody comes back from For ever. */
  before: number | undefined;
  choose: (next: Years) => void;
  fault: string | undefined;
  disabled: boolean;
}

function HowLong({ chosen, before, choose, fault, disabled }: HowLongProps) {
  return (
    <>
      <Radio.Group
        aria-label="How long"
        value={chosen === null ? 'ever' : 'years'}
        onChange={(next) => choose(next === 'ever' ? null : (before ?? USUAL_RETENTION_YEARS))}
      >
        <Stack gap={8}>
          <Radio value="ever" label="For ever" disabled={disabled} />
          <Radio value="years" label="For some years, then due" disabled={disabled} />
        </Stack>
      </Radio.Group>
      {chosen === null ? null : (
        <NumberInput
          label="Years"
          description={`After the end of the period, else after the upload. ${retentionWords.floor}`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={chosen}
          onChange={(next) => choose(typeof next === 'number' ? next : '')}
          min={1}
          max={RETENTION_YEARS_MAX}
          clampBehavior="strict"
          allowDecimal={false}
          error={fault}
          disabled={disabled}
          w={{ base: '100%', xs: 220 }}
        />
      )}
    </>
  );
}

function ruleOf(
  rules: RetentionRules | undefined,
  subject: KeptFor | null,
): Pick<RetentionRules['types'][number], 'years' | 'version'> | undefined {
  if (rules === undefined || subject === null) return undefined;
  if (subject.reportTypeId === null) return { years: rules.untypedYears, version: rules.untypedVersion };
  return rules.types.find(({ id }) => id === subject.reportTypeId);
}
