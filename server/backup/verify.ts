// Every backup of a place, read again from its first to its last byte. Needs no keys: what is compared is what is stored, and the names
// of damaged files are in the databases.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { treePath } from '../platform/blobs/storage-key.ts';
import { openDatabase } from '../platform/db/connect.ts';
import { damagedName, fileOf } from '../platform/move/copy-blobs.ts';
import type { Report } from '../platform/move/progress.ts';
import { digestOf, entriesIn, type FileEntry, getData, inTurns, severalAtOnce } from './file-list.ts';
import { FILES, manifestsOf, type NamedManifest, type Target, type Written } from './target.ts';

export interface Verified {
  readonly backups: readonly NamedManifest[];
  readonly files: number;
  readonly bytes: number;
  /** A line each. */
  readonly faults: readonly string[];
  /** Where the files that some of them name lie at the place. */
  readonly damaged: readonly string[];
}

/** A file that is missing or not as it was written, with the backups that share it, the newest first. */
interface Damage {
  readonly storageKey: string;
  readonly backups: string[];
  /** What it is called. */
  words: string;
}

/** `scratch` is a folder of this machine for one list, and for one database where files are damaged. */
export async function verifyBackups(target: Target, scratch: string, report: Report): Promise<Verified> {
  const backups = await manifestsOf(target);
  const faults: { readonly backup: string; readonly words: string }[] = [];
  const seen = new Set<string>();
  const damaged = new Map<string, Damage>();
  const total = backups.reduce((bytes, { manifest }) => Math.max(bytes, manifest?.bytes ?? 0), 0);
  let bytes = 0;
  // The newest first: what it says of a file is the latest that was written.
  for (const { name, manifest } of backups.toReversed()) {
    if (manifest === null) {
      faults.push({ backup: name, words: 'its manifest is damaged, or was made by a newer Coffer' });
      continue;
    }
    const { database, list } = manifest;
    const hasDatabase = await isThere(target, database);
    if (!hasDatabase) faults.push({ backup: name, words: 'its database is missing or damaged' });
    bytes += database.bytes;
    const path = join(scratch, 'list');
    await rm(path, { force: true });
    if (!(await isThere(target, list))) {
      faults.push({ backup: name, words: 'its list of files is missing or damaged' });
      continue;
    }
    await getData(target, list, path);
    const damagedHere: Damage[] = [];
    for await (const some of inTurns(unseen(path, seen, (known) => damaged.get(known)?.backups.push(name)))) {
      const whole = await severalAtOnce(some, async ({ storageKey, bytes: sizeBytes, sha256 }) => {
        return (await digestOf(target.files, { storageKey, sizeBytes })) === sha256;
      });
      for (const [at, { storageKey, bytes: read }] of some.entries()) {
        bytes += read;
        if (whole[at]) continue;
        const damage: Damage = { storageKey, backups: [name], words: `the file with the bytes ${storageKey}` };
        damagedHere.push(damage);
        damaged.set(storageKey, damage);
      }
      report({ step: 'check files', files: seen.size, done: bytes, total: Math.max(total, bytes), unit: 'bytes' });
    }
    if (hasDatabase && damagedHere.length > 0)
      await nameFiles(target, database, join(scratch, 'database'), damagedHere);
  }
  // A backup that runs meanwhile removes those that are not kept: manifests first.
  const left = new Set((await manifestsOf(target)).map(({ name }) => name));
  const told = faults
    .filter(({ backup }) => left.has(backup))
    .map(({ backup, words }) => `Backup ${backup}: ${words}.`);
  const paths: string[] = [];
  for (const { storageKey, backups: named, words } of damaged.values()) {
    const those = named.filter((name) => left.has(name)).toReversed();
    if (those.length === 0) continue;
    paths.push(`${FILES}/${treePath(storageKey)}`);
    told.push(`Backup${those.length === 1 ? '' : 's'} ${those.join(', ')}: ${words} is missing or damaged.`);
  }
  const whole = backups.filter(({ name }) => left.has(name));
  return { backups: whole, files: seen.size, bytes, faults: told, damaged: paths };
}

/** Calls them what they are called in a database that knows them. Where it cannot be opened here, they keep the name of their bytes. */
async function nameFiles(target: Target, written: Written, path: string, damaged: readonly Damage[]): Promise<void> {
  const remove = async () => {
    for (const side of [path, `${path}-wal`, `${path}-shm`]) await rm(side, { force: true });
  };
  try {
    await getData(target, written, path);
    const database = await openDatabase(`sqlite:${path}`);
    try {
      await database.migrate();
      for (const damage of damaged) {
        damage.words = damagedName({ storageKey: damage.storageKey, file: await fileOf(database.reader, damage) });
      }
    } finally {
      await database.close();
    }
  } catch {
    // No room here, or made by a newer Coffer: what is damaged is told all the same.
  } finally {
    await remove();
  }
}

const isThere = async ({ data }: Target, { key, bytes, sha256 }: Written): Promise<boolean> =>
  (await digestOf(data, { storageKey: key, sizeBytes: bytes })) === sha256;

/** Backups share most of their files: each is read once. `onSeen` hears of those that were. */
async function* unseen(
  path: string,
  seen: Set<string>,
  onSeen: (storageKey: string) => void,
): AsyncGenerator<FileEntry> {
  for await (const entry of entriesIn(path)) {
    if (seen.has(entry.storageKey)) {
      onSeen(entry.storageKey);
      continue;
    }
    seen.add(entry.storageKey);
    yield entry;
  }
}
