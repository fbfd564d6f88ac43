// What is done to client companies: each with its entry in the log.

import { isDeepStrictEqual } from 'node:util';
import { createdDetails, updatedDetails } from '#contract/activity-words.ts';
import type { Received } from '#contract/api.ts';
import type { ClientInput, ClientRow } from '#contract/clients.ts';
import { refuse } from '#contract/errors.ts';
import type { ImportResult } from '#contract/imports.ts';
import type { Proof } from '#contract/policy.ts';
import { removalWords } from '#contract/removal-words.ts';
import type { RestoredClient } from '#contract/trash.ts';
import { record } from '../../audit/record.ts';
import { type Origin, recordAccessChanged } from '../../audit/security-events.ts';
import type { Config } from '../../config.ts';
import { deletionBy } from '../../files/trash/entries.ts';
import { deleteClientForEver, restoreClient } from '../../files/trash/trashed-clients.ts';
import { importRows } from '../../people/access/import-rows.ts';
import type { Principal } from '../../people/access/principal.ts';
import type { ReadScope, WriteScope } from '../../people/access/scope.ts';
import { type ExpectedVersions, requireVersion } from '../../people/access/versions.ts';
import type { Now } from '../../platform/clock.ts';
import {
  clientJudge,
  findClient,
  insertClient,
  lastChangeOfClient,
  removeClient,
  updateClient,
} from './clients.repo.ts';

/** The client in reach. Refuses `not_found`. */
export async function loadClient(scope: ReadScope, id: number): Promise<ClientRow> {
  const client = await findClient(scope, id);
  if (client === null) throw refuse('not_found');
  return client;
}

async function createWithin(scope: WriteScope, proof: Proof<'clients.create'>, input: ClientInput, at: number) {
  const client = await insertClient(scope, proof, input, at);
  await record(scope, proof, { action: 'update', details: createdDetails('client', client.name), client }, at);
  return client;
}

export function createClient(principal: Principal, input: ClientInput, { now }: Now): Promise<ClientRow> {
  return principal.change('clients.create', (scope) =>
    createWithin(scope, scope.authorize('clients.create'), input, now()),
  );
}

/** Adds the clients of a list as the form does: all of them, or none. */
export function importClients(
  principal: Principal,
  input: Received<'clients.import'>['body'],
  { now }: Now,
): Promise<ImportResult> {
  return principal.change('clients.create', async (scope) => {
    const proof = scope.authorize('clients.create');
    // Of two who import one list at once, the second one finds all that the first one has made.
    await scope.serialize('names');
    const judge = clientJudge(scope, proof);
    return importRows(input, now(), { judge, create: (row, at) => createWithin(scope, proof, row, at) });
  });
}

/** Makes a client what `input` says. Refuses `changed_meanwhile`. */
export function changeClient(
  principal: Principal,
  { id, input, expected }: { readonly id: number; readonly input: ClientInput; readonly expected: ExpectedVersions },
  { now }: Now,
): Promise<ClientRow> {
  return principal.change('clients.update', async (scope) => {
    // Of two who save at once, the second one reads what the first one saved.
    await scope.serialize('names');
    const former = await loadClient(scope, id);
    const proof = scope.authorize('clients.update');
    await requireVersion(scope, expected, former, () => lastChangeOfClient(scope, id), now());
    // Saved as it is, it is nobody's change: neither the log nor whoever edits it hears of one.
    if (isDeepStrictEqual({ ...former, ...input }, former)) return former;
    const client = await updateClient(scope, proof, former, input, now());
    const details = updatedDetails('client', client.name, former.name);
    await record(scope, proof, { action: 'update', details, client }, now());
    return client;
  });
}

/** Moves a client into the trash, with its files and its people. */
export function deleteClient(
  principal: Principal,
  id: number,
  origin: Origin,
  { now, config }: Now & { readonly config: Config },
): Promise<void> {
  return principal.change('clients.delete', async (scope) => {
    const client = await loadClient(scope, id);
    const proof = scope.authorize('clients.delete');
    const event = { origin, detail: `deletion of client ${client.name}` };
    const at = now();
    await recordAccessChanged(scope, proof, { clientId: client.id }, event, at);
    const removal = await removeClient(scope, proof, client.id, deletionBy(scope, at, config));
    const details = `Deleted client: ${client.name}, with ${removalWords(removal)}`;
    await record(scope, proof, { action: 'delete', details, client }, at);
  });
}

const isThereIn = (scope: ReadScope) => async (id: number) => (await findClient(scope, id)) !== null;

/** Takes a client out of the trash, under other names where those it had are taken. */
export function restoreTrashedClient(
  principal: Principal,
  id: number,
  { names, origin }: { readonly names: Received<'clients.restore'>['body']; readonly origin: Origin },
  { now }: Now,
): Promise<RestoredClient> {
  return principal.change('clients.restore', async (scope) => {
    const find = (other: number) => findClient(scope, other);
    const { withoutType } = await restoreClient(scope, id, { origin, at: now(), find, names });
    const client = await find(id);
    if (client === null) throw refuse('gone_meanwhile');
    return { ...client, withoutType };
  });
}

/** Deletes a client in the trash for ever. */
export function purgeClient(principal: Principal, id: number, { now }: Now): ReturnType<typeof deleteClientForEver> {
  return principal.change('clients.purge', (scope) =>
    deleteClientForEver(scope, id, { at: now(), isThere: isThereIn(scope) }),
  );
}
