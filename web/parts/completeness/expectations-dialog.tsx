// What is expected of one client: for each report type how often, how soon after its period, and from when on.
import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import type { ExpectationRow } from '#contract/completeness.ts';
import type { Frequency } from '#contract/completeness-words.ts';
import type { ReportTypeRow } from '#contract/report-types.ts';
import { expectationsQuery, useSaveExpectations } from '#web/data/completeness.ts';
import { usableReportTypesQuery } from '#web/data/report-types.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { completenessWords } from '#web/lib/completeness-messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { DateField } from '#web/ui/date-field.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { NothingToChoose } from '../report-types/nothing-to-choose.tsx';
import { DueDaysField, FrequencySelect } from './expectation-fields.tsx';
import classes from './expectations-dialog.module.css';

export interface ExpectedClient {
  readonly id: number;
  readonly name: string;
}

interface Line {
  readonly frequency: Frequency | null;
  readonly dueDays: number;
  /** Empty for the client's start date. */
  readonly starts: string;
}

/** What a report is usually due after. */
const USUAL_DUE: Record<Frequency, number> = {
  weekly: 3,
  biweekly: 3,
  semimonthly: 3,
  monthly: 15,
  quarterly: 31,
  yearly: 31,
};
const NOT_EXPECTED: Line = { frequency: null, dueDays: 0, starts: '' };

const linesOf = (rows: readonly ExpectationRow[]): ReadonlyMap<number, Line> =>
  new Map(
    rows.map(({ reportTypeId, frequency, dueDays, starts }) => [
      reportTypeId,
      { frequency, dueDays, starts: starts ?? '' },
    ]),
  );

export function ExpectationsDialog({ opened, subject: client, close }: Dialog<ExpectedClient>) {
  const user = useSessionUser();
  const saving = useSaveExpectations();
  const types = useQuery(usableReportTypesQuery(user));
  const query = useQuery({ ...expectationsQuery(client?.id ?? 0), enabled: opened && client !== null });
  const [changed, setChanged] = useState<ReadonlyMap<number, Line>>(new Map());
  useLayoutEffect(() => {
    if (opened) setChanged(new Map());
  }, [opened]);

  const saved = linesOf(query.data ?? []);
  const lineOf = (typeId: number) => changed.get(typeId) ?? saved.get(typeId) ?? NOT_EXPECTED;
  const change = (typeId: number, next: Partial<Line>) =>
    setChanged((before) => new Map(before).set(typeId, { ...lineOf(typeId), ...next }));
  const rows = types.data?.rows ?? [];
  // While an older answer is shown, what it lacks would be taken for not expected.
  const isReady = types.data !== undefined && query.data !== undefined && !query.isFetching;

  const save = () => {
    if (client === null || !isReady) return;
    const expectations = rows.flatMap(({ id }) => {
      const { frequency, dueDays, starts } = lineOf(id);
      return frequency === null
        ? []
        : [{ reportTypeId: id, frequency, dueDays, starts: starts === '' ? null : starts }];
    });
    saving.mutate(
      { clientId: client.id, expectations },
      {
        onSuccess: () => {
          toast.success(completenessWords.saved);
          close();
        },
        onError: (error) => toastFault(error, completenessWords.notSaved),
      },
    );
  };

  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={`Expected of ${client?.name ?? ''}`}
      size="xl"
      dirty={changed.size > 0}
      busy={saving.isPending}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      submitLabel="Save"
      busyLabel="Saving..."
      canSubmit={isReady && changed.size > 0}
    >
      <Text c="dimmed">{completenessWords.howOften}</Text>
      {query.isError ? (
        <ErrorState message={query.error.message} onRetry={() => query.refetch()} busy={query.isFetching} />
      ) : types.isError && types.data === undefined ? (
        <ErrorState message={types.error.message} onRetry={() => types.refetch()} busy={types.isFetching} />
      ) : types.data?.total === 0 ? (
        <NothingToChoose of="reportTypes" />
      ) : isReady ? (
        <Lines types={rows} lineOf={lineOf} onChange={change} disabled={saving.isPending} />
      ) : (
        <Stack gap={10} role="status" aria-label="Loading what is expected...">
          {Array.from({ length: Math.max(rows.length, 3) }, (_, nth) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: grey lines have nothing but their place
            <Skeleton key={nth} height={30} />
          ))}
        </Stack>
      )}
    </FormDialog>
  );
}

interface LinesProps {
  types: readonly ReportTypeRow[];
  lineOf: (typeId: number) => Line;
  onChange: (typeId: number, next: Partial<Line>) => void;
  disabled: boolean;
}

function Lines({ types, lineOf, onChange, disabled }: LinesProps) {
  return (
    <ul className={classes.lines} aria-label="Report types">
      {types.map(({ id, name }) => {
        const { frequency, dueDays, starts } = lineOf(id);
        const isOff = frequency === null;
        return (
          <li key={id} className={classes.line} data-off={isOff || undefined}>
            <span className={classes.name}>{name}</span>
            <FrequencySelect
              label={`How often ${name} is expected`}
              withNone
              value={frequency}
              onChange={(next) =>
                onChange(id, { frequency: next, ...(isOff && next !== null && { dueDays: USUAL_DUE[next] }) })
              }
              disabled={disabled}
            />
            {isOff ? null : (
              <>
                <DueDaysField
                  label={`Days after its period that ${name} is due`}
                  value={dueDays}
                  onChange={(next) => onChange(id, { dueDays: next })}
                  disabled={disabled}
                />
                <DateField
                  size="xs"
                  aria-label={`First day from which ${name} is expected`}
                  placeholder="First day"
                  value={starts}
                  onChange={(next) => onChange(id, { starts: next })}
                  disabled={disabled}
                />
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}
