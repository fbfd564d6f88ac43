// Which backups of a place are kept, and the removal of all others with the files that they alone name.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { WordsFault } from '../config.ts';
import { DAY_MS } from '../platform/clock.ts';
import { BackupRefusal } from './backup-refusal.ts';
import { entriesIn, getData } from './file-list.ts';
import {
  type Manifest,
  manifestFile,
  manifestsOf,
  moment,
  type NamedManifest,
  placeName,
  removeManifest,
  type Target,
} from './target.ts';

type Unit = 'd' | 'w' | 'm' | 'y';

export interface KeepRule {
  readonly count: number;
  readonly unit: Unit;
}

/** Reads `7d,4w,12m`. Throws WordsFault with `variable` before what is wrong. */
export function keepRules(text: string, variable: string): readonly KeepRule[] {
  return text.split(',').map((part) => {
    const [, count = '', unit] = /^([1-9]\d{0,2})([dwmy])$/.exec(part.trim()) ?? [];
    if (unit === undefined) throw new WordsFault([`${variable}: must be like 7d,4w,12m (days, weeks, months, years)`]);
    return { count: Number(count), unit: unit as Unit };
  });
}

/** What two moments of the same day, week, month or year have in common, in UTC. Weeks begin on Monday. */
const SPAN_OF: Readonly<Record<Unit, (ms: number) => string>> = {
  d: (ms) => new Date(ms).toISOString().slice(0, 10),
  // The first of January 1970 was a Thursday.
  w: (ms) => String(Math.floor((ms / DAY_MS + 3) / 7)),
  m: (ms) => new Date(ms).toISOString().slice(0, 7),
  y: (ms) => new Date(ms).toISOString().slice(0, 4),
};

/**
 * The names that stay: the newest of all, and of each of the last days, weeks, months and years that have a backup the newest. The
 * order is that in which they were made; their days are the clock's.
 */
export function keptOf(backups: readonly NamedManifest[], rules: readonly KeepRule[]): ReadonlySet<string> {
  const newestFirst = backups
    .flatMap(({ name, manifest }) => (manifest === null ? [] : [{ name, ...manifest }]))
    .sort((one, other) => other.begunAt - one.begunAt);
  const kept = new Set(newestFirst.slice(0, 1).map(({ name }) => name));
  for (const { count, unit } of rules) {
    const spans = new Set<string>();
    for (const { name, endedAt } of newestFirst) {
      const span = SPAN_OF[unit](endedAt);
      if (spans.has(span)) continue;
      if (spans.size === count) break;
      spans.add(span);
      kept.add(name);
    }
  }
  return kept;
}

/** What a backup that cannot be read needs is not known. `why` says what is wrong with it and what can be done. */
const unreadable = ({ place }: Pick<Target, 'place'>, backup: string, why: string, options?: ErrorOptions) =>
  new BackupRefusal(
    'notWhole',
    `Nothing is removed while backup ${backup} at ${placeName(place)} cannot be read: ${why}`,
    options,
  );

/** Rejects with BackupRefusal where a manifest cannot be read. */
export async function requireReadable(target: Pick<Target, 'objects' | 'place'>): Promise<readonly NamedManifest[]> {
  const backups = await manifestsOf(target);
  const torn = backups.find(({ manifest }) => manifest === null);
  if (torn === undefined) return backups;
  throw unreadable(
    target,
    torn.name,
    `its manifest is damaged, or was made by a newer Coffer. Run this with that one, or give the backup up: remove ${manifestFile(torn.name)} there.`,
  );
}

async function fetchList(target: Target, name: string, { list, endedAt }: Manifest, path: string): Promise<void> {
  try {
    await getData(target, list, path);
  } catch (cause) {
    if (!(cause instanceof BackupRefusal)) throw cause;
    throw unreadable(
      target,
      `${name} (ended ${moment(endedAt)})`,
      `its list of files is missing or damaged. It cannot be restored either. Give it up: remove ${manifestFile(name)} there, and run this again.`,
      { cause },
    );
  }
}

/**
 * Removes what is not kept: first the manifests, so that no backup names what is gone, and then all that no kept backup names.
 * Interrupted, the next one goes on. The place is locked by whoever calls; `requireLock` rejects where that is so no more, and is asked
 * before each removal: what another one has copied by then, no backup names yet.
 */
export async function removeOthers(
  target: Target,
  rules: readonly KeepRule[],
  scratch: string,
  requireLock: () => Promise<void>,
): Promise<{ readonly removed: readonly string[]; readonly files: number }> {
  const backups = await requireReadable(target);
  const kept = keptOf(backups, rules);
  const files = new Set<string>();
  const data = new Set<string>();
  const path = join(scratch, 'kept');
  for (const { name, manifest } of backups) {
    if (manifest === null || !kept.has(name)) continue;
    for (const { key } of [manifest.database, manifest.list]) data.add(key);
    await rm(path, { force: true });
    await fetchList(target, name, manifest, path);
    for await (const { storageKey } of entriesIn(path)) files.add(storageKey);
  }
  const removed = backups.map(({ name }) => name).filter((name) => !kept.has(name));
  for (const name of removed) {
    await requireLock();
    await removeManifest(target, name);
  }
  await removeUnnamed(target.data, data, requireLock);
  return { removed, files: await removeUnnamed(target.files, files, requireLock) };
}

/** What `named` leaves out. Returns how many that were. */
export async function removeUnnamed(
  store: Target['files'],
  named: ReadonlySet<string>,
  requireLock: () => Promise<void>,
): Promise<number> {
  const unnamed: string[] = [];
  for await (const { storageKey } of store.list()) if (!named.has(storageKey)) unnamed.push(storageKey);
  for (const key of unnamed) {
    await requireLock();
    await store.remove(key);
  }
  return unnamed.length;
}
