// The first module of a thread: runs the module it is given, and returns its result.
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadModule } from './thread.ts';

const { url, input } = workerData as { readonly url: string; readonly input: unknown };
try {
  const { work } = (await import(url)) as ThreadModule<unknown, unknown>;
  parentPort?.postMessage({ output: await work(input) });
} catch (error) {
  parentPort?.postMessage({ error });
}
