// How long links are good for by which people choose a password, and how far people are with them, without schemas: pages say it too.

export const INVITATION_MS = 72 * 60 * 60_000;

/** How far people are: whoever has a password has joined. */
export const INVITATION_STATES = ['invited', 'expired', 'withdrawn', 'joined'] as const;
export type InvitationState = (typeof INVITATION_STATES)[number];

/** Of somebody who has forgotten theirs. */
export const PASSWORD_LINK_MS = 30 * 60_000;
