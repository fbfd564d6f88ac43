// Deleting a row: the confirmation, the deletion, and the toast with its outcome.
import type { ReactNode } from 'react';
import { toastFault } from '#web/data/toast-fault.ts';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';

export interface DeletionWords<Row> {
  /** 'Delete Acme LLC?' */
  title: (row: Row) => string;
  /** From `confirmations` of `web/lib/messages.ts`. */
  question: string;
  /** What is deleted with it, above the question. */
  facts?: (row: Row) => ReactNode;
  /** Other facts, below it. */
  note?: (row: Row) => ReactNode;
  /** The toast; with Undo where the deletion can be taken back. */
  done: string | ((row: Row) => void);
  failed: (reason: string) => string;
}

/** The function that confirms, and then deletes by `remove`, which rejects with an ApiFault. */
export function useDeletion<Row extends { readonly id: number }>(
  remove: (id: number) => Promise<unknown>,
  words: DeletionWords<Row>,
): (row: Row) => void {
  const confirm = useConfirm();
  return (row) =>
    confirm({
      title: words.title(row),
      message: words.question,
      facts: words.facts?.(row),
      note: words.note?.(row),
      confirmLabel: 'Delete',
      busyLabel: 'Deleting...',
      onConfirm: async () => {
        try {
          await remove(row.id);
          if (typeof words.done === 'string') toast.success(words.done);
          else words.done(row);
        } catch (error) {
          toastFault(error, words.failed);
        }
      },
    });
}
