// Runs work that keeps a processor busy in a thread of its own, so that the event loop continues to answer.
import { type TransferListItem, Worker } from 'node:worker_threads';

/** What a module that runs in a thread exports. Input and output are copied, or moved where they are transferred. */
export interface ThreadModule<Input, Output> {
  work(input: Input): Output | Promise<Output>;
}

interface Answer<Output> {
  readonly output?: Output;
  readonly error?: unknown;
}

/**
 * Runs `work` of the module at `url` in a thread. Rejects with what it throws, with the reason of `signal` once that is aborted
 * (the thread is ended wherever it is), and when the thread dies. `transfer` is gone from this side afterwards.
 */
export async function runInThread<Input, Output>(
  url: URL,
  input: Input,
  { signal, transfer = [] }: { readonly signal?: AbortSignal; readonly transfer?: readonly TransferListItem[] } = {},
): Promise<Output> {
  signal?.throwIfAborted();
  const worker = new Worker(new URL('./thread-entry.ts', import.meta.url), {
    workerData: { url: url.href, input },
    transferList: [...transfer],
  });
  const { promise, resolve, reject } = Promise.withResolvers<Output>();
  const abort = () => reject(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  worker.once('message', ({ output, error }: Answer<Output>) =>
    error === undefined ? resolve(output as Output) : reject(error),
  );
  worker.once('error', reject);
  worker.once('exit', (code) => reject(new Error(`The thread ended with ${code}`)));
  try {
    return await promise;
  } finally {
    signal?.removeEventListener('abort', abort);
    await worker.terminate();
  }
}
