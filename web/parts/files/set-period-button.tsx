// Gives selected files one period, beside what else is done with them; the dialog loads when it is needed.

import { Button } from '@mantine/core';
import { IconCalendarStats } from '@tabler/icons-react';
import type { FileRow } from '#contract/files.ts';
import { formatCount } from '#web/lib/format.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { useLazyDialog } from '#web/ui/use-lazy-dialog.tsx';
import type { RowSelection } from '#web/ui/use-row-selection.ts';
import { refilableTypes } from './refile-types.ts';
import type { FilesForPeriod } from './set-period-dialog.tsx';

const load = async () => (await import('./set-period-dialog.tsx')).SetPeriodDialog;

/** Nothing where the person may re-file none of them. */
export function SetPeriodButton({ ticked }: { ticked: RowSelection<FileRow> }) {
  const user = useSessionUser();
  const dialog = useLazyDialog<FilesForPeriod>(load);
  const files = ticked.rows.filter((file) => refilableTypes(user, file).includes(file.fileType));
  const others = ticked.rows.length - files.length;
  return (
    <>
      {files.length === 0 ? null : (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconCalendarStats size={15} aria-hidden />}
          onClick={() => void dialog.open({ files, others, onSet: (set) => ticked.set(set, false) })}
        >
          {others === 0
            ? 'Set Period'
            : `Set Period of ${formatCount(files.length)} of ${formatCount(ticked.rows.length)}`}
        </Button>
      )}
      {dialog.element}
    </>
  );
}
