// One's own account: password, second factors, devices, background work, recent events, and whether single keys work.

import { useLocalStorage } from '@mantine/hooks';
import { queryOptions } from '@tanstack/react-query';
import type { Output } from '#contract/api.ts';
import type { Enrolled } from '#contract/factors.ts';
import { isOpenJob } from '#contract/job-states.ts';
import { type CallInput, call, callList } from '#web/lib/api.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { makePasskey } from '#web/lib/make-passkey.ts';
import { useMutation } from './mutation.ts';
import { refresh } from './query-client.ts';

/** Whether nobody here knows if the last change of the password was made: its answer was lost. */
export const lastPasswordChange = { unsure: false };

/** Every other device is signed out; this one carries on with a new token. */
export function useChangePassword() {
  return useMutation({
    mutationFn: async (body: CallInput<'session.password'>['body']) => {
      try {
        await call('session.password', { body }, { renews: true });
        lastPasswordChange.unsure = false;
      } catch (error) {
        // What the server has not refused in its own words it may have done.
        lastPasswordChange.unsure = !(error instanceof ApiFault && error.hasServerMessage);
        throw error;
      }
    },
    onSuccess: () => refresh('devices', 'security-events', 'first-steps'),
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
    onSuccess: () => refresh('devices', 'security-events'),
  });
}

export function useEndOtherDevices() {
  return useMutation({
    mutationFn: () => call('session.end-others'),
    onSettled: () => refresh('devices', 'security-events'),
  });
}

const OWN_JOBS_WATCHED_EVERY_MS = 3_000;

/** What one has ordered in the background; asked for again while something waits or runs and the page can be seen. */
export function ownJobsQuery() {
  return queryOptions({
    queryKey: ['own-jobs'],
    queryFn: ({ signal }) => callList('session.jobs', {}, { signal }),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.rows.some(isOpenJob) ? OWN_JOBS_WATCHED_EVERY_MS : false),
  });
}

export function factorsQuery() {
  return queryOptions({
    queryKey: ['factors'],
    queryFn: ({ signal }) => call('factors.list', {}, { signal }),
    refetchOnMount: 'always',
  });
}

// A factor is set up in a session, or before the first one with `bearer`, the token of the sign-in that asks for it.

/** A key for an authenticator app, in base32 and as the address that a QR code holds. */
export type TotpKey = Output<'factors.new-totp'>;

/** A new key. Throws ApiFault. */
export function startTotp(bearer?: string): Promise<TotpKey> {
  return call('factors.new-totp', {}, { bearer });
}

/** Sets the app up by a code that it shows. Throws ApiFault. */
export function confirmTotp(code: string, bearer?: string): Promise<Enrolled> {
  return call('factors.confirm-totp', { body: { code } }, { bearer });
}

/** Has the browser make a passkey and stores it under `name`. Throws ApiFault and PasskeyFault. */
export async function addPasskey(name: string, bearer?: string): Promise<Enrolled> {
  const options = await call('factors.passkey-options', {}, { bearer });
  return call('factors.add-passkey', { body: { name, response: await makePasskey(options) } }, { bearer });
}

const refreshFactors = () => refresh('factors', 'security-events');

export function useRemoveTotp() {
  return useMutation({ mutationFn: () => call('factors.remove-totp'), onSettled: refreshFactors });
}

export function useRemovePasskey() {
  return useMutation({
    mutationFn: (id: number) => call('factors.remove-passkey', { params: { id } }),
    onSettled: refreshFactors,
  });
}

/** Makes new recovery codes; the old ones are void. */
export function useNewRecoveryCodes() {
  return useMutation({ mutationFn: () => call('factors.recovery-codes'), onSettled: refreshFactors });
}

export type SecurityEventsAsked = Required<NonNullable<CallInput<'session.events'>['query']>>;

/** One page of what was done with one’s own account, newest first. */
export function securityEventsQuery(query: SecurityEventsAsked) {
  return queryOptions({
    queryKey: ['security-events', query] as const,
    queryFn: ({ signal }) => callList('session.events', { query }, { signal }),
    // The previous page stays until the next one has loaded; that of another tab does not.
    placeholderData: (page, before) => (before?.queryKey[1].about === query.about ? page : undefined),
    refetchOnMount: 'always',
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
