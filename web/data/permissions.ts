// What roles may do, and who can see what.

import { queryOptions, useMutation } from '@tanstack/react-query';
import type { PermissionChange } from '#contract/roles.ts';
import { call, callList } from '#web/lib/api.ts';
import { refresh } from './query-client.ts';
import { refreshSession } from './session.ts';

export function permissionsQuery() {
  return queryOptions({
    queryKey: ['permissions', 'matrix'],
    queryFn: ({ signal }) => callList('permissions.list', {}, { signal }),
  });
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
    mutationFn: (body: PermissionChange) => call('permissions.update', { body }),
    onSuccess: async () => {
      await Promise.all([refresh('permissions', 'activity'), refreshSession()]);
    },
    // A refusal often means that what was shown is old.
    onError: () => void refresh('permissions'),
  });
}
