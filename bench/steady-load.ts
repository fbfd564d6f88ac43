// A steady pace of requests: each is due at its time whether or not earlier ones were answered, and its wait counts from there.
import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { LoadRequest } from 'autocannon';
import type { Server } from './children.ts';
import { Broken, percentile } from './load.ts';
import type { Settings } from './settings.ts';

export interface Waits {
  readonly asked: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
}

function ask(agent: Agent, origin: string, { path, headers = {} }: LoadRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const asking = request(new URL(path, origin), { agent, headers: { ...headers } }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    });
    asking.once('error', reject).end();
  });
}

/** `perSecond` of `requests`, one after the other, starting over after the last. Throws Broken where one is not answered 200. */
export async function loadSteadily(
  server: Server,
  requests: readonly LoadRequest[],
  perSecond: number,
  { durationMs, warmUpMs }: Settings['steady'],
): Promise<Waits> {
  const agent = new Agent({ keepAlive: true });
  const waits: number[] = [];
  const faults = new Map<string, number>();
  const asked: Promise<void>[] = [];
  const startedAt = performance.now();
  const askOne = async (what: LoadRequest, dueMs: number) => {
    const status = await ask(agent, server.origin, what).catch((error: Error) => error.message);
    if (status !== 200) faults.set(String(status), (faults.get(String(status)) ?? 0) + 1);
    if (dueMs >= warmUpMs) waits.push(performance.now() - startedAt - dueMs);
  };
  for (let nth = 0; ; ) {
    const elapsedMs = performance.now() - startedAt;
    if (elapsedMs >= warmUpMs + durationMs) break;
    for (; (nth * 1000) / perSecond <= elapsedMs; nth += 1) {
      const what = requests[nth % requests.length];
      if (what !== undefined) asked.push(askOne(what, (nth * 1000) / perSecond));
    }
    await setTimeout(1);
  }
  await Promise.all(asked);
  agent.destroy();
  if (faults.size > 0) {
    const listed = [...faults].map(([fault, times]) => `${fault} (${times} times)`).join(', ');
    throw new Broken(`${requests[0]?.path}: answered ${listed}\n${server.output()}`);
  }
  const sorted = waits.toSorted((a, b) => a - b);
  return {
    asked: sorted.length,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    longestMs: sorted.at(-1) ?? Number.NaN,
  };
}
