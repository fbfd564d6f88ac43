// An invitation as whoever invites makes and shows it.
import type { InvitationState } from '#contract/invitation.ts';
import type { UserRow } from '#contract/users.ts';
import { formatDateTime } from './format.ts';
import { meta } from './product.ts';

/** The portal's address in people's browsers: whoever has it open may be within the firm, under another one. */
const portalOrigin = meta('origin') || window.location.origin;

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
export const invitationLink = (secret: string) => `${portalOrigin}/invitation#${secret}`;

export const invitationLabels: Readonly<Record<InvitationState, string>> = {
  invited: 'Invited',
  expired: 'Invitation expired',
  withdrawn: 'Invitation withdrawn',
  joined: 'Joined',
};

/** How far somebody is who was invited; null for everybody else. */
export function invitationState({ invitation }: Pick<UserRow, 'invitation'>): string | null {
  if (invitation === null) return null;
  if (invitation.withdrawn) return invitationLabels.withdrawn;
  if (Date.parse(invitation.until) <= Date.now()) return invitationLabels.expired;
  return `${invitationLabels.invited} until ${formatDateTime(invitation.until)}`;
}
