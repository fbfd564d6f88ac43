// The rows of jobs that run: what a run notes, how it ends, and what becomes of one whose process is gone.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { changed, ended } from './job-table.ts';

type Tx = Kysely<Schema>;

/** One run of a job: an earlier run of the same job can change nothing any more. */
interface Run {
  readonly id: number;
  readonly attempts: number;
}

/** How long a process without a sign of life is believed to be alive. */
export const LEASE_MS = 60_000;

/** A lease for longer was given before the clock was put back. The clocks of several machines differ by less. */
const LEASE_MAX_MS = 5 * LEASE_MS;

/** The row, as long as `run` is the one that runs. */
const ofRun = (tx: Tx, { id, attempts }: Run) =>
  tx.updateTable('jobs').where('id', '=', id).where('attempts', '=', attempts).where('state', '=', 'running');

/** Renews the lease; false where the run is no longer its own. */
export function renewLease(tx: Tx, run: Run, at: number): Promise<boolean> {
  return changed(ofRun(tx, run).set({ lease_until: at + LEASE_MS }));
}

/** How far it is, in percent. */
export async function noteProgress(tx: Tx, run: Run, percent: number): Promise<void> {
  await ofRun(tx, run).set({ progress: percent }).execute();
}

/** It has done its work. False, as of all of these, where the run is no longer its process's own. */
export function endDone(tx: Tx, run: Run, result: string | null, at: number): Promise<boolean> {
  return changed(ofRun(tx, run).set({ ...ended, state: 'done', result, error: null, ended_at: at }));
}

/** It is not tried again. */
export function endFailed(tx: Tx, run: Run, error: string, at: number): Promise<boolean> {
  return changed(ofRun(tx, run).set({ ...ended, state: 'failed', error, ended_at: at }));
}

/** Somebody stopped it. */
export function endCancelled(tx: Tx, run: Run, at: number): Promise<boolean> {
  return changed(ofRun(tx, run).set({ ...ended, state: 'cancelled', ended_at: at }));
}

/** It is tried again from `runAt` on. */
export function waitForRetry(tx: Tx, run: Run, error: string, runAt: number): Promise<boolean> {
  return changed(ofRun(tx, run).set({ state: 'waiting', error, run_at: runAt, lease_until: null, delivered_at: null }));
}

/** Ends a run that somebody asked to stop before its process heard of it; false where nobody did. */
export function endAsAsked(tx: Tx, run: Run, at: number): Promise<boolean> {
  return changed(
    ofRun(tx, run)
      .where('cancel_requested', '=', 1)
      .set({ ...ended, state: 'cancelled', ended_at: at }),
  );
}

/** Gives a run back that its process could not end: it does not count against the job. */
export function releaseRun(tx: Tx, run: Run, at: number): Promise<boolean> {
  return changed(
    ofRun(tx, run).set(({ ref, eb }) => ({
      state: 'waiting',
      attempts_max: eb(ref('attempts_max'), '+', 1),
      run_at: at,
      lease_until: null,
      delivered_at: null,
    })),
  );
}

/** Which running jobs somebody asked to stop. */
export async function cancelledRuns(db: Tx): Promise<number[]> {
  const rows = await db
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', 'running')
    .where('cancel_requested', '=', 1)
    .execute();
  return rows.map(({ id }) => id);
}

const PROCESS_ENDED = 'The process that ran it ended.';

/** Frees the jobs of processes whose lease ran out; a job on its last attempt has failed. */
export async function takeOverLost(database: Database, at: number): Promise<void> {
  const running = database.reader.selectFrom('jobs').select('id').where('state', '=', 'running');
  const lost = running.where(({ eb }) =>
    eb.or([eb('lease_until', '<', at), eb('lease_until', '>', at + LEASE_MAX_MS)]),
  );
  if ((await lost.limit(1).executeTakeFirst()) === undefined) return;
  await database.transaction(async (tx) => {
    // Whoever lives renews it in time.
    await tx
      .updateTable('jobs')
      .set({ lease_until: at + LEASE_MS })
      .where('state', '=', 'running')
      .where('lease_until', '>', at + LEASE_MAX_MS)
      .execute();
    const rows = tx.updateTable('jobs').where('state', '=', 'running').where('lease_until', '<', at);
    await rows
      .set({ ...ended, state: 'cancelled', ended_at: at })
      .where('cancel_requested', '=', 1)
      .execute();
    await rows
      .set({ ...ended, state: 'failed', error: PROCESS_ENDED, ended_at: at })
      .where(sql<boolean>`attempts >= attempts_max`)
      .execute();
    await rows
      .set({ state: 'waiting', error: PROCESS_ENDED, run_at: at, lease_until: null, delivered_at: null })
      .execute();
  });
}
