// The job that reads stored files again, a slice of them each hour, and notes those whose bytes are not what was stored. Those that are
// noted are read each hour, so that what was brought back is noticed.
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import { Refusal } from '#contract/errors.ts';
import { counted } from '#contract/plain-words.ts';
import type { Config } from '../../config.ts';
import { DAY_MS, HOUR_MS } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { isListedKey, listText } from '../db/id-list.ts';
import { jobKind } from '../jobs/kinds.ts';
import type { BlobStore, StoredBlob } from './blob-store.ts';

/** So many files between two writes to the database. */
const BATCH = 100;
const KIND = 'blobs.scrub';

/** Keys from the first to before the second; keys are 32 random hexadecimal digits, so that a part of them is that part of the files. */
type Keys = readonly [from: string, to: string];

const DIGITS = 12;
const PAST_ALL = 'g';
const ALL: Keys = ['', PAST_ALL];

const keyAt = (part: number) =>
  Math.floor(part * 16 ** DIGITS)
    .toString(16)
    .padStart(DIGITS, '0');

/** The keys whose turn came after `sinceMs`, up to `nowMs`, where each has its turn once in `days`. No key is left out between two calls. */
export function keysDue(sinceMs: number, nowMs: number, days: number): readonly Keys[] {
  const roundMs = days * DAY_MS;
  if (nowMs - sinceMs >= roundMs) return [ALL];
  const [from, to] = [sinceMs, nowMs].map((at) => keyAt((at % roundMs) / roundMs)) as [string, string];
  if (from <= to) return [[from, to]];
  return [
    [from, PAST_ALL],
    ['', to],
  ];
}

interface Stores {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly config: Pick<Config, 'scrubDays'>;
  readonly now: () => number;
}

export function scrubJob({ database, blobs, config: { scrubDays }, now }: Stores) {
  return jobKind({
    title: 'Read stored files again',
    acts: 'system',
    payload: z.strictObject({}),
    attempts: 3,
    retryAfterMs: 10 * 60_000,
    atOnce: 1,
    isWanted: async () =>
      (scrubDays !== null || (await hasDamaged(database))) && (await lastOrdered(database, now())) <= now() - HOUR_MS,
    async run({ signal, progress }) {
      signal.throwIfAborted();
      const at = now();
      const due = scrubDays === null ? [] : keysDue((await lastDone(database, at)) ?? at - HOUR_MS, at, scrubDays);
      // The damaged ones first; those are not read a second time in their turn.
      const parts = [{ keys: ALL, damaged: true }, ...due.map((keys) => ({ keys, damaged: false }))];
      let [read, damaged] = [0, 0];
      for (const [nth, part] of parts.entries()) {
        for await (const some of batchesOf(database, part)) {
          const startedMs = performance.now();
          const bad: string[] = [];
          for (const blob of some) {
            signal.throwIfAborted();
            if (!(await isWhole(blobs, blob, signal))) bad.push(blob.storageKey);
          }
          damaged += await note(database, some, bad);
          read += some.length;
          progress(nth, parts.length);
          // Half of the time is left to everybody else.
          await setTimeout(performance.now() - startedMs, undefined, { signal });
        }
      }
      const summary = `${counted(read, 'file')} read again.`;
      return { summary: damaged === 0 ? summary : `${summary} ${damaged} missing or not what was stored.` };
    },
  });
}

async function hasDamaged({ reader }: Database): Promise<boolean> {
  const found = reader.selectFrom('blobs').select('storage_key').where('key_version', '<', 0).limit(1);
  return (await found.executeTakeFirst()) !== undefined;
}

const jobs = ({ reader }: Pick<Database, 'reader'>) => reader.selectFrom('jobs').where('kind', '=', KIND);

/** Whatever became of it; 0 where there was none. One of a time to come was ordered before the clock was put back. */
async function lastOrdered(database: Database, at: number): Promise<number> {
  const last = await jobs(database)
    .where('created_at', '<=', at + HOUR_MS)
    .select(({ fn }) => fn.max('created_at').as('at'))
    .executeTakeFirst();
  return last?.at ?? 0;
}

/** When the last one began, by `at`, that came to its end. */
async function lastDone(database: Database, at: number): Promise<number | null> {
  const last = await jobs(database)
    .where('state', '=', 'done')
    .where('started_at', '<=', at)
    .select(({ fn }) => fn.max('started_at').as('at'))
    .executeTakeFirst();
  return last?.at ?? null;
}

type SeenBlob = StoredBlob & { readonly keyVersion: number };

interface Part {
  readonly keys: Keys;
  /** Whether those that are noted as damaged are read, or all others. */
  readonly damaged: boolean;
}

async function* batchesOf({ reader }: Database, { keys, damaged }: Part): AsyncGenerator<readonly SeenBlob[]> {
  const [from, to] = keys;
  let after: string | null = null;
  for (;;) {
    const some: SeenBlob[] = await reader
      .selectFrom('blobs')
      .select(['storage_key as storageKey', 'size_bytes as sizeBytes', 'sha256', 'key_version as keyVersion'])
      .where('storage_key', after === null ? '>=' : '>', after ?? from)
      .where('storage_key', '<', to)
      .where('key_version', damaged ? '<' : '>=', 0)
      .orderBy('storage_key')
      .limit(BATCH)
      .execute();
    if (some.length === 0) return;
    yield some;
    after = some.at(-1)?.storageKey ?? to;
  }
}

async function isWhole(blobs: BlobStore, blob: StoredBlob, signal: AbortSignal): Promise<boolean> {
  try {
    const content = await blobs.read(blob);
    if (Buffer.isBuffer(content)) return true;
    content.resume();
    await once(content, 'end', { signal });
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'integrity') return false;
    throw error;
  }
}

/** Notes what is damaged, and what no longer is; resolves to how many are that are still there. */
async function note(database: Database, seen: readonly SeenBlob[], bad: readonly string[]): Promise<number> {
  const healed = seen.flatMap(({ storageKey, keyVersion }) =>
    keyVersion < 0 && !bad.includes(storageKey) ? [storageKey] : [],
  );
  if (bad.length === 0 && healed.length === 0) return 0;
  return database.transaction(async (tx) => {
    const mark = (keys: readonly string[], version: number) =>
      tx
        .updateTable('blobs')
        .set({ key_version: sql`cast(${version} as bigint)` })
        .where(isListedKey('blobs.storage_key', listText(keys)))
        .executeTakeFirst();
    // Under which key it is, the job that encrypts finds out.
    if (healed.length > 0) await mark(healed, 0);
    const { numUpdatedRows } = bad.length > 0 ? await mark(bad, -1) : { numUpdatedRows: 0n };
    return Number(numUpdatedRows);
  });
}
