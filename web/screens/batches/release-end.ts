// What a release has come to, by what is seen of its batch from one look to the next.
import type { BatchRow } from '#contract/batches.ts';

export interface ReleaseSeen {
  readonly releasing: number;
  readonly released: number;
  readonly recalled: number;
  /** Since it was first seen. */
  readonly done: number;
  /** Given back to the reviewer. */
  readonly failed: number;
}

/** More may be released, and others recalled, while it is under way. Over once nothing is releasing; undefined where no release was seen. */
export function seeRelease(
  before: ReleaseSeen | undefined,
  { releasing, released, recalled }: Pick<BatchRow, 'releasing' | 'released' | 'recalled'>,
): ReleaseSeen | undefined {
  if (before === undefined) return releasing === 0 ? undefined : { releasing, released, recalled, done: 0, failed: 0 };
  // What was recalled between two looks was released by then.
  const takenBack = Math.max(0, recalled - before.recalled);
  const done = Math.max(0, released - before.released + takenBack);
  const failed = Math.max(0, before.releasing - releasing - done);
  return { releasing, released, recalled, done: before.done + done, failed: before.failed + failed };
}

/** The batches whose release was stopped on this page, until it has said what that came to. */
export const stoppedHere = new Set<number>();
