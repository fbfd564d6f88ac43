// Requests /healthz in a loop on a thread of its own, so that the waits it sees are the server's and not this program's.
import { Agent, get } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { beside } from './beside.ts';

const PAUSE_MS = 5;
/** An answer that never comes ends the wait here, and counts as this long. */
const GIVE_UP_MS = 30_000;

/** What was seen until the watch ended. */
export interface Watched {
  readonly longestMs: number;
  readonly asked: number;
  /** Answers that were none, or others than 200. */
  readonly refused: number;
}

function ask(agent: Agent, origin: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = get(new URL('/healthz', origin), { agent, timeout: GIVE_UP_MS }, (answer) => {
      answer.resume().once('close', () => resolve(answer.statusCode === 200));
    });
    asking.once('timeout', () => asking.destroy());
    asking.once('error', () => resolve(false));
  });
}

async function watch(origin: string, ended: () => boolean): Promise<Watched> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let longestMs = 0;
  let asked = 0;
  let refused = 0;
  while (!ended()) {
    const askedAt = performance.now();
    if (!(await ask(agent, origin))) refused += 1;
    longestMs = Math.max(longestMs, performance.now() - askedAt);
    asked += 1;
    await setTimeout(PAUSE_MS);
  }
  agent.destroy();
  return { longestMs, asked, refused };
}

/** Requests `origin` while `work` runs; resolves to what was seen and to the result of `work`. */
export async function watchHealthDuring<Result>(
  origin: string,
  work: () => Promise<Result>,
): Promise<{ watched: Watched; result: Result }> {
  const { seen, result } = await beside(import.meta.filename, origin, work);
  return { watched: seen as Watched, result };
}

if (!isMainThread && parentPort !== null) {
  let isOver = false;
  parentPort.once('message', () => {
    isOver = true;
  });
  const origin = String(workerData);
  // A first answer opens the connection and warms the address up.
  await ask(new Agent({ keepAlive: false }), origin);
  parentPort.postMessage('begun');
  parentPort.postMessage(await watch(origin, () => isOver));
}
