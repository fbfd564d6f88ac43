// Taking a deletion back, from its toast: works on when the page that deleted is left.

import { toastFault } from '#web/data/toast-fault.ts';
import { restoreClient, restoreFiles } from '#web/data/trash.ts';
import { done, failed, notAllDone } from '#web/lib/messages.ts';
import { toast } from '#web/ui/toast.tsx';

/** Says that `count` files were deleted, and offers to restore those of `ids`: others may have been deleted by somebody else before. */
export function toastFilesDeleted({
  count,
  ids,
  words = count === 1 ? done.fileDeleted : done.filesDeleted(count),
  fault,
}: {
  readonly count: number;
  readonly ids: readonly number[];
  /** Said in another way. */
  readonly words?: string;
  /** Said instead: which were not, and why. */
  readonly fault?: string | undefined;
}): void {
  const one = ids.length === 1;
  const restore = () => {
    void restoreFiles(ids).then(({ done: restored, failures }) => {
      const [failure] = failures;
      if (failure === undefined) toast.success(one ? done.fileRestored : done.filesRestored(ids.length));
      else {
        toastFault(failure.error, (reason) =>
          (one ? failed.restoreFile : failed.restoreFiles)(notAllDone(reason, restored.length, failures.length)),
        );
      }
    });
  };
  const undo = ids.length === 0 ? undefined : restore;
  if (fault === undefined) toast.undoable(words, undo);
  else toast.error(fault, { undo });
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
