// Reports and company documents over HTTP.
import { refuse } from '#contract/errors.ts';
import { fileNeighbours, listFiles } from '../../db/lists/files-list.ts';
import { noteDenied } from '../../http/note-denied.ts';
import type { Handlers, ViewerCall } from '../../http/route.ts';
import { fingerprint, newSecret, TICKET_FIRST_USE_MS } from '../../secrets.ts';
import type { Services } from '../../services.ts';
import { archiveFiles } from './archive.service.ts';
import { exportFiles } from './export-files.ts';
import { findFile, findStoredFile, insertViewTicket } from './files.repo.ts';
import { deleteFile, serveFile, storeUpload } from './files.service.ts';

type CallAboutOne = Pick<ViewerCall<'files.open'>, 'viewer' | 'request'> & {
  readonly input: { readonly params: { readonly id: number } };
};

export function fileRoutes(services: Services): Handlers<'files'> {
  /** Everything that takes a file's id comes through here, so that no refusal of one goes unnoted. */
  const aboutOne = <Call extends CallAboutOne, Result>(call: Call, act: (id: number) => Promise<Result>) =>
    noteDenied(call, `file ${call.input.params.id}`, services.securityLog, () => act(call.input.params.id));

  return {
    'files.list': ({ read, input }) => listFiles(read, input.query),

    'files.export': (call) => exportFiles(call, services),

    'files.archive': (call) =>
      noteDenied(call, `files ${call.input.body.ids.join(', ')}`, services.securityLog, () =>
        archiveFiles(call, services),
      ),

    'files.facts': (call) =>
      aboutOne(call, async (id) => {
        const file = await findFile(call.read, id);
        if (file === null) throw refuse('not_found');
        return { file, ...(await fileNeighbours(call.read, file, call.input.query)) };
      }),

    'files.upload': (call) => storeUpload(call, services),

    'files.open': (call) =>
      aboutOne(call, (id) =>
        serveFile({ ...call, id }, call.input.query.view === 'true' ? 'view' : 'download', services),
      ),
    'files.download': (call) => aboutOne(call, (id) => serveFile({ ...call, id }, 'download', services)),
    'files.view': (call) => aboutOne(call, (id) => serveFile({ ...call, id }, 'view', services)),

    'files.view-ticket': (call) =>
      aboutOne(call, (id) =>
        call.change(async (scope) => {
          const file = await findStoredFile(scope, id);
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
      ),

    'files.delete': (call) => aboutOne(call, (id) => deleteFile(call, id, services)),
  };
}
