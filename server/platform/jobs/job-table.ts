// The rows of work in the background: jobs are ordered, steered and forgotten here, each change one statement that only the right one passes.
// Those that are due are in `due-jobs.ts`, and those that run in `running-jobs.ts`.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

type Tx = Kysely<Schema>;

interface NewJob {
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

/** Whether an update met the row that it was meant for. */
export async function changed(update: { executeTakeFirst(): Promise<{ numUpdatedRows: bigint }> }): Promise<boolean> {
  return (await update.executeTakeFirst()).numUpdatedRows > 0n;
}

/** What a job that has ended holds no more: its lease, its key, its delivery. */
export const ended = { lease_until: null, open_key: null, delivered_at: null } as const;

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

/** What the newest job of a kind that is done has left as its result, and when it ended; null where none is. */
export async function lastDone(
  { reader }: Pick<Database, 'reader'>,
  kind: string,
): Promise<{ readonly result: unknown; readonly endedAt: number | null } | null> {
  const last = await reader
    .selectFrom('jobs')
    .where('kind', '=', kind)
    .where('state', '=', 'done')
    .select(['result', 'ended_at'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last === undefined ? null : { result: JSON.parse(last.result ?? 'null'), endedAt: last.ended_at };
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
