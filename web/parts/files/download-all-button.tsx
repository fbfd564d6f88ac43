// Saving every file that a list shows: one file as it is, several as one ZIP.
import { IconFileZip } from '@tabler/icons-react';
import type { FileMatching, FileRow } from '#contract/files.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { SteadyLabel } from '#web/ui/steady-label.tsx';
import { archiveButton, PREPARE_ZIP, useArchiving } from './use-archiving.ts';

const DOWNLOAD_ALL = 'Download All';

export interface DownloadAllButtonProps {
  /** What narrows the list. */
  matching: FileMatching;
  /** The list's answer, once it is there. */
  list: { readonly rows: readonly FileRow[]; readonly total: number; readonly more?: boolean } | undefined;
  /** That is the answer for a list that was narrowed otherwise: its only file may not be in this one. */
  isOld: boolean;
}

export function DownloadAllButton({ matching, list, isOld }: DownloadAllButtonProps) {
  const { isPending, save } = useArchiving();
  const total = list?.total ?? 0;
  const more = list?.more === true;
  const { label, refused } = archiveButton(DOWNLOAD_ALL, { count: total, more });
  const only = total === 1 ? list?.rows[0] : undefined;
  return (
    <BusyButton
      variant="default"
      size="xs"
      leftSection={<IconFileZip size={15} aria-hidden />}
      busy={isPending || isOld}
      disabled={total === 0 || refused !== undefined}
      title={refused}
      onClick={() => save(only ? { files: [only] } : { matching, count: total, more })}
    >
      {isPending ? 'Preparing ZIP...' : <SteadyLabel label={label} among={[DOWNLOAD_ALL, PREPARE_ZIP]} />}
    </BusyButton>
  );
}
