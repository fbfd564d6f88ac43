// What is expected of one client: for each report type how often, how soon after its period, and from when on.
import { Skeleton, Stack, Text } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import { ExpectationsInput, type ExpectationsOfClient } from '#contract/completeness.ts';
import type { Frequency } from '#contract/completeness-words.ts';
import type { ReportTypeRow } from '#contract/report-types.ts';
import { expectationsQuery, useSaveExpectations } from '#web/data/completeness.ts';
import { editedRow } from '#web/data/edited-row.ts';
import { queryClient } from '#web/data/query-client.ts';
import { usableReportTypesQuery } from '#web/data/report-types.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { completenessWords } from '#web/lib/completeness-messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { DateField } from '#web/ui/date-field.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { useDialogForm } from '#web/ui/use-dialog-form.ts';
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
  /** Null for the client's start date. */
  readonly starts: string | null;
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
const NOT_EXPECTED: Line = { frequency: null, dueDays: 0, starts: null };

const isOf =
  (typeId: number) =>
  ({ reportTypeId }: { readonly reportTypeId: number }) =>
    reportTypeId === typeId;

const valuesOf = ({ expectations }: Pick<ExpectationsOfClient, 'expectations'>): ExpectationsInput => ({
  expectations: expectations.map(({ reportTypeName: _name, ...expectation }) => expectation),
});

/** What was there when the dialog was opened: what is loaded behind it later moves nothing under somebody's hands. */
function useReadOnce(opened: boolean, { data, isSuccess, isFetching }: UseQueryResult<ExpectationsOfClient>) {
  const [read, setRead] = useState<ExpectationsOfClient | null>(null);
  // An older answer lacks what others have said since.
  const now = opened && isSuccess && !isFetching ? data : undefined;
  useLayoutEffect(() => {
    if (opened) setRead(null);
  }, [opened]);
  useLayoutEffect(() => {
    if (now !== undefined) setRead((before) => before ?? now);
  }, [now]);
  return read;
}

export function ExpectationsDialog({ opened, subject: client, close }: Dialog<ExpectedClient>) {
  const user = useSessionUser();
  const saving = useSaveExpectations();
  const types = useQuery(usableReportTypesQuery(user));
  const query = useQuery({ ...expectationsQuery(client?.id ?? 0), enabled: opened && client !== null });
  const read = useReadOnce(opened, query);
  const { form, dirty, submit, conflict } = useDialogForm<ExpectationsInput>({
    opened: opened && read !== null,
    values: valuesOf(read ?? { expectations: [] }),
    schema: ExpectationsInput,
    edited: editedRow(read, () => queryClient.fetchQuery(expectationsQuery(client?.id ?? 0)), valuesOf),
  });
  const { expectations } = form.values;
  const rows = types.data?.rows ?? [];
  const isReady = types.data !== undefined && read !== null;
  const isChanged = isReady && dirty;
  const [fault] = Object.values(form.errors);

  const lineOf = (typeId: number): Line =>
    expectations.find(isOf(typeId)) ?? { ...NOT_EXPECTED, ...read?.expectations.find(isOf(typeId)), frequency: null };
  const change = (typeId: number, next: Partial<Line>) => {
    const { frequency, dueDays, starts } = { ...lineOf(typeId), ...next };
    const at = expectations.findIndex(isOf(typeId));
    const line = frequency === null ? [] : [{ reportTypeId: typeId, frequency, dueDays, starts }];
    form.clearErrors();
    form.setFieldValue('expectations', expectations.toSpliced(at === -1 ? expectations.length : at, 1, ...line));
  };
  const save = async (values: ExpectationsInput, ifMatch?: string) => {
    if (client === null) return;
    await saving.mutateAsync({ clientId: client.id, ifMatch, ...values });
    toast.success(completenessWords.saved);
    close();
  };
  const refused = (error: unknown) => {
    toastFault(error, completenessWords.notSaved);
    return {};
  };

  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={`Expected of ${client?.name ?? ''}`}
      size="xl"
      dirty={isChanged}
      busy={saving.isPending}
      conflict={conflict}
      refusal={typeof fault === 'string' ? fault : null}
      onSubmit={submit(save, refused)}
      submitLabel="Save"
      busyLabel="Saving..."
      canSubmit={isChanged}
    >
      <Text c="dimmed">{completenessWords.howOften}</Text>
      {query.isError && read === null ? (
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
                  value={starts ?? ''}
                  onChange={(next) => onChange(id, { starts: next === '' ? null : next })}
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
