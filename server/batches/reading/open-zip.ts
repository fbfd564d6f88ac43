// What is in a ZIP that somebody sent: judged by its table of contents before any byte of it is unpacked.
import { isUtf8 } from 'node:buffer';
import { Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import {
  type Entry,
  fromBufferPromise,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl';
import type { BlobStore, StoredBlob } from '../../platform/blobs/blob-store.ts';

export interface ZipLimits {
  readonly entriesMost: number;
  /** Of everything in it, unpacked. */
  readonly bytesMost: number;
}

/** What is packed tighter than this, and not small, is there to fill a disk: honest tables of figures reach a fifth of it. */
const RATIO_MOST = 200;
const SMALL_BYTES = 10 * 1024 * 1024;

/** Why a ZIP is not opened at all. */
export type ZipFault = 'damaged' | 'tooManyEntries' | 'tooLarge' | 'tooTight';

export class CannotOpenZip extends Error {
  override readonly name = 'CannotOpenZip';
  readonly fault: ZipFault;

  constructor(fault: ZipFault, options?: ErrorOptions) {
    super(`The ZIP cannot be opened: ${fault}`, options);
    this.fault = fault;
  }
}

/** An entry whose bytes are not what the table of contents says. */
export class DamagedEntry extends Error {
  override readonly name = 'DamagedEntry';
}

export interface ZipEntry {
  /** As it is written in the ZIP: nothing to open a file by. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly isEncrypted: boolean;
  /** Its bytes, checked as they come: the stream fails with `DamagedEntry`. One at a time. */
  read(): Promise<Readable>;
}

export interface OpenZip {
  /** Without folders. */
  readonly entries: readonly ZipEntry[];
  close(): void;
}

/** What is read ahead of small questions: a table of contents is asked for entry by entry, and each reading of a store costs. */
const READ_AHEAD_BYTES = 64 * 1024;

/** Reads the blob's spans as they are asked for: a ZIP of gigabytes is never in memory. */
class BlobReader extends RandomAccessReader {
  readonly #blobs: Pick<BlobStore, 'read'>;
  readonly #blob: StoredBlob;
  #ahead: { readonly start: number; readonly bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };

  constructor(blobs: Pick<BlobStore, 'read'>, blob: StoredBlob) {
    super();
    this.#blobs = blobs;
    this.#blob = blob;
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    this.#span(position, length).then(
      (bytes) => {
        bytes.copy(target, offset);
        done(null);
      },
      (error: Error) => done(error),
    );
  }

  async #span(start: number, length: number): Promise<Buffer> {
    const within = () => start >= this.#ahead.start && start + length <= this.#ahead.start + this.#ahead.bytes.length;
    if (!within()) {
      const end = Math.min(this.#blob.sizeBytes, start + Math.max(length, READ_AHEAD_BYTES));
      this.#ahead = { start, bytes: await buffer(this._readStreamForRange(start, end)) };
      if (!within()) throw new Error('The ZIP ends too early');
    }
    return this.#ahead.bytes.subarray(start - this.#ahead.start, start - this.#ahead.start + length);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const [blobs, blob] = [this.#blobs, this.#blob];
    async function* bytes() {
      const content = await blobs.read(blob, { start, end: end - 1 });
      if (Buffer.isBuffer(content)) yield content;
      else yield* content as AsyncIterable<Buffer>;
    }
    return Readable.from(bytes(), { objectMode: false });
  }
}

/** Throws `CannotOpenZip`. */
export async function openZip(
  source: Buffer | { readonly blobs: Pick<BlobStore, 'read'>; readonly blob: StoredBlob },
  limits: ZipLimits,
): Promise<OpenZip> {
  // Names are decoded here: one that leads elsewhere is a name like any other, and opens nothing.
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: true } as const;
  let zip: ZipFile | undefined;
  try {
    zip = Buffer.isBuffer(source)
      ? await fromBufferPromise(source, options)
      : await fromRandomAccessReaderPromise(new BlobReader(source.blobs, source.blob), source.blob.sizeBytes, options);
    const packedBytes = Buffer.isBuffer(source) ? source.length : source.blob.sizeBytes;
    const opened = zip;
    return { entries: await judged(opened, packedBytes, limits), close: () => opened.close() };
  } catch (error) {
    zip?.close();
    throw error instanceof CannotOpenZip ? error : new CannotOpenZip('damaged', { cause: error });
  }
}

async function judged(zip: ZipFile, packedBytes: number, limits: ZipLimits): Promise<ZipEntry[]> {
  if (zip.entryCount > limits.entriesMost) throw new CannotOpenZip('tooManyEntries');
  const entries: ZipEntry[] = [];
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    bytes += entry.uncompressedSize;
    if (bytes > limits.bytesMost) throw new CannotOpenZip('tooLarge');
    // Of the whole as well: entries may share what they are unpacked from.
    if (isTooTight(entry.uncompressedSize, entry.compressedSize) || isTooTight(bytes, packedBytes)) {
      throw new CannotOpenZip('tooTight');
    }
    const path = pathOf(entry);
    if (!path.endsWith('/')) entries.push(entryOf(zip, entry, path));
  }
  return entries;
}

const isTooTight = (bytes: number, packed: number) => bytes > SMALL_BYTES && bytes > RATIO_MOST * packed;

/** Says that names are UTF-8; Macs write them so and do not say it. */
const NAMES_ARE_UTF8 = 0x800;

const pathOf = ({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry) =>
  getFileNameLowLevel(
    isUtf8(fileNameRaw) ? generalPurposeBitFlag | NAMES_ARE_UTF8 : generalPurposeBitFlag,
    fileNameRaw,
    extraFields,
    false,
  );

function entryOf(zip: ZipFile, entry: Entry, path: string): ZipEntry {
  return {
    path,
    sizeBytes: entry.uncompressedSize,
    isEncrypted: entry.isEncrypted(),
    read: async () => {
      let content: Readable;
      try {
        content = await zip.openReadStreamPromise(entry);
      } catch (error) {
        throw new DamagedEntry('It cannot be unpacked', { cause: error });
      }
      return checked(content, entry);
    },
  };
}

/** The reader counts bytes, and does not look at their sum. */
function checked(content: Readable, entry: Entry): Readable {
  let sum = 0;
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sum = crc32(chunk, sum);
      done(null, chunk);
    },
    flush(done) {
      done(sum === entry.crc32 ? null : new DamagedEntry('Its checksum is another'));
    },
  });
  content.once('error', (error) => check.destroy(new DamagedEntry('It cannot be unpacked', { cause: error })));
  check.once('close', () => content.destroy());
  return content.pipe(check);
}
