// How long links are good for by which people choose a password, without schemas: pages say it too.

export const INVITATION_MS = 72 * 60 * 60_000;

/** Of somebody who has forgotten theirs. */
export const PASSWORD_LINK_MS = 30 * 60_000;
