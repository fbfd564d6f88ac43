// The 'File Uploads' list of an upload dialog: choosing or dropping files, their progress, removing and retrying them.

import { Button, FileButton, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useId, useRef } from 'react';
import type { FileType } from '#contract/file-kinds.ts';
import { addUploads, removeUpload, type Uploads } from '#web/data/uploads.ts';
import { empty } from '#web/lib/messages.ts';
import { someOf } from '#web/lib/names-of.ts';
import { RepeatAll } from './already-there.tsx';
import type { OwnChoices, Repeat } from './own-choices.ts';
import { ItemRow } from './upload-item.tsx';
import classes from './upload-list.module.css';
import type { UploadRow } from './upload-rows.ts';

export interface UploadListProps {
  uploads: Uploads;
  /** Whether Add File takes several files at a time (Add Data takes one); dropping always does. */
  several: boolean;
  /** What each of the files is filed under. */
  rows: readonly UploadRow[];
  /** The kinds that may be sent from here. */
  fileTypes: readonly FileType[];
  onChange: (id: string, choice: OwnChoices) => void;
  /** The same for every file of which one is there already. */
  onRepeatAll: (choice: Repeat) => void;
  onRetry: (id: string) => void;
  /** Chooses for a file that was stopped, and sends it. */
  onSettle: (id: string, choice: OwnChoices) => void;
}

export function UploadList(props: UploadListProps) {
  const { uploads, rows, fileTypes, several, onChange, onRepeatAll, onRetry, onSettle } = props;
  const { items, busy, repeated } = uploads;
  const addButton = useRef<HTMLButtonElement>(null);
  const forgetChoice = useRef<() => void>(null);
  const labelId = useId();

  const add = (chosen: File | File[] | null) => {
    addUploads([chosen ?? []].flat());
    // The same file can be chosen again once it was removed from the list.
    forgetChoice.current?.();
  };

  const remove = (id: string) => {
    removeUpload(id);
    // The pressed button disappears with its row.
    addButton.current?.focus();
  };

  return (
    <section aria-labelledby={labelId}>
      <Group justify="space-between" mb={6} gap="xs">
        <Text id={labelId} size="sm" fw={600}>
          File Uploads
        </Text>
        <FileButton multiple={several} onChange={add} resetRef={forgetChoice} inputProps={{ 'aria-hidden': true }}>
          {({ onClick }) => (
            <Button
              ref={addButton}
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={onClick}
            >
              Add File
            </Button>
          )}
        </FileButton>
      </Group>
      <RepeatAll rows={rows} disabled={busy} onChange={onRepeatAll} />
      <div className={classes.zone}>
        {items.length === 0 ? (
          <div className={classes.empty}>
            <Text>{empty.noFilesSelected}</Text>
            <Text c="dimmed" size="sm">
              Drop files here, or use Add File.
            </Text>
          </div>
        ) : (
          <ul className={classes.list} aria-labelledby={labelId}>
            {rows.map((row) => (
              <ItemRow
                key={row.item.id}
                row={row}
                fileTypes={fileTypes}
                disabled={busy}
                onChange={(choice) => onChange(row.item.id, choice)}
                onRetry={() => onRetry(row.item.id)}
                onSettle={(choice) => onSettle(row.item.id, choice)}
                onRemove={() => remove(row.item.id)}
              />
            ))}
          </ul>
        )}
      </div>
      <p className={classes.note} role="status">
        {repeated.length > 0 ? `Already in the list: ${someOf(repeated)}` : ''}
      </p>
    </section>
  );
}
