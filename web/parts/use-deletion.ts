// Deleting a row: the confirmation, the deletion, and the toast with its outcome.
import type { ReactNode } from 'react';
import { reasonOf } from '#web/lib/api.ts';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';

export interface DeletionWords<Row> {
  /** 'Delete Acme LLC?' */
  title: (row: Row) => string;
  /** From `confirmations` of `web/lib/messages.ts`. */
  question: string;
  /** What is deleted with it, or other facts. */
  note?: (row: Row) => ReactNode;
  done: string;
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
      note: words.note?.(row),
      confirmLabel: 'Delete',
      busyLabel: 'Deleting...',
      onConfirm: async () => {
        try {
          await remove(row.id);
          toast.success(words.done);
        } catch (error) {
          toast.error(words.failed(reasonOf(error)));
        }
      },
    });
}
