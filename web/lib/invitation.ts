// An invitation as whoever invites makes and shows it.
import type { UserRow } from '#contract/users.ts';
import { formatDateTime } from './format.ts';

const SECRET_BYTES = 32;

/** 256 random bits in base64url: 43 characters. */
export function newInvitation(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** What is sent to the person. Browsers keep what is behind the # to themselves, so no server and no proxy notes it. */
export const invitationLink = (secret: string) => `${window.location.origin}/invitation#${secret}`;

/** How far somebody is who was invited; null for everybody else. */
export function invitationState({ invitation }: Pick<UserRow, 'invitation'>): string | null {
  if (invitation === null) return null;
  if (invitation.withdrawn) return 'Invitation withdrawn';
  if (Date.parse(invitation.until) <= Date.now()) return 'Invitation expired';
  return `Invited until ${formatDateTime(invitation.until)}`;
}
