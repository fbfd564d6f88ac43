// `npm run admin -- move`: from the operator's addresses to a move, and then to the settings to start the server with.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Config, ConfigFault, DatabaseUrl, WordsFault } from '../../config.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { EncryptionOptions } from '../blobs/encryption/encrypted-store.ts';
import { configuredEncryption, requireKeys } from '../blobs/encryption/firm-keys.ts';
import { type BlobPlace, openBlobStore, parseBlobUrl } from '../blobs/open-blob-store.ts';
import { isInUse, mayBeThere, openDatabase } from '../db/connect.ts';
import type { Database } from '../db/database.ts';
import { databaseFault } from '../db/database-fault.ts';
import { requireCurrentSchema } from '../db/migrations.ts';
import { isDatabaseAway } from '../db/violations.ts';
import { type DamagedBlob, damagedName } from './copy-blobs.ts';
import { move } from './move.ts';
import { MoveRefusal } from './move-refusal.ts';
import { progressLines } from './progress.ts';

/** Addresses in the form of DATABASE_URL and BLOB_URL; at least one of them. */
export interface Destination {
  readonly database: string | undefined;
  readonly blobs: string | undefined;
}

type Say = (line: string) => void;

/** Moves the firm that `config` names; returns the exit code. Faults are thrown, each with one line for the operator. */
export async function runMove(config: Config, to: Destination, say: Say): Promise<number> {
  requireAddresses(config, to);
  await requireIdle(config.databaseUrl);
  const opened: { close(): Promise<void> }[] = [];
  const keep = <Store extends { close(): Promise<void> }>(store: Store) => {
    opened.push(store);
    return store;
  };
  try {
    const source = keep(await openDatabase(config.databaseUrl));
    await requireCurrentSchema(source.reader);
    // Under another key every file would be called damaged, and what is in plain be encrypted under it.
    if (to.blobs !== undefined) await requireKeys(config, source);
    const target = to.database === undefined ? null : keep(await openTarget(to.database));
    const blobs =
      to.blobs === undefined
        ? null
        : {
            from: keep(
              await openBlobStore(parseBlobUrl(config.blobUrl), {
                encryption: configuredEncryption(config),
                holdsFiles: true,
              }),
            ),
            to: keep(await openTargetStore(parseBlobUrl(to.blobs), configuredEncryption(config))),
          };
    say('Until the end nothing can be written to the source. If this is interrupted, run it again: it goes on.');
    const { files } = await move({ source, target, blobs, report: progressLines(say) });
    for (const line of closingLines(config, to)) say(line);
    const damaged = files?.damaged ?? [];
    for (const line of damageLines(damaged)) say(line);
    return damaged.length === 0 ? 0 : 1;
  } finally {
    for (const store of opened.reverse()) await store.close();
  }
}

/** Throws WordsFault for what was written after the command, and ConfigFault for the firm's own settings. */
function requireAddresses(config: Config, to: Destination): void {
  const faults: string[] = [];
  const ownFaults: string[] = [];
  if (to.database !== undefined) {
    const { error } = DatabaseUrl.safeParse(to.database);
    if (error) faults.push(...error.issues.map(({ message }) => `--to-database: ${message}`));
    else if (isSameDatabase(config.databaseUrl, to.database)) {
      faults.push('--to-database: is the source itself. Name an empty database.');
    }
  }
  const place = to.blobs === undefined ? null : placeOf('--to-blobs', to.blobs, faults);
  const ownPlace = placeOf('BLOB_URL', config.blobUrl, ownFaults);
  if (place !== null && isDeepStrictEqual(place, ownPlace)) {
    faults.push('--to-blobs: is the source itself. Name an empty place.');
  }
  if (faults.length > 0) throw new WordsFault(faults);
  if (ownFaults.length > 0) throw new ConfigFault(ownFaults);
}

function placeOf(variable: string, text: string, faults: string[]): BlobPlace | null {
  try {
    const place = parseBlobUrl(text);
    return place.kind === 'disk' ? { ...place, root: resolve(place.root) } : place;
  } catch (error) {
    faults.push(`${variable}: ${(error as Error).message}`);
    return null;
  }
}

const SQLITE = 'sqlite:';

function isSameDatabase(a: string, b: string): boolean {
  const whole = (url: string) => (url.startsWith(SQLITE) ? resolve(url.slice(SQLITE.length)) : url);
  return whole(a) === whole(b);
}

async function requireIdle(databaseUrl: string): Promise<void> {
  if (!mayBeThere(databaseUrl)) {
    throw new MoveRefusal('There is no database to move. Check DATA_DIR and DATABASE_URL.');
  }
  if (await isInUse(databaseUrl)) {
    throw new MoveRefusal('The source is in use. Stop every server and program that has it open, then run this again.');
  }
}

async function openTarget(url: string): Promise<Database> {
  const database = await openDatabase(url);
  try {
    await database.ping();
    return database;
  } catch (error) {
    await database.close();
    const refused = isDatabaseAway(error) ? null : databaseFault(error, '--to-database');
    throw new MoveRefusal(
      refused === null ? 'The target database does not answer. Check --to-database.' : `The target: ${refused}`,
      { cause: error },
    );
  }
}

async function openTargetStore(place: BlobPlace, encryption: EncryptionOptions): Promise<BlobStore> {
  const store = await openBlobStore(place, { encryption });
  try {
    await store.check();
    return store;
  } catch (error) {
    await store.close();
    throw new MoveRefusal('The target store does not answer. Check --to-blobs and its credentials.', { cause: error });
  }
}

function closingLines(config: Config, to: Destination): string[] {
  const keys = { SECRETS_KEY_FILE: config.secretsKeyFile, KEY_FILE: config.keyFile };
  const there = Object.entries(keys).filter(([, path]) => existsSync(path));
  return [
    '',
    'All that was moved has been read back and compared. The source is as it was.',
    'Start the server with:',
    `  DATABASE_URL=${withoutPassword(to.database ?? config.databaseUrl)}`,
    `  BLOB_URL=${to.blobs ?? config.blobUrl}`,
    ...there.map(([name, path]) => `  ${name}=${path}`),
    ...(there.length > 0 ? ['The keys belong to the firm: on another machine, copy these files along.'] : []),
    'From then on do not start a server on the source again.',
  ];
}

/** What is said of files that were not copied. */
export function damageLines(damaged: readonly DamagedBlob[]): string[] {
  if (damaged.length === 0) return [];
  const counted = damaged.length === 1 ? '1 file was' : `${damaged.length} files were`;
  return [
    '',
    `${counted} missing or damaged in the source already, and not copied:`,
    ...damaged.map((blob) => `  ${damagedName(blob)}${blob.file === null ? '' : `, bytes ${blob.storageKey}`}`),
    'All others were copied. Restore what is missing under the same path at the target, or delete these files in the portal.',
  ];
}

/** The address as it may be shown. */
function withoutPassword(url: string): string {
  if (url.startsWith(SQLITE)) return url;
  const shown = new URL(url);
  if (shown.password !== '') shown.password = 'PASSWORD';
  if (shown.searchParams.has('password')) shown.searchParams.set('password', 'PASSWORD');
  return shown.href;
}
