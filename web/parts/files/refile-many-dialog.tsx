// The dialog that files several files elsewhere, one after the other: what is not chosen stays as it is for each.

import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import type { FileRow, RefileInput } from '#contract/files.ts';
import { counted } from '#contract/plain-words.ts';
import { allClientsQuery } from '#web/data/clients.ts';
import { changedOf } from '#web/data/one-by-one.ts';
import { refileEach } from '#web/data/refile-each.ts';
import { allReportTypesQuery } from '#web/data/report-types.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { formatCount } from '#web/lib/format.ts';
import { done, failed } from '#web/lib/messages.ts';
import { namesOf } from '#web/lib/names-of.ts';
import { type FootQuestion, FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { ClientSelect } from '../clients/client-select.tsx';
import { PeriodDoubts, periodOfAll } from '../periods/period-doubt.tsx';
import { PeriodField } from '../periods/period-field.tsx';
import { AnotherClientFiles, KEEPS_NONE, type StoppedFile } from './another-client-files.tsx';
import { ReportTypeSelect } from './file-kind-fields.tsx';

const STAYS = 'Leave as it is';
type ForEach = Pick<RefileInput, 'clientId' | 'reportTypeId' | 'period'>;
const NOTHING_CHOSEN: ForEach = {};

export interface RefiledMany {
  /** Told those that are filed elsewhere now, and those that somebody else has changed meanwhile. */
  readonly onSettled: (files: readonly FileRow[]) => void;
}

const namesAnother = ({ error }: StoppedFile) => error instanceof ApiFault && error.code === 'names_another_client';

/** What somebody has changed meanwhile is looked at first. */
function toTryAgain(failures: readonly StoppedFile[]): readonly FileRow[] {
  const changed = changedOf(failures);
  return failures.flatMap(({ file }) => (changed.includes(file) ? [] : [file]));
}

/** Says how many are filed, or which are not and why. */
function tell(failures: readonly StoppedFile[], count: number): void {
  if (failures.length > 0) {
    const words = failures.length === 1 ? failed.refileFile : failed.refileFiles;
    toast.error(words(namesOf(failures, count)));
  } else if (count > 0) toast.success(count === 1 ? done.fileRefiled : done.filesRefiled(count));
}

interface Asked {
  /** Those that name another client than the chosen one: asked about once the others are filed. */
  readonly stopped: readonly StoppedFile[];
  /** Those that failed beside them, to be tried again after the question. */
  readonly waiting: readonly FileRow[];
}
const NOTHING_ASKED: Asked = { stopped: [], waiting: [] };

/** The name of the chosen client, once somebody is asked. */
function useNameOf(clientId: number | undefined, enabled: boolean): string {
  const clients = useQuery({ ...allClientsQuery(), enabled });
  return clients.data?.rows.find(({ id }) => id === clientId)?.name ?? 'this client';
}

const leaveLabel = (count: number) => (count === 1 ? 'Leave it out' : 'Leave all out');
const keepLabel = (kept: number, count: number) =>
  count === 1 ? 'Keep' : `Keep ${formatCount(kept)} of ${formatCount(count)}`;

export function RefileManyDialog({ opened, subject, close, onSettled }: Dialog<readonly FileRow[]> & RefiledMany) {
  /** Those that could not be filed, once others are. */
  const [left, setLeft] = useState<readonly FileRow[] | null>(null);
  const files = left ?? subject ?? [];
  const [change, setChange] = useState(NOTHING_CHOSEN);
  /** Null while nothing goes on. */
  const [progress, setProgress] = useState<{ readonly done: number; readonly of: number } | null>(null);
  const [{ stopped, waiting }, setAsked] = useState(NOTHING_ASKED);
  const [keeping, setKeeping] = useState(KEEPS_NONE);
  /** Whether it can still ask: it may be left while it works. */
  const isThere = useRef(false);
  useLayoutEffect(() => {
    if (!opened) return;
    isThere.current = true;
    setLeft(null);
    setChange(NOTHING_CHOSEN);
    setAsked(NOTHING_ASKED);
    setKeeping(KEEPS_NONE);
    return () => {
      isThere.current = false;
    };
  }, [opened]);
  const isAsked = stopped.length > 0;
  const chosenName = useNameOf(change.clientId, isAsked);
  const busy = progress !== null;
  const dirty = Object.values(change).some((value) => value !== undefined);
  const choose = (next: ForEach) => setChange((before) => ({ ...before, ...next }));

  /** With what was chosen; without any it is over. */
  const goOnWith = (rest: readonly FileRow[]) => {
    if (rest.length > 0) {
      setLeft(rest);
      setAsked(NOTHING_ASKED);
      setKeeping(KEEPS_NONE);
    } else close();
  };

  const refile = async (some: readonly FileRow[], input: RefileInput) => {
    setProgress({ done: 0, of: some.length });
    const outcome = await refileEach(some, input, () =>
      setProgress((before) => before && { ...before, done: before.done + 1 }),
    );
    setProgress(null);
    onSettled([...outcome.done, ...changedOf(outcome.failures)]);
    const { naming = [], failures = [] } = Object.groupBy(outcome.failures, (failure) =>
      isThere.current && namesAnother(failure) ? 'naming' : 'failures',
    );
    tell(failures, outcome.done.length);
    // What fails of those that are kept is asked about again, with the reason.
    const again = toTryAgain(failures);
    const asked = [...naming, ...stopped.filter(({ file }) => again.includes(file))];
    const rest = isAsked ? waiting : again;
    setAsked({ stopped: asked, waiting: rest });
    if (asked.length === 0) goOnWith(rest);
  };

  const kept = stopped.flatMap(({ file }) => (keeping.ids.includes(file.id) ? [file] : []));
  const keepBecause = keeping.because.trim();
  const mayKeep = kept.length > 0 && keepBecause !== '' && !busy;
  const keep = () => void refile(kept, { ...change, keepBecause });
  const question: FootQuestion = {
    message: busy ? 'Saving...' : `Keep under ${chosenName}?`,
    keep: { label: leaveLabel(stopped.length), onClick: () => goOnWith(waiting) },
    proceed: { label: keepLabel(kept.length, stopped.length), onClick: keep, disabled: !mayKeep },
    busy,
  };

  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={`Re-file ${counted(files.length, 'file')}`}
      // While it is asked, those that could be filed are.
      dirty={isAsked ? kept.length + waiting.length > 0 : dirty}
      busy={busy}
      onSubmit={(event) => {
        event?.preventDefault();
        if (!isAsked) void refile(files, change);
        else if (mayKeep) keep();
      }}
      submitLabel="Re-file"
      busyLabel="Saving..."
      canSubmit={dirty}
      status={busy ? `${formatCount(progress.done)} of ${formatCount(progress.of)} done` : ''}
      question={isAsked ? question : null}
    >
      {isAsked ? (
        <AnotherClientFiles
          chosenName={chosenName}
          files={stopped}
          keeping={keeping}
          onChange={setKeeping}
          disabled={busy}
        />
      ) : (
        <ForEachFields files={files} change={change} onChoose={choose} disabled={busy} />
      )}
    </FormDialog>
  );
}

interface ForEachFieldsProps {
  files: readonly FileRow[];
  change: ForEach;
  onChoose: (next: ForEach) => void;
  disabled: boolean;
}

/** What goes for each of the files. */
function ForEachFields({ files, change, onChoose, disabled }: ForEachFieldsProps) {
  const types = useQuery(allReportTypesQuery());
  const chosenType = types.data?.rows.find(({ id }) => id === change.reportTypeId);
  return (
    <>
      <Text size="sm">What is chosen here goes for each of them, and the rest stays as it is.</Text>
      <ClientSelect
        label="Client Name"
        aria-required={false}
        placeholder={STAYS}
        clearable
        value={change.clientId ?? null}
        onChange={(id) => onChoose({ clientId: id ?? undefined })}
        disabled={disabled}
        data-autofocus
      />
      {files.every(({ fileType }) => fileType === 'report') ? (
        <ReportTypeSelect
          placeholder={STAYS}
          value={change.reportTypeId ?? null}
          onChange={(reportTypeId) => onChoose({ reportTypeId: reportTypeId ?? undefined })}
          untyped={false}
          required={false}
          clearable
          disabled={disabled}
        />
      ) : null}
      <PeriodField
        noneLabel={STAYS}
        value={change.period ?? null}
        onChange={(period) => onChoose({ period: period ?? undefined })}
        disabled={disabled}
      />
      <PeriodDoubts
        files={files.map((file) => ({ ...file, reportTypeName: chosenType?.name ?? file.reportTypeName }))}
        period={change.period ?? (chosenType === undefined ? null : periodOfAll(files))}
        onChange={(period) => onChoose({ period })}
        disabled={disabled}
      />
    </>
  );
}
