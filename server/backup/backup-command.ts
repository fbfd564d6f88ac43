// `npm run admin -- backup`: from the operator's words to the work, and then to what is to be kept where.
import { hash, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { counted } from '#contract/plain-words.ts';
import { type BackupRun, hasBackedUpTo, recordBackupRun } from '../audit/backup-runs.ts';
import { type Config, ConfigFault } from '../config.ts';
import { hasBlobs } from '../platform/blobs/blob-rows.ts';
import { configuredEncryption, requireKeys } from '../platform/blobs/encryption/firm-keys.ts';
import { type BlobPlace, openByteStore } from '../platform/blobs/open-blob-store.ts';
import { mayBeThere, openDatabase } from '../platform/db/connect.ts';
import type { Database } from '../platform/db/database.ts';
import { requireCurrentSchema } from '../platform/db/migrations.ts';
import { damageLines } from '../platform/move/move-command.ts';
import { megabytes, progressLines } from '../platform/move/progress.ts';
import { startFault } from '../start-fault.ts';
import { type BackedUp, backUp } from './backup.ts';
import { BackupRefusal, ENDING_SIGNALS, EXIT } from './backup-refusal.ts';
import { clearFault, type Say } from './command-words.ts';
import { has } from './file-list.ts';
import { type KeepRule, keepRules, keptOf, removeOthers, requireReadable } from './keep.ts';
import { keepKeys } from './key-copies.ts';
import { isAlive, takeLock } from './lock.ts';
import { firmIdOf } from './snapshot.ts';
import {
  backupPlace,
  manifestsOf,
  moment,
  type NamedManifest,
  openBackups,
  openTarget,
  placeName,
  requireApart,
  SCRATCH,
  type Target,
  type Written,
  writtenPlace,
} from './target.ts';
import { verifyBackups } from './verify.ts';

/** Where it lies is full, and not the place of the backups. */
const OWN_DATABASE = 'The database of the portal';

export interface BackupWords {
  readonly withKeys: boolean;
  /** Such as `7d,4w,12m`: afterwards all other backups are removed. */
  readonly keep?: string | undefined;
}

/** Backs up the firm that `config` names, running or not; returns the exit code. */
export async function runBackup(config: Config, where: string, words: BackupWords, say: Say): Promise<number> {
  const place = writtenPlace(where);
  const rules = words.keep === undefined ? null : keepRules(words.keep, '--keep');
  const source = await openSource(config);
  const run = { place: placeName(place), begunAt: Date.now(), made: null as BackupRun['made'] };
  // What is refused at a place that never was one of this firm's, as a mistyped one, says nothing of its backups.
  let isOfFirm = false;
  try {
    // Asked first: one that ends meanwhile is no backup of before.
    const hasBackedUp = await hasBackedUpTo(source, run.place);
    isOfFirm = hasBackedUp;
    const onEntered = () => {
      isOfFirm = true;
    };
    await requireKeys(config, source);
    // From then on there is a backup, whatever becomes of what comes after it.
    const onMade = (backedUp: BackedUp) => {
      const { name, manifest } = backedUp;
      run.made = { name, files: manifest.files, sizeBytes: manifest.bytes, damaged: manifest.damaged.length };
      for (const line of backupLines(place, backedUp)) say(line);
    };
    const runWords = { ...words, rules, hasBackedUp, onEntered, onMade };
    const { backedUp, keyLines, removed } = await asOneRun(config, place, source, runWords, say);
    await recordBackupRun(source, { ...run, endedAt: Date.now(), fault: null }).catch((error: unknown) => {
      throw clearFault(error, OWN_DATABASE, OWN_DATABASE);
    });
    for (const line of keyLines) say(line);
    if (removed !== null) say(removedLine(removed));
    for (const line of damageLines(backedUp.damaged)) say(line);
    return backedUp.damaged.length === 0 ? 0 : EXIT.notWhole;
  } catch (error) {
    // A bucket is never full.
    const written = place.kind === 's3' ? `The data folder (${config.dataDir})` : null;
    const fault = clearFault(error, 'The place of the backups', written);
    // Where another one is running, that one tells how it ended, but for what was made here before.
    const isTold = run.made === null && fault instanceof BackupRefusal && fault.exitCode === EXIT.busy;
    if (isOfFirm && !isTold) {
      // In the words in which the terminal has it.
      const told = startFault(fault).join(' ');
      await recordBackupRun(source, { ...run, endedAt: Date.now(), fault: told }).catch(() => {});
    }
    throw fault;
  } finally {
    await source.close();
  }
}

/**
 * The database of a firm, as every command has it: none makes an empty one where the address is wrong, or brings one to a newer version
 * under a server that runs.
 */
export async function openSource(config: Config): Promise<Database> {
  if (!mayBeThere(config.databaseUrl)) {
    throw new ConfigFault(['There is no database. Check DATA_DIR and DATABASE_URL.']);
  }
  const source = await openDatabase(config.databaseUrl);
  try {
    await requireCurrentSchema(source.reader);
    return source;
  } catch (error) {
    await source.close();
    throw error;
  }
}

interface RunWords extends BackupWords {
  readonly rules: readonly KeepRule[] | null;
  /** Whether a backup of this firm has ever ended there. */
  readonly hasBackedUp: boolean;
  /** Called once the place is this firm's. */
  readonly onEntered: () => void;
  readonly onMade: (backedUp: BackedUp) => void;
}

async function asOneRun(config: Config, place: BlobPlace, source: Database, words: RunWords, say: Say) {
  const store = backupPlace(config.blobUrl, 'BLOB_URL');
  requireApart(place, store);
  const { objects, isNew, enter } = await openTarget(place, await firmIdOf(source));
  if (isNew && words.hasBackedUp) {
    await objects.close();
    throw new BackupRefusal(
      'wrongPlace',
      `${placeName(place)} is empty, and held backups of this firm before. Is its disk mounted? To begin anew, name a folder that was not used yet.`,
    );
  }
  const folder = scratchOf(config, place);
  const scratch = join(folder, randomUUID());
  const opened: { close(): Promise<void> }[] = [objects];
  const lock = await takeLock(objects, Date.now).catch(async (error: unknown) => {
    await objects.close();
    throw error;
  });
  try {
    const target = await enter();
    words.onEntered();
    opened[0] = target;
    // What killed ones have left. What cannot be removed, as while one that was overtaken still writes there, goes with a later run.
    await rm(folder, { recursive: true, force: true }).catch(() => {});
    const stored = await openByteStore(store, { holdsFiles: await hasBlobs(source) });
    opened.push(stored);
    say('The server may go on running. If this is interrupted, run it again: it goes on.');
    const backedUp = await backUp({
      source,
      sourceUrl: config.databaseUrl,
      stored,
      keys: configuredEncryption(config).keys,
      target,
      scratch,
      now: Date.now,
      report: progressLines(say),
      requireLock: lock.requireMine,
    });
    words.onMade(backedUp);
    const keyLines = await keepKeys(config, target, words.withKeys);
    const removed = words.rules === null ? null : await removeOthers(target, words.rules, scratch, lock.requireMine);
    return { backedUp, keyLines, removed };
  } catch (error) {
    // What this one needs the other one removes as left by a killed one: whatever failed, failed for that.
    if (await lock.isOvertaken().catch(() => false)) await lock.requireMine();
    throw error;
  } finally {
    await rm(scratch, { recursive: true, force: true });
    // It stays where another one has its own there.
    await rmdir(folder).catch(() => {});
    await lock.release();
    for (const store of opened.reverse()) await store.close();
  }
}

/** Where each run has a folder of its own, with room for the database: beside the backups on a disk, else in the data folder. */
function scratchOf(config: Config, place: BlobPlace): string {
  if (place.kind === 'disk') return join(place.root, SCRATCH);
  return join(config.dataDir, `backup-${hash('sha256', placeName(place)).slice(0, 12)}`);
}

function backupLines(place: BlobPlace, { name, manifest, copied }: BackedUp): string[] {
  return [
    '',
    `Backup ${name} is at ${placeName(place)}: ${counted(manifest.files, 'file')}, ${megabytes(manifest.bytes)} with the database.`,
    `${counted(copied, 'file')} ${copied === 1 ? 'was' : 'were'} copied now; all others were there already. What was written has been read back and compared.`,
  ];
}

const removedLine = ({ removed, files }: { readonly removed: readonly string[]; readonly files: number }) =>
  removed.length === 0
    ? 'All backups are kept.'
    : `Removed: ${counted(removed.length, 'older backup')}, and ${counted(files, 'file')} that no other backup names: ${removed.join(', ')}.`;

/** Says what `--keep` would leave and remove, and changes nothing; returns the exit code. */
export async function runKeepDry(where: string, keep: string, say: Say): Promise<number> {
  const rules = keepRules(keep, '--keep');
  const target = await openBackups(writtenPlace(where));
  try {
    const backups = await requireReadable(target);
    const kept = keptOf(backups, rules);
    for (const backup of backups) {
      const line = listLine(backup, await tornBy(target, backup));
      say(`${kept.has(backup.name) ? 'keep  ' : 'remove'}   ${line}`);
    }
    return 0;
  } catch (error) {
    throw clearFault(error, 'The place of the backups');
  } finally {
    await target.close();
  }
}

const NONE_YET = 'No backup has ended there yet.';

/** Lists every backup, the newest last; returns the exit code. */
export async function runList(where: string, say: Say): Promise<number> {
  const target = await openBackups(writtenPlace(where));
  try {
    const backups = await manifestsOf(target);
    if (backups.length === 0) say(NONE_YET);
    let torn = 0;
    for (const backup of backups) {
      const fault = await tornBy(target, backup);
      if (fault !== null) torn += 1;
      say(listLine(backup, fault));
    }
    return torn === 0 ? 0 : EXIT.notWhole;
  } catch (error) {
    throw clearFault(error, 'The place of the backups');
  } finally {
    await target.close();
  }
}

/** What verifying a backup would find first, as far as sizes tell; null where that is nothing. */
async function tornBy({ data }: Target, { manifest }: NamedManifest): Promise<string | null> {
  if (manifest === null) return 'its manifest is damaged, or was made by a newer Coffer';
  const isThere = ({ key, bytes }: Written) => has(data, { storageKey: key, bytes });
  if (!(await isThere(manifest.database))) return 'its database is missing or damaged';
  return (await isThere(manifest.list)) ? null : 'its list of files is missing or damaged';
}

function listLine({ name, manifest }: NamedManifest, torn: string | null): string {
  if (manifest === null) return `${name}   torn: ${torn}`;
  const { endedAt, files, bytes, damaged } = manifest;
  const whole =
    damaged.length === 0 ? 'whole' : `not whole: ${counted(damaged.length, 'file')} damaged at the firm already`;
  const state = torn === null ? whole : `torn: ${torn}`;
  return `${name}   ended ${moment(endedAt)}, ${counted(files, 'file')}, ${megabytes(bytes)}, ${state}`;
}

/** Until it is told otherwise: has a signal that ends this process take the folder along. */
function endsWithProcess(folder: string): () => void {
  const end = (signal: NodeJS.Signals) => {
    rmSync(folder, { recursive: true, force: true });
    process.kill(process.pid, signal);
  };
  for (const signal of ENDING_SIGNALS) process.once(signal, end);
  return () => {
    for (const signal of ENDING_SIGNALS) process.off(signal, end);
  };
}

/** For this process alone. What one of this machine that was killed has left there goes. */
async function scratchOfVerify(): Promise<string> {
  const prefix = `coffer-verify-${hostname()}-`;
  for (const name of await readdir(tmpdir())) {
    const [, pid] = name.startsWith(prefix) ? (/^(\d+)-[^-]+$/.exec(name.slice(prefix.length)) ?? []) : [];
    // One that cannot be removed is another account's.
    if (pid !== undefined && !isAlive(Number(pid))) {
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {});
    }
  }
  return mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
}

/**
 * Reads every backup again; returns the exit code. It writes nothing there and asks for no firm, so that what it fetches lies in the
 * system's folder for that.
 */
export async function runVerify(where: string, say: Say): Promise<number> {
  const target = await openBackups(writtenPlace(where));
  try {
    return await verifyAll(target, say);
  } catch (error) {
    throw clearFault(
      error,
      'The place of the backups',
      `The folder for temporary files (${tmpdir()}; TMPDIR names another one)`,
    );
  } finally {
    await target.close();
  }
}

async function verifyAll(target: Target, say: Say): Promise<number> {
  const scratch = await scratchOfVerify();
  const stays = endsWithProcess(scratch);
  try {
    const { backups, files, bytes, faults, damaged } = await verifyBackups(target, scratch, progressLines(say));
    if (backups.length === 0 && faults.length === 0) {
      say(NONE_YET);
      return EXIT.notWhole;
    }
    say('');
    for (const fault of faults) say(fault);
    // A backup looks at lengths alone: what is there as long as it was is taken for whole.
    if (damaged.length > 0) say('Move these away there, and the next backup copies what the firm still has of them:');
    for (const path of damaged) say(`  ${path}`);
    const read = `${counted(backups.length, 'backup')} with ${counted(files, 'file')}, ${megabytes(bytes)}`;
    say(
      faults.length === 0
        ? `${read}: all has been read, and is as it was written.`
        : `${read}: ${counted(faults.length, 'fault')}.`,
    );
    return faults.length === 0 ? 0 : EXIT.notWhole;
  } finally {
    stays();
    await rm(scratch, { recursive: true, force: true });
  }
}
