// The one layer between the server and the byte stores: it hashes what comes in and verifies what goes out.
import { addAbortSignal, Readable } from 'node:stream';
import { refuse } from '#contract/errors.ts';
import {
  type BlobSpan,
  type BlobStore,
  type StagedBlob,
  type StageOptions,
  type StoredBlob,
  WHOLE_READ_BYTES,
} from './blob-store.ts';
import type { ByteReader, ByteStore, StagedBytes, StoredEntry } from './byte-store.ts';
import { EncryptedStore } from './encryption/encrypted-store.ts';
import { assertExpected, type Expectation, expectationOf, Following, Measure } from './measure.ts';
import { newStorageKey } from './storage-key.ts';
import { StoreFaults } from './store-faults.ts';

/** `faults` counts what fails for the store's own reasons. */
export function openContent(store: ByteStore | EncryptedStore, faults = new StoreFaults()): BlobStore {
  return new Content(store, store instanceof EncryptedStore ? store : null, faults);
}

class Content implements BlobStore {
  readonly #store: ByteStore;
  readonly #encrypted: EncryptedStore | null;
  readonly #faults: StoreFaults;

  constructor(store: ByteStore, encrypted: EncryptedStore | null, faults: StoreFaults) {
    this.#store = store;
    this.#encrypted = encrypted;
    this.#faults = faults;
  }

  async keyVersion(): Promise<number | null> {
    return this.#encrypted?.keyVersion() ?? null;
  }

  async renew(blob: StoredBlob): Promise<void> {
    await this.#encrypted?.renew(blob);
  }

  ensureRoom(incomingBytes: number): Promise<void> {
    return this.#faults.of('write', this.#store.ensureRoom(incomingBytes));
  }

  async stage(source: Readable, options: StageOptions): Promise<StagedBlob> {
    const { maxBytes, expectedBytes, storageKey = newStorageKey(), signal } = options;
    const measure = new Measure(maxBytes);
    let sourceFault: { readonly error: unknown } | undefined;
    async function* measured() {
      try {
        for await (const chunk of source as AsyncIterable<Buffer>) {
          measure.add(chunk);
          yield chunk;
        }
      } catch (error) {
        sourceFault = { error };
        throw error;
      }
    }
    try {
      // A source that breaks while the store gets ready is noticed above, when it is read.
      source.on('error', () => {});
      if (signal) addAbortSignal(signal, source);
      const staged = await this.#store.stage(storageKey, measured(), { maxBytes, expectedBytes });
      if (signal?.aborted) {
        await staged.discard();
        signal.throwIfAborted();
      }
      return { ...measure.finish(), ...ending(staged, storageKey, this.#faults) };
    } catch (error) {
      source.destroy();
      if (!sourceFault && !signal?.aborted) this.#faults.note('write');
      throw sourceFault ? sourceFault.error : error;
    }
  }

  async read(blob: StoredBlob, span?: BlobSpan): Promise<Buffer | Readable> {
    const expected = expectationOf(blob, span);
    if (expected.lengthBytes > WHOLE_READ_BYTES) {
      return new ContentStream(await this.#faults.of('read', this.#store.open(blob, expected)), expected, this.#faults);
    }
    return this.#faults.of('read', this.#readWhole(blob, expected));
  }

  async #readWhole(blob: StoredBlob, expected: Expectation): Promise<Buffer> {
    const bytes = await this.#store.read(blob, expected);
    assertExpected(bytes, expected);
    return bytes;
  }

  verify(blob: StoredBlob): Promise<void> {
    return this.#faults.of('read', this.#store.verify(blob));
  }

  remove(storageKey: string): Promise<void> {
    return this.#faults.of('remove', this.#store.remove(storageKey));
  }

  removeLeftovers(beforeMs: number): Promise<number> {
    return this.#store.removeLeftovers(beforeMs);
  }

  list(): AsyncIterable<StoredEntry> {
    return this.#store.list();
  }

  check(): Promise<void> {
    return this.#faults.of('check', this.#store.check());
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

function ending(
  staged: StagedBytes,
  storageKey: string,
  faults: StoreFaults,
): Pick<StagedBlob, 'publish'> & AsyncDisposable {
  let published = false;
  return {
    publish: async () => {
      await faults.of('write', staged.publish());
      published = true;
      return storageKey;
    },
    [Symbol.asyncDispose]: async () => {
      if (!published) await staged.discard();
    },
  };
}

/** A stream of a long span; it fails before its last bytes where the whole is not what was stored. */
class ContentStream extends Readable {
  readonly #reader: ByteReader;
  readonly #following: Following;
  readonly #faults: StoreFaults;

  constructor(reader: ByteReader, expected: Expectation, faults: StoreFaults) {
    // No reading ahead: one chunk in flight per reader is what keeps hundreds of slow readers cheap.
    super({ highWaterMark: 0 });
    this.#reader = reader;
    this.#following = new Following(expected);
    this.#faults = faults;
  }

  override _read(): void {
    this.#reader.next().then(
      (chunk) => {
        if (!this.destroyed) this.#pass(chunk);
      },
      (error: unknown) => this.#fail(error),
    );
  }

  #fail(error: unknown): void {
    this.#faults.note('read');
    this.destroy(error as Error);
  }

  #pass(chunk: Buffer | null): void {
    try {
      if (chunk !== null) this.#following.pass(chunk);
      else if (this.#following.remainingBytes > 0) throw refuse('integrity');
      this.push(chunk);
    } catch (error) {
      this.#fail(error);
    }
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#reader.close().then(
      () => done(error),
      (closing: unknown) => done(error ?? (closing as Error)),
    );
  }
}
