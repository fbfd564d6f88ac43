// What is done to prepared ZIPs: ordered, prepared again, opened, removed; each only by its owner.

import type { ArchiveOrder } from '#contract/archive-requests.ts';
import type { ArchiveRow } from '#contract/archives.ts';
import { refuse } from '#contract/errors.ts';
import { PREPARED_FILES_MAX, TOO_MANY_TO_PREPARE } from '#contract/file-kinds.ts';
import type { Principal } from '../../people/access/principal.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import { removeReleased } from '../../platform/blobs/remove-released.ts';
import type { Now } from '../../platform/clock.ts';
import type { JobOrders } from '../../platform/jobs/kinds.ts';
import type { FileJobs } from '../jobs.ts';
import { findAllToServe, idsAsked, reachesAll } from './archive-files.ts';
import {
  continuesDownload,
  findReady,
  insertArchive,
  prepareAgain,
  type ReadyArchive,
  recordDownloads,
  removeArchive,
  takeBack,
} from './archives.repo.ts';

/** How many files share one commit of the log: others write in between. */
const RECORDED_AT_ONCE = 400;

type Ordering = Now & { readonly jobs: JobOrders<FileJobs> };

interface Removing extends Now {
  readonly blobs: BlobStore;
  /** Hears of bytes that could not be removed at once. */
  readonly onLeft: (error: unknown) => void;
}

/** Has a ZIP prepared of the files asked for. Refuses `not_found` unless those named by id are all in reach. */
export async function orderArchive(principal: Principal, asked: ArchiveOrder, ordering: Ordering): Promise<ArchiveRow> {
  const read = await principal.read();
  const ids = await idsAsked(read, asked, { most: PREPARED_FILES_MAX, tooMany: TOO_MANY_TO_PREPARE });
  if (asked.ids !== undefined && !(await reachesAll(read, ids))) throw refuse('not_found');
  return principal.change('archives.use', (scope) =>
    insertArchive(scope, scope.authorize('archives.use'), { asked, filesAsked: ids.length }, ordering),
  );
}

export function retryArchive(principal: Principal, id: number, ordering: Ordering): Promise<ArchiveRow> {
  return principal.change('archives.use', (scope) =>
    prepareAgain(scope, scope.authorize('archives.use'), id, ordering),
  );
}

export async function deleteArchive(principal: Principal, id: number, { blobs, now, onLeft }: Removing): Promise<void> {
  const keys = await principal.change('archives.use', (scope) =>
    removeArchive(scope, scope.authorize('archives.use'), id, now()),
  );
  await removeReleased(blobs, keys, onLeft);
}

/** The ZIP when everything in it is still in reach. Otherwise its bytes go, and the refusal is `archive_outdated`. */
export async function openArchive(
  { read, principal }: { readonly read: ReadScope; readonly principal: Principal },
  id: number,
  { blobs, now, onLeft }: Removing,
): Promise<ReadyArchive> {
  read.authorize('archives.use');
  const archive = await findReady(read, id, now());
  if (await reachesAll(read, archive.fileIds)) return archive;
  const keys = await principal.change('archives.use', (scope) =>
    takeBack(scope, scope.authorize('archives.use'), id, now()),
  );
  await removeReleased(blobs, keys, onLeft);
  throw refuse('archive_outdated');
}

/** Records each file of a ZIP as a download, before its first byte leaves. `continues`: what is asked for is the rest of one. */
export async function enterDownload(
  { read, principal }: { readonly read: ReadScope; readonly principal: Principal },
  { fileIds }: Pick<ReadyArchive, 'fileIds'>,
  { continues }: { readonly continues: boolean },
  { now }: Now,
): Promise<void> {
  const files = await findAllToServe(read, fileIds);
  if (files.length !== fileIds.length) throw refuse('archive_outdated');
  if (continues && (await continuesDownload(read, fileIds, now()))) return;
  for (let start = 0; start < files.length; start += RECORDED_AT_ONCE) {
    const some = files.slice(start, start + RECORDED_AT_ONCE);
    await principal.change('archives.use', (scope) =>
      recordDownloads(scope, scope.authorize('archives.use'), some, now()),
    );
  }
}
