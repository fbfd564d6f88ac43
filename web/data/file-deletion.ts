// Deletes several files, one after the other, and counts the progress.

import { call } from '#web/lib/api.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { newListeners } from '#web/lib/listeners.ts';
import { oneByOne } from './one-by-one.ts';
import { refresh } from './query-client.ts';

export interface FileToDelete {
  readonly id: number;
  readonly originalName: string;
  /** As it was looked at: where it has another one by now, it is not deleted. */
  readonly version: string;
}

/** How far a deletion is; readable by `useSyncExternalStore`. */
export interface DeletionProgress {
  readonly doneCount: () => number;
  readonly subscribe: (listener: () => void) => () => void;
}

export interface FilesDeletion<File extends FileToDelete> {
  readonly progress: DeletionProgress;
  /** Never rejects. A file that is already deleted counts as deleted; without an answer or a session the rest is left. */
  readonly run: () => Promise<DeletionOutcome<File>>;
}

export interface DeletionOutcome<File> {
  /** With those that somebody else had deleted already. */
  readonly deleted: readonly File[];
  /** Those that are in the trash by this deletion. */
  readonly trashed: readonly File[];
  readonly failures: readonly { readonly file: File; readonly error: unknown }[];
}

export function planDeletion<File extends FileToDelete>(files: readonly File[]): FilesDeletion<File> {
  let doneCount = 0;
  const listeners = newListeners();

  const run = async () => {
    const trashed: File[] = [];
    const remove = async (file: File) => {
      try {
        await call('files.delete', { params: { id: file.id } }, { ifMatch: file.version });
        trashed.push(file);
      } catch (error) {
        if (!(error instanceof ApiFault && error.status === 404)) throw error;
      }
    };
    const { done: deleted, failures } = await oneByOne(files, remove, () => {
      doneCount += 1;
      listeners.tell();
    });
    await refresh('files', 'activity', 'overview', 'trash');
    return { deleted, trashed, failures };
  };

  return { progress: { doneCount: () => doneCount, subscribe: listeners.add }, run };
}
