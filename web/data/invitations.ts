// Invitations: the link as whoever is invited has it, and what whoever invites does with one.
import { queryOptions } from '@tanstack/react-query';
import type { Challenge } from '#contract/session.ts';
import { call } from '#web/lib/api.ts';
import { endSession, startSession } from '#web/lib/session.ts';
import { useMutation } from './mutation.ts';
import { refresh } from './query-client.ts';

/** Whom the link with this secret is for. Throws ApiFault. */
export function invitationQuery(token: string) {
  return queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => call('session.invitation', { body: { token } }, { signal }),
    retry: false,
    gcTime: 0,
  });
}

/** Chooses the password, and opens the session or returns which second factor is missing. Throws ApiFault. */
export async function join(token: string, newPassword: string): Promise<Challenge | null> {
  const answer = await call('session.join', { body: { token, newPassword } });
  if ('challenge' in answer) return answer.challenge;
  startSession(answer);
  return null;
}

/** Signs out whoever is signed in, and loads the page anew: nothing of them may stay where somebody else begins. */
export async function makeWay(): Promise<void> {
  await call('session.logout').catch(() => undefined);
  endSession();
  window.location.reload();
}

/** The link is worth nothing any more; the user stays. */
export function useWithdrawInvitation() {
  return useMutation({
    mutationFn: (id: number) => call('users.withdraw-invitation', { params: { id } }),
    onSettled: () => refresh('users', 'activity'),
  });
}
