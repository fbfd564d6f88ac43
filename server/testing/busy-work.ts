// Work for a thread that keeps its processor busy until it is stopped, for tests of what happens meanwhile.

/** Two numbers of four bytes: the thread sets the first when it has begun, the test the second when it may end. */
export interface BusyWork {
  readonly flags: Int32Array;
}

export const STARTED = 0;
export const MAY_END = 1;

export function work({ flags }: BusyWork): number {
  Atomics.store(flags, STARTED, 1);
  let turns = 0;
  while (Atomics.load(flags, MAY_END) === 0) turns += 1;
  return Math.min(turns, 1);
}
