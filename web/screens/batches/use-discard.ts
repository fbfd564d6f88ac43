// Discarding a batch, asked first.
import { useNavigate } from '@tanstack/react-router';
import type { BatchRow } from '#contract/batches.ts';
import { forgetBatchUploads } from '#web/data/batch-uploads.ts';
import { discardBatch, refreshBatches } from '#web/data/batches.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import { batchDone, batchFailed, batchQuestions } from './batch-messages.ts';

/** Asks, discards, and leads back to the list. `wasReleased`: some of it was once, and there is a certificate to lose. */
export function useDiscard({ id, name }: BatchRow, wasReleased = false): () => void {
  const confirm = useConfirm();
  const navigate = useNavigate();
  return () =>
    confirm({
      title: `Discard ${name}?`,
      message: batchQuestions.discardBatch(wasReleased),
      confirmLabel: 'Discard',
      busyLabel: 'Discarding...',
      onConfirm: async () => {
        try {
          await discardBatch(id);
          forgetBatchUploads(id);
          toast.success(batchDone.batchDiscarded);
          await navigate({ to: '/batches' });
        } catch (error) {
          toastFault(error, batchFailed.discardBatch);
          await refreshBatches();
        }
      },
    });
}
