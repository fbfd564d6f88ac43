// Batches as their reviewers have them: begun, filled, listed, read, released and discarded.

import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { createdDetails, discardedDetails } from '#contract/activity-words.ts';
import { type DocumentState, isReviewed, RECOGNISING_TOO_LONG, RELEASING_ENDED } from '#contract/batch-words.ts';
import type { BatchQuery, BatchRow } from '#contract/batches.ts';
import { refuse } from '#contract/errors.ts';
import type { JobState } from '#contract/job-states.ts';
import { mayReleaseAccepted } from '#contract/policy/batches.ts';
import type { Proof } from '#contract/policy.ts';
import { record } from '../audit/record.ts';
import type { Config } from '../config.ts';
import { readFirmSettings } from '../people/access/firm-settings.ts';
import { everything } from '../people/access/reach.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import { releaseBlobs } from '../platform/blobs/blob-rows.ts';
import type { Now } from '../platform/clock.ts';
import { isListedId, listText } from '../platform/db/id-list.ts';
import { type Page, pageValues, rowCount } from '../platform/db/list.ts';
import type { Schema } from '../platform/db/schema.ts';
import { instant, instantOrNull } from '../platform/instant.ts';
import { cancelJob } from '../platform/jobs/job-table.ts';
import type { JobOrders } from '../platform/jobs/kinds.ts';
import { isOwnBatch, isReachedDocument } from './batch-documents.repo.ts';
import type { BatchJobs } from './jobs.ts';
import { readFileKey } from './read-file-job.ts';
import { releaseKey } from './release-job.ts';

type Allowed = Proof<'batches.use'>;
export type Ordering = Now & { readonly jobs: JobOrders<BatchJobs> };

/** Whether a job reads a file by itself (`readFileKey`). */
export const isBeingRead = (fileId: Expression<unknown>) =>
  sql<SqlBool>`exists (select 1 from jobs reading where reading.open_key = ${readFileKey('')} || ${fileId})`;

const described = (scope: ReadScope) =>
  scope
    .batches()
    .leftJoin('jobs', 'jobs.id', 'batches.job_id')
    .select([
      'batches.id as id',
      'batches.name as name',
      'batches.state as state',
      'batches.owner_name as ownerName',
      sql<number>`case when ${isOwnBatch(scope, 'batches')} then 0 else 1 end`.as('shared'),
      'batches.created_at as createdAt',
      'batches.released_at as releasedAt',
      'batches.left_out as leftOut',
      'jobs.state as jobState',
      'jobs.error as jobError',
      'jobs.progress as progress',
      // The keys of its releases, whoever ordered them.
      sql<number>`cast((select count(*) from jobs release where release.open_key > 'release-' || batches.id || '-'
        and release.open_key < 'release-' || batches.id || '.' and release.state in ('waiting', 'running')) as bigint)`.as(
        'releases',
      ),
      sql<number>`cast((select count(*) from batch_files file where file.batch_id = batches.id) as bigint)`.as('files'),
      sql<number>`cast((select coalesce(sum(file.pages), 0) from batch_files file where file.batch_id = batches.id) as bigint)`.as(
        'pages',
      ),
      sql<number>`cast((select count(*) from batch_files file
        where file.batch_id = batches.id and file.state = 'unreadable') as bigint)`.as('unreadable'),
      // Of a batch in review: files that no job reads any more.
      sql<number>`cast((select count(*) from batch_files file where file.batch_id = batches.id
        and file.state = 'waiting' and not ${isBeingRead(sql.ref('file.id'))}) as bigint)`.as('unread'),
    ]);

type Described = Awaited<ReturnType<ReturnType<typeof described>['execute']>>[number];

const hasEnded = (state: JobState | null) => state === 'failed' || state === 'cancelled';

const FILE_ENDED = 'Reading a file ended before it was done. Read it again.';
const READING_ENDED = 'Reading ended before it was done. Read the batch again.';

/** How many documents of each batch are in each state, read once for all of them. */
async function countDocuments(
  scope: ReadScope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Partial<Record<DocumentState, number>>>> {
  const rows = await scope
    .batches()
    .innerJoin('batch_documents as document', 'document.batch_id', 'batches.id')
    .where(isListedId('batches.id', listText(ids)))
    .select(['batches.id as id', 'document.state as state', rowCount.as('n')])
    .groupBy(['batches.id', 'document.state'])
    .execute();
  const counts = new Map<number, Partial<Record<DocumentState, number>>>();
  for (const { id, state, n } of rows) counts.set(id, { ...counts.get(id), [state]: n });
  return counts;
}

function faultOf({ state, jobState, jobError, releases, unread }: Described, releasing: number): string | null {
  if (state === 'reading' && hasEnded(jobState)) {
    return jobError === RECOGNISING_TOO_LONG ? RECOGNISING_TOO_LONG : READING_ENDED;
  }
  if (state === 'reading') return null;
  // One does not wait for the other: a person ends either.
  const faults = [
    ...(isReviewed(state) && unread > 0 ? [FILE_ENDED] : []),
    ...(releasing > 0 && releases === 0 ? [RELEASING_ENDED] : []),
  ];
  return faults.length === 0 ? null : faults.join(' ');
}

async function present(scope: ReadScope, rows: readonly Described[]): Promise<BatchRow[]> {
  const counts = await countDocuments(
    scope,
    rows.map(({ id }) => id),
  );
  return rows.map((described) => {
    const {
      jobState: _jobState,
      jobError: _jobError,
      releases: _releases,
      unread: _unread,
      createdAt,
      releasedAt,
      progress,
      ...row
    } = described;
    const byState = { ...NO_DOCUMENTS, ...counts.get(row.id) };
    return {
      ...row,
      ...byState,
      shared: row.shared === 1,
      // Their names are not told, so neither is it that there are any.
      leftOut: row.shared === 1 ? 0 : row.leftOut,
      createdAt: instant(createdAt),
      releasedAt: instantOrNull(releasedAt),
      documents: Object.values(byState).reduce((sum, n) => sum + n, 0),
      progress: row.state === 'reading' ? progress : null,
      fault: faultOf(described, byState.releasing),
    };
  });
}

const NO_DOCUMENTS: Readonly<Record<DocumentState, number>> = {
  toCheck: 0,
  ready: 0,
  accepted: 0,
  dropped: 0,
  releasing: 0,
  released: 0,
  recalled: 0,
};

/** Newest first. */
export async function listBatches(scope: ReadScope, { state, limit, offset }: BatchQuery): Promise<Page<BatchRow>> {
  const page = pageValues({ limit, offset });
  const inState = (eb: ExpressionBuilder<Schema, 'batches'>) =>
    state === undefined ? everything : eb('batches.state', '=', state);
  const rows = await described(scope)
    .where(inState)
    .orderBy('batches.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await scope.batches().where(inState).select(rowCount.as('total')).executeTakeFirstOrThrow();
  return { rows: await present(scope, rows), total };
}

export async function findBatch(scope: ReadScope, id: number): Promise<BatchRow> {
  const [batch] = await present(scope, await described(scope).where('batches.id', '=', id).execute());
  if (batch === undefined) throw refuse('not_found');
  return batch;
}

/** Refuses a batch out of reach, without reading what it holds. */
export async function assertBatch(scope: ReadScope, id: number): Promise<void> {
  const row = await scope.batches().select('batches.id').where('batches.id', '=', id).executeTakeFirst();
  if (row === undefined) throw refuse('not_found');
}

/** The files of the batches in reach. */
export const filesInReach = (scope: ReadScope) =>
  scope.batches().innerJoin('batch_files', 'batch_files.batch_id', 'batches.id');

/** The batch as it is now, which nobody else changes until the transaction ends. */
export async function holdBatch(scope: WriteScope, id: number): Promise<BatchRow> {
  await scope.serialize(`batch-${id}`);
  return findBatch(scope, id);
}

export async function insertBatch(scope: WriteScope, proof: Allowed, name: string, at: number): Promise<BatchRow> {
  const { viewer } = scope;
  const { id } = await scope
    .unscoped(proof)
    .insertInto('batches')
    .values({ name, owner_id: viewer.id, owner_name: viewer.fullName, state: 'adding', created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  await record(scope, proof, { action: 'update', details: createdDetails('batch', name) }, at);
  return findBatch(scope, id);
}

/** Has a batch read; what was not read to its end, once more: the batch, or the files of one in review. */
export async function orderBatchReading(
  scope: WriteScope,
  proof: Allowed,
  id: number,
  ordering: Ordering,
): Promise<BatchRow> {
  const batch = await holdBatch(scope, id);
  if (isReviewed(batch.state)) return readFilesAgain(scope, proof, id, ordering);
  if (batch.state !== 'adding' && batch.fault === null) throw refuse('batch_not_adding');
  const { jobs } = ordering;
  if (batch.files === 0) throw refuse('batch_empty');
  const tx = scope.unscoped(proof);
  const { id: userId, fullName } = scope.viewer;
  const jobId = await jobs.enqueue(tx, {
    kind: 'batches.read',
    payload: { batchId: id },
    actingFor: { id: userId, fullName },
  });
  await tx.updateTable('batches').set({ state: 'reading', job_id: jobId }).where('id', '=', id).execute();
  return findBatch(scope, id);
}

async function readFilesAgain(
  scope: WriteScope,
  proof: Allowed,
  batchId: number,
  ordering: Ordering,
): Promise<BatchRow> {
  const files = await filesInReach(scope)
    .where('batches.id', '=', batchId)
    .where('batch_files.state', '=', 'waiting')
    .where(sql<SqlBool>`not ${isBeingRead(sql.ref('batch_files.id'))}`)
    .select('batch_files.id as id')
    .execute();
  if (files.length === 0) throw refuse('batch_not_adding');
  for (const { id } of files) await orderReading(scope, proof, { batchId, fileId: id }, ordering);
  return findBatch(scope, batchId);
}

export async function orderReading(
  scope: WriteScope,
  proof: Allowed,
  payload: { readonly batchId: number; readonly fileId: number },
  { jobs }: Ordering,
): Promise<void> {
  const { id, fullName } = scope.viewer;
  const openKey = readFileKey(payload.fileId);
  await jobs.enqueue(scope.unscoped(proof), {
    kind: 'batches.read-file',
    payload,
    actingFor: { id, fullName },
    openKey,
  });
}

const RELEASABLE = ['accepted', 'releasing'] as const;

/** Has accepted documents released, those of `ids` or all. What an earlier release left behind goes on with it. */
export async function orderRelease(
  scope: WriteScope,
  proof: Proof<'batches.release'>,
  id: number,
  ids: readonly number[] | undefined,
  { jobs, config }: { readonly jobs: JobOrders<BatchJobs>; readonly config: Config },
): Promise<BatchRow> {
  const batch = await holdBatch(scope, id);
  if (batch.state !== 'review') throw refuse('batch_not_in_review');
  const tx = scope.unscoped(proof);
  const { id: userId, fullName } = scope.viewer;
  const { fourEyes } = await readFirmSettings(scope, config);
  let query = tx
    .selectFrom('batch_documents')
    .select(['id', 'accepted_by_id as acceptedById'])
    .where('batch_id', '=', id)
    .where('state', 'in', RELEASABLE)
    .where(isReachedDocument(scope, 'batch_documents'));
  if (ids !== undefined) query = query.where(isListedId('batch_documents.id', listText(ids)));
  const accepted = await query.execute();
  if (accepted.length === 0) throw refuse('nothing_accepted');
  const released = accepted.filter(({ acceptedById }) => mayReleaseAccepted(scope.viewer, acceptedById, fourEyes));
  if (released.length === 0) throw refuse('four_eyes');
  const { numUpdatedRows } = await tx
    .updateTable('batch_documents')
    .set(({ eb }) => ({ state: 'releasing', releasing_by_id: userId, fault: null, version: eb('version', '+', 1) }))
    .where(isListedId('batch_documents.id', listText(released.map((document) => document.id))))
    // Another release may have made files of them just now.
    .where('state', 'in', RELEASABLE)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw refuse('nothing_accepted');
  await jobs.enqueue(tx, {
    kind: 'batches.release',
    payload: { batchId: id, userId },
    actingFor: { id: userId, fullName },
    openKey: releaseKey(id, userId),
  });
  return findBatch(scope, id);
}

/** Discards a batch of which nothing is released; returns the keys whose bytes are removed afterwards. */
export async function emptyBatch(
  scope: WriteScope,
  proof: Proof<'batches.discard'>,
  id: number,
  at: number,
): Promise<string[]> {
  const batch = await holdBatch(scope, id);
  // Whoever reviews it for a colleague does not throw away what the colleague dropped.
  if (batch.shared) throw refuse('forbidden');
  if (batch.released > 0 || batch.releasing > 0) throw refuse('batch_released');
  const tx = scope.unscoped(proof);
  await cancelReading(tx, id, at);
  const originals = await tx
    .selectFrom('batch_originals as original')
    .innerJoin('batch_files as file', 'file.id', 'original.batch_file_id')
    .where('file.batch_id', '=', id)
    .select('original.storage_key')
    .execute();
  const files = await tx.deleteFrom('batch_files').where('batch_id', '=', id).returning('storage_key').execute();
  const keys = [...files, ...originals].map(({ storage_key }) => storage_key);
  await releaseBlobs(tx, keys, at);
  await tx.deleteFrom('batch_left_out').where('batch_id', '=', id).execute();
  await tx.updateTable('batches').set({ state: 'discarded', job_id: null, left_out: 0 }).where('id', '=', id).execute();
  await record(scope, proof, { action: 'delete', details: discardedDetails(batch.name) }, at);
  return keys;
}

async function cancelReading(tx: Kysely<Schema>, id: number, at: number): Promise<void> {
  const row = await tx.selectFrom('batches').select(['job_id', 'state']).where('id', '=', id).executeTakeFirst();
  if (row?.state === 'reading' && row.job_id !== null) await cancelJob(tx, row.job_id, at);
  const ofFiles = await tx
    .selectFrom('jobs')
    .innerJoin('batch_files as file', (join) =>
      join.on(sql<SqlBool>`jobs.open_key = ${readFileKey('')} || file.id`).on('file.batch_id', '=', id),
    )
    .select('jobs.id as id')
    .execute();
  for (const job of ofFiles) await cancelJob(tx, job.id, at);
}
