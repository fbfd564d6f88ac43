// Reports and company documents over HTTP.
import { refuse } from '#contract/errors.ts';
import { fingerprint, newSecret, TICKET_FIRST_USE_MS } from '../../auth/secrets.ts';
import { insertViewTicket } from '../../auth/view-tickets.ts';
import { findFile, findStoredFile } from '../../files/find.ts';
import { refileFile } from '../../files/lifecycle.ts';
import { fileNeighbours, listFiles } from '../../files/list.ts';
import type { Handlers } from '../../http/route.ts';
import type { Services } from '../../services.ts';
import { archiveFiles } from './archive.service.ts';
import { exportFiles } from './export-files.ts';
import { deleteWithBytes, receiveFile, serveFile } from './files.service.ts';

export function fileRoutes(services: Services): Handlers<'files'> {
  return {
    'files.list': ({ read, input }) => listFiles(read, input.query),

    'files.export': (call) => exportFiles(call, services),

    'files.archive': (call) => archiveFiles(call, services),

    'files.facts': async ({ read, input }) => {
      const file = await findFile(read, input.params.id);
      if (file === null) throw refuse('not_found');
      return { file, ...(await fileNeighbours(read, file, input.query)) };
    },

    'files.upload': (call) => receiveFile(call, services),

    'files.open': (call) => {
      const action = call.input.query.view === 'true' ? 'view' : 'download';
      return serveFile({ ...call, id: call.input.params.id }, action, services);
    },
    'files.download': (call) => serveFile({ ...call, id: call.input.params.id }, 'download', services),
    'files.view': (call) => serveFile({ ...call, id: call.input.params.id }, 'view', services),

    'files.view-ticket': ({ input, change }) =>
      change(async (scope) => {
        const file = await findStoredFile(scope, input.params.id);
        if (file === null) throw refuse('not_found');
        const proof = scope.authorize('files.read');
        const ticket = newSecret();
        const at = services.now();
        await insertViewTicket(scope, proof, { ticketHash: fingerprint(ticket), fileId: file.id, at });
        return {
          ticket,
          url: `/api/files/${file.id}?view=true&token=${ticket}&t=${at}`,
          expiresAt: new Date(at + TICKET_FIRST_USE_MS).toISOString(),
        };
      }),

    'files.refile': ({ input, principal }) => refileFile(principal, input.params.id, input.body, services),

    'files.delete': (call) => deleteWithBytes(call, call.input.params.id, services),
  };
}
