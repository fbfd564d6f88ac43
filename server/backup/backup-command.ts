// `npm run admin -- backup` and `restore`: from the operator's words to the work, and then to what is to be kept where.
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refusal } from '#contract/errors.ts';
import { hasBackedUpTo, recordBackupRun } from '../audit/backup-runs.ts';
import { type Config, ConfigFault } from '../config.ts';
import { hasBlobs } from '../platform/blobs/blob-rows.ts';
import { configuredEncryption, requireKeys } from '../platform/blobs/encryption/firm-keys.ts';
import { type BlobPlace, openByteStore } from '../platform/blobs/open-blob-store.ts';
import { mayBeThere, openDatabase } from '../platform/db/connect.ts';
import type { Database } from '../platform/db/database.ts';
import { requireCurrentSchema } from '../platform/db/migrations.ts';
import { SchemaRefusal } from '../platform/db/schema-refusal.ts';
import { KeyFault, makeKeyFile } from '../platform/key-file.ts';
import { type DamagedBlob, damagedName } from '../platform/move/copy-blobs.ts';
import { damageLines } from '../platform/move/move-command.ts';
import { MoveRefusal } from '../platform/move/move-refusal.ts';
import { megabytes, progressLines } from '../platform/move/progress.ts';
import { type BackedUp, backUp } from './backup.ts';
import { BackupRefusal, EXIT } from './backup-refusal.ts';
import { type KeepRule, keepRules, keptOf, removeOthers, requireReadable } from './keep.ts';
import { takeLock } from './lock.ts';
import { restore } from './restore.ts';
import { firmIdOf } from './snapshot.ts';
import {
  backupPlace,
  type Manifest,
  manifestsOf,
  moment,
  type NamedManifest,
  openBackups,
  openTarget,
  placeName,
  SCRATCH,
  type Target,
} from './target.ts';
import { verifyBackups } from './verify.ts';

type Say = (line: string) => void;

const KEYS = 'keys';
const SQLITE = 'sqlite:';

const whole = new Intl.NumberFormat('en-US');
const counted = (n: number, noun: string) => `${whole.format(n)} ${noun}${n === 1 ? '' : 's'}`;

export interface BackupWords {
  readonly withKeys: boolean;
  /** Such as `7d,4w,12m`: afterwards all other backups are removed. */
  readonly keep?: string | undefined;
}

/** Backs up the firm that `config` names, running or not; returns the exit code. */
export async function runBackup(config: Config, where: string, words: BackupWords, say: Say): Promise<number> {
  const place = backupPlace(where, 'The place of the backups');
  const rules = words.keep === undefined ? null : keepRules(words.keep, '--keep');
  const source = await openSource(config);
  const run = { place: placeName(place), begunAt: Date.now() };
  try {
    await requireKeys(config, source);
    const { backedUp, keyLines, removed } = await asOneRun(config, place, source, { ...words, rules }, say);
    const { name, manifest } = backedUp;
    const made = { name, files: manifest.files, sizeBytes: manifest.bytes, damaged: manifest.damaged.length };
    await recordBackupRun(source, { ...run, endedAt: Date.now(), made, fault: null });
    for (const line of backupLines(place, backedUp)) say(line);
    for (const line of keyLines) say(line);
    if (removed !== null) say(removedLine(removed));
    for (const line of damageLines(backedUp.damaged)) say(line);
    return backedUp.damaged.length === 0 ? 0 : EXIT.notWhole;
  } catch (error) {
    const fault = clearFault(error, 'The place of the backups');
    // Where another one is running, that one tells how it ended.
    if (!(fault instanceof BackupRefusal && fault.exitCode === EXIT.busy)) {
      await recordBackupRun(source, { ...run, endedAt: Date.now(), made: null, fault: fault.message }).catch(() => {});
    }
    throw fault;
  } finally {
    await source.close();
  }
}

async function openSource(config: Config): Promise<Database> {
  if (!mayBeThere(config.databaseUrl)) {
    throw new ConfigFault(['There is no database. Check DATA_DIR and DATABASE_URL.']);
  }
  const source = await openDatabase(config.databaseUrl);
  try {
    // A server of the version before may be running on it.
    await requireCurrentSchema(source.reader);
    return source;
  } catch (error) {
    await source.close();
    throw error;
  }
}

interface RunWords extends BackupWords {
  readonly rules: readonly KeepRule[] | null;
}

async function asOneRun(config: Config, place: BlobPlace, source: Database, words: RunWords, say: Say) {
  const { objects, isNew, enter } = await openTarget(place, await firmIdOf(source));
  if (isNew && (await hasBackedUpTo(source, placeName(place)))) {
    await objects.close();
    throw new BackupRefusal(
      'wrongPlace',
      `${placeName(place)} is empty, and held backups of this firm before. Is its disk mounted? To begin anew, name a folder that was not used yet.`,
    );
  }
  const scratch = scratchOf(config, place);
  const opened: { close(): Promise<void> }[] = [objects];
  const unlock = await takeLock(objects, Date.now).catch(async (error: unknown) => {
    await objects.close();
    throw error;
  });
  try {
    const target = await enter();
    opened[0] = target;
    const stored = await openByteStore(backupPlace(config.blobUrl, 'BLOB_URL'), { holdsFiles: await hasBlobs(source) });
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
    });
    const keyLines = await keepKeys(config, target, words.withKeys);
    const removed = words.rules === null ? null : await removeOthers(target, words.rules, scratch);
    return { backedUp, keyLines, removed };
  } finally {
    await rm(scratch, { recursive: true, force: true });
    await unlock();
    for (const store of opened.reverse()) await store.close();
  }
}

/** Where there is room for the database: beside the backups on a disk, else in the data folder. */
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
  const target = await openBackups(backupPlace(where, 'The place of the backups'));
  try {
    const backups = await requireReadable(target);
    const kept = keptOf(backups, rules);
    for (const backup of backups) say(`${kept.has(backup.name) ? 'keep  ' : 'remove'}   ${listLine(backup)}`);
    return 0;
  } catch (error) {
    throw clearFault(error, 'The place of the backups');
  } finally {
    await target.close();
  }
}

const keyFilesOf = (config: Config) => [
  { name: 'files.keys', variable: 'KEY_FILE', path: config.keyFile, opens: 'no file can be opened' },
  {
    name: 'secrets.key',
    variable: 'SECRETS_KEY_FILE',
    path: config.secretsKeyFile,
    opens: 'no authenticator app is believed',
  },
];

async function keepKeys(config: Config, { objects }: Target, withKeys: boolean): Promise<string[]> {
  const there = keyFilesOf(config).filter(({ path }) => existsSync(path));
  const given =
    config.blobKeys === undefined
      ? []
      : ['The keys of the files are in BLOB_KEYS and never in a backup: keep a copy of them.'];
  if (withKeys) {
    for (const { name, path } of there) await objects.write(`${KEYS}/${name}`, await readFile(path));
    const names = there.map(({ name }) => name).join(' and ');
    if (there.length === 0) return given;
    return [
      ...given,
      `${names} ${there.length === 1 ? 'is' : 'are'} in the backup: whoever can read it can read every file of the firm.`,
    ];
  }
  if ((await objects.list(KEYS)).length > 0) {
    return [
      ...given,
      `${KEYS}/ there was left by an earlier --with-keys: whoever can read the backups can read every file of the firm. Remove it, or use --with-keys again.`,
    ];
  }
  if (there.length === 0) return given;
  return [
    ...given,
    'Not in the backup, because with them in one place the encryption protects nothing. Keep a copy of each somewhere else:',
    ...there.map(({ path, opens }) => `  ${path}   (without it ${opens})`),
  ];
}

/** Lists every backup, the newest last; returns the exit code. */
export async function runList(where: string, say: Say): Promise<number> {
  const target = await openBackups(backupPlace(where, 'The place of the backups'));
  try {
    const backups = await manifestsOf(target);
    if (backups.length === 0) say('No backup has ended there yet.');
    for (const backup of backups) say(listLine(backup));
    return backups.every(({ manifest }) => manifest !== null) ? 0 : EXIT.notWhole;
  } catch (error) {
    throw clearFault(error, 'The place of the backups');
  } finally {
    await target.close();
  }
}

function listLine({ name, manifest }: NamedManifest): string {
  if (manifest === null) return `${name}   torn: its manifest is damaged, or was made by a newer Coffer`;
  const { endedAt, files, bytes, damaged } = manifest;
  const state =
    damaged.length === 0 ? 'whole' : `not whole: ${counted(damaged.length, 'file')} damaged at the firm already`;
  return `${name}   ended ${moment(endedAt)}, ${counted(files, 'file')}, ${megabytes(bytes)}, ${state}`;
}

/** Reads every backup again; returns the exit code. */
export async function runVerify(where: string, say: Say): Promise<number> {
  const target = await openBackups(backupPlace(where, 'The place of the backups'));
  const scratch = await mkdtemp(join(tmpdir(), 'coffer-verify-'));
  try {
    const { backups, files, bytes, faults } = await verifyBackups(target, scratch, progressLines(say));
    say('');
    for (const fault of faults) say(fault);
    const read = `${counted(backups.length, 'backup')} with ${counted(files, 'file')}, ${megabytes(bytes)}`;
    say(
      faults.length === 0
        ? `${read}: all has been read, and is as it was written.`
        : `${read}: ${counted(faults.length, 'fault')}.`,
    );
    if (backups.length === 0) say('No backup has ended there yet.');
    return faults.length === 0 && backups.length > 0 ? 0 : EXIT.notWhole;
  } catch (error) {
    throw clearFault(error, 'The place of the backups');
  } finally {
    await rm(scratch, { recursive: true, force: true });
    await target.close();
  }
}

/** Restores into the empty place that `config` names; returns the exit code. */
export async function runRestore(config: Config, where: string, at: string | undefined, say: Say): Promise<number> {
  const backups = await openBackups(backupPlace(where, 'The place of the backups'));
  const opened: { close(): Promise<void> }[] = [backups];
  const keep = <Store extends { close(): Promise<void> }>(store: Store) => {
    opened.push(store);
    return store;
  };
  try {
    const { name, manifest } = chosen(await manifestsOf(backups), at);
    const isFile = config.databaseUrl.startsWith(SQLITE);
    const path = config.databaseUrl.slice(SQLITE.length);
    if (isFile && existsSync(path)) {
      throw new BackupRefusal('wrongPlace', `There is a database already (${path}). Restore into an empty place.`);
    }
    const into = isFile ? { path } : { database: keep(await openEmpty(config.databaseUrl)) };
    const stored = keep(await openByteStore(backupPlace(config.blobUrl, 'BLOB_URL')));
    say(`Backup ${name}, ended ${moment(manifest.endedAt)}. If this is interrupted, run it again: it goes on.`);
    const missing: string[] = [];
    const { files, damaged } = await restore({
      backups,
      manifest,
      into,
      stored,
      scratch: isFile ? `${path}.restoring` : join(config.dataDir, 'restoring'),
      report: progressLines(say),
      async beforeItEnds(database) {
        await bringKeys(config, backups);
        missing.push(...(await missingKeys(config, database)));
      },
    });
    for (const line of restoreLines(config, files)) say(line);
    for (const line of notInBackupLines(damaged)) say(line);
    for (const line of missing) say(line);
    return damaged.length + missing.length === 0 ? 0 : EXIT.notWhole;
  } catch (error) {
    throw clearFault(error, 'The place that is restored to');
  } finally {
    for (const store of opened.reverse()) await store.close();
  }
}

function chosen(backups: readonly NamedManifest[], at: string | undefined): { name: string; manifest: Manifest } {
  const found = at === undefined ? backups.at(-1) : backups.find(({ name }) => name === at);
  if (found === undefined) {
    throw new BackupRefusal(
      'wrongPlace',
      at === undefined ? 'No backup has ended there yet.' : `There is no backup ${at}. "backup list" names them.`,
    );
  }
  const { name, manifest } = found;
  if (manifest !== null) return { name, manifest };
  throw new BackupRefusal(
    'wrongPlace',
    `Backup ${name} is torn: its manifest is damaged, or was made by a newer Coffer. Name another one by --at.`,
  );
}

async function openEmpty(url: string): Promise<Database> {
  const database = await openDatabase(url);
  try {
    await database.ping();
    return database;
  } catch (error) {
    await database.close();
    throw new BackupRefusal('notWhole', 'The database does not answer. Check DATABASE_URL.', { cause: error });
  }
}

/** Where the backup has them, and there are none yet. */
async function bringKeys(config: Config, { objects }: Target): Promise<void> {
  for (const { name, path } of keyFilesOf(config)) {
    const key = existsSync(path) ? null : await objects.read(`${KEYS}/${name}`);
    if (key !== null) await makeKeyFile(path, key);
  }
}

async function missingKeys(config: Config, database: Database): Promise<string[]> {
  const missing: string[] = [];
  try {
    await requireKeys(config, database);
  } catch (error) {
    if (!(error instanceof KeyFault)) throw error;
    missing.push(
      `${error.message} It belongs at ${config.keyFile}: without it no server starts and no file can be opened.`,
    );
  }
  const sealed = await database.reader.selectFrom('totp_secrets').select('user_id').limit(1).executeTakeFirst();
  if (sealed !== undefined && !existsSync(config.secretsKeyFile)) {
    missing.push(
      `secrets.key is missing. It belongs at ${config.secretsKeyFile}: without it no authenticator app is believed.`,
    );
  }
  return missing.length === 0 ? [] : ['', 'Before you start a server:', ...missing.map((line) => `  ${line}`)];
}

function restoreLines(config: Config, files: number): string[] {
  return [
    '',
    `Restored: the database and ${counted(files, 'file')}. What was written has been read back and compared.`,
    'Everybody signs in anew, and links of invitations are made anew. Mails that waited are not sent. Passwords and second factors are those of the backup.',
    'Start the server as it is configured here. Never let it and the one that was backed up serve people at the same time.',
    ...(config.searchInside
      ? ['Where words inside documents are not found yet: they are read in the background.']
      : []),
  ];
}

function notInBackupLines(damaged: readonly DamagedBlob[]): string[] {
  if (damaged.length === 0) return [];
  return [
    '',
    `${counted(damaged.length, 'file')} could not be restored, because the backup does not have ${damaged.length === 1 ? 'it' : 'them'} whole:`,
    ...damaged.map((blob) => `  ${damagedName(blob)}`),
  ];
}

/** One line that says what to do; what is known already stays as it is. */
function clearFault(error: unknown, place: string): Error {
  if (error instanceof BackupRefusal || error instanceof ConfigFault || error instanceof KeyFault) return error;
  if (error instanceof MoveRefusal) return new BackupRefusal('wrongPlace', error.message, { cause: error });
  if (error instanceof SchemaRefusal) return new BackupRefusal('wrongPlace', error.message, { cause: error });
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT' || (error instanceof Refusal && error.code === 'storage_full')) {
    return new BackupRefusal(
      'full',
      `${place} is full. Make room and run this again: what is there already is not copied again.`,
      { cause: error },
    );
  }
  if (error instanceof Refusal && error.code === 'unavailable') {
    return new BackupRefusal('notWhole', `${place} does not answer. Check its address and credentials.`, {
      cause: error,
    });
  }
  return error as Error;
}
