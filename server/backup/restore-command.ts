// `npm run admin -- restore`: from the operator's words to the work, and then to what is to be done before a server starts.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { openByteStore } from '../platform/blobs/open-blob-store.ts';
import { openDatabase } from '../platform/db/connect.ts';
import type { Database } from '../platform/db/database.ts';
import { type DamagedBlob, damagedName } from '../platform/move/copy-blobs.ts';
import { progressLines } from '../platform/move/progress.ts';
import { BackupRefusal, EXIT } from './backup-refusal.ts';
import { clearFault, counted, type Say } from './command-words.ts';
import { bringKeys, missingKeys } from './key-copies.ts';
import { restore } from './restore.ts';
import { backupPlace, type Manifest, manifestsOf, moment, type NamedManifest, openBackups } from './target.ts';

const SQLITE = 'sqlite:';

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
