// Removes what the stores hold and nobody claims any more: leftovers of uploads, released blobs, and bytes that no row knows.
import { type Clock, DAY_MS } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { forgetReleased, releasedKeys, releaseStaged, unknownKeys } from './blob-rows.ts';
import type { BlobStore } from './blob-store.ts';
import type { StoredEntry } from './byte-store.ts';

const BATCH_SIZE = 500;
/** An upload takes less from the moment at which its bytes are at their place to the commit of its row. */
const LOOKS_APART_MS = 60 * 60 * 1000;

/** How long ago orphans were found first, in ms, by their storage keys. */
export type OrphanAges = Readonly<Record<string, number>>;

/**
 * The orphans that this process has found. Where the clock leaps forward the bytes of an upload look old before their row is committed:
 * what is no orphan at a second look, long after the first by a clock that does not leap, has its row.
 */
export class SeenOrphans {
  readonly #clock: Pick<Clock, 'nowMs'>;
  #seenAtMs: Map<string, number>;

  /** `before`: what others have found until now, since a process that is begun anew again and again would never look twice. */
  constructor(clock: Pick<Clock, 'nowMs'>, before: OrphanAges = {}) {
    this.#clock = clock;
    this.#seenAtMs = new Map(Object.entries(before).map(([key, ageMs]) => [key, clock.nowMs() - ageMs]));
  }

  ages(): OrphanAges {
    const nowMs = this.#clock.nowMs();
    return Object.fromEntries([...this.#seenAtMs].map(([key, atMs]) => [key, nowMs - atMs]));
  }

  /** Those that were found long ago too. Remembers the others until the next look, and forgets what is no orphan now. */
  again(storageKeys: readonly string[]): string[] {
    const nowMs = this.#clock.nowMs();
    const earlier = this.#seenAtMs;
    this.#seenAtMs = new Map(storageKeys.map((key) => [key, earlier.get(key) ?? nowMs]));
    return storageKeys.filter((key) => nowMs - (earlier.get(key) ?? nowMs) >= LOOKS_APART_MS);
  }
}

export interface SweepOptions {
  readonly nowMs: number;
  /** What nobody has claimed is left alone until it is this old, by the store's own clock. 24 hours unless given. */
  readonly olderThanMs?: number | undefined;
  /** The limit of orphans: with more than this, none is removed. 100 unless given. */
  readonly maxOrphans?: number | undefined;
  /** The same as a part of all blobs: with more of them orphaned than this, none is removed. 0.05 unless given. */
  readonly maxOrphanShare?: number | undefined;
  /** What earlier sweeps have found. Without it one look is enough: for a store that nobody writes to meanwhile. */
  readonly seen?: SeenOrphans | undefined;
}

export interface SweepReport {
  /** Unfinished uploads, removed. The limit of orphans does not apply: no row ever knew them. */
  readonly leftoversRemoved: number;
  /** Released blobs, removed. The limit of orphans does not apply: the table says that they may go. */
  readonly releasedRemoved: number;
  readonly blobs: number;
  readonly orphans: number;
  readonly orphansRemoved: number;
  /** True when there were too many orphans to believe the database, so that none was removed. */
  readonly tooManyOrphans: boolean;
}

/** Sweeps the store. May run during uploads and deletions, and during another sweep. */
export async function sweepBlobs(database: Database, store: BlobStore, options: SweepOptions): Promise<SweepReport> {
  const beforeMs = options.nowMs - (options.olderThanMs ?? DAY_MS);
  const leftoversRemoved = await store.removeLeftovers(beforeMs);
  await releaseStaged(database, beforeMs, options.nowMs);
  const releasedRemoved = await removeReleased(database, store);
  const { blobs, storageKeys } = await findOrphans(database, store.list(), beforeMs);
  const aboveCount = storageKeys.length > (options.maxOrphans ?? 100);
  const aboveShare = storageKeys.length > blobs * (options.maxOrphanShare ?? 0.05);
  const tooManyOrphans = aboveCount || aboveShare;
  const removed = tooManyOrphans ? [] : (options.seen?.again(storageKeys) ?? storageKeys);
  for (const storageKey of removed) await store.remove(storageKey);
  return {
    leftoversRemoved,
    releasedRemoved,
    blobs,
    orphans: storageKeys.length,
    orphansRemoved: removed.length,
    tooManyOrphans,
  };
}

/** Bytes first: what is interrupted here is done again. */
async function removeReleased(database: Database, store: BlobStore): Promise<number> {
  let removed = 0;
  for (;;) {
    const storageKeys = await releasedKeys(database, BATCH_SIZE);
    if (storageKeys.length === 0) return removed;
    for (const storageKey of storageKeys) await store.remove(storageKey);
    await forgetReleased(database, storageKeys);
    removed += storageKeys.length;
  }
}

/** The storage keys that no row knows and that are old enough to go, with how many blobs there are. */
async function findOrphans(
  database: Database,
  entries: AsyncIterable<StoredEntry>,
  beforeMs: number,
): Promise<{ blobs: number; storageKeys: string[] }> {
  const storageKeys: string[] = [];
  let blobs = 0;
  let batch = new Map<string, StoredEntry>();

  const ask = async () => {
    for (const storageKey of await unknownKeys(database, [...batch.keys()])) {
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
  return { blobs, storageKeys };
}
