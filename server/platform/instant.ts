// How answers write a moment that the database keeps in ms since the epoch.

export const instant = (at: number): string => new Date(at).toISOString();

export const instantOrNull = (at: number | null): string | null => (at === null ? null : instant(at));

/** Its day in UTC, as the server counts days where nobody says which it is. */
export const dayOf = (at: number): string => instant(at).slice(0, 10);

/** One that was written so, as certificates and the operator read it: '2026-03-31 14:05:09 UTC'. */
export const utcMoment = (at: string): string => `${at.slice(0, 19).replace('T', ' ')} UTC`;
