// Blobs on a local disk: `<root>/ab/cd/<key>`, written in `<root>/staging` first and renamed once durable.

import { closeSync, type Dir, open as openFd, read as readFd } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { refuse, refuseCausedBy } from '#contract/errors.ts';
import { isThere } from '../is-there.ts';
import { WHOLE_READ_BYTES } from './blob-store.ts';
import type {
  ByteReader,
  ByteSpan,
  ByteStore,
  OnBlobStep,
  StagedBytes,
  StageLimits,
  StoredBytes,
  StoredEntry,
} from './byte-store.ts';
import { codeOf, readFault, writeFault } from './disk-faults.ts';
import { FileReader, readAt } from './disk-reading.ts';
import { FreeSpace, freeBytesAt, KEPT_FREE_BYTES, type Room } from './free-space.ts';
import { MissingFolder } from './missing-folder.ts';
import { isStorageKey, newStorageKey, treePath } from './storage-key.ts';

/** Where files are written first, within the root. */
export const STAGING = 'staging';

const FOLDER_MODE = 0o700;

const FILE_MODE = 0o600;

const PROBE = Buffer.from('probe');

export interface DiskStoreOptions {
  /** Uploads are refused when less than this would stay free. 256 MiB unless given. */
  readonly minFreeBytes?: number | undefined;
  readonly onStep?: OnBlobStep | undefined;
  /** The place holds files already: its folders are not made where they are missing, which is a disk that is not mounted. */
  readonly holdsFiles?: boolean | undefined;
}

/** Opens the store at `root`, making its folders (0700) when missing. Rejects with MissingFolder where it is to hold files already. */
export async function openDiskStore(root: string, options: DiskStoreOptions): Promise<ByteStore> {
  const absolute = resolve(root);
  if (options.holdsFiles && !isThere(join(absolute, STAGING)))
    throw new MissingFolder('The folder of the files (BLOB_URL) is missing. Is its disk mounted?');
  const firstMade = await mkdir(join(absolute, STAGING), { recursive: true, mode: FOLDER_MODE });
  if (firstMade !== undefined) await syncUpTo(dirname(firstMade), absolute);
  return new DiskStore(absolute, options);
}

class DiskStore implements ByteStore {
  readonly #root: string;
  readonly #staging: string;
  readonly #space: FreeSpace;
  readonly #onStep: OnBlobStep;
  /** Folders whose own directory entry is known to be durable, so that it is synced once and not at each upload. */
  readonly #durableFolders = new Set<string>();

  constructor(root: string, options: DiskStoreOptions) {
    this.#root = root;
    this.#staging = join(root, STAGING);
    this.#space = new FreeSpace(() => freeBytesAt(root), options.minFreeBytes ?? KEPT_FREE_BYTES);
    this.#onStep = options.onStep ?? (() => {});
  }

  ensureRoom(incomingBytes: number): Promise<void> {
    return this.#space.ensure(incomingBytes);
  }

  stage(storageKey: string, chunks: AsyncIterable<Uint8Array>, limits: StageLimits): Promise<StagedBytes> {
    return this.#stage(storageKey, chunks, limits, (path) => this.#publish(storageKey, path));
  }

  stageInPlaceOf(storageKey: string, chunks: AsyncIterable<Uint8Array>, limits: StageLimits): Promise<StagedBytes> {
    // Under another name: what a killed process left of an earlier try is in nobody's way.
    return this.#stage(newStorageKey(), chunks, limits, (path) => this.#replace(storageKey, path));
  }

  async #stage(
    stagedName: string,
    chunks: AsyncIterable<Uint8Array>,
    { expectedBytes }: StageLimits,
    publish: (stagedPath: string) => Promise<void>,
  ): Promise<StagedBytes> {
    const path = join(this.#staging, stagedName);
    let room: Room | undefined;
    let file: FileHandle | undefined;
    try {
      room = await this.#space.promise(expectedBytes);
      file = await open(path, 'wx', FILE_MODE);
      await this.#receive(chunks, file, room);
      await this.#onStep('staged');
      await file.sync();
      await file.close();
      file = undefined;
      await this.#onStep('synced');
      return {
        publish: () => publish(path),
        discard: () => rm(path, { force: true }),
      };
    } catch (error) {
      await file?.close().catch(() => {});
      await rm(path, { force: true });
      throw writeFault(error);
    } finally {
      room?.leave();
    }
  }

  async #receive(chunks: AsyncIterable<Uint8Array>, file: FileHandle, room: Room): Promise<void> {
    let written: Promise<void> = Promise.resolve();
    try {
      for await (const chunk of chunks) {
        await written;
        await room.ensure(chunk.length);
        // The disk writes on another thread while the next chunk comes in and is hashed on this one.
        written = writeAll(file, chunk).then(() => room.written(chunk.length));
        written.catch(() => {});
      }
    } finally {
      await written;
    }
  }

  async #publish(storageKey: string, stagedPath: string): Promise<void> {
    const path = join(this.#root, treePath(storageKey));
    try {
      await this.#moveIn(storageKey, stagedPath, path);
    } catch (error) {
      await Promise.all([rm(path, { force: true }), rm(stagedPath, { force: true })]);
      throw writeFault(error);
    }
  }

  /** What is at the place is either the bytes before or the new ones, and never taken away. */
  async #replace(storageKey: string, stagedPath: string): Promise<void> {
    try {
      await this.#moveIn(storageKey, stagedPath, join(this.#root, treePath(storageKey)));
    } catch (error) {
      await rm(stagedPath, { force: true });
      throw writeFault(error);
    }
  }

  async #moveIn(storageKey: string, stagedPath: string, path: string): Promise<void> {
    const unsynced = await this.#makeFolders(storageKey);
    await rename(stagedPath, path);
    await this.#onStep('renamed');
    await Promise.all(unsynced.map((folder) => syncFolder(join(this.#root, folder))));
    for (const folder of unsynced) this.#durableFolders.add(folder);
    await this.#onStep('folder-synced');
  }

  /** Makes the folders of a blob and answers, relative to the root, those that must be synced for it to be durable. */
  async #makeFolders(storageKey: string): Promise<string[]> {
    const outer = storageKey.slice(0, 2);
    const inner = `${outer}/${storageKey.slice(2, 4)}`;
    if (this.#durableFolders.has(inner)) return [inner];
    await mkdir(join(this.#root, inner), { recursive: true, mode: FOLDER_MODE });
    // Another process may have created a folder without syncing it yet, so an existing one is synced once too.
    return this.#durableFolders.has(outer) ? [outer, inner] : ['.', outer, inner];
  }

  async read(stored: StoredBytes, span: ByteSpan): Promise<Buffer> {
    if (stored.sizeBytes <= WHOLE_READ_BYTES && span.lengthBytes === stored.sizeBytes) return this.#readWhole(stored);
    const file = await this.#open(stored);
    try {
      return await readAt((...range) => file.read(...range), span.start, span.lengthBytes);
    } catch (error) {
      throw readFault(error);
    } finally {
      await file.close();
    }
  }

  /**
   * Most files are small, and most of the cost of reading one is waiting for the thread pool: this waits twice, where
   * a file handle waits four times. One byte more is asked for, so that a file that has grown is noticed without asking its size.
   */
  async #readWhole({ storageKey, sizeBytes }: StoredBytes): Promise<Buffer> {
    try {
      const file = await openForReading(join(this.#root, treePath(storageKey)), 'r');
      try {
        const bytes = await readAt((...range) => readFrom(file, ...range), 0, sizeBytes, 1);
        if (bytes.length !== sizeBytes) throw refuse('integrity');
        return bytes;
      } finally {
        closeSync(file);
      }
    } catch (error) {
      throw readFault(error);
    }
  }

  async open(stored: StoredBytes, span: ByteSpan): Promise<ByteReader> {
    return new FileReader(await this.#open(stored), span);
  }

  async verify(stored: StoredBytes): Promise<void> {
    await (await this.#open(stored)).close();
  }

  async #open({ storageKey, sizeBytes }: StoredBytes): Promise<FileHandle> {
    const path = join(this.#root, treePath(storageKey));
    let file: FileHandle | undefined;
    try {
      file = await open(path, 'r');
      const facts = await file.stat();
      if (!facts.isFile() || facts.size !== sizeBytes) throw refuse('integrity');
      return file;
    } catch (error) {
      await file?.close();
      throw readFault(error);
    }
  }

  async remove(storageKey: string): Promise<void> {
    await rm(join(this.#root, treePath(storageKey)), { force: true });
  }

  async removeLeftovers(beforeMs: number): Promise<number> {
    let removed = 0;
    for await (const entry of await opendir(this.#staging)) {
      const path = join(this.#staging, entry.name);
      const modifiedAtMs = await mtimeMs(path);
      if (!entry.isFile() || modifiedAtMs === undefined || modifiedAtMs >= beforeMs) continue;
      await unlink(path);
      removed += 1;
    }
    return removed;
  }

  async *list(): AsyncGenerator<StoredEntry> {
    for await (const outer of await opendir(this.#root)) {
      if (!outer.isDirectory() || !/^[0-9a-f]{2}$/.test(outer.name)) continue;
      for await (const inner of await opendir(join(this.#root, outer.name))) {
        if (!inner.isDirectory() || !/^[0-9a-f]{2}$/.test(inner.name)) continue;
        const folder: Dir = await opendir(join(this.#root, outer.name, inner.name));
        for await (const { name } of folder) {
          // A file where no reader would look for it is not ours.
          if (!isStorageKey(name) || !name.startsWith(outer.name + inner.name)) continue;
          yield { storageKey: name, modifiedAtMs: () => mtimeMs(join(this.#root, treePath(name))) };
        }
      }
    }
  }

  async check(): Promise<void> {
    try {
      const probe = await this.stage(newStorageKey(), chunksOf(PROBE), {
        maxBytes: PROBE.length,
        expectedBytes: PROBE.length,
      });
      await probe.discard();
    } catch (error) {
      if (codeOf(error) !== 'storage_full') throw refuseCausedBy(error, 'unavailable');
    }
  }

  async close(): Promise<void> {
    // Every file is opened and closed by the call that needs it.
  }
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let rest = chunk;
  while (rest.length > 0) rest = rest.subarray((await file.write(rest)).bytesWritten);
}

const openForReading = promisify(openFd);

const readFrom = promisify(readFd);

async function mtimeMs(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Makes every folder durable that was made between `outermost` and `innermost`. */
async function syncUpTo(outermost: string, innermost: string): Promise<void> {
  let folder = innermost;
  for (;;) {
    await syncFolder(folder);
    if (folder === outermost || folder === dirname(folder)) return;
    folder = dirname(folder);
  }
}

/** Makes the entries of a folder durable. Windows has no such call and keeps its directory entries in its journal. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
