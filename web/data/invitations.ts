// Invitations: the link as whoever is invited has it, and what whoever invites does with one.
import { queryOptions } from '@tanstack/react-query';
import type { Challenge } from '#contract/session.ts';
import type { UserRow } from '#contract/users.ts';
import { call } from '#web/lib/api.ts';
import { newInvitation } from '#web/lib/invitation.ts';
import { endSession, startSession } from '#web/lib/session.ts';
import { useMutation } from './mutation.ts';
import { type OneByOne, oneByOne } from './one-by-one.ts';
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

/** Somebody who has not joined, as the server has them now, with the secret of the link that they got. */
export interface InvitedAnew {
  readonly user: UserRow;
  readonly secret: string;
}

/** Gives people who have not joined another link, one after the other. Never rejects. */
export async function inviteAnew(
  people: readonly UserRow[],
  onStep: () => void,
): Promise<Pick<OneByOne<UserRow>, 'failures'> & { readonly invited: readonly InvitedAnew[] }> {
  const invited: InvitedAnew[] = [];
  const invite = async ({ id }: UserRow) => {
    const secret = newInvitation();
    invited.push({ user: await call('users.invite-anew', { params: { id }, body: { invitation: secret } }), secret });
  };
  const { failures } = await oneByOne(people, invite, onStep);
  await refresh('users', 'activity');
  return { invited, failures };
}

/** The link is worth nothing any more; the user stays. */
export function useWithdrawInvitation() {
  return useMutation({
    mutationFn: (id: number) => call('users.withdraw-invitation', { params: { id } }),
    onSettled: () => refresh('users', 'activity'),
  });
}
