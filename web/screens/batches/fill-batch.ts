// What becomes of dropped files: a batch of their own, sent, and read once all of them are there.

import {
  addBatchUploads,
  forgetBatchUploads,
  sendBatchUploads,
  tellLeftOut,
  tellNotSent,
} from '#web/data/batch-uploads.ts';
import { createBatch, readBatch } from '#web/data/batches.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { pathOf, whyNotSent, withoutSystemFiles } from '#web/lib/chosen-files.ts';
import { nothingToUpload } from '#web/lib/messages.ts';
import { toast } from '#web/ui/toast.tsx';
import { batchFailed } from './batch-messages.ts';
import { batchNameOf } from './batch-name.ts';

/** Has a batch read, without what could not be sent, which its page names; a failure is a toast. */
export async function startReading(batchId: number): Promise<void> {
  try {
    await tellLeftOut(batchId);
    await readBatch(batchId);
    forgetBatchUploads(batchId);
  } catch (error) {
    toastFault(error, batchFailed.readBatch);
  }
}

/** Sends what waits or has failed: true where all of it is in the batch. What came too late for it is a toast. */
export const sendFiles = (batchId: number): Promise<boolean> =>
  sendBatchUploads(batchId, (fault, count) => toastFault(fault, (reason) => batchFailed.sendRest(count, reason)));

/**
 * Sends files to a batch. Where each of them arrives, it is read at once; else its page says what failed. Empty files, and what is
 * no document in a folder, are left out, which its page says from then on.
 */
export async function fillBatch(batchId: number, files: readonly File[]): Promise<void> {
  const isSending = addBatchUploads(batchId, withoutSystemFiles(files));
  // What could not be told stays in the list, and is told before the batch is read.
  await tellNotSent(batchId).catch(() => undefined);
  if (!isSending || !(await sendFiles(batchId))) return;
  await startReading(batchId);
}

/** Begins a batch with files; its id, or null after a failure, which is a toast. */
export async function beginBatch(chosen: readonly File[]): Promise<number | null> {
  const files = withoutSystemFiles(chosen);
  if (files.length === 0) {
    toast.error(nothingToUpload);
    return null;
  }
  try {
    const named = files.map((file) => ({ path: pathOf(file), name: file.name, isLeftOut: whyNotSent(file) !== null }));
    const { id } = await createBatch(batchNameOf(named));
    void fillBatch(id, files);
    return id;
  } catch (error) {
    toastFault(error, batchFailed.beginBatch);
    return null;
  }
}
