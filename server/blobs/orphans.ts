// Which stored blobs no row knows, and whether there are few enough of them to believe it.
import type { SweepOptions } from './blob-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH_SIZE = 500;

export interface BlobEntry {
  readonly storageKey: string;
  /** Milliseconds since 1970; undefined when the blob has gone meanwhile. Asked only of blobs that no row knows. */
  modifiedAtMs(): Promise<number | undefined>;
}

/** What was last touched before this instant (milliseconds since 1970) may be swept. */
export function oldestKeptMs(options: SweepOptions): number {
  return (options.nowMs ?? Date.now()) - (options.olderThanMs ?? DAY_MS);
}

/** The storage keys of orphans old enough to go, counted beside all blobs; `braked` says that none of them may go. */
export async function findOrphans(
  entries: AsyncIterable<BlobEntry>,
  options: SweepOptions,
): Promise<{ blobs: number; storageKeys: string[]; braked: boolean }> {
  const beforeMs = oldestKeptMs(options);
  const storageKeys: string[] = [];
  let blobs = 0;
  let batch = new Map<string, BlobEntry>();

  const ask = async () => {
    for (const storageKey of await options.unknownAmong([...batch.keys()])) {
      const modifiedAtMs = await batch.get(storageKey)?.modifiedAtMs();
      if (modifiedAtMs !== undefined && modifiedAtMs < beforeMs) storageKeys.push(storageKey);
    }
    batch = new Map();
  };

  for await (const entry of entries) {
    blobs += 1;
    batch.set(entry.storageKey, entry);
    if (batch.size === BATCH_SIZE) await ask();
  }
  if (batch.size > 0) await ask();

  const tooMany = storageKeys.length > (options.maxOrphans ?? 100);
  const tooLargeAShare = storageKeys.length > blobs * (options.maxOrphanShare ?? 0.05);
  return { blobs, storageKeys, braked: tooMany || tooLargeAShare };
}
