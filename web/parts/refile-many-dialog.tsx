// The dialog that files several files elsewhere, one after the other: what is not chosen stays as it is for each.
import { Text } from '@mantine/core';
import { useLayoutEffect, useState } from 'react';
import type { FileRow, RefileInput } from '#contract/files.ts';
import { counted } from '#contract/plain-words.ts';
import { refileEach } from '#web/data/refile-each.ts';
import { done, failed } from '#web/lib/messages.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { ClientSelect } from './client-select.tsx';
import { namesOf } from './names-of.ts';
import { PeriodField } from './period-field.tsx';
import { ReportTypeFilter } from './type-selects.tsx';

const STAYS = 'Leave as it is';
const NOTHING_CHOSEN: Pick<RefileInput, 'clientId' | 'reportTypeId' | 'period'> = {};

export interface RefiledMany {
  /** Told those that are filed elsewhere now. */
  readonly onRefiled: (files: readonly FileRow[]) => void;
}

export function RefileManyDialog({ opened, subject, close, onRefiled }: Dialog<readonly FileRow[]> & RefiledMany) {
  const files = subject ?? [];
  const [change, setChange] = useState(NOTHING_CHOSEN);
  /** How many are done; null while nothing goes on. */
  const [doneCount, setDoneCount] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (opened) setChange(NOTHING_CHOSEN);
  }, [opened]);
  const busy = doneCount !== null;
  const dirty = Object.values(change).some((value) => value !== undefined);
  const choose = (next: typeof change) => setChange((before) => ({ ...before, ...next }));

  const refile = async () => {
    setDoneCount(0);
    const outcome = await refileEach(files, change, () => setDoneCount((count) => (count ?? 0) + 1));
    setDoneCount(null);
    onRefiled(outcome.done);
    if (outcome.failures.length > 0) toast.error(failed.refileFile(namesOf(outcome.failures)));
    else toast.success(outcome.done.length === 1 ? done.fileRefiled : done.filesRefiled(outcome.done.length));
    close();
  };

  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={`Re-file ${counted(files.length, 'file')}`}
      dirty={dirty}
      busy={busy}
      onSubmit={(event) => {
        event?.preventDefault();
        void refile();
      }}
      submitLabel="Re-file"
      busyLabel="Saving..."
      canSubmit={dirty}
      status={busy ? `${doneCount} of ${files.length} done` : ''}
    >
      <Text size="sm">What is chosen here goes for each of them, and the rest stays as it is.</Text>
      <ClientSelect
        label="Client Name"
        placeholder={STAYS}
        clearable
        value={change.clientId ?? null}
        onChange={(id) => choose({ clientId: id ?? undefined })}
        disabled={busy}
        data-autofocus
      />
      {files.every(({ fileType }) => fileType === 'report') ? (
        <ReportTypeFilter
          allLabel={STAYS}
          value={change.reportTypeId ?? null}
          onChange={(type) => choose({ reportTypeId: type === '' ? undefined : Number(type) })}
        />
      ) : null}
      <PeriodField
        noneLabel={STAYS}
        value={change.period ?? null}
        onChange={(period) => choose({ period: period ?? undefined })}
        disabled={busy}
      />
    </FormDialog>
  );
}
