// The first module of a thread: asks the module it is given, question by question, and hands its answers over.
import { parentPort, workerData } from 'node:worker_threads';
import { giveWay } from '../give-way.ts';
import type { Sent, ThreadModule, ThreadStart } from './thread.ts';
import type { EndingState } from './thread-ending.ts';
import { makeZlibWhole } from './whole-zlib.ts';

const { url, givesWayBy, ending } = workerData as ThreadStart & { readonly ending: EndingState };
makeZlibWhole(ending);
if (givesWayBy > 0) giveWay(givesWayBy);

const module = import(url) as Promise<ThreadModule<unknown, unknown>>;

parentPort?.on('message', async (sent: Sent) => {
  try {
    const { work, forget, moved } = await module;
    if (sent === 'forget') {
      parentPort?.postMessage({ output: await forget?.() });
      return;
    }
    const output = await work(sent.question);
    parentPort?.postMessage({ output }, moved?.(output) ?? []);
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});
// A module that is not there is told of by the first answer.
module.catch(() => {});
