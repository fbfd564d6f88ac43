// The portal's own mail: how it is set up and fares, its list, another try, a test.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { MailRow } from '#contract/mail.ts';
import { isOpenMail } from '#contract/mail-states.ts';
import { mayAttempt } from '#contract/policy.ts';
import { type CallInput, call, callList, type ListPage } from '#web/lib/api.ts';
import { getSession } from '#web/lib/session.ts';
import { useMutation } from './mutation.ts';
import { queryClient, refresh } from './query-client.ts';

export type MailFilter = NonNullable<CallInput<'mail.list'>['query']>;

const WATCHED_EVERY_MS = 2_000;
const LOOK_AGAIN_MS = 60_000;

/** Known for a minute: mails are sent in the background, of which no other list hears. */
export function mailFactsQuery() {
  return queryOptions({
    queryKey: ['mail', 'facts'],
    queryFn: ({ signal }) => call('mail.facts', {}, { signal }),
    staleTime: LOOK_AGAIN_MS,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

/**
 * The card of the home moves what stands below it unless this is known before the home is drawn; where it cannot be had there is no
 * card. Asked anew at each visit: whoever has just seen a mail fail, or arrive, reads the same there.
 */
export async function awaitMailFacts(): Promise<void> {
  const user = getSession()?.user;
  if (user === undefined || user.mustChangePassword || user.commonRouting || !mayAttempt(user, 'mail.read')) return;
  await queryClient.prefetchQuery({ ...mailFactsQuery(), staleTime: 0 });
}

/** How long to wait before looking again: mails that are open change by themselves, once they are due, or the later the less likely. */
function nextLook(mails: readonly MailRow[]): number | false {
  const dueInMs = mails.filter(isOpenMail).map(({ dueAt }) => Date.parse(dueAt) - Date.now());
  if (dueInMs.length === 0) return false;
  const soonest = Math.min(...dueInMs.map((ms) => (ms < 0 ? -ms / 10 : ms)));
  return Math.min(Math.max(soonest, WATCHED_EVERY_MS), LOOK_AGAIN_MS);
}

const failingIn = (mails: readonly MailRow[]) =>
  mails.filter(({ state, error }) => state === 'failed' || error !== null);

/** One page of mails, newest first: loaded at every visit, and polled while one of them is still to be sent, or others may come to those that fail. */
export function mailsQuery(query: MailFilter) {
  const queryKey = ['mail', 'list', query] as const;
  const atRest = query.failing === undefined ? false : LOOK_AGAIN_MS;
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const before = queryClient.getQueryData<ListPage<MailRow>>(queryKey);
      const page = await callList('mail.list', { query }, { signal });
      // How many fail is said above the list, and in the same moment.
      if (before !== undefined && failingIn(before.rows).length !== failingIn(page.rows).length) {
        void queryClient.invalidateQueries({ queryKey: mailFactsQuery().queryKey });
      }
      return page;
    },
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.error === null ? nextLook(state.data?.rows ?? []) || atRest : LOOK_AGAIN_MS),
  });
}

const settled = { onSettled: () => refresh('mail', 'activity') };

export function useRetryMail() {
  return useMutation({ mutationFn: (id: number) => call('mail.retry', { params: { id } }), ...settled });
}

export function useRetryAllMails() {
  return useMutation({ mutationFn: () => call('mail.retry-all'), ...settled });
}

export function useTestMail() {
  return useMutation({ mutationFn: (to: string) => call('mail.test', { body: { to } }), ...settled });
}
