// One's prepared ZIPs: how far each is, until when it is kept, and what can be done with it.
import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { IconDownload, IconRefresh, IconTrash } from '@tabler/icons-react';
import type { ArchiveRow } from '#contract/archives.ts';
import { useRemoveArchive, useRetryArchive } from '#web/data/archive-acts.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { Moment } from '#web/ui/moment.tsx';
import { BELOW_TOASTS } from '#web/ui/toast.tsx';
import { useHistoryStep } from '#web/ui/use-history-step.ts';
import classes from './prepared-zips-dialog.module.css';
import { failedWords, missingWords, sizeWords, titleOf } from './zip-words.ts';

export interface PreparedZipsDialogProps {
  opened: boolean;
  onClose: () => void;
  rows: readonly ArchiveRow[];
  onDownload: (row: ArchiveRow) => void;
  /** Whether one is just being saved, by its id. */
  isSaving: (id: number) => boolean;
}

export function PreparedZipsDialog({ opened, onClose, rows, onDownload, isSaving }: PreparedZipsDialogProps) {
  useHistoryStep(() => {
    if (opened) onClose();
  });
  return (
    <Modal opened={opened} onClose={onClose} title="Prepared ZIPs" size="lg" styles={{ title: { fontWeight: 600 } }}>
      {rows.length === 0 ? <Text c="dimmed">You have no prepared ZIPs.</Text> : null}
      <Stack component="ul" gap="md" className={classes.list ?? ''}>
        {rows.map((row) => (
          <Zip key={row.id} row={row} onDownload={onDownload} saving={isSaving(row.id)} />
        ))}
      </Stack>
    </Modal>
  );
}

interface ZipProps {
  row: ArchiveRow;
  onDownload: (row: ArchiveRow) => void;
  saving: boolean;
}

function Zip({ row, onDownload, saving }: ZipProps) {
  const retry = useRetryArchive();
  const remove = useRemoveArchive();
  const title = titleOf(row);
  return (
    <li className={classes.zip}>
      <Text fw={600}>
        <Breakable text={title} />
      </Text>
      <Facts row={row} title={title} />
      <Group gap="xs" mt="xs" {...{ [BELOW_TOASTS]: '' }}>
        {row.state === 'ready' ? (
          <BusyButton
            size="xs"
            leftSection={<IconDownload size={15} aria-hidden />}
            busy={saving}
            onClick={() => onDownload(row)}
            aria-label={`Download ${title}`}
          >
            Download
          </BusyButton>
        ) : null}
        {row.state === 'failed' ? (
          <BusyButton
            size="xs"
            leftSection={<IconRefresh size={15} aria-hidden />}
            busy={retry.isPending}
            onClick={() => retry.mutate(row.id, { onError: (error) => toastFault(error, failedWords) })}
            aria-label={`Try Again: ${title}`}
          >
            Try Again
          </BusyButton>
        ) : null}
        <Button
          variant="default"
          size="xs"
          leftSection={<IconTrash size={15} aria-hidden />}
          disabled={remove.isPending}
          onClick={() =>
            remove.mutate(row.id, {
              onError: (error) => toastFault(error, (reason) => `Failed to remove the ZIP: ${reason}`),
            })
          }
          aria-label={`${row.state === 'preparing' ? 'Cancel' : 'Remove'} ${title}`}
        >
          {row.state === 'preparing' ? 'Cancel' : 'Remove'}
        </Button>
      </Group>
    </li>
  );
}

function Facts({ row, title }: { row: ArchiveRow; title: string }) {
  if (row.state === 'preparing') {
    return (
      <>
        <Text size="sm" c="dimmed">
          Preparing{row.progress === null ? '...' : `, ${row.progress}%`}
        </Text>
        <Progress value={row.progress ?? 0} size={4} mt={4} aria-label={`Progress of ${title}`} />
      </>
    );
  }
  if (row.state === 'failed') {
    return (
      <Text size="sm" c="var(--mantine-color-error)">
        {row.reason}
      </Text>
    );
  }
  const missing = missingWords(row);
  return (
    <>
      <Text size="sm" c="dimmed">
        {sizeWords(row)}. Kept until <Moment at={row.expiresAt} />.
      </Text>
      {missing === null ? null : <Text size="sm">{missing}</Text>}
    </>
  );
}
