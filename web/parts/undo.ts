// Taking a deletion back, from its toast: works on when the page that deleted is left.

import type { NewerFileFate } from '#contract/trash.ts';
import { restoreClient, restoreFiles } from '#web/data/trash.ts';
import { putBackVersion } from '#web/data/versions.ts';
import { done, failed } from '#web/lib/messages.ts';
import { toastFault } from '#web/lib/toast-fault.ts';
import { putBackWords } from '#web/lib/version-messages.ts';
import { toast } from '#web/ui/toast.tsx';

/** Says that `count` files were deleted, and offers to restore those of `ids`: others may have been deleted by somebody else before. */
export function toastFilesDeleted({
  count,
  ids,
  words = count === 1 ? done.fileDeleted : done.filesDeleted(count),
}: {
  readonly count: number;
  readonly ids: readonly number[];
  /** Said in another way. */
  readonly words?: string;
}): void {
  if (ids.length === 0) {
    toast.success(words);
    return;
  }
  const one = ids.length === 1;
  toast.undoable(words, () => {
    void restoreFiles(ids).then(
      () => toast.success(one ? done.fileRestored : done.filesRestored(ids.length)),
      (error: unknown) => toastFault(error, one ? failed.restoreFile : failed.restoreFiles),
    );
  });
}

/** The same of a client. */
export function toastClientDeleted(id: number): void {
  toast.undoable(done.clientDeleted, () => {
    void restoreClient(id).then(
      () => toast.success(done.clientRestored),
      (error: unknown) => toastFault(error, failed.restoreClient),
    );
  });
}

/** Says so, and offers to put the files `ids` back that others took the place of; `newer` is what becomes of those then. */
export function toastReplaced(words: string, ids: readonly number[], newer: NewerFileFate): void {
  if (ids.length === 0) {
    toast.success(words);
    return;
  }
  toast.undoable(words, () => {
    void putBackAll(ids, newer).then(
      () => toast.success(putBackWords.done),
      (error: unknown) => toastFault(error, putBackWords.failed),
    );
  });
}

async function putBackAll(ids: readonly number[], newer: NewerFileFate): Promise<void> {
  for (const id of ids) await putBackVersion(id, newer);
}
