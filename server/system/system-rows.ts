// What the database says of the portal itself: how large things are, and what waits or failed.
import { type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { JobState } from '#contract/job-states.ts';
import type { MailState } from '#contract/mail-states.ts';
import type { SystemFacts } from '#contract/system.ts';
import { failingSince, isFailing } from '../mail/mail-rows.ts';
import { findClaims } from '../platform/blobs/claims.ts';
import { DAY_MS } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { rowCount } from '../platform/db/list.ts';
import { statementOfEngine } from '../platform/db/statement.ts';
import { lastDone } from '../platform/jobs/job-table.ts';

const FAILED_WITHIN_MS = 3 * DAY_MS;

export async function databaseSize({ kind, reader }: Database): Promise<number> {
  const size =
    kind === 'sqlite'
      ? sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`;
  const { rows } = await size.execute(reader);
  return Number(rows[0]?.bytes ?? 0);
}

const sumsOfFiles = statementOfEngine((db) =>
  db
    .selectFrom('blobs')
    .select([
      rowCount.as('files'),
      sql<number>`cast(coalesce(sum(size_bytes), 0) as bigint)`.as('bytes'),
      sql<number>`cast(coalesce(sum(case when key_version < 0 then 1 else 0 end), 0) as bigint)`.as('damaged'),
    ]),
);

/** Sums over all stored files, which may be many: nobody else waits for it. */
export async function storedFiles(
  database: Database,
): Promise<{ readonly files: number; readonly sizeBytes: number; readonly damaged: number }> {
  const { reader } = database;
  const [row] = await database.longRows<{ files: number; bytes: number; damaged: number }>(sumsOfFiles(reader), []);
  return { files: Number(row?.files ?? 0), sizeBytes: Number(row?.bytes ?? 0), damaged: Number(row?.damaged ?? 0) };
}

/** What the bytes that are damaged are of: the first `limit`. */
export async function damagedFiles(
  { reader }: Pick<Database, 'reader'>,
  limit: number,
): Promise<SystemFacts['store']['damagedFiles']> {
  const claims = await findClaims(reader, sql<SqlBool>`blobs.key_version < 0`, limit);
  return claims.map(({ kind, id, name, of }) => ({ kind, id, name, of }));
}

export async function jobCounts({ reader }: Pick<Database, 'reader'>, at: number) {
  const due = await reader
    .selectFrom('jobs')
    .where('state', '=', 'waiting')
    .where('run_at', '<=', at)
    .select(({ fn }) => [rowCount.as('n'), fn.min('run_at').as('since')])
    .executeTakeFirstOrThrow();
  const inState = (state: 'running' | 'failed') =>
    reader.selectFrom('jobs').where('state', '=', state).select(rowCount.as('n'));
  // One whose process is gone does not run: it waits for another process.
  const running = await inState('running').where('lease_until', '>', at).executeTakeFirstOrThrow();
  const failed = await inState('failed')
    .where('ended_at', '>', at - FAILED_WITHIN_MS)
    .executeTakeFirstOrThrow();
  return { due: due.n, dueSince: due.since, running: running.n, failed: failed.n };
}

/** What a sweep leaves as its result where it has stopped. */
const StoppedSweep = z.object({ orphans: z.int(), tooManyOrphans: z.literal(true) });

/** How many orphans the last sweep left because they were too many; 0 where it did not stop. */
export async function orphansLeft(database: Pick<Database, 'reader'>): Promise<number> {
  const parsed = StoppedSweep.safeParse((await lastDone(database, 'maintenance.blobs'))?.result);
  return parsed.success ? parsed.data.orphans : 0;
}

export interface FailedJob {
  readonly kind: string;
  readonly error: string | null;
}

/** Those that `jobCounts` counts as failed, what failed last first. */
export function failedJobs({ reader }: Pick<Database, 'reader'>, at: number, limit: number): Promise<FailedJob[]> {
  return reader
    .selectFrom('jobs')
    .where('state', '=', 'failed')
    .where('ended_at', '>', at - FAILED_WITHIN_MS)
    .select(['kind', 'error'])
    .orderBy('ended_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export async function failingMails({ reader }: Pick<Database, 'reader'>, at: number): Promise<number> {
  const { n } = await reader
    .selectFrom('mails')
    .where((eb) => isFailing(eb, failingSince(at)))
    .select(rowCount.as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

const countsOfJobs = statementOfEngine((db) =>
  db
    .selectFrom('jobs')
    .groupBy(['kind', 'state'])
    .select(['kind', 'state', rowCount.as('n')]),
);

export interface JobsOfKind {
  readonly kind: string;
  readonly state: JobState;
  readonly n: number;
}

/** How many jobs there are of each kind and state. Those that ended stay for days, so that nobody else waits for it. */
export async function jobsByKind(database: Database): Promise<JobsOfKind[]> {
  const rows = await database.longRows<JobsOfKind>(countsOfJobs(database.reader), []);
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}

const countsOfMails = statementOfEngine((db) =>
  db
    .selectFrom('mails')
    .groupBy('state')
    .select(['state', rowCount.as('n')]),
);

export interface MailsOfState {
  readonly state: MailState;
  readonly n: number;
}

/** The same of mails. */
export async function mailsByState(database: Database): Promise<MailsOfState[]> {
  const rows = await database.longRows<MailsOfState>(countsOfMails(database.reader), []);
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}
