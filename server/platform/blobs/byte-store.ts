// The interface of a place for bytes, such as a disk or a bucket. It knows keys, sizes and bytes; the layer above knows what they are.

/** Bytes at their place, as many as were written there. */
export interface StoredBytes {
  /** 32 lower-case hex digits. */
  readonly storageKey: string;
  readonly sizeBytes: number;
}

/** A part of the stored bytes, or all of them; 0 bytes long only where nothing is stored. */
export interface ByteSpan {
  readonly start: number;
  readonly lengthBytes: number;
}

/** Bytes that are durable and not at their place yet. End them with exactly one of `publish` and `discard`. */
export interface StagedBytes {
  /** Moves them to their place, durably. A failure leaves nothing behind. */
  publish(): Promise<void>;
  discard(): Promise<void>;
}

/** A span that is read piece by piece. Close it however the reading ends. */
export interface ByteReader {
  /** The next piece, in order, which nobody else looks at; null after the last one. Never called while a piece is awaited. */
  next(): Promise<Buffer | null>;
  close(): Promise<void>;
}

export interface StageLimits {
  readonly maxBytes: number;
  /** As many bytes, or fewer, are announced. Without it room is found while they come. */
  readonly expectedBytes?: number | undefined;
}

export interface StoredEntry {
  readonly storageKey: string;
  /** Milliseconds since 1970; undefined when the bytes have gone meanwhile. */
  modifiedAtMs(): Promise<number | undefined>;
}

/** The moments of an upload at which a test may stop it: all written, durable, at its place, the place durable. */
export type BlobStep = 'staged' | 'synced' | 'renamed' | 'folder-synced';
export type OnBlobStep = (step: BlobStep) => void | Promise<void>;

/** Refusals are those of `contract/errors.ts`; any other error is a fault of the place itself. */
export interface ByteStore {
  /** Refuses `storage_full` when `incomingBytes` more, with what open uploads may still write, would leave less than the floor of free space. */
  ensureRoom(incomingBytes: number): Promise<void>;
  /**
   * Writes `chunks`, at most `maxBytes` of them, in constant memory. Refuses `storage_full`, before the first chunk where the
   * expected bytes have no room. On any failure, of the chunks too, nothing stays behind.
   */
  stage(storageKey: string, chunks: AsyncIterable<Uint8Array>, limits: StageLimits): Promise<StagedBytes>;
  /**
   * The same for a place that has bytes already: until `publish` has ended they stay, whatever fails, and after it the new ones are
   * there. `publish` may have replaced them although it fails.
   */
  stageInPlaceOf(storageKey: string, chunks: AsyncIterable<Uint8Array>, limits: StageLimits): Promise<StagedBytes>;
  /** The span in one buffer, or fewer bytes where the stored ones end before. Refuses `integrity` as `verify` does. */
  read(stored: StoredBytes, span: ByteSpan): Promise<Buffer>;
  /** The span piece by piece, for spans too long for one buffer. Refuses `integrity` as `verify` does. */
  open(stored: StoredBytes, span: ByteSpan): Promise<ByteReader>;
  /** Refuses `integrity` when the bytes are missing or are not as many, reading none of them. */
  verify(stored: StoredBytes): Promise<void>;
  /** A missing key is no fault. */
  remove(storageKey: string): Promise<void>;
  /** Removes what was staged and never ended, last touched before this instant (ms since 1970); returns how many. */
  removeLeftovers(beforeMs: number): Promise<number>;
  /** Everything that was published. */
  list(): AsyncIterable<StoredEntry>;
  /** Rejects when the place cannot take bytes now. */
  check(): Promise<void>;
  close(): Promise<void>;
}
