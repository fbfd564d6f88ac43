// Prepared ZIPs over HTTP: ordered, listed, downloaded, prepared again, removed; each only by its owner.

import { refuse } from '#contract/errors.ts';
import { PREPARED_FILES_MAX, TOO_MANY_TO_PREPARE } from '#contract/file-kinds.ts';
import { removeReleased } from '../../api/remove-released.ts';
import type { Handlers, ViewerCall } from '../../api/route.ts';
import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import type { Now } from '../../platform/clock.ts';
import { sendBytes } from '../../platform/http/send-bytes.ts';
import type { JobOrders } from '../../platform/jobs/kinds.ts';
import type { FileJobs } from '../jobs.ts';
import { findAllToServe, idsAsked, reachesAll } from './archive-files.ts';
import {
  continuesDownload,
  findReady,
  isKept,
  listArchives,
  orderArchive,
  recordDownloads,
  removeArchive,
  retryArchive,
  takeBack,
} from './archives.repo.ts';

/** How many files share one commit of the log: others write in between. */
const RECORDED_AT_ONCE = 400;

export function archiveRoutes(
  services: Now & { readonly blobs: BlobStore; readonly jobs: JobOrders<FileJobs> },
): Handlers<'archives'> {
  const { blobs, jobs, now } = services;
  return {
    'archives.list': async ({ read }) => {
      read.authorize('archives.use');
      const rows = await listArchives(read, now());
      return { rows, total: rows.length };
    },

    'archives.order': async ({ read, input, change }) => {
      const asked = input.body;
      const ids = await idsAsked(read, asked, { most: PREPARED_FILES_MAX, tooMany: TOO_MANY_TO_PREPARE });
      if (asked.ids !== undefined && !(await reachesAll(read, ids))) throw refuse('not_found');
      return change((scope) =>
        orderArchive(scope, scope.authorize('archives.use'), { asked, filesAsked: ids.length }, { jobs, now }),
      );
    },

    'archives.open': (call) => sendArchive(call, services),

    'archives.retry': ({ input, change }) =>
      change((scope) => retryArchive(scope, scope.authorize('archives.use'), input.params.id, { jobs, now })),

    'archives.delete': async ({ request, input, change }) => {
      const keys = await change((scope) =>
        removeArchive(scope, scope.authorize('archives.use'), input.params.id, now()),
      );
      await removeReleased(request, blobs, keys);
    },
  };
}

/**
 * Sends a ZIP when everything in it is still in reach, and records each file in it as a download before the first byte leaves.
 * Otherwise its bytes go, and the answer is `archive_outdated`.
 */
async function sendArchive(
  { read, request, reply, input, change, onlyWhile }: ViewerCall<'archives.open'>,
  { blobs, now }: Now & { readonly blobs: BlobStore },
): Promise<void> {
  const { id } = input.params;
  read.authorize('archives.use');
  const archive = await findReady(read, id, now());
  if (!(await reachesAll(read, archive.fileIds))) {
    const keys = await change((scope) => takeBack(scope, scope.authorize('archives.use'), id, now()));
    await removeReleased(request, blobs, keys);
    throw refuse('archive_outdated');
  }
  onlyWhile(async (later) => (await isKept(later, id, now())) && (await reachesAll(later, archive.fileIds)));
  await sendBytes(request, reply, {
    blobs,
    file: { ...archive, contentType: 'application/zip', originalName: archive.name },
    disposition: 'attachment',
    beforeFirstByte: async ({ continues }) => {
      const files = await findAllToServe(read, archive.fileIds);
      if (files.length !== archive.fileIds.length) throw refuse('archive_outdated');
      if (continues && (await continuesDownload(read, archive.fileIds, now()))) return;
      for (let start = 0; start < files.length; start += RECORDED_AT_ONCE) {
        const some = files.slice(start, start + RECORDED_AT_ONCE);
        await change((scope) => recordDownloads(scope, scope.authorize('archives.use'), some, now()));
      }
    },
  });
}
