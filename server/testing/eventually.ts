// Waiting for what is bound to happen: as long as it may take on a busy machine, and no longer than it takes.
import { vi } from 'vitest';

/** Asks again and again until `assertion` holds, and answers what it answers; after a minute it fails as the last try did. */
export const eventually = <Result>(assertion: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(assertion, { timeout: 60_000, interval: 10 });
