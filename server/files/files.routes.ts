// Reports and company documents over HTTP.

import { refuse } from '#contract/errors.ts';
import type { Handlers } from '../api/route.ts';
import type { AccessLog } from '../audit/access-log.ts';
import type { Config } from '../config.ts';
import { insertViewTicket } from '../people/auth/view-tickets.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Clock, Now } from '../platform/clock.ts';
import { fingerprint, newSecret, TICKET_FIRST_USE_MS } from '../platform/secrets.ts';
import { findAlreadyThere } from './already-there.ts';
import { archiveFiles } from './archives/archive.service.ts';
import { deleteFile } from './deletion.ts';
import { findNewest, findServed, moveFile, receiveFile, serveFile } from './files.service.ts';
import { exportFiles } from './list/export-files.ts';
import { fileNeighbours, listFiles } from './list/list.ts';
import { countNewFiles } from './list/news.ts';
import { listMarked, settleMark } from './marks.ts';
import type { OtherClientGuard } from './other-clients.ts';
import { countByPeriod } from './periods.ts';
import { putBackVersion } from './put-back.ts';
import { findReaders } from './readers.ts';
import { setPeriods } from './refiling.ts';
import { searchInside } from './texts/search-inside.ts';
import { deleteFileForEver, restoreFile } from './trash/trashed-files.ts';
import { findNewestOf, findVersions } from './versions.ts';

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

    'files.view-ticket': ({ input, change }) =>
      change(async (scope) => {
        const file = await findServed(scope, input.params.id);
        if (file === null) throw refuse('not_found');
        const proof = scope.authorize('files.read');
        const ticket = newSecret();
        const at = services.now();
        await insertViewTicket(scope, proof, {
          ticketHash: fingerprint(ticket),
          fileId: file.newestId ?? file.id,
          versionId: file.newestId === undefined ? null : file.id,
          at,
        });
        return {
          ticket,
          url: `/api/files/${file.id}?view=true&token=${ticket}&t=${at}`,
          expiresAt: new Date(at + TICKET_FIRST_USE_MS).toISOString(),
        };
      }),

    'files.periods': ({ read, input }) => countByPeriod(read, input.query),

    'files.set-period': ({ input, principal }) => setPeriods(principal, input.body, services),

    'files.refile': (call) => moveFile(call, services),

    'files.delete': ({ input, principal }) => deleteFile(principal, input.params.id, services),

    'files.restore': async ({ read, input: { params, body }, principal }) =>
      (await findNewestOf(read, params.id)) === null
        ? restoreFile(principal, params.id, body, services)
        : putBackVersion(principal, params.id, body, services),

    'files.purge': ({ input, principal }) => deleteFileForEver(principal, input.params.id, services),
  };
}
