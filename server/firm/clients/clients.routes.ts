// Client companies over HTTP.

import { createdDetails } from '#contract/activity-words.ts';
import type { ClientInput } from '#contract/clients.ts';
import { refuse } from '#contract/errors.ts';
import type { Proof } from '#contract/policy.ts';
import { removalWords } from '#contract/removal-words.ts';
import { expectedVersions } from '../../api/if-match.ts';
import { originOf } from '../../api/origin.ts';
import type { Handlers } from '../../api/route.ts';
import { record } from '../../audit/record.ts';
import { recordAccessChanged } from '../../audit/security-events.ts';
import type { Config } from '../../config.ts';
import { deletionBy } from '../../files/trash/entries.ts';
import { deleteClientForEver, restoreClient } from '../../files/trash/trashed-clients.ts';
import { importRows } from '../../people/access/import-rows.ts';
import type { WriteScope } from '../../people/access/scope.ts';
import { requireVersion } from '../../people/access/versions.ts';
import type { Now } from '../../platform/clock.ts';
import {
  clientJudge,
  countRemoval,
  findClient,
  insertClient,
  lastChangeOfClient,
  listClients,
  removeClient,
  updateClient,
} from './clients.repo.ts';

export function clientRoutes({ config, now }: Now & { readonly config: Config }): Handlers<'clients'> {
  const create = async (scope: WriteScope, proof: Proof<'clients.create'>, input: ClientInput, at: number) => {
    const client = await insertClient(scope, proof, input, at);
    await record(scope, proof, { action: 'update', details: createdDetails('client', client.name), client }, at);
    return client;
  };

  return {
    'clients.list': ({ read, input }) => listClients(read, input.query),

    'clients.get': async ({ read, input }) => {
      const client = await findClient(read, input.params.id);
      if (client === null) throw refuse('not_found');
      return client;
    },

    'clients.create': ({ input, change }) =>
      change((scope) => create(scope, scope.authorize('clients.create'), input.body, now())),

    'clients.import': ({ input, change }) =>
      change((scope) => {
        const proof = scope.authorize('clients.create');
        const judge = clientJudge(scope, proof);
        return importRows(input.body, now(), { judge, create: (row, at) => create(scope, proof, row, at) });
      }),

    'clients.update': ({ input, change, request }) =>
      change(async (scope) => {
        const { id } = input.params;
        // Of two who save at once, the second one reads what the first one saved.
        await scope.serialize('names');
        const former = await findClient(scope, id);
        if (former === null) throw refuse('not_found');
        const proof = scope.authorize('clients.update');
        await requireVersion(scope, expectedVersions(request), former, () => lastChangeOfClient(scope, id), now());
        const client = await updateClient(scope, proof, former, input.body, now());
        await record(scope, proof, { action: 'update', details: `Updated client: ${client.name}`, client }, now());
        return client;
      }),

    'clients.removal': ({ input, change }) =>
      change(async (scope) => {
        if ((await findClient(scope, input.params.id)) === null) throw refuse('not_found');
        return countRemoval(scope, scope.authorize('clients.delete'), input.params.id);
      }),

    'clients.delete': ({ input, change, request }) =>
      change(async (scope) => {
        const client = await findClient(scope, input.params.id);
        if (client === null) throw refuse('not_found');
        const proof = scope.authorize('clients.delete');
        const event = { origin: originOf(request), detail: `deletion of client ${client.name}` };
        const at = now();
        await recordAccessChanged(scope, proof, { clientId: client.id }, event, at);
        const removal = await removeClient(scope, proof, client.id, deletionBy(scope, at, config));
        const details = `Deleted client: ${client.name}, with ${removalWords(removal)}`;
        await record(scope, proof, { action: 'delete', details, client }, at);
      }),

    'clients.restore': ({ input, change, request }) =>
      change(async (scope) => {
        const { id } = input.params;
        const isThere = async (other: number) => (await findClient(scope, other)) !== null;
        await restoreClient(scope, id, { origin: originOf(request), at: now(), isThere, names: input.body });
        const client = await findClient(scope, id);
        if (client === null) throw refuse('gone_meanwhile');
        return client;
      }),

    'clients.purge': ({ input, change }) =>
      change((scope) => {
        const isThere = async (id: number) => (await findClient(scope, id)) !== null;
        return deleteClientForEver(scope, input.params.id, { at: now(), isThere });
      }),
  };
}
