// Reports and company documents over HTTP.

import { expectedVersions } from '../api/if-match.ts';
import type { Handlers } from '../api/route.ts';
import type { AccessLog } from '../audit/access-log.ts';
import type { Config } from '../config.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Clock, Now } from '../platform/clock.ts';
import { findAlreadyThere } from './already-there.ts';
import { archiveFiles } from './archives/archive.service.ts';
import { deleteFile } from './deletion.ts';
import { bringBackFile, issueViewTicket, moveFile } from './files.acts.ts';
import { receiveFile, serveFile, unjudged } from './files.service.ts';
import { exportFiles } from './list/export-files.ts';
import { fileNeighbours, listFiles } from './list/list.ts';
import { countNewFiles } from './list/news.ts';
import { listMarked, settleMark } from './marks.ts';
import type { OtherClientGuard } from './other-clients.ts';
import { countByPeriod } from './periods.ts';
import { findReaders } from './readers.ts';
import { setPeriods } from './refiling.ts';
import { findNewest } from './served.ts';
import { searchInside } from './texts/search-inside.ts';
import { deleteFileForEver } from './trash/trashed-files.ts';
import { findVersions } from './versions.ts';

export function fileRoutes(
  services: Now & {
    readonly config: Config;
    readonly clock: Clock;
    readonly blobs: BlobStore;
    readonly accessLog: AccessLog;
    readonly wrongClient: OtherClientGuard;
  },
): Handlers<'files'> {
  return {
    'files.list': ({ read, input }) => listFiles(read, input.query),

    'files.export': (call) => exportFiles(call, services),

    'files.search-inside': ({ read, input }) => searchInside(read, input.query, services.config),

    'files.news': ({ read, input }) => countNewFiles(read, input.query.clientId),

    'files.archive': (call) => archiveFiles(call, services),

    'files.marked': ({ read, input }) => {
      read.authorize('files.read-marks');
      return listMarked(read, input.query);
    },

    'files.readers': async ({ read, input }) => {
      read.authorize('files.read-readers');
      return { readers: await findReaders(read, input.query.ids) };
    },

    'files.settle-mark': ({ input, principal }) => settleMark(principal, input.params.id, services),

    'files.facts': async ({ read, input }) => {
      const { file, ledHere } = await findNewest(read, input.params.id);
      const versions = await findVersions(read, file);
      return { file, versions, ledHere, ...(await fileNeighbours(read, file, input.query)) };
    },

    'files.already-there': async ({ read, input }) => ({ found: await findAlreadyThere(read, input.body.files) }),

    'files.upload': (call) => receiveFile(call, services),

    'files.open': (call) => {
      const action = call.input.query.view === 'true' ? 'view' : 'download';
      return serveFile({ ...call, id: call.input.params.id }, action, services);
    },
    'files.download': (call) => serveFile({ ...call, id: call.input.params.id }, 'download', services),
    'files.view': (call) => serveFile({ ...call, id: call.input.params.id }, 'view', services),

    'files.view-ticket': ({ principal, input }) => issueViewTicket(principal, input.params.id, services),

    'files.periods': ({ read, input }) => countByPeriod(read, input.query),

    'files.set-period': ({ input, principal }) => setPeriods(principal, input.body, services),

    'files.refile': ({ principal, input, request }) =>
      moveFile(
        principal,
        { id: input.params.id, input: input.body, expected: expectedVersions(request) },
        { ...services, onUnjudged: unjudged(request) },
      ),

    'files.delete': ({ input, principal, request }) =>
      deleteFile(principal, input.params.id, services, expectedVersions(request)),

    'files.restore': ({ principal, input: { params, body } }) => bringBackFile(principal, params.id, body, services),

    'files.purge': ({ input, principal }) => deleteFileForEver(principal, input.params.id, services),
  };
}
