// Encrypted bytes opened chunk by chunk while they are read.

import { refuse } from '#contract/errors.ts';
import { giveBack } from '../../jobs/give-back.ts';
import type { ByteReader } from '../byte-store.ts';
import { type ChunkSealer, type ChunkSpan, STORED_CHUNK_BYTES } from './format.ts';

interface WantedChunks extends ChunkSpan {
  /** So many bytes of the file. */
  readonly wanted: number;
}

/** What a place reads, however it cuts its pieces, in pieces of the size that is asked for. */
export class Pieces {
  readonly #reader: ByteReader;
  readonly #held: Buffer[] = [];
  /** Of the first of them, so many were taken. */
  #takenBytes = 0;
  #heldBytes = 0;

  constructor(reader: ByteReader) {
    this.#reader = reader;
  }

  /** In memory that is the taker's alone. */
  async take(sizeBytes: number): Promise<Buffer> {
    while (this.#heldBytes < sizeBytes) {
      const piece = await this.#reader.next();
      if (piece === null) throw refuse('integrity');
      this.#held.push(piece);
      this.#heldBytes += piece.length;
    }
    this.#heldBytes -= sizeBytes;
    const [first] = this.#held;
    if (first !== undefined && first.length === sizeBytes && this.#takenBytes === 0) {
      this.#held.shift();
      return first;
    }
    const taken = Buffer.allocUnsafeSlow(sizeBytes);
    let filled = 0;
    for (let piece = first; filled < sizeBytes && piece !== undefined; piece = this.#held[0]) {
      const part = piece.subarray(this.#takenBytes, this.#takenBytes + sizeBytes - filled);
      taken.set(part, filled);
      filled += part.length;
      this.#takenBytes += part.length;
      if (this.#takenBytes < piece.length) break;
      this.#held.shift();
      this.#takenBytes = 0;
      giveBack(piece);
    }
    return taken;
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
    giveBack(stored);
    const part = opened.subarray(this.#skipBytes, this.#skipBytes + this.#wanted);
    this.#skipBytes = 0;
    this.#wanted -= part.length;
    return part;
  }

  close(): Promise<void> {
    return this.#pieces.close();
  }
}
