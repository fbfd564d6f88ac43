// One's own account: the password, the devices signed in on, and whether single keys act in this browser.

import { useLocalStorage } from '@mantine/hooks';
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
    onSettled: () => refresh('devices'),
  });
}

/** Whether shortcuts of a single key act; on unless somebody turned them off (WCAG 2.1.4). Remembered in this browser. */
export function useSingleKeyShortcuts(): [boolean, (on: boolean) => void] {
  const [on, setOn] = useLocalStorage<boolean>({
    key: 'singleKeyShortcuts',
    defaultValue: true,
    getInitialValueInEffect: false,
    serialize: (value) => (value ? 'on' : 'off'),
    deserialize: (stored) => stored !== 'off',
  });
  return [on, setOn];
}
