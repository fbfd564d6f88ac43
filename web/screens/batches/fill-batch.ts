// What becomes of dropped files: a batch of their own, sent, and read once all of them are there.

import {
  addBatchUploads,
  forgetBatchUploads,
  sendBatchUploads,
  tellEmpty,
  tellLeftOut,
} from '#web/data/batch-uploads.ts';
import { createBatch, readBatch } from '#web/data/batches.ts';
import { batchFailed } from '#web/lib/batch-messages.ts';
import { toastFault } from '#web/lib/toast-fault.ts';
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

/**
 * Sends files to a batch. Where each of them arrives, it is read at once; else its page says what failed. Empty files are left
 * out, which its page says from then on.
 */
export async function fillBatch(batchId: number, files: readonly File[]): Promise<void> {
  addBatchUploads(batchId, files);
  // What could not be told stays in the list, and is told before the batch is read.
  await tellEmpty(batchId).catch(() => undefined);
  if (files.every(({ size }) => size === 0) || !(await sendBatchUploads(batchId))) return;
  await startReading(batchId);
}

/** Begins a batch with files; its id, or null after a failure, which is a toast. */
export async function beginBatch(files: readonly File[]): Promise<number | null> {
  try {
    const { id } = await createBatch(batchNameOf(files));
    void fillBatch(id, files);
    return id;
  } catch (error) {
    toastFault(error, batchFailed.beginBatch);
    return null;
  }
}
