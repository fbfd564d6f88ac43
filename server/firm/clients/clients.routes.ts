// Client companies over HTTP.

import { expectedVersions } from '../../api/if-match.ts';
import { originOf } from '../../api/origin.ts';
import type { Handlers } from '../../api/route.ts';
import type { Config } from '../../config.ts';
import type { Now } from '../../platform/clock.ts';
import {
  changeClient,
  createClient,
  deleteClient,
  importClients,
  loadClient,
  purgeClient,
  restoreTrashedClient,
} from './clients.acts.ts';
import { countRemoval, listClients } from './clients.repo.ts';

export function clientRoutes(services: Now & { readonly config: Config }): Handlers<'clients'> {
  return {
    'clients.list': ({ read, input }) => listClients(read, input.query),

    'clients.get': ({ read, input }) => loadClient(read, input.params.id),

    'clients.create': ({ principal, input }) => createClient(principal, input.body, services),

    'clients.import': ({ principal, input }) => importClients(principal, input.body, services),

    'clients.update': ({ principal, input, request }) =>
      changeClient(
        principal,
        { id: input.params.id, input: input.body, expected: expectedVersions(request) },
        services,
      ),

    'clients.removal': async ({ read, input }) => {
      const { id } = await loadClient(read, input.params.id);
      return countRemoval(read, read.authorize('clients.delete'), id);
    },

    'clients.delete': ({ principal, input, request }) =>
      deleteClient(principal, input.params.id, originOf(request), services),

    'clients.restore': ({ principal, input, request }) =>
      restoreTrashedClient(principal, input.params.id, { names: input.body, origin: originOf(request) }, services),

    'clients.purge': ({ principal, input }) => purgeClient(principal, input.params.id, services),
  };
}
