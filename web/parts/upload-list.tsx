// The 'File Uploads' list of an upload dialog: choosing or dropping files, their progress, removing and retrying them.

import { Button, FileButton, Group, Progress, Text } from '@mantine/core';
import { IconPlus, IconRefresh, IconX } from '@tabler/icons-react';
import { useId, useRef } from 'react';
import { addUploads, removeUpload, type UploadItem, type Uploads } from '#web/data/uploads.ts';
import { formatMegabytes } from '#web/lib/format.ts';
import { empty } from '#web/lib/messages.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import classes from './upload-list.module.css';

export interface UploadListProps {
  uploads: Uploads;
  /** Whether Add File takes several files at a time (Add Data takes one); dropping always does. */
  several: boolean;
  /** False while there is nothing to file them under. */
  canRetry: boolean;
  onRetry: (id: string) => void;
}

export function UploadList({ uploads, several, canRetry, onRetry }: UploadListProps) {
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
              disabled={busy}
            >
              Add File
            </Button>
          )}
        </FileButton>
      </Group>
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
            {items.map((item) => (
              <ItemRow
                key={item.id}
                item={item}
                canRetry={canRetry && !busy}
                onRetry={() => onRetry(item.id)}
                onRemove={() => remove(item.id)}
              />
            ))}
          </ul>
        )}
      </div>
      <p className={classes.note} role="status">
        {repeated.length > 0 ? `Already in the list: ${repeated.join(', ')}` : ''}
      </p>
    </section>
  );
}

function factOf({ state, sizeBytes, sentShare, reason }: UploadItem): string {
  if (state === 'failed') return reason ?? '';
  if (state === 'waiting') return formatMegabytes(sizeBytes);
  return sentShare < 1 ? `${formatMegabytes(sizeBytes)} · ${Math.floor(sentShare * 100)}%` : 'Storing...';
}

interface ItemRowProps {
  item: UploadItem;
  canRetry: boolean;
  onRetry: () => void;
  onRemove: () => void;
}

function ItemRow({ item, canRetry, onRetry, onRemove }: ItemRowProps) {
  const { name, state, sentShare } = item;
  return (
    <li className={classes.item} data-state={state}>
      <div className={classes.about}>
        <p className={classes.name}>
          <Breakable text={name} />
        </p>
        <p className={classes.fact} data-failed={state === 'failed' || undefined}>
          {factOf(item)}
        </p>
        {state === 'sending' ? (
          <Progress value={sentShare * 100} size={4} mt={4} aria-label={`Sending ${name}`} transitionDuration={150} />
        ) : null}
      </div>
      {state === 'failed' ? (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconRefresh size={14} aria-hidden />}
          onClick={onRetry}
          disabled={!canRetry}
          aria-label={`Retry ${name}`}
        >
          Retry
        </Button>
      ) : null}
      <IconButton
        label={state === 'sending' ? `Cancel ${name}` : `Remove ${name}`}
        tip={state === 'sending' ? 'Cancel' : 'Remove'}
        icon={<IconX size={16} aria-hidden />}
        onClick={onRemove}
      />
    </li>
  );
}
