// People who sign in: their list, their access lists, and what changes them.

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { UserDetails } from '#contract/users.ts';
import { type CallInput, call, callList } from '#web/lib/api.ts';
import { getSession } from '#web/lib/session.ts';
import { createdOnce } from './created-once.ts';
import { useMutation } from './mutation.ts';
import { refresh } from './query-client.ts';
import { refreshSession } from './session.ts';

export type UsersFilter = NonNullable<CallInput<'users.list'>['query']>;
export type UserCreation = CallInput<'users.create'>['body'];
export type UserChange = CallInput<'users.update'>['body'];

export function usersQuery(query: UsersFilter) {
  return queryOptions({
    queryKey: ['users', 'list', query],
    queryFn: ({ signal }) => callList('users.list', { query }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** Everybody whom a list has, on all of its pages: for a button that is for all of them. */
export function useLoadUsers() {
  return useMutation({
    mutationFn: async (query: Omit<UsersFilter, 'limit' | 'offset'>) =>
      (await callList('users.list', { query }, { pressed: true })).rows,
  });
}

/** The access lists of one user and which of its clients are in the trash, asked again each time a form opens on them; null is a list that could not be had. */
export function userAccessQuery(id: number) {
  return queryOptions({
    // Next to the nouns that are refreshed: what somebody is ticking must not be answered over.
    queryKey: ['user-access', id],
    queryFn: async ({ signal }) => {
      const [clientIds, reportTypeIds, clientsInTrash] = await Promise.all([
        call('users.client-access', { params: { id } }, { signal }).catch(() => null),
        call('users.report-access', { params: { id } }, { signal }).catch(() => null),
        call('users.get', { params: { id } }, { signal }).then(
          (user) => user.clientsInTrash,
          () => null,
        ),
      ]);
      return { clientIds, reportTypeIds, clientsInTrash };
    },
    staleTime: 0,
    gcTime: 0,
  });
}

export function userQuery(id: number) {
  return queryOptions({
    queryKey: ['users', 'one', id],
    queryFn: ({ signal }) => call('users.get', { params: { id } }, { signal }),
  });
}

/** One user as of now, past what is kept. Throws ApiFault. */
export function loadUser(id: number): Promise<UserDetails> {
  return call('users.get', { params: { id } });
}

const refreshPeople = () => refresh('users', 'activity', 'overview', 'permissions');

const createUser = createdOnce((body: UserCreation) => call('users.create', { body }), {
  keyOf: ({ username }) => username,
  taken: 'username_taken',
  refresh: refreshPeople,
});

export function useCreateUser() {
  return useMutation({ mutationFn: createUser, onSuccess: refreshPeople });
}

/** Adds users from a list, or asks what would be wrong with them; sent again under the same key, it adds nobody twice. */
export async function importUsers(
  rows: CallInput<'users.import'>['body']['rows'],
  { dryRun, idempotencyKey }: { readonly dryRun: boolean; readonly idempotencyKey: string },
) {
  const result = await call('users.import', { body: { rows, dryRun } }, { idempotencyKey });
  if (!dryRun) await refreshPeople();
  return result;
}

// A refusal often means that the list is old: it is asked for again then too.

export function useUpdateUser() {
  return useMutation({
    mutationFn: ({ id, ifMatch, ...body }: UserChange & { id: number; ifMatch?: string | undefined }) =>
      call('users.update', { params: { id }, body }, { ifMatch }),
    onSuccess: async (_user, { id }) => {
      await Promise.all([refreshPeople(), id === getSession()?.user.id ? refreshSession() : undefined]);
    },
    onError: () => void refreshPeople(),
  });
}

export function useDeleteUser() {
  return useMutation({
    mutationFn: (id: number) => call('users.delete', { params: { id } }),
    onSuccess: refreshPeople,
    onError: () => void refreshPeople(),
  });
}

/** Their app, passkeys and recovery codes are gone, and so are their sessions: they set a factor up at the next sign-in. */
export function useResetSecondFactor() {
  return useMutation({
    mutationFn: (id: number) => call('users.reset-second-factor', { params: { id } }),
    onSuccess: refreshPeople,
    onError: () => void refreshPeople(),
  });
}
