// The dialog that gives several files one period.
import { Text } from '@mantine/core';
import { useLayoutEffect, useState } from 'react';
import type { FileRow } from '#contract/files.ts';
import { counted } from '#contract/plain-words.ts';
import { useSetPeriods } from '#web/data/files.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { done, failed, notAllDone } from '#web/lib/messages.ts';
import { someOf } from '#web/lib/names-of.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { PeriodDoubts } from '../periods/period-doubt.tsx';
import { PeriodField } from '../periods/period-field.tsx';

export interface FilesForPeriod {
  readonly files: readonly FileRow[];
  /** How many of those selected the person may not re-file. */
  readonly others: number;
  /** Called with the files whose period was set, and with those that somebody else has changed or deleted meanwhile. */
  readonly onSet: (files: readonly FileRow[]) => void;
}

export function SetPeriodDialog({ opened, subject, close }: Dialog<FilesForPeriod>) {
  const [period, setPeriod] = useState<string | null>(null);
  const setting = useSetPeriods();
  const { files = [], others = 0, onSet } = subject ?? {};
  useLayoutEffect(() => {
    if (opened) setPeriod(null);
  }, [opened]);
  const save = async () => {
    if (period === null) return;
    const [set, leftOut]: [FileRow[], FileRow[]] = [[], []];
    const onDone = (some: readonly FileRow[], changed: readonly FileRow[]) => {
      set.push(...some);
      leftOut.push(...changed);
    };
    try {
      await setting.mutateAsync({ files, period, onDone });
      const reason = failed.changedMeanwhile(someOf(leftOut.map(({ originalName }) => originalName)));
      if (leftOut.length === 0) toast.success(done.periodSet(counted(set.length, 'file')));
      else toast.error(failed.setPeriods(notAllDone(reason, set.length, leftOut.length)));
      close();
    } catch (error) {
      toastFault(error, (reason) => failed.setPeriods(notAllDone(reason, set.length, files.length - set.length)));
    }
    onSet?.([...set, ...leftOut]);
  };
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={`Set the period of ${counted(files.length, 'file')}`}
      dirty={period !== null}
      busy={setting.isPending}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      submitLabel="Set Period"
      busyLabel="Saving..."
      canSubmit={period !== null}
    >
      <PeriodField value={period} onChange={setPeriod} disabled={setting.isPending} />
      <PeriodDoubts files={files} period={period} onChange={setPeriod} disabled={setting.isPending} />
      {others > 0 ? <Text size="sm">{counted(others, 'selected file')} you may not re-file will stay.</Text> : null}
    </FormDialog>
  );
}
