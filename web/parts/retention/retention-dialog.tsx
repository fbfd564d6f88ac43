// How many years files of a report type, or without one, are kept.
import { Button, NumberInput, Radio, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { RETENTION_YEARS_MAX, USUAL_RETENTION_YEARS } from '#contract/retention-words.ts';
import { rulesQuery, useSaveRule } from '#web/data/retention.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { fieldFaultsOf } from '#web/lib/api-fault.ts';
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

export function RetentionDialog({ opened, subject, close }: Dialog<KeptFor>) {
  const rules = useQuery({ ...rulesQuery(), enabled: opened });
  const saving = useSaveRule();
  const [years, setYears] = useState<Years | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (opened) return;
    setYears(undefined);
    setBefore(undefined);
    setFault(undefined);
  }, [opened]);
  /** Proposed where somebody comes back from For ever. */
  const [before, setBefore] = useState<number | undefined>(undefined);
  const stored = storedYears(rules.data, subject);
  const chosen = years === undefined ? (stored ?? null) : years;
  const isFew = typeof chosen === 'number' && chosen < USUAL_RETENTION_YEARS;
  const choose = (next: Years) => {
    if (typeof chosen === 'number') setBefore(chosen);
    setYears(next);
    setFault(undefined);
  };
  const save = async () => {
    if (subject === null || chosen === '') return;
    try {
      await saving.mutateAsync({ reportTypeId: subject.reportTypeId, years: chosen });
      toast.success(retentionDone.ruleSaved);
      close();
    } catch (error) {
      toastFault(error, retentionFailed.saveRule);
      setFault(fieldFaultsOf(error)['years']);
    }
  };
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={`How long to keep ${subject?.name ?? ''}`}
      dirty={years !== undefined && years !== stored}
      busy={saving.isPending}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      submitLabel="Save"
      busyLabel="Saving..."
      canSubmit={rules.isSuccess && chosen !== ''}
      warning={isFew ? retentionWords.few : null}
      size="md"
    >
      <Stack gap="sm">
        <Radio.Group
          aria-label="How long"
          value={chosen === null ? 'ever' : 'years'}
          onChange={(next) => choose(next === 'ever' ? null : (before ?? USUAL_RETENTION_YEARS))}
        >
          <Stack gap={8}>
            <Radio value="ever" label="For ever" disabled={saving.isPending} />
            <Radio value="years" label="For some years, then due" disabled={saving.isPending} />
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
            disabled={saving.isPending}
            w={{ base: '100%', xs: 220 }}
          />
        )}
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

function storedYears(
  rules: { untypedYears: number | null; types: readonly { id: number; years: number | null }[] } | undefined,
  subject: KeptFor | null,
): number | null | undefined {
  if (rules === undefined || subject === null) return undefined;
  if (subject.reportTypeId === null) return rules.untypedYears;
  return rules.types.find(({ id }) => id === subject.reportTypeId)?.years ?? null;
}
