// What holds of a firm's stores whatever happened to its server: bytes and rows belong together, and the log says once what was done.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Config } from '../config.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import { configuredEncryption } from '../platform/blobs/encryption/firm-keys.ts';
import { openBlobStore, parseBlobUrl } from '../platform/blobs/open-blob-store.ts';
import { sweepBlobs } from '../platform/blobs/sweep.ts';
import { DAY_MS } from '../platform/clock.ts';
import { isInUse, openDatabase } from '../platform/db/connect.ts';
import type { Database } from '../platform/db/database.ts';
import { eventually } from './eventually.ts';

const ascending = (a: number, b: number) => a - b;

/** Works on the stores of a server that has ended, once nobody has them open: the last transaction of one that was killed has ended by then. */
export async function onceAlone(
  config: Config,
  work: (database: Database, blobs: BlobStore) => Promise<void>,
): Promise<void> {
  await eventually(async () => expect(await isInUse(config.databaseUrl)).toBe(false));
  const database = await openDatabase(config.databaseUrl);
  const blobs = await openBlobStore(parseBlobUrl(config.blobUrl), { encryption: configuredEncryption(config) });
  try {
    await work(database, blobs);
  } finally {
    await blobs.close();
    await database.close();
  }
}

/** Sweeps as after a day: then there are the bytes of the rows and no others, each claimed once, and nothing is staged. The files are on a disk. */
export async function expectSweptClean({ dataDir }: Config, database: Database, blobs: BlobStore): Promise<void> {
  const all = { maxOrphans: Number.POSITIVE_INFINITY, maxOrphanShare: 1 };
  await sweepBlobs(database, blobs, { nowMs: Date.now() + 2 * DAY_MS, ...all });
  const stored: string[] = [];
  for await (const { storageKey } of blobs.list()) stored.push(storageKey);
  const rows = await database.reader.selectFrom('blobs').select('storage_key as key').execute();
  const keys = rows.map(({ key }) => key).toSorted();
  expect(stored.toSorted()).toEqual(keys);
  expect(readdirSync(join(dataDir, 'blobs', 'staging'))).toEqual([]);
  const { rows: claims } = await sql<{ key: string }>`select storage_key as key from files
    union all select storage_key from batch_files
    union all select storage_key from trash where storage_key is not null`.execute(database.reader);
  expect(claims.map(({ key }) => key).toSorted()).toEqual(keys);
}

/** Each file has one entry of its upload, each in the trash one of its deletion, and the counters are what they count. */
export async function expectOneEntryEach({ reader }: Database): Promise<void> {
  const { rows: entries } = await sql<{ action: string; id: number }>`select action, file_id as id from activity
    where action in ('upload', 'delete') and file_id is not null`.execute(reader);
  const { rows: files } = await sql<{ id: number; isGone: number }>`select id, 0 as "isGone" from files
    union all select item_id, 1 from trash where kind = 'file'`.execute(reader);
  const entered = (wanted: string) => entries.filter(({ action }) => action === wanted).map(({ id }) => Number(id));
  const gone = files.filter(({ isGone }) => Number(isGone) === 1);
  const ids = (some: typeof files) => some.map(({ id }) => Number(id)).toSorted(ascending);
  expect(entered('upload').toSorted(ascending)).toEqual(ids(files));
  expect(entered('delete').toSorted(ascending)).toEqual(ids(gone));
  const { rows: counted } = await sql<{ counters: number; entries: number }>`select
    (select cast(coalesce(sum(n), 0) as bigint) from activity_counts) as counters,
    (select cast(count(*) as bigint) from activity) as entries`.execute(reader);
  expect(Number(counted[0]?.counters)).toBe(Number(counted[0]?.entries));
}
