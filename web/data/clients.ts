// Client companies: their lists, one of them, and what changes them.

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ClientInput, ClientRow } from '#contract/clients.ts';
import { type CallInput, call, callList } from '#web/lib/api.ts';
import { getSession } from '#web/lib/session.ts';
import { firstPage } from '#web/ui/pages.ts';
import { createdOnce } from './created-once.ts';
import { useMutation } from './mutation.ts';
import { refresh } from './query-client.ts';
import { refreshSession } from './session.ts';

/** How long after a save the client list is loaded again (docs/behaviour.md, Constants). */
const REFRESH_AFTER_SAVE_MS = 500;

export type ClientsFilter = NonNullable<CallInput<'clients.list'>['query']>;

/** One page of clients as a table shows it. */
export function clientsQuery(query: ClientsFilter) {
  return queryOptions({
    queryKey: ['clients', 'list', query],
    queryFn: ({ signal }) => callList('clients.list', { query }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** The clients on the home of CPA and Client users, as its address without a word asks for them. */
export const homeClientsQuery = () => clientsQuery(firstPage(HOME_SORT));
export const HOME_SORT = 'name';

/** Every client within reach, by name: for checklists. */
export function allClientsQuery() {
  return queryOptions({
    queryKey: ['clients', 'all'],
    queryFn: ({ signal }) => callList('clients.list', { query: { sort: 'name' } }, { signal }),
  });
}

/** The same as of now, for one press that takes all of them. Throws ApiFault. */
export function useLoadClients() {
  return useMutation({
    mutationFn: async () => (await callList('clients.list', { query: { sort: 'name' } }, { pressed: true })).rows,
  });
}

export function clientQuery(id: number) {
  return queryOptions({
    queryKey: ['clients', 'one', id],
    queryFn: ({ signal }) => call('clients.get', { params: { id } }, { signal }),
  });
}

/** One client as of now, past what is kept. Throws ApiFault. */
export function loadClient(id: number): Promise<ClientRow> {
  return call('clients.get', { params: { id } });
}

/** What would be deleted with a client; loaded each time, because a confirmation names the numbers. */
export function clientRemovalQuery(id: number) {
  return queryOptions({
    // Not with the nouns that are refreshed: once the client is deleted, nobody needs it.
    queryKey: ['client-removal', id],
    queryFn: ({ signal }) => call('clients.removal', { params: { id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
}

export const refreshClients = () => refresh('clients', 'users', 'files', 'activity', 'overview', 'permissions');

function refreshAfterSave(): void {
  setTimeout(() => void refreshClients(), REFRESH_AFTER_SAVE_MS);
}

/** A person with access lists has the new client in theirs, or loses the deleted one. */
export async function refreshOwnList(): Promise<void> {
  if (getSession()?.user.reach === 'lists') await refreshSession();
}

/** Of a federal id some people see the last four digits alone. */
const keyOf = ({ name, federalId }: Pick<ClientInput, 'name' | 'federalId'>) => `${name} ${federalId.slice(-4)}`;

/** Two clients may be called the same, so that no refusal keeps one from being made twice. */
const createClient = createdOnce((body: ClientInput) => call('clients.create', { body }), {
  keyOf,
  isThere: async (body) => {
    const { rows } = await callList('clients.list', { query: { q: body.name } });
    return rows.some((row) => keyOf(row) === keyOf(body));
  },
  refresh: refreshClients,
});

export function useCreateClient() {
  return useMutation({
    mutationFn: createClient,
    onSuccess: () => {
      refreshAfterSave();
      return refreshOwnList();
    },
  });
}

/** Adds clients from a list, or asks what would be wrong with them. */
export async function importClients(rows: CallInput<'clients.import'>['body']['rows'], dryRun: boolean) {
  const result = await call('clients.import', { body: { rows, dryRun } });
  if (!dryRun) await Promise.all([refreshClients(), refreshOwnList()]);
  return result;
}

// A refusal often means that the list is out of date: it is loaded again then too.

export function useUpdateClient() {
  return useMutation({
    mutationFn: ({ id, ifMatch, ...body }: ClientInput & { id: number; ifMatch?: string | undefined }) =>
      call('clients.update', { params: { id }, body }, { ifMatch }),
    onSuccess: refreshAfterSave,
    onError: () => void refreshClients(),
  });
}

export function useDeleteClient() {
  return useMutation({
    mutationFn: (id: number) => call('clients.delete', { params: { id } }),
    onSuccess: () => Promise.all([refreshClients(), refreshOwnList()]),
    onError: () => void refreshClients(),
  });
}
