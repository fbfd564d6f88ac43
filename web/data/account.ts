// One's own account: the password, and the devices signed in on.

import { queryOptions, useMutation } from '@tanstack/react-query';
import { type CallInput, call, callList } from '#web/lib/api.ts';
import { startSession } from '#web/lib/session.ts';
import { refresh } from './query-client.ts';

/** Every other device is signed out; this one carries on with a new token. */
export function useChangePassword() {
  return useMutation({
    mutationFn: (body: CallInput<'session.password'>['body']) => call('session.password', { body }),
    onSuccess: async (session) => {
      startSession(session);
      await refresh('devices');
    },
  });
}

export function devicesQuery() {
  return queryOptions({
    queryKey: ['devices'],
    queryFn: ({ signal }) => callList('session.devices', {}, { signal }),
    refetchOnMount: 'always',
  });
}

export function useEndDevice() {
  return useMutation({
    mutationFn: (id: number) => call('session.end', { params: { id } }),
    onSuccess: () => refresh('devices'),
  });
}

export function useEndOtherDevices() {
  return useMutation({
    mutationFn: () => call('session.end-others'),
    onSuccess: () => refresh('devices'),
  });
}
