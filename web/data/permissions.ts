// What roles may do, and who can see what.

import { queryOptions } from '@tanstack/react-query';
import type { PermissionChange, RolePermissions } from '#contract/roles.ts';
import { call, callList } from '#web/lib/api.ts';
import { rowOf } from './edited-row.ts';
import { useMutation } from './mutation.ts';
import { refresh } from './query-client.ts';
import { refreshSession } from './session.ts';

const listPermissions = ({ signal }: { readonly signal: AbortSignal }) => callList('permissions.list', {}, { signal });

/** What each role may do, as it is listed. */
export function permissionsQuery() {
  return queryOptions({ queryKey: ['permissions', 'matrix'], queryFn: listPermissions });
}

/** The same, by which it is decided what is offered for the people or roles in sight: nobody is told of it as of a list that has changed. */
export function roleRightsQuery() {
  return queryOptions({ queryKey: ['permissions', 'rights'], queryFn: listPermissions });
}

/** The rights of one role as of now. Throws ApiFault. */
export async function loadPermissions(roleId: number): Promise<RolePermissions> {
  return rowOf(await callList('permissions.list'), roleId);
}

/** What a user reaches, and why. */
export function userReachQuery(id: number) {
  return queryOptions({
    queryKey: ['permissions', 'user', id],
    queryFn: ({ signal }) => call('permissions.user', { params: { id } }, { signal }),
  });
}

/** Who reaches a client, and why. */
export function clientReachQuery(id: number) {
  return queryOptions({
    queryKey: ['permissions', 'client', id],
    queryFn: ({ signal }) => call('permissions.client', { params: { id } }, { signal }),
  });
}

export function useUpdatePermissions() {
  return useMutation({
    mutationFn: ({ ifMatch, ...body }: PermissionChange & { ifMatch?: string | undefined }) =>
      call('permissions.update', { body }, { ifMatch }),
    onSuccess: async () => {
      // Its row in the list of roles has another version by now.
      await Promise.all([refresh('permissions', 'roles', 'activity'), refreshSession()]);
    },
    // A refusal often means that what was shown is old.
    onError: () => void refresh('permissions', 'roles'),
  });
}
