// Encrypted bytes opened chunk by chunk while they are read.

import { refuse } from '#contract/errors.ts';
import type { ByteReader } from '../byte-store.ts';
import { type ChunkSealer, type ChunkSpan, STORED_CHUNK_BYTES } from './format.ts';

interface WantedChunks extends ChunkSpan {
  /** So many bytes of the file. */
  readonly wanted: number;
}

/** What a place reads, however it cuts its pieces, in pieces of the size that is asked for. */
export class Pieces {
  readonly #reader: ByteReader;
  #held: Buffer[] = [];
  #heldBytes = 0;

  constructor(reader: ByteReader) {
    this.#reader = reader;
  }

  async take(sizeBytes: number): Promise<Buffer> {
    while (this.#heldBytes < sizeBytes) {
      const piece = await this.#reader.next();
      if (piece === null) throw refuse('integrity');
      this.#held.push(piece);
      this.#heldBytes += piece.length;
    }
    const [only] = this.#held;
    const held = this.#held.length === 1 && only !== undefined ? only : Buffer.concat(this.#held);
    const rest = held.subarray(sizeBytes);
    this.#held = rest.length === 0 ? [] : [rest];
    this.#heldBytes = rest.length;
    return held.subarray(0, sizeBytes);
  }

  close(): Promise<void> {
    return this.#reader.close();
  }
}

/** Chunks opened one after the other: none is passed on before it was found whole. */
export class ChunkReader implements ByteReader {
  readonly #pieces: Pieces;
  readonly #sealer: ChunkSealer;
  readonly #last: number;
  #nth: number;
  #storedLeft: number;
  #skipBytes: number;
  #wanted: number;

  constructor(pieces: Pieces, sealer: ChunkSealer, { first, last, lengthBytes, skipBytes, wanted }: WantedChunks) {
    this.#pieces = pieces;
    this.#sealer = sealer;
    this.#nth = first;
    this.#last = last;
    this.#storedLeft = lengthBytes;
    this.#skipBytes = skipBytes;
    this.#wanted = wanted;
  }

  async next(): Promise<Buffer | null> {
    if (this.#wanted === 0) return null;
    const stored = await this.#pieces.take(Math.min(STORED_CHUNK_BYTES, this.#storedLeft));
    const opened = this.#sealer.open(stored, this.#nth, this.#nth === this.#last);
    if (opened === null) throw refuse('integrity');
    this.#nth += 1;
    this.#storedLeft -= stored.length;
    const part = opened.subarray(this.#skipBytes, this.#skipBytes + this.#wanted);
    this.#skipBytes = 0;
    this.#wanted -= part.length;
    return part;
  }

  close(): Promise<void> {
    return this.#pieces.close();
  }
}
