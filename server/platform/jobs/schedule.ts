// What the server orders by itself: jobs that run again and again, and those that there is work for.
import type { Database } from '../db/database.ts';
import type { JobLog } from './job-log.ts';
import { bringForward, insertJob, lastEnd, openUntil } from './job-table.ts';
import type { JobKind } from './kinds.ts';

/** A start runs scheduled work early, unless it was done more recently than this. The clocks of several machines differ by less. */
const FRESH_MS = 60 * 60_000;

/** A job that the server orders by itself: at most one of a kind is waiting or running. */
const scheduled = (kind: string, attemptsMax: number, runAt: number, at: number) => ({
  kind,
  payload: '{}',
  actingFor: null,
  openKey: `schedule:${kind}`,
  attemptsMax,
  runAt,
  deliveredAt: null,
  at,
});

interface Scheduler {
  readonly database: Database;
  readonly now: () => number;
  readonly log: JobLog;
}

/** Whether there is work for a kind. Where that cannot be found out, as without the key of the files, the other kinds go on. */
async function hasWork(kind: string, isWanted: () => Promise<boolean>, log: JobLog): Promise<boolean> {
  try {
    return await isWanted();
  } catch (error) {
    log.error({ err: error, kind }, 'it could not be found out whether there is work for a job');
    return false;
  }
}

/** Orders scheduled jobs that are not waiting already, and those that there is work for. */
export async function orderScheduled(
  kinds: ReadonlyMap<string, JobKind>,
  isStart: boolean,
  { database, now, log }: Scheduler,
): Promise<void> {
  const at = now();
  for (const [name, { everyMs, isWanted, attempts }] of kinds) {
    if (isWanted === undefined && everyMs === undefined) continue;
    const openKey = `schedule:${name}`;
    // In this order: one that ends in between is noticed by its end.
    const open = await openUntil(database.reader, openKey);
    // Of that long a time to come it was ordered, or is tried again, only where the clock was put back since.
    if (open !== null && open > at + (everyMs ?? 0) + FRESH_MS) {
      await database.transaction((tx) => bringForward(tx, openKey, at));
      continue;
    }
    if (everyMs === undefined) {
      if (open === null && isWanted !== undefined && (await hasWork(name, isWanted, log))) {
        await database.transaction((tx) => insertJob(tx, scheduled(name, attempts, at, at)));
      }
      continue;
    }
    const last = await lastEnd(database.reader, name, at + FRESH_MS);
    const isFresh = last !== null && at - last < FRESH_MS;
    if (open !== null && (!isStart || isFresh)) continue;
    const runAt = last === null || (isStart && !isFresh) ? at : last + everyMs;
    await database.transaction(async (tx) => {
      if (open !== null) return bringForward(tx, openKey, at);
      await insertJob(tx, scheduled(name, attempts, runAt, at));
    });
  }
}
