// Copies every blob of the firm into another store, under the same key: skips what is there already, and verifies all of it.
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { Refusal } from '#contract/errors.ts';
import { unknownKeys } from '../blobs/blob-rows.ts';
import type { BlobStore, StoredBlob } from '../blobs/blob-store.ts';
import { type BlobClaim, findClaims } from '../blobs/claims.ts';
import type { Schema } from '../db/schema.ts';
import { MoveRefusal } from './move-refusal.ts';
import type { Report } from './progress.ts';

/** Blobs copied at the same time; most of the cost of a small one is waiting. */
const AT_ONCE = 8;
const KEYS_AT_ONCE = 500;
const ROWS_AT_ONCE = 1_000;

export interface Blobs {
  readonly from: BlobStore;
  readonly to: BlobStore;
}

/** A blob that the source itself does not have any more as it was stored. */
export interface DamagedBlob {
  readonly storageKey: string;
  /** What has this blob; null where nothing has. */
  readonly file: BlobClaim | null;
}

/**
 * Rejects with MoveRefusal where the store holds anything that is not the firm's: keys are random, so that what a row of the
 * source knows is an earlier run's. Then removes what an earlier run left half written.
 */
export async function prepareStore(db: Kysely<Schema>, to: BlobStore): Promise<void> {
  let keys: string[] = [];
  const hold = async () => {
    const [foreign] = keys.length === 0 ? [] : await unknownKeys({ reader: db }, keys);
    if (foreign !== undefined) {
      throw new MoveRefusal(`The target store is not empty: it has bytes that are not the firm's (${foreign}).`);
    }
    keys = [];
  };
  for await (const { storageKey } of to.list()) {
    keys.push(storageKey);
    if (keys.length === KEYS_AT_ONCE) await hold();
  }
  await hold();
  await to.removeLeftovers(Number.POSITIVE_INFINITY);
}

/** Returns how many are at the target now, and which are damaged in the source: those the target has not got. */
export async function copyBlobs(
  db: Kysely<Schema>,
  blobs: Blobs,
  report: Report,
): Promise<{ copied: number; damaged: DamagedBlob[] }> {
  const { rows } = await sql<{ bytes: number | null }>`
    select cast(sum(size_bytes) as bigint) as bytes from blobs`.execute(db);
  const total = rows[0]?.bytes ?? 0;
  const damaged: DamagedBlob[] = [];
  const all = blobsIn(db);
  let copied = 0;
  let done = 0;
  const work = async () => {
    for await (const blob of all) {
      const arrived = await bring(blob, blobs);
      if (arrived) copied += 1;
      else damaged.push({ storageKey: blob.storageKey, file: await fileOf(db, blob) });
      done += blob.sizeBytes;
      report({ step: 'copy files', files: copied, done, total, unit: 'bytes' });
    }
  };
  // All have ended before the first fault is thrown: they read in the source's transaction.
  for (const ended of await Promise.allSettled(Array.from({ length: AT_ONCE }, work))) {
    if (ended.status === 'rejected') throw ended.reason;
  }
  return { copied, damaged };
}

/** Every blob of the database, in the order of their keys. */
export async function* blobsIn(db: Kysely<Schema>): AsyncGenerator<StoredBlob> {
  for (let last = ''; ; ) {
    const some = await db
      .selectFrom('blobs')
      .select(['storage_key as storageKey', 'size_bytes as sizeBytes', 'sha256'])
      .where('storage_key', '>', last)
      .orderBy('storage_key')
      .limit(ROWS_AT_ONCE)
      .execute();
    yield* some;
    const end = some.at(-1);
    if (end === undefined) return;
    last = end.storageKey;
  }
}

/** False where the source does not have the bytes as they were stored. */
async function bring(blob: StoredBlob, { from, to }: Blobs): Promise<boolean> {
  if (await isWhole(to, blob)) return true;
  try {
    await copy(blob, from, to);
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
  if (await isWhole(to, blob)) return true;
  throw new MoveRefusal(`The target store does not give back what was written to it (${blob.storageKey}).`);
}

async function copy(blob: StoredBlob, from: BlobStore, to: BlobStore): Promise<void> {
  const bytes = await from.read(blob);
  const source = Buffer.isBuffer(bytes) ? Readable.from([bytes]) : bytes;
  const { storageKey, sizeBytes } = blob;
  await using staged = await to.stage(source, { maxBytes: sizeBytes, expectedBytes: sizeBytes, storageKey });
  await staged.publish();
}

/** Reads all of it, where it exists with its size. */
export async function isWhole(store: BlobStore, blob: StoredBlob): Promise<boolean> {
  try {
    await store.verify(blob);
    const bytes = await store.read(blob);
    if (!Buffer.isBuffer(bytes)) await pipeline(bytes, new Writable({ write: (_chunk, _encoding, done) => done() }));
    return true;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

const isDamage = (error: unknown) => error instanceof Refusal && error.code === 'integrity';

/** What is said of a blob that is missing or damaged. */
export async function fileOf(
  db: Kysely<Schema>,
  { storageKey }: Pick<StoredBlob, 'storageKey'>,
): Promise<DamagedBlob['file']> {
  const [claim] = await findClaims(db, sql<SqlBool>`blobs.storage_key = ${storageKey}`, 1);
  return claim ?? null;
}

const STATE_OF: Readonly<Record<BlobClaim['kind'], string>> = {
  file: '',
  version: ', an earlier version',
  trash: ', in the trash',
  batch: '',
  original: ', as it was dropped',
  archive: ', a prepared ZIP',
};

function placeOf({ id, clientId, of }: BlobClaim): string {
  if (clientId !== null) return `file ${id} of client ${clientId}`;
  return of === null ? 'file' : `file of the batch ${JSON.stringify(of)}`;
}

/** 'file 12 of client 3 ("Journal.pdf")', 'file of the batch "Pay run" ("payrun.pdf", as it was dropped)': what can stand in a sentence. */
export function damagedName({ file, storageKey }: DamagedBlob): string {
  if (file === null) return `bytes ${storageKey} (of no file)`;
  return `${placeOf(file)} (${JSON.stringify(file.name)}${STATE_OF[file.kind]})`;
}
