// Work of a thread beside other work: the thread says when it has begun, and once it is told to end, what came of it.
import { Worker } from 'node:worker_threads';

/** Runs `work` while the thread of the file `filename` goes on; resolves to what the thread has `seen` and to the result of `work`. */
export async function beside<Result>(
  filename: string,
  workerData: unknown,
  work: () => Promise<Result>,
): Promise<{ seen: unknown; result: Result }> {
  const worker = new Worker(filename, { workerData });
  const next = () =>
    new Promise<unknown>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  try {
    await next();
    const result = await work();
    const seen = next();
    worker.postMessage('end');
    return { seen: await seen, result };
  } finally {
    await worker.terminate();
  }
}
