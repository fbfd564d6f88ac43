// Roles: their list and what changes them.

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { RoleInput, RoleRow } from '#contract/roles.ts';
import { type CallInput, call, callList } from '#web/lib/api.ts';
import { createdOnce } from './created-once.ts';
import { rowOf } from './edited-row.ts';
import { useMutation } from './mutation.ts';
import { refresh } from './query-client.ts';

export type RolesFilter = NonNullable<CallInput<'roles.list'>['query']>;

export function rolesQuery(query: RolesFilter) {
  return queryOptions({
    queryKey: ['roles', 'list', query],
    queryFn: ({ signal }) => callList('roles.list', { query }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** Every role within reach, by name: for selects. */
export function allRolesQuery() {
  return queryOptions({
    queryKey: ['roles', 'all'],
    queryFn: ({ signal }) => callList('roles.list', { query: { sort: 'name' } }, { signal }),
  });
}

/** One role as of now. Throws ApiFault. */
export async function loadRole(id: number): Promise<RoleRow> {
  return rowOf(await callList('roles.list'), id);
}

const refreshRoles = () => refresh('roles', 'users', 'activity', 'permissions');

const createRole = createdOnce((body: RoleInput) => call('roles.create', { body }), {
  keyOf: ({ name }) => name,
  taken: 'role_name_taken',
  refresh: refreshRoles,
});

export function useCreateRole() {
  return useMutation({ mutationFn: createRole, onSuccess: refreshRoles });
}

// A refusal often means that the list is out of date: it is loaded again then too.

export function useUpdateRole() {
  return useMutation({
    mutationFn: ({ id, ifMatch, ...body }: RoleInput & { id: number; ifMatch?: string | undefined }) =>
      call('roles.update', { params: { id }, body }, { ifMatch }),
    onSuccess: refreshRoles,
    onError: () => void refreshRoles(),
  });
}

export function useDeleteRole() {
  return useMutation({
    mutationFn: (id: number) => call('roles.delete', { params: { id } }),
    onSuccess: refreshRoles,
    onError: () => void refreshRoles(),
  });
}
