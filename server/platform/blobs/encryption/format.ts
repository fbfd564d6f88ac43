// What an encrypted file looks like where it is stored: a head with its own key, wrapped, and chunks that are sealed one by one.
//
//   head    128 bytes: 'COFFERE1', version of the master key (4), wrapped key (60), zeros
//   chunks  65,536 bytes each, the last one shorter: AES-256-GCM of up to 65,520 bytes, with the tag (16) behind
//
// A chunk is sealed for its file, its place and whether it is the last: none can be moved, left out, repeated or cut off. The key
// is used for one file alone, so that the place of a chunk is its nonce.
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { giveBack } from '../../jobs/give-back.ts';
import type { WrappedKey } from './master-keys.ts';
import { WRAPPED_BYTES } from './master-keys.ts';

const MAGIC = Buffer.from('COFFERE1');
export const HEAD_BYTES = 128;
const VERSION_AT = MAGIC.length;
const WRAPPED_AT = VERSION_AT + 4;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
export const STORED_CHUNK_BYTES = 64 * 1024;
export const CHUNK_BYTES = STORED_CHUNK_BYTES - TAG_BYTES;

const chunksOf = (sizeBytes: number) => Math.max(1, Math.ceil(sizeBytes / CHUNK_BYTES));

/** How many bytes are stored for a file of this size. */
export const storedSize = (sizeBytes: number) => HEAD_BYTES + sizeBytes + TAG_BYTES * chunksOf(sizeBytes);

/** What a wrapped key is bound to. */
export const keyContext = (storageKey: string) => Buffer.from(`file ${storageKey}`);

export function headOf({ version, bytes }: WrappedKey): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  MAGIC.copy(head);
  head.writeUInt32BE(version, VERSION_AT);
  bytes.copy(head, WRAPPED_AT);
  return head;
}

/** Null where the bytes are no head. */
export function readHead(head: Buffer): WrappedKey | null {
  if (head.length !== HEAD_BYTES || !head.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  if (head.subarray(WRAPPED_AT + WRAPPED_BYTES).some((byte) => byte !== 0)) return null;
  return {
    version: head.readUInt32BE(VERSION_AT),
    bytes: head.subarray(WRAPPED_AT, WRAPPED_AT + WRAPPED_BYTES),
  };
}

/** Seals and opens the chunks of one file. */
export class ChunkSealer {
  readonly #key: Buffer;
  readonly #storageKey: string;

  constructor(storageKey: string, key: Buffer) {
    this.#storageKey = storageKey;
    this.#key = key;
  }

  seal(chunk: Uint8Array, nth: number, isLast: boolean): Buffer {
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonceOf(nth), { authTagLength: TAG_BYTES });
    cipher.setAAD(this.#place(isLast));
    const sealed = cipher.update(chunk);
    const whole = Buffer.concat([sealed, cipher.final(), cipher.getAuthTag()]);
    giveBack(sealed);
    return whole;
  }

  /** Null where any of it was changed. */
  open(stored: Buffer, nth: number, isLast: boolean): Buffer | null {
    if (stored.length < TAG_BYTES) return null;
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonceOf(nth), { authTagLength: TAG_BYTES });
    decipher.setAAD(this.#place(isLast));
    decipher.setAuthTag(stored.subarray(-TAG_BYTES));
    try {
      const opened = decipher.update(stored.subarray(0, -TAG_BYTES));
      const rest = decipher.final();
      return rest.length === 0 ? opened : Buffer.concat([opened, rest]);
    } catch {
      return null;
    }
  }

  #place(isLast: boolean): Buffer {
    return Buffer.from(`${this.#storageKey} ${isLast ? 'last' : 'on'}`);
  }
}

function nonceOf(nth: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeBigUInt64BE(BigInt(nth), NONCE_BYTES - 8);
  return nonce;
}

/** Where the chunks of a span lie in what is stored. */
export interface ChunkSpan {
  /** The first one being 0. */
  readonly first: number;
  /** Of the stored bytes. */
  readonly start: number;
  readonly lengthBytes: number;
  /** The last chunk of the whole file. */
  readonly last: number;
  /** So many bytes of the first chunk stand before the span. */
  readonly skipBytes: number;
}

export function chunkSpanOf(sizeBytes: number, start: number, lengthBytes: number): ChunkSpan {
  const last = chunksOf(sizeBytes) - 1;
  const first = Math.min(last, Math.floor(start / CHUNK_BYTES));
  const end = Math.min(last, Math.floor(Math.max(start, start + lengthBytes - 1) / CHUNK_BYTES));
  const from = HEAD_BYTES + first * STORED_CHUNK_BYTES;
  const to = Math.min(storedSize(sizeBytes), HEAD_BYTES + (end + 1) * STORED_CHUNK_BYTES);
  return { first, start: from, lengthBytes: to - from, last, skipBytes: start - first * CHUNK_BYTES };
}
