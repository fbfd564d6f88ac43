// What a release has come to, by what is seen of its batch from one look to the next.
import type { BatchRow } from '#contract/batches.ts';

export interface ReleaseSeen {
  readonly releasing: number;
  readonly released: number;
  /** Since it was first seen. */
  readonly done: number;
  /** Given back to the reviewer. */
  readonly failed: number;
}

/** More may be released, and others recalled, while it is under way. Over once nothing is releasing; undefined where no release was seen. */
export function seeRelease(
  before: ReleaseSeen | undefined,
  { releasing, released }: Pick<BatchRow, 'releasing' | 'released'>,
): ReleaseSeen | undefined {
  if (before === undefined) return releasing === 0 ? undefined : { releasing, released, done: 0, failed: 0 };
  const done = Math.max(0, released - before.released);
  const failed = Math.max(0, before.releasing - releasing - done);
  return { releasing, released, done: before.done + done, failed: before.failed + failed };
}
