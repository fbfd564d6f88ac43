// The list of the files of one backup: what is stored under which key, and the SHA-256 of it as it is stored. Sorted by key.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import type { ByteStore, StoredBytes } from '../platform/blobs/byte-store.ts';
import { piecesOf } from '../platform/blobs/pieces.ts';
import { newStorageKey } from '../platform/blobs/storage-key.ts';
import { BackupRefusal } from './backup-refusal.ts';
import type { Target, Written } from './target.ts';

/** Files read or copied at the same time; most of the cost of a small one is waiting. */
const AT_ONCE = 8;
const FILES_IN_A_TURN = 256;

/** A file as it is stored: an encrypted one is longer than the file it holds. */
export interface FileEntry {
  readonly storageKey: string;
  readonly bytes: number;
  /** Of the bytes as they are stored. */
  readonly sha256: string;
}

export const lineOf = ({ storageKey, bytes, sha256 }: FileEntry): string => `${storageKey} ${bytes} ${sha256}\n`;

/** Reads a list from a file of this machine. */
export async function* entriesIn(path: string): AsyncGenerator<FileEntry> {
  for await (const line of createInterface({ input: createReadStream(path, 'utf8') })) {
    const [storageKey = '', bytes, sha256 = ''] = line.split(' ');
    if (line !== '') yield { storageKey, bytes: Number(bytes), sha256 };
  }
}

/** Walks along a list beside something else that is in the same order. */
export class Beside {
  readonly #entries: AsyncIterator<FileEntry>;
  #next: FileEntry | null = null;
  #ended = false;

  /** Without a path: an empty list. */
  constructor(path: string | null) {
    this.#entries = path === null ? nothing() : entriesIn(path);
  }

  /** The entry of a key; null where the list has none. Keys are asked in order. */
  async at(storageKey: string): Promise<FileEntry | null> {
    while (!this.#ended && (this.#next === null || this.#next.storageKey < storageKey)) {
      const { done, value } = await this.#entries.next();
      if (done) this.#ended = true;
      this.#next = done ? null : value;
    }
    return this.#next?.storageKey === storageKey ? this.#next : null;
  }
}

async function* nothing(): AsyncGenerator<FileEntry> {}

/** SHA-256 of all that is stored under a key; null where it is missing or not as many bytes. */
export async function digestOf(store: ByteStore, stored: StoredBytes): Promise<string | null> {
  try {
    const digest = createHash('sha256');
    for await (const piece of piecesOf(await store.open(stored, { start: 0, lengthBytes: stored.sizeBytes }))) {
      digest.update(piece);
    }
    return digest.digest('hex');
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  }
}

/** Whether it is there with as many bytes; none of them is read. */
export async function has(store: ByteStore, { storageKey, bytes }: Omit<FileEntry, 'sha256'>): Promise<boolean> {
  try {
    await store.verify({ storageKey, sizeBytes: bytes });
    return true;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

export const isDamage = (error: unknown): boolean => (error as { code?: string }).code === 'integrity';

/** Puts a file of this machine beside the backups, and reads back what was written. */
export async function putData({ data }: Target, path: string): Promise<Written> {
  const file = await open(path);
  const { size } = await file.stat();
  await file.close();
  const digest = createHash('sha256');
  async function* chunks() {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      digest.update(chunk);
      yield chunk;
    }
  }
  const key = newStorageKey();
  await (await data.stage(key, chunks(), { maxBytes: size, expectedBytes: size })).publish();
  const written = { key, bytes: size, sha256: digest.digest('hex') };
  if ((await digestOf(data, { storageKey: key, sizeBytes: size })) === written.sha256) return written;
  throw new BackupRefusal('notWhole', 'The place of the backups does not give back what was written to it.');
}

/** Fetches it again, to a new file that its owner alone can read. Rejects with BackupRefusal where it is not what was written. */
export async function getData({ data }: Target, { key, bytes, sha256 }: Written, path: string): Promise<void> {
  const digest = createHash('sha256');
  try {
    const reader = await data.open({ storageKey: key, sizeBytes: bytes }, { start: 0, lengthBytes: bytes });
    await pipeline(
      piecesOf(reader, (piece) => digest.update(piece)),
      createWriteStream(path, { mode: 0o600, flush: true }),
    );
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  if (digest.digest('hex') === sha256) return;
  throw new BackupRefusal(
    'wrongPlace',
    'This backup is torn: its database or its list of files is missing or damaged. Name another one by --at; "backup list" names them.',
  );
}

/** A few hundred at a time, in their order. */
export async function* inTurns<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let some: Item[] = [];
  for await (const item of items) {
    some.push(item);
    if (some.length < FILES_IN_A_TURN) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

/** The results in the order of the items. All have ended before the first fault is thrown. */
export async function severalAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item, at: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const worker = async () => {
    for (const [at, item] of left) results[at] = await work(item, at);
  };
  for (const ended of await Promise.allSettled(Array.from({ length: AT_ONCE }, worker))) {
    if (ended.status === 'rejected') throw ended.reason;
  }
  return results;
}
