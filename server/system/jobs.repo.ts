// Work in the background, as an Admin lists and steers it.
import { type Expression, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { type Refusal, refuse } from '#contract/errors.ts';
import type { JobQuery, JobRow } from '#contract/jobs.ts';
import { PAGE_LIMIT_MAX } from '#contract/paging.ts';
import type { Proof } from '#contract/policy.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import { orderedBy, type Page, pageParams, pageValues, rowCount } from '../platform/db/list.ts';
import { param } from '../platform/db/statement.ts';
import { instant, instantOrNull } from '../platform/instant.ts';
import { cancelJob, retryJob } from '../platform/jobs/job-table.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { JobKinds } from '../platform/jobs/kinds.ts';

/** What is known of the kinds of jobs. */
export type KnownKinds = Pick<Jobs<JobKinds>, 'titleOf' | 'attemptsOf'>;

const columns = [
  'jobs.id as id',
  'jobs.kind as kind',
  'jobs.state as state',
  'jobs.acting_user_id as actingUserId',
  'jobs.acting_user_name as actingUserName',
  'jobs.attempts as attempts',
  'jobs.attempts_max as attemptsMax',
  'jobs.progress as progress',
  'jobs.error as error',
  'jobs.result as result',
  'jobs.cancel_requested as cancelRequested',
  'jobs.created_at as createdAt',
  'jobs.run_at as runAt',
  'jobs.started_at as startedAt',
  'jobs.ended_at as endedAt',
] as const;

type Read = Omit<JobRow, 'title' | 'summary' | 'cancelRequested' | 'createdAt' | 'runAt' | 'startedAt' | 'endedAt'> & {
  readonly cancelRequested: 0 | 1;
  readonly result: string | null;
  readonly createdAt: number;
  readonly runAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
};

/** The sentence that a job leaves as `summary` of its result. */
const Summarised = z.object({ summary: z.string() });

function summaryOf(result: string | null): string | null {
  if (result === null) return null;
  const parsed = Summarised.safeParse(JSON.parse(result));
  return parsed.success ? parsed.data.summary : null;
}

function present({ result, ...row }: Read, kinds: KnownKinds): JobRow {
  // Each run that was given back has added one to both: it is no attempt.
  const givenBack = Math.max(0, row.attemptsMax - (kinds.attemptsOf(row.kind) ?? row.attemptsMax));
  return {
    ...row,
    attempts: Math.max(0, row.attempts - givenBack),
    attemptsMax: row.attemptsMax - givenBack,
    summary: summaryOf(result),
    title: kinds.titleOf(row.kind),
    cancelRequested: row.state === 'running' && row.cancelRequested === 1,
    createdAt: instant(row.createdAt),
    runAt: instant(row.runAt),
    startedAt: instantOrNull(row.startedAt),
    endedAt: instantOrNull(row.endedAt),
  };
}

/** Newest first. */
export async function listJobs(scope: ReadScope, query: JobQuery, kinds: KnownKinds): Promise<Page<JobRow>> {
  const { state } = query;
  const found: Expression<SqlBool> = state === undefined ? sql`1 = 1` : sql`jobs.state = ${param<string>('state')}`;
  const values = { ...pageValues(query, PAGE_LIMIT_MAX), ...(state === undefined ? {} : { state }) };
  const rows = await scope.prepared<Read>(
    `jobs.list ${state !== undefined}`,
    (sources) =>
      sources
        .jobs()
        .where(found)
        .select(columns)
        .orderBy(orderedBy('desc', 'jobs.id'))
        .limit(pageParams.limit)
        .offset(pageParams.offset),
    values,
  );
  const [count] = await scope.prepared<{ total: number }>(
    `jobs.count ${state !== undefined}`,
    (sources) => sources.jobs().where(found).select(rowCount.as('total')),
    values,
  );
  return { rows: rows.map((row) => present(row, kinds)), total: count?.total ?? 0 };
}

async function loadJob(scope: ReadScope, id: number, kinds: KnownKinds): Promise<JobRow> {
  const row = await scope.jobs().select(columns).where('jobs.id', '=', id).executeTakeFirst();
  if (row === undefined) throw refuse('not_found');
  return present(row, kinds);
}

/** Changes one job for an Admin; returns the job as it is then. */
async function changeJob(
  scope: WriteScope,
  id: number,
  kinds: KnownKinds,
  act: { readonly change: () => Promise<boolean>; readonly refusal: (job: JobRow) => Refusal },
): Promise<JobRow> {
  await loadJob(scope, id, kinds);
  const isChanged = await act.change();
  const job = await loadJob(scope, id, kinds);
  if (!isChanged) throw act.refusal(job);
  return job;
}

export function retry(
  scope: WriteScope,
  proof: Proof<'jobs.manage'>,
  { id, at, kinds }: { readonly id: number; readonly at: number; readonly kinds: KnownKinds },
): Promise<JobRow> {
  return changeJob(scope, id, kinds, {
    change: () => retryJob(scope.unscoped(proof), id, at),
    refusal: ({ state }) => refuse('job_not_ended', { state }),
  });
}

export function cancel(
  scope: WriteScope,
  proof: Proof<'jobs.manage'>,
  { id, at, kinds }: { readonly id: number; readonly at: number; readonly kinds: KnownKinds },
): Promise<JobRow> {
  return changeJob(scope, id, kinds, {
    change: () => cancelJob(scope.unscoped(proof), id, at),
    refusal: () => refuse('job_ended'),
  });
}
