// A blob store for tests, how a test looks behind it, and what tests put into one and read from it.
import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { BlobStore, StoredBlob } from '../platform/blobs/blob-store.ts';
import type { BlobStep, OnBlobStep } from '../platform/blobs/byte-store.ts';
import { type BlobStoreOptions, openBlobStore } from '../platform/blobs/open-blob-store.ts';

export const MIB = 1024 * 1024;

export function chunked(bytes: Buffer, chunkBytes = 64 * 1024): Readable {
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
    })(),
  );
}

export async function put(store: BlobStore, bytes: Buffer): Promise<StoredBlob> {
  const staged = await store.stage(chunked(bytes), { maxBytes: 64 * MIB });
  return { storageKey: await staged.publish(), sizeBytes: staged.sizeBytes, sha256: staged.sha256 };
}

export async function bytesOf(reading: Promise<Buffer | Readable>): Promise<Buffer> {
  const bytes = await reading;
  return Buffer.isBuffer(bytes) ? bytes : buffer(bytes);
}

/** One kind of store, and how a test looks behind it. */
export interface Bench {
  open(onStep?: OnBlobStep, more?: BlobStoreOptions): Promise<BlobStore>;
  /** Every file or object in it, unfinished ones too. */
  contents(): Promise<string[]>;
  overwrite(blob: StoredBlob, bytes: Buffer): Promise<void>;
  readonly steps: readonly BlobStep[];
  close(): Promise<void>;
}

export async function diskBench(options: BlobStoreOptions = {}): Promise<Bench & { root: string }> {
  const root = await mkdtemp(join(tmpdir(), 'coffer-blobs-'));
  return {
    root,
    open: (onStep, more) => openBlobStore({ kind: 'disk', root }, { onStep, minFreeBytes: 0, ...options, ...more }),
    contents: async () => {
      const entries = await readdir(root, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
    },
    overwrite: async ({ storageKey }, bytes) => {
      const file = await open(join(root, storageKey.slice(0, 2), storageKey.slice(2, 4), storageKey), 'w');
      await file.writeFile(bytes);
      await file.close();
    },
    steps: ['staged', 'synced', 'renamed', 'folder-synced'],
    close: () => rm(root, { recursive: true, force: true }),
  };
}
