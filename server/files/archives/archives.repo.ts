// Prepared ZIPs as their owner has them: ordered, listed, found for a download, prepared again, removed.

import { accessDetails } from '#contract/activity-words.ts';
import type { ArchiveOrder } from '#contract/archive-requests.ts';
import { ARCHIVES_MAX, type ArchiveRow, type ArchiveState } from '#contract/archives.ts';
import { refuse } from '#contract/errors.ts';
import type { JobState } from '#contract/job-states.ts';
import type { Proof } from '#contract/policy.ts';
import { holdOpened, noteOpened, openerOf } from '../../audit/file-opens.ts';
import { recordEach } from '../../audit/record.ts';
import type { ReadScope, WriteScope } from '../../people/access/scope.ts';
import type { StoredBlob } from '../../platform/blobs/blob-store.ts';
import type { Now } from '../../platform/clock.ts';
import { isListedId, listText } from '../../platform/db/id-list.ts';
import { rowCount } from '../../platform/db/list.ts';
import { instant, instantOrNull } from '../../platform/instant.ts';
import type { JobOrders } from '../../platform/jobs/kinds.ts';
import type { ServedFile } from '../find.ts';
import type { FileJobs } from '../jobs.ts';
import { emptyArchive, KEPT_MS, removeArchives } from './archive-rows.ts';

type Allowed = Proof<'archives.use'>;
type Ordering = Now & { readonly jobs: JobOrders<FileJobs> };

/** Those of the viewer whose time has not passed. */
const kept = (scope: ReadScope, at: number) => scope.ownArchives().where('archives.expires_at', '>', at);

const described = (scope: ReadScope, at: number) =>
  kept(scope, at)
    .leftJoin('jobs', 'jobs.id', 'archives.job_id')
    .leftJoin('blobs', 'blobs.storage_key', 'archives.storage_key')
    .select([
      'archives.id as id',
      'archives.name as name',
      'archives.files_asked as filesAsked',
      'archives.file_ids as fileIds',
      'archives.fault as fault',
      'archives.created_at as createdAt',
      'archives.ready_at as readyAt',
      'archives.expires_at as expiresAt',
      'archives.storage_key as storageKey',
      'blobs.size_bytes as sizeBytes',
      'blobs.sha256 as sha256',
      'jobs.state as jobState',
      'jobs.progress as progress',
    ]);

type Described = Awaited<ReturnType<ReturnType<typeof described>['execute']>>[number];

function stateOf({ storageKey, jobState }: Pick<Described, 'storageKey' | 'jobState'>): ArchiveState {
  if (storageKey !== null) return 'ready';
  return jobState === 'waiting' || jobState === 'running' ? 'preparing' : 'failed';
}

const unsaid = (jobState: JobState | null) =>
  jobState === 'cancelled' ? 'It was canceled.' : 'It could not be prepared.';

function present(row: Described): ArchiveRow {
  const state = stateOf(row);
  return {
    id: row.id,
    state,
    name: row.name,
    filesAsked: row.filesAsked,
    files: row.fileIds === null ? null : idsIn(row.fileIds).length,
    sizeBytes: row.sizeBytes,
    progress: state === 'preparing' ? row.progress : null,
    reason: state === 'failed' ? (row.fault ?? unsaid(row.jobState)) : null,
    createdAt: instant(row.createdAt),
    readyAt: instantOrNull(row.readyAt),
    expiresAt: instant(row.expiresAt),
  };
}

const idsIn = (text: string) => JSON.parse(text) as number[];

/** Newest first. */
export async function listArchives(scope: ReadScope, at: number): Promise<ArchiveRow[]> {
  const rows = await described(scope, at).orderBy('archives.id', 'desc').execute();
  return rows.map(present);
}

async function loadArchive(scope: ReadScope, id: number, at: number): Promise<Described> {
  const row = await described(scope, at).where('archives.id', '=', id).executeTakeFirst();
  if (row === undefined) throw refuse('not_found');
  return row;
}

/** The one that is being prepared of the very same: it was ordered before, and its answer lost. What a list shows is read when its job begins. */
async function findOrdered(scope: WriteScope, asked: ArchiveOrder, text: string, at: number) {
  const states: readonly JobState[] = asked.ids === undefined ? ['waiting'] : ['waiting', 'running'];
  return await described(scope, at)
    .where('archives.asked', '=', text)
    .where('archives.storage_key', 'is', null)
    .where('jobs.state', 'in', states)
    .executeTakeFirst();
}

/** Refuses `archives_max` where the viewer has as many as may be. */
export async function insertArchive(
  scope: WriteScope,
  proof: Allowed,
  { asked, filesAsked }: { readonly asked: ArchiveOrder; readonly filesAsked: number },
  { jobs, now }: Ordering,
): Promise<ArchiveRow> {
  const { viewer } = scope;
  await scope.serialize(`archives-of-${viewer.id}`);
  const at = now();
  const text = JSON.stringify(asked);
  const ordered = await findOrdered(scope, asked, text, at);
  if (ordered !== undefined) return present(ordered);
  const { n } = await kept(scope, at).select(rowCount.as('n')).executeTakeFirstOrThrow();
  if (n >= ARCHIVES_MAX) throw refuse('archives_max');
  const { id } = await scope
    .unscoped(proof)
    .insertInto('archives')
    .values({
      owner_id: viewer.id,
      asked: text,
      files_asked: filesAsked,
      created_at: at,
      expires_at: at + KEPT_MS,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await beginJob(scope, proof, id, { jobs, now });
  return present(await loadArchive(scope, id, at));
}

async function beginJob(scope: WriteScope, proof: Allowed, id: number, { jobs, now }: Ordering): Promise<void> {
  const tx = scope.unscoped(proof);
  const { viewer } = scope;
  const jobId = await jobs.enqueue(tx, {
    kind: 'files.archive',
    payload: { archiveId: id },
    actingFor: { id: viewer.id, fullName: viewer.fullName },
  });
  await tx
    .updateTable('archives')
    .set({ job_id: jobId, fault: null, expires_at: now() + KEPT_MS })
    .where('id', '=', id)
    .execute();
}

/** Prepares one again that failed; one that is ready, or being prepared, stays as it is. */
export async function prepareAgain(
  scope: WriteScope,
  proof: Allowed,
  id: number,
  { jobs, now }: Ordering,
): Promise<ArchiveRow> {
  await scope.serialize(`archives-of-${scope.viewer.id}`);
  const row = await loadArchive(scope, id, now());
  if (stateOf(row) !== 'failed') return present(row);
  await beginJob(scope, proof, id, { jobs, now });
  return present(await loadArchive(scope, id, now()));
}

/** Returns the keys whose bytes are removed afterwards. */
export async function removeArchive(scope: WriteScope, proof: Allowed, id: number, at: number): Promise<string[]> {
  await loadArchive(scope, id, at);
  return removeArchives(scope.unscoped(proof), [id], at);
}

export interface ReadyArchive extends StoredBlob {
  readonly name: string;
  readonly fileIds: readonly number[];
}

/** Refuses `archive_not_ready`, and `archive_outdated` one whose bytes were taken back for that reason. */
export async function findReady(scope: ReadScope, id: number, at: number): Promise<ReadyArchive> {
  const { name, fileIds, storageKey, sizeBytes, sha256, jobState } = await loadArchive(scope, id, at);
  if (storageKey === null || name === null || fileIds === null || sizeBytes === null || sha256 === null) {
    // Its job has done its work, and the bytes were there until then.
    throw refuse(jobState === 'done' ? 'archive_outdated' : 'archive_not_ready');
  }
  return { name, fileIds: idsIn(fileIds), storageKey, sizeBytes, sha256 };
}

/** Whether the ZIP is there still. */
export async function isKept(scope: ReadScope, id: number, at: number): Promise<boolean> {
  const row = await kept(scope, at)
    .select('archives.id')
    .where('archives.id', '=', id)
    .where('archives.storage_key', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** A range that is asked for within this time continues a download; later, it is a new one. */
const CONTINUE_WITHIN_MS = 10 * 60_000;

/** Whether the viewer has just downloaded every one of these files; what was only announced does not count. */
export async function continuesDownload(scope: ReadScope, fileIds: readonly number[], at: number): Promise<boolean> {
  const { n } = await scope
    .activity()
    .select(({ fn }) => fn.count<number>('activity.file_id').distinct().as('n'))
    .where(isListedId('activity.file_id', listText(fileIds)))
    .where('activity.user_id', '=', scope.viewer.id)
    .where('activity.action', '=', 'download')
    .where('activity.at', '>=', at - CONTINUE_WITHIN_MS)
    .where((eb) => eb.or([eb('activity.announced_at', 'is', null), eb('activity.served_at', 'is not', null)]))
    .executeTakeFirstOrThrow();
  return Number(n) === fileIds.length;
}

/** Records each of these files as a download. Refuses `archive_outdated` where one was deleted meanwhile. */
export async function recordDownloads(
  scope: WriteScope,
  proof: Allowed,
  files: readonly ServedFile[],
  at: number,
): Promise<void> {
  const fileIds = files.map(({ row }) => row.id);
  const tx = scope.unscoped(proof);
  const held = await holdOpened(tx, fileIds, 'wait');
  if (held.size < fileIds.length) throw refuse('archive_outdated');
  const entries = files.map(({ row }) => ({
    action: 'download' as const,
    details: accessDetails.download(row.originalName),
    file: { id: row.id, name: row.originalName },
    client: { id: row.clientId, name: row.clientName },
  }));
  await recordEach(scope, proof, entries, at);
  await noteOpened(tx, { fileIds, held, userId: scope.viewer.id, opener: openerOf(scope.viewer), at });
}

/** Takes back the bytes of one that holds what its owner may no longer see; returns the keys whose bytes are removed afterwards. */
export async function takeBack(scope: WriteScope, proof: Allowed, id: number, at: number): Promise<string[]> {
  await loadArchive(scope, id, at);
  return emptyArchive(scope.unscoped(proof), id, refuse('archive_outdated').message, at);
}
