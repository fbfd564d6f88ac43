// Measures a blob while its bytes pass: size, SHA-256 and first bytes, and whether a read blob is still the stored one.
import { createHash, type Hash, hash } from 'node:crypto';
import { refuse } from '#contract/errors.ts';
import { type BlobSpan, HEAD_BYTES, type StoredBlob } from './blob-store.ts';
import type { ByteSpan } from './byte-store.ts';

/** Takes the chunks of one upload in order. */
export class Measure {
  sizeBytes = 0;
  readonly #sha256: Hash = createHash('sha256');
  readonly #headChunks: Uint8Array[] = [];
  #headBytes = 0;
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Refuses `file_too_large` with the first byte beyond the limit. */
  add(chunk: Uint8Array): void {
    this.sizeBytes += chunk.length;
    if (this.sizeBytes > this.#maxBytes) throw refuse('file_too_large', { maxBytes: this.#maxBytes });
    this.#sha256.update(chunk);
    if (this.#headBytes < HEAD_BYTES) {
      // A copy: a chunk's memory belongs to its stream.
      const part = Uint8Array.from(chunk.subarray(0, HEAD_BYTES - this.#headBytes));
      this.#headChunks.push(part);
      this.#headBytes += part.length;
    }
  }

  /** Call it once, after the last chunk. */
  finish(): { sizeBytes: number; sha256: string; head: Uint8Array } {
    return {
      sizeBytes: this.sizeBytes,
      sha256: this.#sha256.digest('hex'),
      head: new Uint8Array(Buffer.concat(this.#headChunks)),
    };
  }
}

/** The bytes one read must yield, and their digest when they are the whole blob. */
export interface Expectation extends ByteSpan {
  readonly sha256: string | undefined;
}

/** Throws a RangeError for a span outside the blob: callers choose spans from the same size. */
export function expectationOf(blob: StoredBlob, span?: BlobSpan): Expectation {
  if (!span) return { start: 0, lengthBytes: blob.sizeBytes, sha256: blob.sha256 };
  if (!(span.start >= 0 && span.start <= span.end && span.end < blob.sizeBytes)) {
    throw new RangeError(`Span ${span.start}-${span.end} lies outside ${blob.sizeBytes} bytes`);
  }
  const lengthBytes = span.end - span.start + 1;
  return { start: span.start, lengthBytes, sha256: lengthBytes === blob.sizeBytes ? blob.sha256 : undefined };
}

/** Refuses `integrity` unless `bytes` are what was expected. */
export function assertExpected(bytes: Buffer, expected: Expectation): void {
  if (bytes.length !== expected.lengthBytes) throw refuse('integrity');
  if (expected.sha256 !== undefined && hash('sha256', bytes, 'hex') !== expected.sha256) throw refuse('integrity');
}

/** Follows a streamed read and says, chunk by chunk, whether the chunk may be passed on. */
export class Following {
  readonly #expected: Expectation;
  readonly #sha256: Hash | undefined;
  #seenBytes = 0;

  constructor(expected: Expectation) {
    this.#expected = expected;
    this.#sha256 = expected.sha256 === undefined ? undefined : createHash('sha256');
  }

  get remainingBytes(): number {
    return this.#expected.lengthBytes - this.#seenBytes;
  }

  /** Refuses `integrity` for a byte too many, and for a last chunk that completes other bytes than were stored. */
  pass(chunk: Uint8Array): void {
    this.#seenBytes += chunk.length;
    this.#sha256?.update(chunk);
    if (this.remainingBytes < 0) throw refuse('integrity');
    if (this.remainingBytes === 0 && this.#sha256 && this.#sha256.digest('hex') !== this.#expected.sha256) {
      throw refuse('integrity');
    }
  }
}
