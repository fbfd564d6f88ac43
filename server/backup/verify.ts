// Every backup of a place, read again from its first to its last byte. Needs no keys: what is compared is what is stored.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from '../platform/move/progress.ts';
import { digestOf, entriesIn, type FileEntry, getData, inTurns, severalAtOnce } from './file-list.ts';
import { manifestsOf, type NamedManifest, type Target, type Written } from './target.ts';

export interface Verified {
  readonly backups: readonly NamedManifest[];
  readonly files: number;
  readonly bytes: number;
  /** A line each. */
  readonly faults: readonly string[];
}

/** `scratch` is a folder of this machine for one list at a time. */
export async function verifyBackups(target: Target, scratch: string, report: Report): Promise<Verified> {
  const backups = await manifestsOf(target);
  const faults: string[] = [];
  const seen = new Set<string>();
  const total = backups.reduce((bytes, { manifest }) => Math.max(bytes, manifest?.bytes ?? 0), 0);
  let bytes = 0;
  // The newest first: what it says of a file is the latest that was written.
  for (const { name, manifest } of backups.toReversed()) {
    if (manifest === null) {
      faults.push(`Backup ${name}: its manifest is damaged, or was made by a newer Coffer.`);
      continue;
    }
    const { database, list } = manifest;
    if (!(await isThere(target, database))) faults.push(`Backup ${name}: its database is missing or damaged.`);
    bytes += database.bytes;
    const path = join(scratch, 'list');
    await rm(path, { force: true });
    if (!(await isThere(target, list))) {
      faults.push(`Backup ${name}: its list of files is missing or damaged.`);
      continue;
    }
    await getData(target, list, path);
    for await (const some of inTurns(unseen(path, seen))) {
      const whole = await severalAtOnce(some, async ({ storageKey, bytes: sizeBytes, sha256 }) => {
        return (await digestOf(target.files, { storageKey, sizeBytes })) === sha256;
      });
      for (const [at, { storageKey, bytes: read }] of some.entries()) {
        bytes += read;
        if (!whole[at]) faults.push(`Backup ${name}: the file ${storageKey} is missing or damaged.`);
      }
      report({ step: 'check files', files: seen.size, done: bytes, total: Math.max(total, bytes), unit: 'bytes' });
    }
  }
  return { backups, files: seen.size, bytes, faults };
}

const isThere = async ({ data }: Target, { key, bytes, sha256 }: Written): Promise<boolean> =>
  (await digestOf(data, { storageKey: key, sizeBytes: bytes })) === sha256;

/** Backups share most of their files: each is read once. */
async function* unseen(path: string, seen: Set<string>): AsyncGenerator<FileEntry> {
  for await (const entry of entriesIn(path)) {
    if (seen.has(entry.storageKey)) continue;
    seen.add(entry.storageKey);
    yield entry;
  }
}
