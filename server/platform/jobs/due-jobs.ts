// The rows of jobs that wait for a process: which are due, which are handed over, and who begins one.
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { LEASE_MS } from './running-jobs.ts';

type Tx = Kysely<Schema>;

/** A job that waits for its next attempt; `attempts` is how many there have been. */
export interface JobRef {
  readonly id: number;
  readonly kind: string;
  readonly attempts: number;
}

/** A job whose run has begun. */
export interface ClaimedJob extends JobRef {
  readonly payload: string;
  readonly acting_user_id: number | null;
  readonly attempts_max: number;
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

/** Whether there are any such jobs. */
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
