// Holds in words. Without schemas, so that a page that lists files needs none.
export const HOLD_KINDS = ['file', 'client'] as const;
export type HoldKind = (typeof HOLD_KINDS)[number];

export const HOLD_REASON_MAX = 500;

/** What everybody is told who sees a file on hold. */
export const FILE_ON_HOLD = 'This file is on hold and cannot be deleted';

/** The same of a client, to staff. */
export const CLIENT_ON_HOLD = 'This client is on hold and cannot be deleted';
