// `npm run admin -- restore`: from the operator's words to the work, and then to what is to be done before a server starts.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { counted } from '#contract/plain-words.ts';
import type { Config } from '../config.ts';
import { FolderObjects } from '../platform/blobs/named-objects.ts';
import { folderMadeBy, openByteStore } from '../platform/blobs/open-blob-store.ts';
import { openDatabase, restoringBeside } from '../platform/db/connect.ts';
import type { Database } from '../platform/db/database.ts';
import { isDatabaseAway } from '../platform/db/violations.ts';
import { type DamagedBlob, damagedName } from '../platform/move/copy-blobs.ts';
import { progressLines } from '../platform/move/progress.ts';
import { BackupRefusal, EXIT } from './backup-refusal.ts';
import { clearFault, type Say } from './command-words.ts';
import { bringKeys, missingKeys } from './key-copies.ts';
import { isOfLock, takeLock } from './lock.ts';
import { requireNoDatabase, restore } from './restore.ts';
import {
  backupPlace,
  fromBackups,
  type Manifest,
  manifestsOf,
  moment,
  type NamedManifest,
  openBackups,
  requireApart,
  writtenPlace,
} from './target.ts';

const SQLITE = 'sqlite:';
const GOES_ON = 'Another restore is going on there';

/** Restores into the empty place that `config` names; returns the exit code. */
export async function runRestore(config: Config, where: string, at: string | undefined, say: Say): Promise<number> {
  const backups = await openBackups(writtenPlace(where));
  const opened: { close(): Promise<void> }[] = [backups];
  const made: string[] = [];
  const keep = <Store extends { close(): Promise<void> }>(store: Store) => {
    opened.push(store);
    return store;
  };
  try {
    const { name, manifest } = chosen(await manifestsOf(backups), at);
    const isFile = config.databaseUrl.startsWith(SQLITE);
    const path = config.databaseUrl.slice(SQLITE.length);
    if (isFile) requireNoDatabase(path);
    const scratch = isFile ? restoringBeside(path) : join(config.dataDir, 'restoring');
    made.push(...missingFolders(dirname(scratch)));
    // Beside an SQLite file this folder keeps servers from starting: it stays where a restore has begun, now or earlier, until one has ended.
    let stays = isFile && existsSync(scratch);
    await mkdir(scratch, { recursive: true, mode: 0o700 });
    const lock = await takeLock(new FolderObjects(scratch), Date.now, GOES_ON).catch(async (error: unknown) => {
      // Where another one goes on, its lock is in there.
      if (!stays) await rmdir(scratch).catch(() => {});
      throw error;
    });
    opened.push({
      async close() {
        const isMine = await lock.isMine();
        await lock.release();
        if (!stays && isMine) await rm(scratch, { recursive: true, force: true });
      },
    });
    await removeDraftsIn(scratch);
    const into = isFile ? { path } : { database: keep(await openEmpty(config.databaseUrl)) };
    const storePlace = backupPlace(config.blobUrl, 'BLOB_URL');
    requireApart(backups.place, storePlace);
    const storeFolder = folderMadeBy(storePlace);
    if (storeFolder !== null) made.unshift(...missingFolders(storeFolder));
    const stored = keep(await openByteStore(storePlace));
    say(`Backup ${name}, ended ${moment(manifest.endedAt)}. If this is interrupted, run it again: it goes on.`);
    const missing: string[] = [];
    const { files, damaged } = await restore({
      backups,
      manifest,
      into,
      stored,
      // For this run alone: one that was overtaken may still write its own.
      scratch: join(scratch, randomUUID()),
      report: progressLines(say),
      onBegun() {
        stays = isFile;
      },
      async beforeItEnds(database) {
        await lock.requireMine();
        await fromBackups(bringKeys(config, backups));
        missing.push(...(await missingKeys(config, database)));
      },
    });
    stays = false;
    for (const line of restoreLines(config, files)) say(line);
    for (const line of notInBackupLines(damaged)) say(line);
    for (const line of missing) say(line);
    return damaged.length + missing.length === 0 ? 0 : EXIT.notWhole;
  } catch (error) {
    await closeAll(opened);
    await removeEmpty(made);
    throw clearFault(error, 'The place that is restored to');
  } finally {
    await closeAll(opened);
  }
}

/** What killed ones have left. */
async function removeDraftsIn(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!isOfLock(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** The last one first, and each once. */
async function closeAll(opened: { close(): Promise<void> }[]): Promise<void> {
  for (let store = opened.pop(); store !== undefined; store = opened.pop()) await store.close();
}

/** Of a path: the folders that are not there, the innermost first. */
function missingFolders(path: string): string[] {
  const missing: string[] = [];
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.push(folder);
  return missing;
}

/** The folders made for what came to nothing. One with something in it stays: what was copied is not copied again. */
async function removeEmpty(made: readonly string[]): Promise<void> {
  for (const folder of made) await rmdir(folder).catch(() => {});
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
    // What it refuses is told as at a start.
    if (!isDatabaseAway(error)) throw error;
    throw new BackupRefusal('notWhole', 'The database does not answer. Check DATABASE_URL.', { cause: error });
  }
}

function restoreLines(config: Config, files: number): string[] {
  return [
    '',
    `Restored: the database and ${counted(files, 'file')}. What was written has been read back and compared.`,
    'Everybody signs in anew, and links of invitations are made anew. Mails that waited are not sent. Passwords and second factors are those of the backup.',
    'Holds that were placed after the backup are gone: place them again. For a day nothing is purged from the trash, and a disposal that was going on waits on Retention until somebody says Go On.',
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
