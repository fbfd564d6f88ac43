// Taking a replacement back, from the toast of the upload or the re-filing.
import type { NewerFileFate } from '#contract/trash.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { putBackVersion } from '#web/data/versions.ts';
import { putBackWords } from '#web/lib/version-messages.ts';
import { toast } from '#web/ui/toast.tsx';

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
