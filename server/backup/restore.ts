// A firm out of one backup into an empty place: all bytes first, then the database, in one step that can be cut short nowhere.
import { existsSync } from 'node:fs';
import { link, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import { restoredPortalDetails } from '#contract/activity-words.ts';
import { KEPT_AFTER_RESTORE_MS } from '../audit/backup-runs.ts';
import { insertActivity, SYSTEM } from '../audit/record.ts';
import type { StoredBlob } from '../platform/blobs/blob-store.ts';
import type { ByteStore } from '../platform/blobs/byte-store.ts';
import { piecesOf } from '../platform/blobs/pieces.ts';
import { openDatabase } from '../platform/db/connect.ts';
import type { Database } from '../platform/db/database.ts';
import { blobsIn, type DamagedBlob, fileOf } from '../platform/move/copy-blobs.ts';
import { prepareTarget } from '../platform/move/copy-tables.ts';
import { move } from '../platform/move/move.ts';
import type { Report } from '../platform/move/progress.ts';
import { BackupRefusal } from './backup-refusal.ts';
import { Beside, digestOf, entriesIn, type FileEntry, getData, inTurns, isDamage, severalAtOnce } from './file-list.ts';
import { forgetWhatEnds } from './forget-what-ends.ts';
import { fromBackups, type Manifest, moment, type Target } from './target.ts';

export interface Restore {
  readonly backups: Target;
  readonly manifest: Manifest;
  /** SQLite: the path of the file that is made. PostgreSQL: the empty database. */
  readonly into: { readonly path: string } | { readonly database: Database };
  /** Where the files go, as they are stored. */
  readonly stored: ByteStore;
  /** What the paths of drafts begin with, on this machine; for SQLite on the disk that the database is made on. */
  readonly scratch: string;
  readonly report: Report;
  /** Called before the first file goes there: until the end there is half a firm. */
  readonly onBegun: () => void;
  /** Called with the restored database before it is put in its place. */
  readonly beforeItEnds: (database: Database) => Promise<void>;
}

export interface Restored {
  readonly files: number;
  /** Named by the database, and not in the backup as they were. */
  readonly damaged: readonly DamagedBlob[];
}

const sidesOf = (path: string) => ['', '-wal', '-shm', '-journal'].map((side) => path + side);

/** Refuses a place with a database, and one with the log of a database: SQLite would read that as a part of whatever is put beside it. */
export function requireNoDatabase(path: string): void {
  const there = sidesOf(path).find((side) => existsSync(side));
  if (there === undefined) return;
  throw new BackupRefusal(
    'wrongPlace',
    there === path
      ? `There is a database already (${path}). Restore into an empty place.`
      : `There is a part of another database (${there}). Move it to where that database is, and run this again.`,
  );
}

/**
 * Restores, or goes on with what was interrupted. Rejects with BackupRefusal, MoveRefusal or SchemaRefusal where the place is not
 * empty or the backup is torn, having changed nothing. No server starts on what is not whole yet.
 */
export async function restore(options: Restore): Promise<Restored> {
  const { backups, manifest, into, stored, scratch, report } = options;
  if ('path' in into) requireNoDatabase(into.path);
  const [draft, list] = [`${scratch}.db`, `${scratch}.list`];
  const removeDrafts = async () => {
    for (const path of [...sidesOf(draft), list]) await rm(path, { force: true });
  };
  await mkdir(dirname(draft), { recursive: true, mode: 0o700 });
  await removeDrafts();
  try {
    await fromBackups(getData(backups, manifest.list, list));
    await requireOwnFiles(stored, list);
    await fromBackups(getData(backups, manifest.database, draft));
    const database = await openDatabase(`sqlite:${draft}`);
    let restored: Restored;
    try {
      // What an older version has backed up becomes this one's.
      await database.migrate();
      if ('database' in into) await prepareTarget(into.database);
      await stored.removeLeftovers(Number.POSITIVE_INFINITY);
      restored = await copyFiles(options, database, list);
      await forgetWhatEnds(database, manifest.endedAt);
      await options.beforeItEnds(database);
      if ('path' in into) await beginAnew(database, manifest);
      else {
        await move({ source: database, target: into.database, blobs: null, report });
        // An interrupted move is held against the same rows when it goes on, so that this one comes last.
        await beginAnew(into.database, manifest);
      }
    } finally {
      await database.close();
    }
    if ('path' in into) await putInPlace(draft, into.path);
    return restored;
  } finally {
    await removeDrafts();
  }
}

/**
 * Says in the log why some of it is missing. By that entry nothing is purged for a day (`wasJustRestored`), and what could still be
 * restored when the backup was made can be for so long. What was over, or deleted for ever, stays so.
 */
async function beginAnew(database: Database, { endedAt }: Manifest): Promise<void> {
  const details = restoredPortalDetails(moment(endedAt));
  const at = Date.now();
  const soonest = at + KEPT_AFTER_RESTORE_MS;
  await database.transaction(async (tx) => {
    await sql`update trash set gone_at = ${soonest} where gone_at > ${endedAt} and gone_at < ${soonest}`.execute(tx);
    await insertActivity(tx, SYSTEM, { action: 'update', details }, at);
  });
}

/** In one step, and never over another one. */
async function putInPlace(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new BackupRefusal(
      'wrongPlace',
      'A database was made there meanwhile. Stop every server, and restore into an empty place.',
    );
  }
  const folder = await open(dirname(path), 'r');
  await folder.sync().catch(() => {});
  await folder.close();
}

/** What is there may be only what an interrupted run has left: files of this backup. */
async function requireOwnFiles(stored: ByteStore, list: string): Promise<void> {
  const there: string[] = [];
  for await (const { storageKey } of stored.list()) there.push(storageKey);
  if (there.length === 0) return;
  const foreign = new Set(there);
  for await (const { storageKey } of entriesIn(list)) foreign.delete(storageKey);
  if (foreign.size === 0) return;
  throw new BackupRefusal(
    'wrongPlace',
    'The store of files is not empty: it has bytes that are not in this backup. Name an empty one.',
  );
}

async function copyFiles(
  { backups, stored, report, manifest, onBegun }: Restore,
  database: Database,
  list: string,
): Promise<Restored> {
  const beside = new Beside(list);
  const damaged: DamagedBlob[] = [];
  const total = manifest.bytes - manifest.database.bytes;
  await stored.ensureRoom(await bytesMissing(stored, list));
  onBegun();
  let [files, done] = [0, 0];
  for await (const some of inTurns(blobsIn(database.reader))) {
    const entries: (FileEntry | null)[] = [];
    for (const { storageKey } of some) entries.push(await beside.at(storageKey));
    const brought = await severalAtOnce(some, async (_blob: StoredBlob, at) => {
      const entry = entries[at] ?? null;
      return entry !== null && (await bring(entry, backups.files, stored));
    });
    for (const [at, blob] of some.entries()) {
      done += entries[at]?.bytes ?? 0;
      if (brought[at]) files += 1;
      else damaged.push({ storageKey: blob.storageKey, file: await fileOf(database.reader, blob) });
    }
    report({ step: 'copy files', files, done, total: Math.max(total, done), unit: 'bytes' });
  }
  return { files, damaged };
}

async function bytesMissing(stored: ByteStore, list: string): Promise<number> {
  const there = new Set<string>();
  for await (const { storageKey } of stored.list()) there.add(storageKey);
  let bytes = 0;
  for await (const entry of entriesIn(list)) if (!there.has(entry.storageKey)) bytes += entry.bytes;
  return bytes;
}

/** Has the file where it goes, read back whole; false where the backup does not have it as it was written. */
async function bring({ storageKey, bytes, sha256 }: FileEntry, from: ByteStore, to: ByteStore): Promise<boolean> {
  const stored = { storageKey, sizeBytes: bytes };
  if ((await digestOf(to, stored)) === sha256) return true;
  if ((await fromBackups(digestOf(from, stored))) !== sha256) return false;
  // A bucket that is written to would call it a fault of its own.
  let lost: unknown;
  try {
    const reader = await fromBackups(from.open(stored, { start: 0, lengthBytes: bytes }));
    const next = () =>
      fromBackups(reader.next()).catch((error: unknown) => {
        lost = error;
        throw error;
      });
    const pieces = piecesOf({ next, close: () => reader.close() });
    await (await to.stage(storageKey, pieces, { maxBytes: bytes, expectedBytes: bytes })).publish();
  } catch (error) {
    const fault = lost ?? error;
    if (isDamage(fault)) return false;
    throw fault;
  }
  if ((await digestOf(to, stored)) === sha256) return true;
  throw new BackupRefusal('notWhole', `The store of files does not give back what was written to it (${storageKey}).`);
}
