// The rows of work in the background: every change of a job's state, each in one statement that only the right one passes.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

type Tx = Kysely<Schema>;

/** A job that waits for its next attempt; `attempts` is how many there have been. */
export interface JobRef {
  readonly id: number;
  readonly kind: string;
  readonly attempts: number;
}

/** One run of a job: an earlier run of the same job can change nothing any more. */
export interface Run {
  readonly id: number;
  readonly attempts: number;
}

export interface ClaimedJob extends JobRef {
  readonly payload: string;
  readonly acting_user_id: number | null;
  readonly attempts_max: number;
}

/** How long a process without a sign of life is believed to be alive. */
export const LEASE_MS = 60_000;

/** A lease for longer was given before the clock was put back. The clocks of several machines differ by less. */
const LEASE_MAX_MS = 5 * LEASE_MS;

export interface NewJob {
  readonly kind: string;
  readonly payload: string;
  readonly actingFor: { readonly id: number; readonly fullName: string } | null;
  readonly openKey: string | null;
  readonly attemptsMax: number;
  readonly runAt: number;
  readonly deliveredAt: number | null;
  readonly at: number;
}

/** Returns the id, or null where a job with this key has not ended. */
export async function insertJob(tx: Tx, job: NewJob): Promise<number | null> {
  const row = await tx
    .insertInto('jobs')
    .values({
      kind: job.kind,
      state: 'waiting',
      payload: job.payload,
      acting_user_id: job.actingFor?.id ?? null,
      acting_user_name: job.actingFor?.fullName ?? null,
      open_key: job.openKey,
      attempts_max: job.attemptsMax,
      run_at: job.runAt,
      delivered_at: job.deliveredAt,
      created_at: job.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** That nothing of the same kind runs for the job's person. */
const personIsFree = sql<boolean>`not exists (select 1 from jobs running
  where running.kind = jobs.kind and running.acting_user_id = jobs.acting_user_id and running.state = 'running')`;

/** That a job is the next one of its kind for its person. */
const isNextOfPerson = (at: number) => sql<boolean>`(${personIsFree} and id = (select min(first.id) from jobs first
  where first.kind = jobs.kind and first.acting_user_id = jobs.acting_user_id and first.state = 'waiting' and first.run_at <= ${at}))`;

/** Whether somebody else's job of this kind is due, for whom nothing of it runs. */
export async function othersWait(
  db: Tx,
  { kind, acting_user_id }: Pick<ClaimedJob, 'kind' | 'acting_user_id'>,
  at: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', 'waiting')
    .where('kind', '=', kind)
    .where('run_at', '<=', at)
    .where('acting_user_id', 'is distinct from', acting_user_id)
    .where(personIsFree)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

interface KindInTurn {
  readonly kind: string;
  /** One job of a person at a time. */
  readonly inTurn: boolean;
}

/** Waiting jobs of `kind` that are due, the oldest first; where people take turns, one of each at most. */
export function dueJobs(db: Tx, { kind, inTurn }: KindInTurn, limit: number, at: number): Promise<JobRef[]> {
  return db
    .selectFrom('jobs')
    .select(['id', 'kind', 'attempts'])
    .where('state', '=', 'waiting')
    .where('kind', '=', kind)
    .where('run_at', '<=', at)
    .$if(inTurn, (due) => due.where(isNextOfPerson(at)))
    .orderBy('run_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Starts a run: succeeds for one caller, and only for the attempt that `job` names; where people take turns, while nothing else runs for its person. */
export async function claimJob(tx: Tx, job: JobRef & KindInTurn, at: number): Promise<ClaimedJob | null> {
  const row = await tx
    .updateTable('jobs')
    .set({
      state: 'running',
      attempts: job.attempts + 1,
      lease_until: at + LEASE_MS,
      started_at: at,
      progress: null,
      cancel_requested: 0,
    })
    .where('id', '=', job.id)
    .where('state', '=', 'waiting')
    .where('attempts', '=', job.attempts)
    .$if(job.inTurn, (claimed) => claimed.where(personIsFree))
    .returning(['id', 'kind', 'attempts', 'payload', 'acting_user_id', 'attempts_max'])
    .executeTakeFirst();
  return row ?? null;
}

/** The row, as long as `run` is the one that runs. */
const ofRun = (tx: Tx, { id, attempts }: Run) =>
  tx.updateTable('jobs').where('id', '=', id).where('attempts', '=', attempts).where('state', '=', 'running');

async function changed(update: { executeTakeFirst(): Promise<{ numUpdatedRows: bigint }> }): Promise<boolean> {
  return (await update.executeTakeFirst()).numUpdatedRows > 0n;
}

/** Renews the lease; false where the run is no longer its own. */
export function renewLease(tx: Tx, run: Run, at: number): Promise<boolean> {
  return changed(ofRun(tx, run).set({ lease_until: at + LEASE_MS }));
}

export async function noteProgress(tx: Tx, run: Run, percent: number): Promise<void> {
  await ofRun(tx, run).set({ progress: percent }).execute();
}

const ended = { lease_until: null, open_key: null, delivered_at: null } as const;

/** Each of these returns false where the run is no longer its process's own. */
export function endDone(tx: Tx, run: Run, result: string | null, at: number): Promise<boolean> {
  return changed(ofRun(tx, run).set({ ...ended, state: 'done', result, error: null, ended_at: at }));
}

export function endFailed(tx: Tx, run: Run, error: string, at: number): Promise<boolean> {
  return changed(ofRun(tx, run).set({ ...ended, state: 'failed', error, ended_at: at }));
}

export function endCancelled(tx: Tx, run: Run, at: number): Promise<boolean> {
  return changed(ofRun(tx, run).set({ ...ended, state: 'cancelled', ended_at: at }));
}

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

/** No job waits longer for another attempt. */
export const RETRY_WITHIN_MS = 60 * 60_000;

/**
 * Makes due now what is due later than any wait ends: the clock was put back since. Twice as long, since clocks of several machines differ. What the
 * server orders by itself may wait longer (`schedule.ts`).
 */
export async function bringBack(database: Database, at: number): Promise<void> {
  const isAhead = sql<boolean>`state = 'waiting' and run_at > ${at + 2 * RETRY_WITHIN_MS}
    and (open_key is null or open_key not like 'schedule:%')`;
  const ahead = database.reader.selectFrom('jobs').select('id').where(isAhead).limit(1);
  if ((await ahead.executeTakeFirst()) === undefined) return;
  await database.transaction((tx) =>
    tx.updateTable('jobs').set({ run_at: at, delivered_at: null }).where(isAhead).execute(),
  );
}

/** A delivery without a run is sent again after this. */
const DELIVERY_LOST_MS = 60 * 60_000;

function undelivered(kinds: readonly KindInTurn[], at: number) {
  const named = (some: readonly KindInTurn[]) => sql.join(some.map(({ kind }) => sql`${kind}`));
  const inTurn = kinds.filter((kind) => kind.inTurn);
  const waits = sql<boolean>`state = 'waiting' and run_at <= ${at} and kind in (${named(kinds)})
    and (delivered_at is null or delivered_at < ${at - DELIVERY_LOST_MS})`;
  return inTurn.length === 0
    ? waits
    : sql<boolean>`${waits} and (kind not in (${named(inTurn)}) or ${isNextOfPerson(at)})`;
}

/** Marks the due jobs that were not handed to the engine yet, and returns them: each to one caller. */
export async function markDelivered(tx: Tx, kinds: readonly KindInTurn[], at: number): Promise<JobRef[]> {
  return tx
    .updateTable('jobs')
    .set({ delivered_at: at })
    .where(undelivered(kinds, at))
    .returning(['id', 'kind', 'attempts'])
    .execute();
}

export async function hasUndelivered(db: Tx, kinds: readonly KindInTurn[], at: number): Promise<boolean> {
  const row = await db.selectFrom('jobs').select('id').where(undelivered(kinds, at)).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Takes back a delivery that a process did not start, so that another one is handed the job. */
export async function returnDelivery(tx: Tx, job: JobRef): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ delivered_at: null })
    .where('id', '=', job.id)
    .where('state', '=', 'waiting')
    .where('attempts', '=', job.attempts)
    .execute();
}

/** Runs a failed or cancelled job again, now. False where it is in another state. */
export function retryJob(tx: Tx, id: number, at: number): Promise<boolean> {
  return changed(
    tx
      .updateTable('jobs')
      // Without its key: another job may hold that by now, and somebody who asks for this one means it.
      .set(({ ref, eb }) => ({
        state: 'waiting',
        attempts_max: sql<number>`case when attempts < attempts_max then attempts_max else ${eb(ref('attempts'), '+', 1)} end`,
        run_at: at,
        ended_at: null,
        cancel_requested: 0,
        progress: null,
      }))
      .where('id', '=', id)
      .where('state', 'in', ['failed', 'cancelled']),
  );
}

/** Ends a job that waits, or asks the one that runs to stop. False where it has ended. */
export async function cancelJob(tx: Tx, id: number, at: number): Promise<boolean> {
  const job = tx.updateTable('jobs').where('id', '=', id);
  const waited = job.set({ ...ended, state: 'cancelled', ended_at: at }).where('state', '=', 'waiting');
  if (await changed(waited)) return true;
  return changed(job.set({ cancel_requested: 1 }).where('state', '=', 'running'));
}

/** When the last job of `kind` ended, or null. One that ended after `until` did so before the clock was put back. */
export async function lastEnd(db: Tx, kind: string, until: number): Promise<number | null> {
  const row = await db
    .selectFrom('jobs')
    .select('ended_at')
    .where('kind', '=', kind)
    .where('ended_at', '<=', until)
    .orderBy('ended_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.ended_at ?? null;
}

/** Until when the job that holds `openKey` waits, or waited before it was begun; null where none holds it. */
export async function openUntil(db: Tx, openKey: string): Promise<number | null> {
  const open = await db.selectFrom('jobs').select('run_at').where('open_key', '=', openKey).executeTakeFirst();
  return open?.run_at ?? null;
}

/** Makes the waiting job that holds `openKey` due now. */
export async function bringForward(tx: Tx, openKey: string, at: number): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ run_at: at, delivered_at: null })
    .where('open_key', '=', openKey)
    .where('state', '=', 'waiting')
    .where('run_at', '>', at)
    .execute();
}

const KEPT_MS = 14 * 24 * 60 * 60_000;

/** Deletes jobs that ended some days ago, failed ones too. */
export async function forgetEndedJobs(database: Database, at: number): Promise<void> {
  await database.transaction((tx) =>
    tx
      .deleteFrom('jobs')
      .where('ended_at', '<=', at - KEPT_MS)
      .execute(),
  );
}
