// Taking a replacement back, from the toast of the upload or the re-filing.
import type { NewerFileFate } from '#contract/trash.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { putBackVersions } from '#web/data/versions.ts';
import { notAllDone } from '#web/lib/messages.ts';
import { putBackWords } from '#web/lib/version-messages.ts';
import { toast } from '#web/ui/toast.tsx';

/** Says so, and offers to put the files `ids` back that others took the place of; `newer` is what becomes of those then. */
export function toastReplaced(words: string, ids: readonly number[], newer: NewerFileFate): void {
  if (ids.length === 0) {
    toast.success(words);
    return;
  }
  toast.undoable(words, () => {
    void putBackVersions(ids, newer).then(({ done, failures }) => {
      const [failure] = failures;
      if (failure === undefined) toast.success(putBackWords.done);
      else {
        toastFault(failure.error, (reason) => putBackWords.failed(notAllDone(reason, done.length, failures.length)));
      }
    });
  });
}
