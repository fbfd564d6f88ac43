// How the rows of the demo firm are written: many in a statement, by what the plan says of them.
import type { Database } from '#server/platform/db/database.ts';

/** What counters use for nobody and nothing. */
export const NONE = 0;
const ROWS_A_STATEMENT = 500;

export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

/** Ids in the order of the plan; null for a deleted account. */
export interface MadeRows {
  readonly clientIds: readonly number[];
  readonly userIds: readonly (number | null)[];
}

export function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`The plan refers to entry ${index} of ${items.length}`);
  return item;
}

export async function inChunks<T>(items: readonly T[], work: (chunk: T[]) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += ROWS_A_STATEMENT) {
    await work(items.slice(start, start + ROWS_A_STATEMENT));
  }
}
