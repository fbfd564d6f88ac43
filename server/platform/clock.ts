// Time that passes: what the server waits for, and how long something took. Tests bring a clock that they move by hand.

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The time in ms since the epoch; tests bring their own. */
export interface Now {
  readonly now: () => number;
}

/** The clocks of several machines differ by less: what is later than that was written before a clock was put back. */
export const CLOCKS_DIFFER_MS = 60 * MINUTE_MS;

export interface Clock {
  /** In ms since some moment; never goes back. */
  nowMs(): number;
  /** Calls `act` once after `ms`, unless what it answers is called before. Keeps the process alive only with `ref`. */
  after(ms: number, act: () => void, options?: { readonly ref?: boolean }): () => void;
  /** Calls `act` every `ms` until what it answers is called. Keeps no process alive. */
  every(ms: number, act: () => void): () => void;
}

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  after(ms, act, { ref = false } = {}) {
    const timer = setTimeout(act, ms);
    if (!ref) timer.unref();
    return () => clearTimeout(timer);
  },
  every(ms, act) {
    const timer = setInterval(act, ms).unref();
    return () => clearInterval(timer);
  },
};
