// A place with backups: a note of whose they are, one small manifest a backup, and the files that they share.

import { hash } from 'node:crypto';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { Refusal } from '#contract/errors.ts';
import { ConfigFault, WordsFault } from '../config.ts';
import type { ByteStore } from '../platform/blobs/byte-store.ts';
import type { NamedObjects } from '../platform/blobs/named-objects.ts';
import {
  type BlobPlace,
  type BlobStoreOptions,
  openByteStore,
  openNamedObjects,
  parseBlobUrl,
  placeWithin,
} from '../platform/blobs/open-blob-store.ts';
import { instant, utcMoment } from '../platform/instant.ts';
import { BackupRefusal } from './backup-refusal.ts';
import { clearFault } from './command-words.ts';
import { isOfLock } from './lock.ts';

/** As the commands call it. */
const PLACE = 'The place of the backups';
const NOTE = 'coffer-backup.json';
const MANIFESTS = 'backups';
/** Where the files lie in it, each at its `treePath`. */
export const FILES = 'blobs';
const DATA = 'data';
/** In a folder: where backups are put together, each in a folder of its own. */
export const SCRATCH = 'scratch';
const FORMAT = 1;

const Note = z.object({ format: z.literal(FORMAT), firm: z.string().min(1) });

/** Something that was written whole, by its key in the store of databases and lists. */
const Written = z.object({ key: z.string(), bytes: z.number().int(), sha256: z.string() });
export type Written = z.output<typeof Written>;

const Manifest = z.object({
  format: z.literal(FORMAT),
  firm: z.string(),
  /** ms since 1970; the database is as of a moment between the two. Later than that of every backup made before. */
  begunAt: z.number().int(),
  /** As the clock said: where it was put back, that may be before `begunAt`. */
  endedAt: z.number().int(),
  /** An SQLite file, whatever engine the firm is on. */
  database: Written,
  /** `FileEntry` a line, sorted by key: what has to be there for this backup to be whole. */
  list: Written,
  files: z.number().int(),
  /** Of the files as they are stored, and of the database. */
  bytes: z.number().int(),
  /** Of files that were missing or damaged at the firm already, and are in no list. */
  damaged: z.array(z.string()),
});
export type Manifest = z.output<typeof Manifest>;

export interface NamedManifest {
  readonly name: string;
  /** Null where it cannot be believed: cut off, changed, or of a later version. */
  readonly manifest: Manifest | null;
}

export interface Target {
  readonly place: BlobPlace;
  readonly objects: NamedObjects;
  /** The files, as the firm's store has them: encrypted ones stay so. */
  readonly files: ByteStore;
  /** Databases and lists, under random keys. */
  readonly data: ByteStore;
  close(): Promise<void>;
}

/** A folder, or an address as in BLOB_URL. Throws ConfigFault, or another `Fault`, with `variable` before what is wrong. */
export function backupPlace(text: string, variable: string, Fault = ConfigFault): BlobPlace {
  if (!/^[a-z0-9]+:/i.test(text)) return { kind: 'disk', root: resolve(text) };
  try {
    const place = parseBlobUrl(text);
    return place.kind === 'disk' ? { ...place, root: resolve(place.root) } : place;
  } catch (error) {
    throw new Fault([`${variable}: ${(error as Error).message}`]);
  }
}

/** The one that was written after a command. */
export const writtenPlace = (text: string): BlobPlace => backupPlace(text, PLACE, WordsFault);

/** As it may be shown and written down; addresses hold no credentials. */
export const placeName = (place: BlobPlace): string =>
  place.kind === 'disk' ? place.root : `s3://${place.bucket}/${place.prefix}`;

/** Refuses where the firm's own files are kept as those of the backups: there would be one copy of each, and what is removed of one goes from both. */
export function requireApart(place: BlobPlace, store: BlobPlace): void {
  if (![FILES, DATA].some((name) => isDeepStrictEqual(placeWithin(place, name), store))) return;
  throw new BackupRefusal(
    'wrongPlace',
    `The files of the firm are at ${placeName(store)} (BLOB_URL), which is a part of the place of the backups. Name another place.`,
  );
}

async function opened(place: BlobPlace, objects: NamedObjects, options: BlobStoreOptions): Promise<Target> {
  const files = await openByteStore(placeWithin(place, FILES), options);
  const data = await openByteStore(placeWithin(place, DATA), options);
  const close = async () => {
    for (const store of [files, data, objects]) await store.close();
  };
  return { place, objects, files, data, close };
}

async function readNote(objects: NamedObjects): Promise<z.output<typeof Note> | null> {
  const bytes = await objects.read(NOTE);
  if (bytes === null) return null;
  const note = Note.safeParse(parsed(bytes.toString()));
  if (note.success) return note.data;
  throw new BackupRefusal('wrongPlace', `${NOTE} there was made by a newer Coffer, or is damaged.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** For reading; makes nothing where there is no backup. */
export async function openBackups(place: BlobPlace): Promise<Target> {
  const objects = await openNamedObjects(place);
  try {
    if ((await readNote(objects)) === null) {
      throw new BackupRefusal('wrongPlace', `There is no backup at ${placeName(place)}.`);
    }
    return await opened(place, objects, {});
  } catch (error) {
    await objects.close();
    throw clearFault(error, PLACE);
  }
}

/** What may lie in a place that is empty otherwise: a lock, a draft of the note, and what a file system makes by itself. */
const isOfNoMatter = (name: string) =>
  name === 'lost+found' || name === SCRATCH || isOfLock(name) || name.startsWith(`${NOTE}.`);

function requireFirm(note: z.output<typeof Note> | null, firm: string, place: BlobPlace): void {
  if (note === null || note.firm === firm) return;
  throw new BackupRefusal('wrongPlace', `${placeName(place)} holds the backups of another firm. Name another place.`);
}

/**
 * For backups of the firm `firm`; an empty place becomes one for them once `enter` is called. Rejects with BackupRefusal where
 * anything else is there, changing nothing. `enter` is called under the lock of the place.
 */
export async function openTarget(
  place: BlobPlace,
  firm: string,
  options: BlobStoreOptions = {},
): Promise<{ objects: NamedObjects; isNew: boolean; enter(): Promise<Target> }> {
  const objects = await openNamedObjects(place);
  let note: z.output<typeof Note> | null;
  try {
    // In this order: where another first backup begins meanwhile, its note is there before all else of it.
    const names = await objects.list('');
    note = await readNote(objects);
    if (note === null && !names.every(isOfNoMatter)) {
      throw new BackupRefusal(
        'wrongPlace',
        `${placeName(place)} is not empty and holds no backups. Name an empty place.`,
      );
    }
    requireFirm(note, firm, place);
  } catch (error) {
    await objects.close();
    throw error;
  }
  return {
    objects,
    isNew: note === null,
    async enter() {
      // Another firm may have begun there meanwhile.
      requireFirm(await readNote(objects), firm, place);
      await objects.write(NOTE, `${JSON.stringify({ format: FORMAT, firm })}\n`);
      return opened(place, objects, options);
    },
  };
}

/** Every backup, the oldest first. */
export async function manifestsOf({ objects }: Pick<Target, 'objects'>): Promise<NamedManifest[]> {
  const found: NamedManifest[] = [];
  try {
    for (const file of await objects.list(MANIFESTS)) {
      if (!file.endsWith('.json')) continue;
      const bytes = await objects.read(`${MANIFESTS}/${file}`);
      found.push({ name: file.slice(0, -'.json'.length), manifest: bytes && believed(bytes.toString()) });
    }
  } catch (error) {
    // A restore reads them too, and would say it of the place that is restored to.
    throw clearFault(error, PLACE);
  }
  return found;
}

/** What a restore reads there: where that place does not answer, it is the one that is named. */
export async function fromBackups<Read>(reading: Promise<Read>): Promise<Read> {
  try {
    return await reading;
  } catch (error) {
    // Anything else may be a fault of where it is written to.
    throw error instanceof Refusal && error.code === 'unavailable' ? clearFault(error, PLACE) : error;
  }
}

/** The manifest is followed by its SHA-256. */
function believed(text: string): Manifest | null {
  const [body = '', digest] = text.split('\n');
  if (hash('sha256', body) !== digest) return null;
  return Manifest.safeParse(parsed(body)).data ?? null;
}

/** As the operator reads it. */
export const moment = (ms: number): string => utcMoment(instant(ms));

/** Names are moments, so that they sort by age. */
const nameAt = (ms: number): string => new Date(ms).toISOString().replaceAll(/[:.]/g, '-');

/** The file that makes a backup one, from the place on. */
export const manifestFile = (name: string): string => `${MANIFESTS}/${name}.json`;

/** From here on there is a backup. Returns its name. */
export async function writeManifest({ objects }: Target, manifest: Manifest): Promise<string> {
  const name = nameAt(manifest.begunAt);
  const body = JSON.stringify(manifest);
  await objects.write(manifestFile(name), `${body}\n${hash('sha256', body)}\n`);
  return name;
}

/** From here on there is none of this name; what it alone used is removed after it. */
export const removeManifest = ({ objects }: Target, name: string): Promise<void> => objects.remove(manifestFile(name));
