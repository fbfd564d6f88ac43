// Prepared ZIPs over HTTP: ordered, listed, downloaded, prepared again, removed; each only by its owner.

import { leftForSweep } from '../../api/left-for-sweep.ts';
import type { Handlers } from '../../api/route.ts';
import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import type { Now } from '../../platform/clock.ts';
import { sendBytes } from '../../platform/http/send-bytes.ts';
import type { JobOrders } from '../../platform/jobs/kinds.ts';
import type { FileJobs } from '../jobs.ts';
import { reachesAll } from './archive-files.ts';
import { deleteArchive, enterDownload, openArchive, orderArchive, retryArchive } from './archives.acts.ts';
import { isKept, listArchives } from './archives.repo.ts';

export function archiveRoutes(
  services: Now & { readonly blobs: BlobStore; readonly jobs: JobOrders<FileJobs> },
): Handlers<'archives'> {
  const { blobs, now } = services;
  return {
    'archives.list': async ({ read }) => {
      read.authorize('archives.use');
      const rows = await listArchives(read, now());
      return { rows, total: rows.length };
    },

    'archives.order': ({ principal, input }) => orderArchive(principal, input.body, services),

    'archives.open': async ({ read, principal, request, reply, input, onlyWhile }) => {
      const { id } = input.params;
      const by = { read, principal };
      const archive = await openArchive(by, id, { blobs, now, onLeft: leftForSweep(request) });
      onlyWhile(async (later) => (await isKept(later, id, now())) && (await reachesAll(later, archive.fileIds)));
      await sendBytes(request, reply, {
        blobs,
        file: { ...archive, contentType: 'application/zip', originalName: archive.name },
        disposition: 'attachment',
        beforeFirstByte: (sending) => enterDownload(by, archive, sending, services),
      });
    },

    'archives.retry': ({ principal, input }) => retryArchive(principal, input.params.id, services),

    'archives.delete': ({ principal, input, request }) =>
      deleteArchive(principal, input.params.id, { blobs, now, onLeft: leftForSweep(request) }),
  };
}
