// How long an invitation is good for, without schemas: pages say it too.

export const INVITATION_MS = 72 * 60 * 60_000;
