// Renders many documents, on worker threads when there are enough of them to be worth it.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { DocumentDescriptor } from './documents/descriptor.ts';
import { createRenderer } from './documents/render.ts';

const WORKERS = 2;
const BATCH_SIZE = 40;
/** For fewer, starting threads takes longer than they save. */
const FEW = 200;

/** Called once for each document, in no order; rendering waits for what it returns. */
export type TakeBytes = (index: number, bytes: Uint8Array) => Promise<void>;

/** Renders all `documents` and passes the bytes of each to `take` with its position. Rejects with the first failure. */
export async function renderAll(documents: readonly DocumentDescriptor[], take: TakeBytes): Promise<void> {
  // Company by company, so that a company's payroll is figured out once and not for every file of it.
  const order = documents
    .map((document, index) => ({ document, index }))
    .sort((one, other) => one.document.company - other.document.company || one.index - other.index);
  if (order.length < FEW) {
    const render = createRenderer();
    for (const { document, index } of order) await take(index, await render(document));
    return;
  }

  const batches: (typeof order)[] = [];
  for (let start = 0; start < order.length; start += BATCH_SIZE) batches.push(order.slice(start, start + BATCH_SIZE));
  const pending = batches.values();
  const workers = Array.from({ length: WORKERS }, () => new Worker(new URL('./render-worker.ts', import.meta.url)));
  try {
    await Promise.all(workers.map((worker) => drive(worker, pending, take)));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

type Batch = readonly { readonly document: DocumentDescriptor; readonly index: number }[];

/** Keeps one worker busy: while it renders a batch, the previous one is being taken. */
async function drive(worker: Worker, pending: Iterator<Batch>, take: TakeBytes): Promise<void> {
  let taking: Promise<unknown> = Promise.resolve();
  for (let next = pending.next(); next.done !== true; next = pending.next()) {
    const batch = next.value;
    worker.postMessage(batch.map(({ document }) => document));
    const [rendered] = (await once(worker, 'message')) as [readonly Uint8Array[]];
    await taking;
    taking = Promise.all(batch.map(({ index }, position) => take(index, bytesAt(rendered, position))));
    // A failure is reported where it is awaited, above or below.
    taking.catch(() => {});
  }
  await taking;
}

function bytesAt(rendered: readonly Uint8Array[], position: number): Uint8Array {
  const bytes = rendered[position];
  if (bytes === undefined) throw new Error(`The worker rendered ${rendered.length} documents, not ${position + 1}`);
  return bytes;
}
