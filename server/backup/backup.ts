// One backup of a running firm: its database as of one moment, and then every file that this database names.

import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { BlobStore, StoredBlob } from '../platform/blobs/blob-store.ts';
import type { ByteStore } from '../platform/blobs/byte-store.ts';
import { openContent } from '../platform/blobs/content.ts';
import { EncryptedStore } from '../platform/blobs/encryption/encrypted-store.ts';
import { storedSize } from '../platform/blobs/encryption/format.ts';
import type { MasterKeys } from '../platform/blobs/encryption/master-keys.ts';
import { FreeSpace, freeBytesAt, KEPT_FREE_BYTES } from '../platform/blobs/free-space.ts';
import { piecesOf } from '../platform/blobs/pieces.ts';
import { openDatabase } from '../platform/db/connect.ts';
import type { Database } from '../platform/db/database.ts';
import { blobsIn, type DamagedBlob, fileOf, isWhole } from '../platform/move/copy-blobs.ts';
import type { Report } from '../platform/move/progress.ts';
import { BackupRefusal } from './backup-refusal.ts';
import {
  Beside,
  digestOf,
  type FileEntry,
  getData,
  has,
  inTurns,
  isDamage,
  lineOf,
  putData,
  severalAtOnce,
} from './file-list.ts';
import { removeUnnamed } from './keep.ts';
import { firmIdOf, takeSnapshot } from './snapshot.ts';
import { type Manifest, manifestsOf, type NamedManifest, type Target, writeManifest } from './target.ts';

/** Each begins with a new database, because files were deleted for good while the one before was copied. */
const PASSES = 5;

export interface Backup {
  readonly source: Database;
  readonly sourceUrl: string;
  /** The firm's files as they are stored. */
  readonly stored: Pick<ByteStore, 'open'>;
  readonly keys: MasterKeys;
  readonly target: Target;
  /** A folder for what is put together here; nothing else is in it. */
  readonly scratch: string;
  readonly now: () => number;
  readonly report: Report;
  /** How much of the disk is free on which a folder is; of the system, if nothing is given. */
  readonly freeBytes?: (folder: string) => Promise<number>;
  /** Rejects where another one has taken the place over. */
  readonly requireLock?: () => Promise<void>;
}

export interface BackedUp {
  readonly name: string;
  readonly manifest: Manifest;
  readonly copied: number;
  readonly damaged: readonly DamagedBlob[];
}

/**
 * Makes one backup. The place is locked by whoever calls. An interrupted run leaves files that the next one uses; there is a backup
 * only once its manifest is written, which is the last thing.
 */
export async function backUp(options: Backup): Promise<BackedUp> {
  const { source, target, scratch, now, report } = options;
  const earlier = await manifestsOf(target);
  // Never before one that is there, though the clock was put back: names are in the order in which backups were made.
  const begunAt = earlier.reduce((at, { manifest }) => Math.max(at, (manifest?.begunAt ?? 0) + 1), now());
  await clear(
    options,
    earlier.flatMap(({ manifest }) => (manifest ? [manifest] : [])),
    earlier.length,
  );
  const [database, list, before] = ['coffer.db', 'list', 'list-before'].map((name) => join(scratch, name));
  if (database === undefined || list === undefined || before === undefined) throw new Error('Three paths are named');
  const hasBefore = await fetchLatestList(target, earlier, before);
  const firm = await firmIdOf(source);
  let copied = 0;
  for (let pass = 1; ; pass += 1) {
    // The other one makes its own.
    await options.requireLock?.();
    for (const suffix of ['', '-wal', '-shm']) await rm(database + suffix, { force: true });
    await requireRoomForCopy(options);
    await takeSnapshot(source, options.sourceUrl, database, { report });
    const { gone, ...there } = await copyFiles(options, database, { list, before: hasBefore ? before : null });
    copied += there.copied;
    if (gone === 0) {
      const written = await putData(target, database);
      const manifest: Manifest = {
        format: 1,
        firm,
        begunAt,
        database: written,
        list: await putData(target, list),
        files: there.files,
        bytes: there.bytes + written.bytes,
        damaged: there.damaged.map(({ storageKey }) => storageKey),
        endedAt: now(),
      };
      // What this one names may have been removed by it.
      await options.requireLock?.();
      return { name: await writeManifest(target, manifest), manifest, copied, damaged: there.damaged };
    }
    // Whatever is there already is not copied again, so that the next pass takes a moment.
    if (pass === PASSES) {
      throw new BackupRefusal(
        'notWhole',
        'Files were deleted for good again and again while they were copied. Run it again.',
      );
    }
  }
}

/**
 * Fetches the list of the newest backup that has its list still; false where none has. One that is torn keeps none from being made:
 * what it alone names is read again.
 */
async function fetchLatestList(target: Target, earlier: readonly NamedManifest[], path: string): Promise<boolean> {
  for (const { manifest } of earlier.toReversed()) {
    if (manifest === null) continue;
    try {
      await getData(target, manifest.list, path);
      return true;
    } catch (error) {
      if (!(error instanceof BackupRefusal)) throw error;
    }
  }
  return false;
}

/** Removes what interrupted runs have left half written. Nothing is removed beside a manifest that cannot be read. */
async function clear(
  { target, scratch, requireLock = async () => {} }: Backup,
  manifests: readonly Manifest[],
  all: number,
): Promise<void> {
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  for (const store of [target.files, target.data]) await store.removeLeftovers(Number.POSITIVE_INFINITY);
  if (manifests.length < all) return;
  const named = new Set(manifests.flatMap(({ database, list }) => [database.key, list.key]));
  await removeUnnamed(target.data, named, requireLock);
}

interface Lists {
  /** Is written anew. */
  readonly list: string;
  /** That of the backup before; null where there is none. */
  readonly before: string | null;
}

interface Copied {
  readonly files: number;
  readonly bytes: number;
  readonly copied: number;
  readonly damaged: readonly DamagedBlob[];
}

/** Files of the snapshot that are at the source no more, because they were deleted for good since, are `gone`. */
async function copyFiles(options: Backup, database: string, lists: Lists): Promise<Copied & { gone: number }> {
  const list = await open(lists.list, 'w', 0o600);
  try {
    const snapshot = await openDatabase(`sqlite:${database}`);
    try {
      const copied = await copyFilesOf(snapshot, options, lists.before, list);
      await list.sync();
      return copied;
    } finally {
      await snapshot.close();
    }
  } finally {
    await list.close();
  }
}

async function copyFilesOf(
  snapshot: Database,
  options: Backup,
  before: Lists['before'],
  list: FileHandle,
): Promise<Copied & { gone: number }> {
  const { target, report } = options;
  const total = await roomFor(options, snapshot, before);
  const copier = new Copier(options, openContent(openedBy(options.keys, target.files)));
  const beside = new Beside(before);
  const damaged: DamagedBlob[] = [];
  let [files, bytes, gone, done] = [0, 0, 0, 0];
  for await (const some of inTurns(blobsIn(snapshot.reader))) {
    const known: (FileEntry | null)[] = [];
    for (const blob of some) known.push(await beside.at(blob.storageKey));
    const brought = await severalAtOnce(some, async (blob, at) => copier.bring(blob, known[at] ?? null));
    let lines = '';
    for (const [at, entry] of brought.entries()) {
      const blob = some[at];
      if (blob === undefined) continue;
      done += blob.sizeBytes;
      if (entry === 'gone') gone += 1;
      else if (entry === 'damaged') {
        damaged.push({ storageKey: blob.storageKey, file: await fileOf(snapshot.reader, blob) });
      } else {
        files += 1;
        bytes += entry.bytes;
        lines += lineOf(entry);
      }
    }
    await list.appendFile(lines);
    report({ step: 'copy files', files, done, total, unit: 'bytes' });
  }
  return { files, bytes, copied: copier.copied, damaged, gone };
}

/** Reads what is stored there with the keys of the firm. */
const openedBy = (keys: MasterKeys, store: ByteStore): EncryptedStore =>
  new EncryptedStore(store, { keys, writes: 'encrypted', readsPlain: true });

/**
 * Refuses where the copy of the database would take what stays free of the disk that it is made on, which need not be that of the
 * backups. Only SQLite is asked: it is copied as long as it is, while PostgreSQL takes more room than what is read from it.
 */
async function requireRoomForCopy({ source, scratch, freeBytes = freeBytesAt }: Backup): Promise<void> {
  if (source.kind !== 'sqlite') return;
  await new FreeSpace(() => freeBytes(scratch), KEPT_FREE_BYTES).ensure(await bytesOf(source));
}

/** Of a database that is SQLite. */
async function bytesOf({ reader }: Database): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(reader);
  return rows[0]?.bytes ?? 0;
}

/** The bytes of all files. Refuses where those that are not there yet, with the database, have no room. */
async function roomFor({ target }: Backup, snapshot: Database, before: string | null): Promise<number> {
  const beside = new Beside(before);
  let [total, fresh] = [0, 0];
  for await (const { storageKey, sizeBytes } of blobsIn(snapshot.reader)) {
    total += sizeBytes;
    if ((await beside.at(storageKey)) === null) fresh += storedSize(sizeBytes);
  }
  await target.files.ensureRoom(fresh + (await bytesOf(snapshot)));
  return total;
}

class Copier {
  readonly #options: Backup;
  /** The files at the target, as people see them. */
  readonly #content: BlobStore;
  copied = 0;

  constructor(options: Backup, content: BlobStore) {
    this.#options = options;
    this.#content = content;
  }

  /** Has the file at the target, proven there once: by the run that copied it. */
  async bring(blob: StoredBlob, known: FileEntry | null): Promise<FileEntry | 'gone' | 'damaged'> {
    const { files } = this.#options.target;
    if (known !== null && (await has(files, known))) return known;
    return (await this.#leftByEarlierRun(blob)) ?? (await this.#copy(blob));
  }

  /** In no list yet: read again, since nobody says that it is whole. */
  async #leftByEarlierRun(blob: StoredBlob): Promise<FileEntry | null> {
    const { files } = this.#options.target;
    for (const bytes of storedSizesOf(blob)) {
      if (!(await has(files, { storageKey: blob.storageKey, bytes }))) continue;
      if (!(await isWhole(this.#content, blob))) return null;
      const sha256 = await digestOf(files, { storageKey: blob.storageKey, sizeBytes: bytes });
      return sha256 === null ? null : { storageKey: blob.storageKey, bytes, sha256 };
    }
    return null;
  }

  async #copy(blob: StoredBlob): Promise<FileEntry | 'gone' | 'damaged'> {
    const { files } = this.#options.target;
    const entry = await this.#write(blob);
    if (entry === null) return this.#lost(blob);
    // Opened with its key and compared with the SHA-256 of its row: what was written, and that it is what was once uploaded.
    if (await isWhole(this.#content, blob)) {
      this.copied += 1;
      return entry;
    }
    const { storageKey, bytes, sha256 } = entry;
    if ((await digestOf(files, { storageKey, sizeBytes: bytes })) !== sha256) {
      throw new BackupRefusal('notWhole', 'The place of the backups does not give back what was written to it.');
    }
    await files.remove(storageKey);
    return this.#lost(blob);
  }

  /** Null where the source does not have it. */
  async #write(blob: StoredBlob): Promise<FileEntry | null> {
    const { stored, target } = this.#options;
    const { storageKey } = blob;
    for (const bytes of storedSizesOf(blob)) {
      try {
        const reader = await stored.open({ storageKey, sizeBytes: bytes }, { start: 0, lengthBytes: bytes });
        const digest = createHash('sha256');
        const pieces = piecesOf(reader, (piece) => digest.update(piece));
        const staged = await target.files.stage(storageKey, pieces, { maxBytes: bytes, expectedBytes: bytes });
        await staged.publish();
        return { storageKey, bytes, sha256: digest.digest('hex') };
      } catch (error) {
        if (!isDamage(error)) throw error;
      }
    }
    return null;
  }

  /** Rows go before their bytes, so that what has no row any more was deleted for good; anything else is damage. */
  async #lost({ storageKey }: StoredBlob): Promise<'gone' | 'damaged'> {
    const row = await this.#options.source.reader
      .selectFrom('blobs')
      .select('storage_key')
      .where('storage_key', '=', storageKey)
      .executeTakeFirst();
    return row === undefined ? 'gone' : 'damaged';
  }
}

/** How long a file may be as it is stored: encrypted, or in plain. */
const storedSizesOf = ({ sizeBytes }: StoredBlob) => [storedSize(sizeBytes), sizeBytes];
