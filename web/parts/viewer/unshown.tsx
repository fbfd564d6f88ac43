// Replaces a file that is not shown: why, and what to do instead.
import { Group } from '@mantine/core';
import { IconDownload, IconFileText } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { FileRow } from '#contract/files.ts';
import { useFileOpening } from '#web/parts/files/file-actions.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import classes from './viewer.module.css';

export interface UnshownProps {
  file: FileRow;
  title: string;
  hint: string;
  /** Next to the download. */
  action?: ReactNode;
}

export function Unshown({ file, title, hint, action }: UnshownProps) {
  const { download, isDownloading } = useFileOpening(file);
  return (
    <div className={classes.middle}>
      <EmptyState
        title={title}
        hint={hint}
        icon={<IconFileText size={28} stroke={1.5} />}
        action={
          <Group gap="xs" mt="xs" justify="center">
            <BusyButton leftSection={<IconDownload size={16} aria-hidden />} onClick={download} busy={isDownloading}>
              {isDownloading ? 'Downloading...' : 'Download file'}
            </BusyButton>
            {action}
          </Group>
        }
      />
    </div>
  );
}
