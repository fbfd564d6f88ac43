// Bytes of files on a local disk: a part at once, or a long span a chunk at a time.

import type { FileHandle } from 'node:fs/promises';
import type { ByteReader, ByteSpan } from './byte-store.ts';
import { readFault } from './disk-faults.ts';

const STREAM_CHUNK_BYTES = 64 * 1024;

/** A long span of an open file, a chunk at a time. */
export class FileReader implements ByteReader {
  readonly #file: FileHandle;
  #position: number;
  readonly #end: number;

  constructor(file: FileHandle, { start, lengthBytes }: ByteSpan) {
    this.#file = file;
    this.#position = start;
    this.#end = start + lengthBytes;
  }

  async next(): Promise<Buffer | null> {
    const lengthBytes = Math.min(STREAM_CHUNK_BYTES, this.#end - this.#position);
    if (lengthBytes === 0) return null;
    try {
      const bytes = Buffer.allocUnsafeSlow(lengthBytes);
      const { bytesRead } = await this.#file.read(bytes, 0, lengthBytes, this.#position);
      this.#position += bytesRead;
      return bytesRead === 0 ? null : bytes.subarray(0, bytesRead);
    } catch (error) {
      throw readFault(error);
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

type ReadAt = (bytes: Buffer, offset: number, lengthBytes: number, position: number) => Promise<{ bytesRead: number }>;

/** Fewer bytes than asked for mean that the file ends before; up to `beyond` more come where it does not end after them. */
export async function readAt(read: ReadAt, start: number, lengthBytes: number, beyond = 0): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(lengthBytes + beyond);
  let filled = 0;
  while (filled < lengthBytes) {
    const { bytesRead } = await read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
