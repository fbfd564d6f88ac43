// What a TIFF, the format of scanners, says of its pages (TIFF 6.0, parts 1 and 2).

/** `unsupportedTiff`: of a kind that scanners do not write, such as tiles, planes, 16 bits, JPEG of before 1995, more than 4 GB. */
export type TiffReason = 'damaged' | 'unsupportedTiff' | 'tooManyPages';

/** The file is no TIFF that can be read. */
export class TiffFault extends Error {
  override readonly name = 'TiffFault';
  readonly reason: TiffReason;

  constructor(reason: TiffReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

export const damaged = (message: string) => new TiffFault('damaged', message);
export const unsupported = (message: string) => new TiffFault('unsupportedTiff', message);

/** The tags of a page that are read (TIFF 6.0, parts 1 and 2; Technical Note 2 for JPEG). */
export const TAG = {
  subfile: 254,
  width: 256,
  height: 257,
  bits: 258,
  packing: 259,
  colours: 262,
  bitOrder: 266,
  offsets: 273,
  orientation: 274,
  samples: 277,
  stripRows: 278,
  lengths: 279,
  xResolution: 282,
  yResolution: 283,
  planes: 284,
  faxOptions: 292,
  unit: 296,
  predictor: 317,
  palette: 320,
  tileWidth: 322,
  jpegTables: 347,
} as const;

/** How many bytes a value of a type has; types that no tag above has are left out. */
const TYPE_BYTES: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 5: 8, 7: 1 };
const RATIONAL = 5;
/** In place of 42 where offsets have eight bytes. */
const WIDE = 43;

export type Tags = ReadonlyMap<number, readonly number[]>;

export class TiffReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #little: boolean;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const mark = bytes.length < 8 ? 0 : this.#view.getUint16(0);
    this.#little = mark === 0x4949;
    const kind = mark === 0x4949 || mark === 0x4d4d ? this.#u16(2) : 0;
    if (kind === WIDE) throw unsupported('It is of the kind for more than 4 GB');
    if (kind !== 42) throw damaged('It does not begin as a TIFF does');
  }

  #u16 = (at: number) => this.#view.getUint16(at, this.#little);
  #u32 = (at: number) => this.#view.getUint32(at, this.#little);

  slice(offset: number, length: number): Uint8Array {
    if (offset + length > this.#bytes.length) throw damaged('A part of it lies beyond its end');
    return this.#bytes.subarray(offset, offset + length);
  }

  /** The tags of each page. A file whose pages lead back to one that was read has no end. */
  *pages(): Generator<Tags> {
    const read = new Set<number>();
    for (let at = this.#u32(4); at !== 0; ) {
      if (read.has(at)) throw damaged('Its pages go in a circle');
      read.add(at);
      this.slice(at, 2);
      const count = this.#u16(at);
      this.slice(at + 2, count * 12 + 4);
      yield this.#tags(at + 2, count);
      at = this.#u32(at + 2 + count * 12);
    }
  }

  #tags(first: number, count: number): Tags {
    const known = new Set<number>(Object.values(TAG));
    const tags = new Map<number, readonly number[]>();
    for (let at = first; at < first + count * 12; at += 12) {
      const [tag, type, length] = [this.#u16(at), this.#u16(at + 2), this.#u32(at + 4)];
      const bytes = (TYPE_BYTES[type] ?? 0) * length;
      if (bytes === 0 || !known.has(tag)) continue;
      const from = bytes <= 4 ? at + 8 : this.#u32(at + 8);
      this.slice(from, bytes);
      tags.set(
        tag,
        Array.from({ length }, (_, nth) => this.#value(type, from + nth * (TYPE_BYTES[type] ?? 0))),
      );
    }
    return tags;
  }

  #value(type: number, at: number): number {
    if (type === RATIONAL) return this.#u32(at) / this.#u32(at + 4);
    const bytes = TYPE_BYTES[type];
    if (bytes === 1) return this.#view.getUint8(at);
    return bytes === 2 ? this.#u16(at) : this.#u32(at);
  }
}

/** The first value of a tag. */
export const one = (tags: Tags, tag: number, otherwise: number) => tags.get(tag)?.[0] ?? otherwise;
