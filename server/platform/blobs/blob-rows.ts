// The table of blobs: which bytes the firm has, and which may be removed. The sweep relies on it alone.
import { type Compilable, type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { isListedKey, listText } from '../db/id-list.ts';
import type { BlobPurpose, Schema } from '../db/schema.ts';
import { param, transactionStatement } from '../db/statement.ts';
import type { StoredBlob } from './blob-store.ts';

const newBlob = (db: Kysely<Schema>) =>
  db.insertInto('blobs').values({
    storage_key: param<string>('storageKey'),
    size_bytes: param<number>('sizeBytes'),
    sha256: param<string>('sha256'),
    state: 'live',
    purpose: param<BlobPurpose>('purpose'),
    created_at: param<number>('at'),
  });
const insertBlob = transactionStatement(newBlob);

/**
 * On PostgreSQL: the insert of a row that claims a blob, which enters the blob too; references are looked at when both are there. Its
 * parameters are those of `enterBlob` besides its own.
 */
export const withNewBlob = <Row>(db: Kysely<Schema>, claim: Compilable<Row>): Compilable<Row> => ({
  compile: () => sql<Row>`with blob as (${newBlob(db)}) ${claim}`.compile(db),
});

/**
 * Enters a published blob, in the transaction of the row that claims it and before that row. Bytes published and never entered
 * are orphans.
 */
export async function enterBlob(
  tx: Kysely<Schema>,
  { storageKey, sizeBytes, sha256 }: StoredBlob,
  { purpose, at }: { purpose: BlobPurpose; at: number },
): Promise<void> {
  await insertBlob(tx, { storageKey, sizeBytes, sha256, purpose, at });
}

/**
 * Releases blobs, in the transaction that deletes the rows that claimed them and after it: the database refuses
 * to release what is still claimed. The bytes are removed after the commit; the sweep removes what is left.
 */
export async function releaseBlobs(tx: Kysely<Schema>, storageKeys: readonly string[], at: number): Promise<void> {
  if (storageKeys.length === 0) return;
  await tx
    .deleteFrom('blobs')
    .where(isListedKey('blobs.storage_key', listText(storageKeys)))
    .execute();
  await enterReleased(tx, storageKeys, at);
}

async function enterReleased(tx: Kysely<Schema>, storageKeys: readonly string[], at: number): Promise<void> {
  await sql`insert into released_blobs (storage_key, released_at)
    select listed.key, cast(${at} as bigint) from json_each(${listText(storageKeys)}) as listed`.execute(tx);
}

/** Releases blobs that were staged before `beforeMs` and that nothing has claimed since. */
export async function releaseStaged(database: Database, beforeMs: number, at: number): Promise<void> {
  await database.transaction(async (tx) => {
    const released = await tx
      .deleteFrom('blobs')
      .where('state', '=', 'staged')
      .where('created_at', '<', beforeMs)
      .returning('storage_key as storageKey')
      .execute();
    const storageKeys = released.map((row) => row.storageKey);
    if (storageKeys.length > 0) await enterReleased(tx, storageKeys, at);
  });
}

/** At most `limit` blobs whose bytes may go. */
export async function releasedKeys(database: Database, limit: number): Promise<string[]> {
  const rows = await database.reader
    .selectFrom('released_blobs')
    .select('storage_key as storageKey')
    .orderBy('released_at')
    .limit(limit)
    .execute();
  return rows.map((row) => row.storageKey);
}

/** Call it once their bytes are gone. */
export async function forgetReleased(database: Database, storageKeys: readonly string[]): Promise<void> {
  await database.transaction(async (tx) => {
    await tx
      .deleteFrom('released_blobs')
      .where(isListedKey('released_blobs.storage_key', listText(storageKeys)))
      .execute();
  });
}

/** Those of `storageKeys` that no row knows. */
export async function unknownKeys(
  database: Pick<Database, 'reader'>,
  storageKeys: readonly string[],
): Promise<string[]> {
  const list = listText(storageKeys);
  const live = database.reader
    .selectFrom('blobs')
    .select('storage_key as storageKey')
    .where(isListedKey('blobs.storage_key', list));
  const released = database.reader
    .selectFrom('released_blobs')
    .select('storage_key as storageKey')
    .where(isListedKey('released_blobs.storage_key', list));
  const known = new Set((await live.unionAll(released).execute()).map((row) => row.storageKey));
  return storageKeys.filter((key) => !known.has(key));
}

/** Whether the database knows any stored file. */
export async function hasBlobs({ reader }: Pick<Database, 'reader'>): Promise<boolean> {
  return (await reader.selectFrom('blobs').select('storage_key').limit(1).executeTakeFirst()) !== undefined;
}
