// The interface of the store that keeps the bytes of files, whichever kind it is; no behaviour.
import type { Readable } from 'node:stream';
import type { StageLimits, StoredEntry } from './byte-store.ts';

/** How many of the first bytes a staged blob remembers, for detecting its type. */
export const HEAD_BYTES = 4100;

/** Spans up to this size are read at once into one buffer; larger ones are streamed. */
export const WHOLE_READ_BYTES = 512 * 1024;

/** Both ends inclusive, as in `Range: bytes=start-end`. */
export interface BlobSpan {
  readonly start: number;
  readonly end: number;
}

/** What the database knows of a published blob; reading is refused when the bytes say otherwise. */
export interface StoredBlob {
  /** 32 lower-case hex digits, random. */
  readonly storageKey: string;
  readonly sizeBytes: number;
  /** 64 lower-case hex digits. */
  readonly sha256: string;
}

/**
 * Bytes that are durable but not yet part of the store. Whoever staged them owns them: `await using` drops what nobody has published
 * at the end of their block, and does nothing after `publish`.
 */
export interface StagedBlob extends AsyncDisposable {
  readonly sizeBytes: number;
  /** 64 lower-case hex digits. */
  readonly sha256: string;
  /** The first `HEAD_BYTES` bytes, or all of a shorter blob. */
  readonly head: Uint8Array;
  /**
   * Makes the blob durable under its storage key and returns that key. A failure leaves nothing behind and is not retried.
   * A caller that cannot record the key afterwards must call `BlobStore.remove` with it.
   */
  publish(): Promise<string>;
}

export interface StageOptions extends StageLimits {
  /** The key that the bytes have in the store they come from; a new one unless given. */
  readonly storageKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Refusals are those of `contract/errors.ts`; any other error is a fault of the store itself. */
export interface BlobStore {
  /** Refuses `storage_full` when `incomingBytes` more, with what open uploads may still write, would leave less than the floor of free space. */
  ensureRoom(incomingBytes: number): Promise<void>;
  /**
   * Reads `source` to its end in constant memory. Refuses `file_too_large` beyond `maxBytes` and `storage_full`. On any
   * failure, of the source too, nothing stays behind and the source is destroyed.
   */
  stage(source: Readable, options: StageOptions): Promise<StagedBlob>;
  /**
   * The bytes of `blob`, or of one span inside it: a buffer up to `WHOLE_READ_BYTES`, else a stream of exactly that many.
   * Refuses `integrity` before the first byte when the blob is missing or has another size. A whole blob is checked against
   * its SHA-256 as it is read; the stream then fails before its last bytes, never after.
   */
  read(blob: StoredBlob, span?: BlobSpan): Promise<Buffer | Readable>;
  /** Refuses `integrity` when the blob is missing or has another size, reading none of it. */
  verify(blob: StoredBlob): Promise<void>;
  /** The version of the key that new blobs are encrypted under; null where they are stored in plain. */
  keyVersion(): Promise<number | null>;
  /** Has a blob as new ones are: encrypted, under the newest key. Refuses `integrity` where its bytes are not those stored. */
  renew(blob: StoredBlob): Promise<void>;
  /** Removes the blob; a missing one is no fault. */
  remove(storageKey: string): Promise<void>;
  /** Removes uploads that never ended and were last touched before this instant (ms since 1970); returns how many. */
  removeLeftovers(beforeMs: number): Promise<number>;
  /** Every published blob. */
  list(): AsyncIterable<StoredEntry>;
  /** Refuses `unavailable` when the store cannot take an upload now. A full disk still serves, so it does not count. */
  check(): Promise<void>;
  close(): Promise<void>;
}
