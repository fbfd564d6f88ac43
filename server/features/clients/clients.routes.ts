// Client companies over HTTP.
import { removalWords } from '#contract/clients.ts';
import { refuse } from '#contract/errors.ts';
import { record } from '../../audit/record.ts';
import { recordAccessChanged } from '../../audit/security-events.ts';
import { originOf } from '../../http/origin.ts';
import type { Handlers } from '../../http/route.ts';
import type { Services } from '../../services.ts';
import { countRemoval, findClient, insertClient, listClients, removeClient, updateClient } from './clients.repo.ts';

export function clientRoutes({ blobs, now }: Services): Handlers<'clients'> {
  return {
    'clients.list': ({ read, input }) => listClients(read, input.query),

    'clients.get': async ({ read, input }) => {
      const client = await findClient(read, input.params.id);
      if (client === null) throw refuse('not_found');
      return client;
    },

    'clients.create': ({ input, change }) =>
      change(async (scope) => {
        const proof = scope.authorize('clients.create');
        const client = await insertClient(scope, proof, input.body, now());
        await record(scope, proof, { action: 'update', details: `Created client: ${client.name}`, client }, now());
        return client;
      }),

    'clients.update': ({ input, change }) =>
      change(async (scope) => {
        if ((await findClient(scope, input.params.id)) === null) throw refuse('not_found');
        const proof = scope.authorize('clients.update');
        const client = await updateClient(scope, proof, input.params.id, input.body);
        await record(scope, proof, { action: 'update', details: `Updated client: ${client.name}`, client }, now());
        return client;
      }),

    'clients.removal': ({ input, change }) =>
      change(async (scope) => {
        if ((await findClient(scope, input.params.id)) === null) throw refuse('not_found');
        return countRemoval(scope, scope.authorize('clients.delete'), input.params.id);
      }),

    'clients.delete': async ({ input, change, request }) => {
      const { storageKeys } = await change(async (scope) => {
        const client = await findClient(scope, input.params.id);
        if (client === null) throw refuse('not_found');
        const proof = scope.authorize('clients.delete');
        const event = { origin: originOf(request), detail: `deletion of client ${client.name}` };
        const at = now();
        await recordAccessChanged(scope, proof, { clientId: client.id }, event, at);
        const removed = await removeClient(scope, proof, client.id, at);
        const details = `Deleted client: ${client.name}, with ${removalWords(removed.removal)}`;
        await record(scope, proof, { action: 'delete', details, client }, at);
        return removed;
      });
      // The rows are deleted, so nobody can open these bytes; the sweep removes what is not removed now.
      for (const storageKey of storageKeys) {
        await blobs.remove(storageKey).catch((error) => request.log.warn({ err: error }, 'blob left for the sweep'));
      }
    },
  };
}
