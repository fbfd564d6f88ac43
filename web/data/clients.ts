// Client companies: their lists, one of them, and what changes them.

import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import type { ClientInput } from '#contract/clients.ts';
import { type CallInput, call, callList } from '#web/lib/api.ts';
import { getSession } from '#web/lib/session.ts';
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

/** Every client within reach, by name: for checklists. */
export function allClientsQuery() {
  return queryOptions({
    queryKey: ['clients', 'all'],
    queryFn: ({ signal }) => callList('clients.list', { query: { sort: 'name' } }, { signal }),
  });
}

export function clientQuery(id: number) {
  return queryOptions({
    queryKey: ['clients', 'one', id],
    queryFn: ({ signal }) => call('clients.get', { params: { id } }, { signal }),
  });
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

const refreshClients = () => refresh('clients', 'users', 'files', 'activity', 'overview', 'permissions');

function refreshAfterSave(): void {
  setTimeout(() => void refreshClients(), REFRESH_AFTER_SAVE_MS);
}

/** A person with access lists has the new client in theirs, or loses the deleted one. */
async function refreshOwnList(): Promise<void> {
  if (getSession()?.user.reach === 'lists') await refreshSession();
}

export function useCreateClient() {
  return useMutation({
    mutationFn: (body: ClientInput) => call('clients.create', { body }),
    onSuccess: () => {
      refreshAfterSave();
      return refreshOwnList();
    },
  });
}

// A refusal often means that the list is out of date: it is loaded again then too.

export function useUpdateClient() {
  return useMutation({
    mutationFn: ({ id, ...body }: ClientInput & { id: number }) => call('clients.update', { params: { id }, body }),
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
