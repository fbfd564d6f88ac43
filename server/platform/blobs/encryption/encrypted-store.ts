// A place for bytes whose bytes are encrypted: what is written there is sealed, and what is read is checked chunk by chunk before
// any of it is passed on. Files that lie there in plain are read too, until they are encrypted.

import { createHash, randomBytes } from 'node:crypto';
import { Refusal, refuse, refuseCausedBy } from '#contract/errors.ts';
import { KeyFault } from '../../key-file.ts';
import type { StoredBlob } from '../blob-store.ts';
import type {
  ByteReader,
  ByteSpan,
  ByteStore,
  StagedBytes,
  StageLimits,
  StoredBytes,
  StoredEntry,
} from '../byte-store.ts';
import { piecesOf } from '../pieces.ts';
import { ChunkReader, Pieces } from './chunk-reader.ts';
import {
  CHUNK_BYTES,
  ChunkSealer,
  type ChunkSpan,
  chunkSpanOf,
  HEAD_BYTES,
  headOf,
  keyContext,
  readHead,
  STORED_CHUNK_BYTES,
  storedSize,
} from './format.ts';
import { KEY_BYTES, type MasterKeys, type WrappedKey } from './master-keys.ts';

export interface EncryptionOptions {
  readonly keys: MasterKeys;
  /** New files: encrypted, or in plain, as before. */
  readonly writes: 'encrypted' | 'plain';
  /** Files in plain: read, or refused as if their bytes were others. */
  readonly readsPlain: boolean;
}

/** The limits of what is written: it is as long as the sealed bytes. */
const sealedLimits = ({ maxBytes, expectedBytes }: StageLimits): StageLimits => ({
  maxBytes: storedSize(maxBytes),
  expectedBytes: expectedBytes === undefined ? undefined : storedSize(expectedBytes),
});

const exactly = (sizeBytes: number): StageLimits => ({ maxBytes: sizeBytes, expectedBytes: sizeBytes });

const isDamaged = (error: unknown) => error instanceof Refusal && error.code === 'integrity';

export class EncryptedStore implements ByteStore {
  readonly #store: ByteStore;
  readonly #options: EncryptionOptions;

  constructor(store: ByteStore, options: EncryptionOptions) {
    this.#store = store;
    this.#options = options;
  }

  async stage(storageKey: string, chunks: AsyncIterable<Uint8Array>, limits: StageLimits): Promise<StagedBytes> {
    if (this.#options.writes === 'plain') return this.#store.stage(storageKey, chunks, limits);
    return this.#store.stage(storageKey, await this.#sealed(storageKey, chunks), sealedLimits(limits));
  }

  async stageInPlaceOf(
    storageKey: string,
    chunks: AsyncIterable<Uint8Array>,
    limits: StageLimits,
  ): Promise<StagedBytes> {
    return this.#store.stageInPlaceOf(storageKey, await this.#sealed(storageKey, chunks), sealedLimits(limits));
  }

  async #sealed(storageKey: string, chunks: AsyncIterable<Uint8Array>): Promise<AsyncGenerator<Buffer>> {
    const key = randomBytes(KEY_BYTES);
    const head = headOf(await this.#options.keys.wrap(key, keyContext(storageKey)));
    const sealer = new ChunkSealer(storageKey, key);
    return (async function* () {
      yield head;
      let nth = 0;
      let open = Buffer.allocUnsafe(CHUNK_BYTES);
      let filled = 0;
      for await (const chunk of chunks) {
        for (let at = 0; at < chunk.length; ) {
          // A full chunk waits for the next byte, which says that it is not the last one.
          if (filled === CHUNK_BYTES) {
            yield sealer.seal(open, nth, false);
            nth += 1;
            filled = 0;
          }
          const part = chunk.subarray(at, at + CHUNK_BYTES - filled);
          open.set(part, filled);
          filled += part.length;
          at += part.length;
        }
      }
      yield sealer.seal(open.subarray(0, filled), nth, true);
      open = Buffer.alloc(0);
    })();
  }

  async read(stored: StoredBytes, span: ByteSpan): Promise<Buffer> {
    return this.#either(
      stored,
      async (encrypted) => {
        const chunks = chunkSpanOf(stored.sizeBytes, span.start, span.lengthBytes);
        // The head stands before the first chunk, and is read with it.
        const withHead = chunks.first === 0;
        const from = withHead ? 0 : chunks.start;
        const [bytes, head] = await Promise.all([
          this.#store.read(encrypted, { start: from, lengthBytes: chunks.start + chunks.lengthBytes - from }),
          withHead ? null : this.#store.read(encrypted, { start: 0, lengthBytes: HEAD_BYTES }),
        ]);
        const sealer = await this.#sealerOf(stored.storageKey, head ?? bytes.subarray(0, HEAD_BYTES));
        const parts: Buffer[] = [];
        let nth = chunks.first;
        for (let at = chunks.start - from; at < bytes.length; at += STORED_CHUNK_BYTES) {
          const opened = sealer.open(bytes.subarray(at, at + STORED_CHUNK_BYTES), nth, nth === chunks.last);
          if (opened === null) throw refuse('integrity');
          parts.push(opened);
          nth += 1;
        }
        const [only] = parts;
        const whole = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
        return whole.subarray(chunks.skipBytes, chunks.skipBytes + span.lengthBytes);
      },
      () => this.#store.read(stored, span),
    );
  }

  async open(stored: StoredBytes, span: ByteSpan): Promise<ByteReader> {
    return this.#either(
      stored,
      (encrypted) => this.#openChunks(encrypted, chunkSpanOf(stored.sizeBytes, span.start, span.lengthBytes), span),
      () => this.#store.open(stored, span),
    );
  }

  async #openChunks(encrypted: StoredBytes, chunks: ChunkSpan, span: ByteSpan): Promise<ByteReader> {
    // The head stands before the first chunk, and is read with it.
    const withHead = chunks.first === 0;
    const head = withHead ? null : await this.#store.read(encrypted, { start: 0, lengthBytes: HEAD_BYTES });
    const start = withHead ? 0 : chunks.start;
    const pieces = new Pieces(
      await this.#store.open(encrypted, { start, lengthBytes: chunks.start + chunks.lengthBytes - start }),
    );
    try {
      const sealer = await this.#sealerOf(encrypted.storageKey, head ?? (await pieces.take(HEAD_BYTES)));
      return new ChunkReader(pieces, sealer, { ...chunks, wanted: span.lengthBytes });
    } catch (error) {
      await pieces.close();
      throw error;
    }
  }

  verify(stored: StoredBytes): Promise<void> {
    return this.#either(
      stored,
      (encrypted) => this.#store.verify(encrypted),
      () => this.#store.verify(stored),
    );
  }

  /**
   * Does the one where the bytes are encrypted, the other where they are plain: they are never as many. A file that is encrypted
   * between the two tries is found by the third.
   */
  async #either<Result>(
    stored: StoredBytes,
    encrypted: (stored: StoredBytes) => Promise<Result>,
    plain: () => Promise<Result>,
  ): Promise<Result> {
    const sealed = { ...stored, sizeBytes: storedSize(stored.sizeBytes) };
    try {
      return await encrypted(sealed);
    } catch (error) {
      if (!isDamaged(error) || !this.#options.readsPlain || !(await this.#isPlain(stored))) throw error;
    }
    try {
      return await plain();
    } catch (error) {
      if (!isDamaged(error)) throw error;
      return encrypted(sealed);
    }
  }

  /** Whether as many bytes lie there as the file has: encrypted ones are more. */
  async #isPlain(stored: StoredBytes): Promise<boolean> {
    return this.#store.verify(stored).then(
      () => true,
      (error: unknown) => {
        if (isDamaged(error)) return false;
        throw error;
      },
    );
  }

  async #sealerOf(storageKey: string, head: Buffer): Promise<ChunkSealer> {
    const wrapped = readHead(head);
    return new ChunkSealer(storageKey, await this.#unwrap(wrapped, storageKey));
  }

  async #unwrap(wrapped: WrappedKey | null, storageKey: string): Promise<Buffer> {
    const unwrapping = wrapped === null ? null : this.#options.keys.unwrap(wrapped, keyContext(storageKey));
    const key = await unwrapping?.catch((error: unknown) => {
      throw error instanceof KeyFault ? refuseCausedBy(error, 'unavailable') : error;
    });
    if (!key) throw refuse('integrity');
    return key;
  }

  /** The version of the key that new files get; null where they are written in plain. */
  async keyVersion(): Promise<number | null> {
    return this.#options.writes === 'plain' ? null : this.#options.keys.currentVersion();
  }

  async #headOf(stored: StoredBytes): Promise<WrappedKey | null> {
    if (await this.#isPlain(stored)) return null;
    const sealed = { ...stored, sizeBytes: storedSize(stored.sizeBytes) };
    const head = readHead(await this.#store.read(sealed, { start: 0, lengthBytes: HEAD_BYTES }));
    if (head === null) throw refuse('integrity');
    return head;
  }

  /** Encrypts a file that lies in plain, or wraps its key anew; does nothing to one that is as new ones are. Returns the version. */
  async renew(blob: StoredBlob): Promise<number> {
    const { keys } = this.#options;
    const wrapped = await this.#headOf(blob);
    const current = await keys.currentVersion();
    if (wrapped?.version === current) return current;
    const staged = await (wrapped === null ? this.#encrypting(blob) : this.#rewrapping(blob, wrapped));
    await staged.publish();
    return current;
  }

  async #encrypting(blob: StoredBlob): Promise<StagedBytes> {
    const reader = await this.#store.open(blob, { start: 0, lengthBytes: blob.sizeBytes });
    const digest = createHash('sha256');
    const chunks = piecesOf(reader, (piece) => digest.update(piece));
    const staged = await this.stageInPlaceOf(blob.storageKey, chunks, exactly(blob.sizeBytes));
    // Damaged bytes are not sealed as if they were whole.
    if (digest.digest('hex') === blob.sha256) return staged;
    await staged.discard();
    throw refuse('integrity');
  }

  async #rewrapping(blob: StoredBlob, wrapped: WrappedKey): Promise<StagedBytes> {
    const { keys } = this.#options;
    const key = await this.#unwrap(wrapped, blob.storageKey);
    const head = headOf(await keys.wrap(key, keyContext(blob.storageKey)));
    const stored = { ...blob, sizeBytes: storedSize(blob.sizeBytes) };
    const reader = await this.#store.open(stored, {
      start: HEAD_BYTES,
      lengthBytes: stored.sizeBytes - HEAD_BYTES,
    });
    return this.#store.stageInPlaceOf(blob.storageKey, headed(head, piecesOf(reader)), exactly(stored.sizeBytes));
  }

  ensureRoom(incomingBytes: number): Promise<void> {
    return this.#store.ensureRoom(incomingBytes);
  }

  remove(storageKey: string): Promise<void> {
    return this.#store.remove(storageKey);
  }

  removeLeftovers(beforeMs: number): Promise<number> {
    return this.#store.removeLeftovers(beforeMs);
  }

  list(): AsyncIterable<StoredEntry> {
    return this.#store.list();
  }

  check(): Promise<void> {
    return this.#store.check();
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

async function* headed(head: Buffer, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* pieces;
}
