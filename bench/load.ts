// Puts load on a server and measures from outside: rates, latencies, and the server's processor time.
import autocannon, { type Connection, type LoadRequest } from 'autocannon';
import type { Server } from './children.ts';
import type { Rounds } from './settings.ts';

export interface Load {
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  readonly status: number;
  /** Every answer must have at least this many bytes, headers included. */
  readonly bytesMin: number;
}

/** Something broke: wrong answers are no measurement. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

/** One run of load on one server. */
interface LoadRun {
  readonly perSecond: number;
  readonly latenciesMs: readonly number[];
  /** Processor milliseconds of the server and its engine for each request; null where the system does not report it. */
  readonly serverMsEach: number | null;
  /** The part of a processor that this process, which makes the load, used up. */
  readonly clientBusy: number;
}

/** Keeps `load` up for about `durationMs`. Throws Broken when an answer is not what it must be. */
export async function runLoad(server: Server, load: Load, durationMs: number): Promise<LoadRun> {
  const latenciesMs: number[] = [];
  const faults = new Map<string, number>();
  const addFault = (fault: string) => faults.set(fault, (faults.get(fault) ?? 0) + 1);
  const processorBefore = server.processorMs();
  const clientBefore = process.cpuUsage();
  const startedAt = performance.now();
  let lastAt = startedAt;
  let connected = 0;
  const run = autocannon({
    url: server.origin,
    connections: load.connections,
    duration: durationMs / 1000,
    sampleInt: 50,
    timeout: 60,
    requests: load.requests,
    // The client would make a string of every body, which costs it more than the server spends on sending one.
    setupClient: (connection: Connection) => {
      connection.pipelinedRequests.addBody = () => {};
      // Each connection starts at another request, or all of them would request the same at once.
      const first = Math.floor((connected * load.requests.length) / load.connections) % load.requests.length;
      connection.setRequests([...load.requests.slice(first), ...load.requests.slice(0, first)]);
      connected += 1;
    },
  });
  run.on('response', (_connection: unknown, status: number, bytes: number, tookMs: number) => {
    if (status !== load.status) addFault(`answered ${status}`);
    else if (bytes < load.bytesMin) addFault(`only ${bytes} bytes came`);
    latenciesMs.push(tookMs);
    lastAt = performance.now();
  });
  run.on('reqError', (error: Error) => addFault(error.message));
  await run;
  const clientUsed = process.cpuUsage(clientBefore);
  const processorAfter = server.processorMs();
  if (faults.size > 0 || latenciesMs.length === 0) {
    const listed = [...faults].map(([fault, times]) => `${fault} (${times} times)`).join(', ');
    throw new Broken(`${load.requests[0]?.path}: ${listed || 'no answer'}\n${server.output()}`);
  }
  const tookMs = lastAt - startedAt;
  return {
    perSecond: (latenciesMs.length * 1000) / tookMs,
    latenciesMs,
    serverMsEach:
      processorBefore === null || processorAfter === null
        ? null
        : (processorAfter - processorBefore) / latenciesMs.length,
    clientBusy: (clientUsed.user + clientUsed.system) / 1000 / tookMs,
  };
}

/** Several runs on one server, taken in turns with others. */
export interface Measured {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly serverMsEach: number | null;
  readonly clientBusy: number;
  /** The rate of each run, in the order of the rounds. */
  readonly rates: readonly number[];
}

export function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

function summarize(runs: readonly LoadRun[]): Measured {
  const latencies = Float64Array.from(runs.flatMap((run) => run.latenciesMs)).sort();
  const spent = runs.map((run) => run.serverMsEach).filter((ms) => ms !== null);
  return {
    perSecond: median(runs.map((run) => run.perSecond)),
    p50Ms: percentile([...latencies], 0.5),
    p99Ms: percentile([...latencies], 0.99),
    serverMsEach: spent.length === 0 ? null : median(spent),
    clientBusy: Math.max(...runs.map((run) => run.clientBusy)),
    rates: runs.map((run) => run.perSecond),
  };
}

/** Rounds of load on each server in turn, after a warm-up of each: other work of the machine affects all alike. */
export async function loadInTurns<Name extends string>(
  targets: Readonly<Record<Name, { server: Server; load: Load }>>,
  rounds: Rounds,
): Promise<Record<Name, Measured>> {
  const names = Object.keys(targets) as Name[];
  const runs = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, LoadRun[]>;
  for (const name of names) await runLoad(targets[name].server, targets[name].load, rounds.warmUpMs);
  for (let round = 0; round < rounds.count; round += 1) {
    for (const name of names) {
      runs[name].push(await runLoad(targets[name].server, targets[name].load, rounds.durationMs));
    }
  }
  return Object.fromEntries(names.map((name) => [name, summarize(runs[name])])) as Record<Name, Measured>;
}

/**
 * Latencies of one address requested in a loop over one connection, for lists that may take long: at least
 * `answersMin` answers, then as many as come within `durationMs`. Each must have one of `statuses`.
 */
export async function askInTurn(
  server: Server,
  path: string,
  token: string,
  limits: { readonly answersMin: number; readonly durationMs: number },
  statuses: readonly number[] = [200],
): Promise<number[]> {
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  while (latenciesMs.length < limits.answersMin || performance.now() - startedAt < limits.durationMs) {
    const askedAt = performance.now();
    const answer = await fetch(new URL(path, server.origin), { headers: { authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    latenciesMs.push(performance.now() - askedAt);
    if (!statuses.includes(answer.status)) {
      throw new Broken(`${path} was answered ${answer.status}\n${server.output()}`);
    }
  }
  return latenciesMs;
}
