// How long a session lasts and what it must have shown, with the safeguards off and on.
import { DAY_MS, MINUTE_MS } from '../../platform/clock.ts';

export interface SessionRules {
  readonly idleMaxMs: number;
  readonly ageMaxMs: number;
  /** A session's last use is recorded no more often than this. */
  readonly touchEveryMs: number;
  /** A session must have shown a second factor, and shows it again for some acts. */
  readonly secondFactor: boolean;
}

export const rulesOf: Record<'on' | 'off', SessionRules> = {
  off: { idleMaxMs: 7 * DAY_MS, ageMaxMs: 30 * DAY_MS, touchEveryMs: 5 * MINUTE_MS, secondFactor: false },
  on: { idleMaxMs: 30 * MINUTE_MS, ageMaxMs: DAY_MS / 2, touchEveryMs: MINUTE_MS, secondFactor: true },
};

/** A second factor once shown is enough for this long. */
export const STEP_UP_MS = 5 * MINUTE_MS;
