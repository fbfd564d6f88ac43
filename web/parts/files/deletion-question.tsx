// The question before ticked files are deleted together, the deletion, and the toast with its outcome.

import { Progress, Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import type { FileRow } from '#contract/files.ts';
import { counted } from '#contract/plain-words.ts';
import { type DeletionOutcome, type DeletionProgress, planDeletion } from '#web/data/file-deletion.ts';
import { changedOf } from '#web/data/one-by-one.ts';
import { formatCount } from '#web/lib/format.ts';
import { confirmations, failed } from '#web/lib/messages.ts';
import { namesOf } from '#web/lib/names-of.ts';
import type { ConfirmRequest } from '#web/ui/confirm-dialog.tsx';
import { toastFilesDeleted } from '../trash/undo.ts';
import type { FileNoun } from './file-actions.tsx';
import { RestorableUntil } from './restorable-until.tsx';

interface TickedDeletion {
  readonly files: readonly FileRow[];
  readonly noun: FileNoun;
  /** How many of the ticked files are not the viewer's to delete. */
  readonly kept: number;
  /** How many are on hold. */
  readonly held: number;
  /** Told those that are gone, or are not any more what was looked at. */
  readonly onDone: (files: readonly FileRow[]) => void;
}

export function deletionQuestion({ files, noun, kept, held, onDone }: TickedDeletion): ConfirmRequest {
  const { progress, run } = planDeletion(files);
  const [first, ...others] = files;
  const only = others.length === 0 ? first : undefined;
  const several = noun === 'file' ? confirmations.deleteFiles : confirmations.deleteDocuments;
  const one = noun === 'file' ? confirmations.deleteFile : confirmations.deleteDocument;
  return {
    title: only ? `Delete ${only.originalName}?` : `Delete ${counted(files.length, noun)}?`,
    message: only ? one : several(files.length),
    note: <DeletionNote progress={progress} count={files.length} kept={kept} held={held} />,
    confirmLabel: 'Delete',
    busyLabel: 'Deleting...',
    onConfirm: async () => {
      const outcome = await run();
      onDone([...outcome.deleted, ...changedOf(outcome.failures)]);
      report(outcome);
    },
  };
}

function report({ deleted, trashed, failures }: DeletionOutcome<FileRow>): void {
  const words = failures.length === 1 ? failed.deleteFile : failed.deleteFiles;
  toastFilesDeleted({
    count: deleted.length,
    ids: trashed.map(({ id }) => id),
    fault: failures.length === 0 ? undefined : words(namesOf(failures, deleted.length)),
  });
}

interface DeletionNoteProps extends Pick<TickedDeletion, 'kept' | 'held'> {
  progress: DeletionProgress;
  count: number;
}

function DeletionNote({ progress, count, kept, held }: DeletionNoteProps) {
  const doneCount = useSyncExternalStore(progress.subscribe, progress.doneCount);
  return (
    <>
      <Text>
        <RestorableUntil kind="file" several={count > 1} />
      </Text>
      {held > 0 ? <Text>{counted(held, 'selected file')} on hold will stay.</Text> : null}
      {kept > 0 ? <Text>{counted(kept, 'selected file')} you may not delete will stay.</Text> : null}
      {/* Always there, so that its changes are read out. */}
      <Text size="sm" role="status">
        {doneCount > 0 && count > 1 ? `${formatCount(doneCount)} of ${formatCount(count)} done` : ''}
      </Text>
      {doneCount > 0 && count > 1 ? (
        <Progress value={(doneCount / count) * 100} size={4} mt={4} aria-label="Deleting" />
      ) : null}
    </>
  );
}
