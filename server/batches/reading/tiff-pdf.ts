// Writes the pages of a TIFF as a PDF. What a PDF can hold as it is packed (fax, JPEG) is not unpacked.
import { createHash } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
import {
  concatTransformationMatrix,
  degrees,
  drawObject,
  PDFDocument,
  PDFHexString,
  popGraphicsState,
  pushGraphicsState,
} from '@cantoo/pdf-lib';
import { PAGES_MAX } from './read-document.ts';
import { damaged, one, TAG, type Tags, TiffFault, TiffReader, unsupported } from './tiff-file.ts';
import { unpackBits, unpackLzw } from './tiff-unpack.ts';

const PACKING = {
  none: 1,
  faxRows: 2,
  fax3: 3,
  fax4: 4,
  lzw: 5,
  jpeg: 7,
  deflate: 8,
  packBits: 32_773,
  oldDeflate: 32_946,
};
const PACKINGS: ReadonlySet<number> = new Set(Object.values(PACKING));
const COLOURS = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, palette: 3, cmyk: 5, yCbCr: 6 };
const FAX: ReadonlySet<number> = new Set([PACKING.faxRows, PACKING.fax3, PACKING.fax4]);

/** As much as any scanner makes of one sheet, unpacked. */
const RAW_BYTES_MAX = 200 * 1024 * 1024;
const SIDE_MAX = 65_000;
/** A page of which nobody says how fine it is has the width of a letter. */
const LETTER_INCHES = 8.5;
const POINTS_OF_INCH = 72;
const CENTIMETRES = 3;
const CENTIMETRES_OF_INCH = 2.54;
/** In points to an inch: what is finer or coarser is a mistake. */
const [COARSEST, FINEST] = [20, 5000];

interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly samples: number;
  readonly packing: number;
  readonly colours: number;
  readonly predictor: number;
  readonly tags: Tags;
}

function sheetOf(tags: Tags): Sheet {
  const [width, height] = [one(tags, TAG.width, 0), one(tags, TAG.height, 0)];
  const bits = one(tags, TAG.bits, 1);
  const samples = one(tags, TAG.samples, 1);
  const isSheet = width > 0 && height > 0 && width <= SIDE_MAX && height <= SIDE_MAX;
  if (!isSheet || bits < 1 || samples < 1) throw damaged('A page has no size');
  const isFew = [1, 2, 4, 8].includes(bits) && samples <= 5;
  if (!isFew || (samples > 1 && bits !== 8)) throw unsupported('A page has other bits than are read');
  const lies = tags.has(TAG.tileWidth) ? 'tiles' : samples > 1 && one(tags, TAG.planes, 1) === 2 ? 'planes' : 'strips';
  if (lies !== 'strips') throw unsupported(`A page lies in ${lies}`);
  const packing = one(tags, TAG.packing, PACKING.none);
  const colours = one(tags, TAG.colours, COLOURS.whiteIsZero);
  if (!PACKINGS.has(packing)) throw unsupported('A page is packed in a way that is not read');
  // One of its colours may be that of several points, which a JPEG says of itself.
  if (colours === COLOURS.yCbCr && packing !== PACKING.jpeg) throw unsupported('A page has its colours apart');
  if (Math.ceil((width * bits * samples) / 8) * height > RAW_BYTES_MAX)
    throw damaged('A page is larger than any sheet');
  return {
    width,
    height,
    bits,
    samples,
    packing,
    colours,
    predictor: one(tags, TAG.predictor, 1),
    tags,
  };
}

interface Strip {
  readonly bytes: Uint8Array;
  readonly rows: number;
}

function stripsOf(reader: TiffReader, { height, tags }: Sheet): Strip[] {
  const offsets = tags.get(TAG.offsets) ?? [];
  const lengths = tags.get(TAG.lengths) ?? [];
  const each = Math.min(one(tags, TAG.stripRows, height), height);
  if (
    each === 0 ||
    offsets.length === 0 ||
    offsets.length !== Math.ceil(height / each) ||
    lengths.length < offsets.length
  )
    throw damaged('A page has not all of its strips');
  const isMirrored = one(tags, TAG.bitOrder, 1) === 2;
  return offsets.map((offset, nth) => {
    const bytes = reader.slice(offset, lengths[nth] ?? 0);
    return { bytes: isMirrored ? mirrored(bytes) : bytes, rows: Math.min(each, height - nth * each) };
  });
}

/** Each byte with its bits in the other order. */
const mirrored = (bytes: Uint8Array) =>
  bytes.map((byte) => {
    let turned = 0;
    for (let bit = 0; bit < 8; bit += 1) turned |= ((byte >> bit) & 1) << (7 - bit);
    return turned;
  });

/** How many colours a point has once what lies over them (how opaque it is) is left out. */
const colourCount = ({ colours }: Sheet) =>
  colours === COLOURS.rgb || colours === COLOURS.yCbCr ? 3 : colours === COLOURS.cmyk ? 4 : 1;

/** What a PDF's dictionaries are made of. */
type Entry = string | number | boolean | PDFHexString | readonly Entry[] | { readonly [key: string]: Entry };

function spaceOf(sheet: Sheet): Entry {
  const { colours, bits, tags } = sheet;
  if (colours !== COLOURS.palette)
    return ['', 'DeviceGray', '', 'DeviceRGB', 'DeviceCMYK'][colourCount(sheet)] ?? 'DeviceGray';
  const palette = tags.get(TAG.palette) ?? [];
  const count = 2 ** bits;
  if (palette.length < 3 * count) throw damaged('A page has not all of its colours');
  const table = Array.from({ length: count }, (_, nth) =>
    [0, 1, 2].map((colour) => ((palette[colour * count + nth] ?? 0) >> 8).toString(16).padStart(2, '0')).join(''),
  );
  return ['Indexed', 'DeviceRGB', count - 1, PDFHexString.of(table.join(''))];
}

interface Picture {
  readonly rows: number;
  readonly dict: Record<string, Entry>;
  readonly bytes: Uint8Array;
}

/** The pictures that a page is put together from, from its top, each with its height in rows. */
function picturesOf(sheet: Sheet, strips: readonly Strip[]): Picture[] {
  const { width, bits, samples, packing, colours, tags } = sheet;
  const common = { Type: 'XObject', Subtype: 'Image', Width: width, BitsPerComponent: bits };
  if (FAX.has(packing)) {
    if (bits !== 1 || samples !== 1) throw damaged('A fax has more than black and white');
    const twoDimensional = packing === PACKING.fax4 ? -1 : one(tags, TAG.faxOptions, 0) & 1;
    return strips.map(({ bytes, rows }) => ({
      rows,
      bytes,
      dict: {
        ...common,
        Height: rows,
        ColorSpace: 'DeviceGray',
        Filter: 'CCITTFaxDecode',
        DecodeParms: {
          K: packing === PACKING.fax3 ? twoDimensional : Math.min(twoDimensional, 0),
          Columns: width,
          Rows: rows,
          EndOfBlock: false,
          EncodedByteAlign: packing === PACKING.faxRows,
          BlackIs1: colours === COLOURS.blackIsZero,
        },
      },
    }));
  }
  if (packing === PACKING.jpeg) {
    const tables = Uint8Array.from(tags.get(TAG.jpegTables) ?? []);
    return strips.map(({ bytes, rows }) => ({
      rows,
      bytes: withTables(bytes, tables),
      dict: {
        ...common,
        Height: rows,
        ColorSpace: spaceOf(sheet),
        Filter: 'DCTDecode',
        DecodeParms: { ColorTransform: colours === COLOURS.yCbCr ? 1 : 0 },
      },
    }));
  }
  const kept = colourCount(sheet);
  if (samples < kept) throw damaged('A page has not all of its colours');
  const raw = Buffer.concat(strips.map((strip) => unpacked(sheet, strip)));
  const isInverted = colours === COLOURS.whiteIsZero;
  return [
    {
      rows: sheet.height,
      bytes: deflateSync(samples === kept ? raw : withoutExtra(raw, samples, kept)),
      dict: {
        ...common,
        Height: sheet.height,
        ColorSpace: spaceOf(sheet),
        Filter: 'FlateDecode',
        ...(sheet.predictor === 2
          ? { DecodeParms: { Predictor: 2, Colors: kept, BitsPerComponent: bits, Columns: width } }
          : {}),
        ...(isInverted ? { Decode: [1, 0] } : {}),
      },
    },
  ];
}

/** What stands once in the file, for all its strips, stands in each picture. */
function withTables(picture: Uint8Array, tables: Uint8Array): Uint8Array {
  if (picture[0] !== 0xff || picture[1] !== 0xd8) throw damaged('A strip is no JPEG');
  // Without their own first and last mark.
  return tables.length < 4
    ? picture
    : Buffer.concat([picture.subarray(0, 2), tables.subarray(2, -2), picture.subarray(2)]);
}

/** Points of `kept` of their `samples` bytes. As differences from the point before they are left out just so. */
function withoutExtra(raw: Uint8Array, samples: number, kept: number): Uint8Array {
  const points = new Uint8Array((raw.length / samples) * kept);
  for (let from = 0, to = 0; from < raw.length; from += samples, to += kept)
    points.set(raw.subarray(from, from + kept), to);
  return points;
}

function unpacked({ width, bits, samples, packing }: Sheet, { bytes, rows }: Strip): Uint8Array {
  const length = Math.ceil((width * bits * samples) / 8) * rows;
  const raw = unpack(packing, bytes, length);
  if (raw.length < length) throw damaged('A strip ends before its last row');
  return raw.subarray(0, length);
}

function unpack(packing: number, bytes: Uint8Array, length: number): Uint8Array {
  switch (packing) {
    case PACKING.none:
      return bytes;
    case PACKING.packBits:
      return unpackBits(bytes, length);
    case PACKING.lzw:
      return unpackLzw(bytes, length);
    default:
      try {
        // A row more than there is says that the rest is not the page's.
        return inflateSync(bytes, { maxOutputLength: length + 1024 });
      } catch {
        throw damaged('A strip cannot be inflated');
      }
  }
}

/** The page as it is looked at: how far its top is turned to the right, by the tag's value. What is mirrored is shown as it lies. */
const TURNED: Readonly<Record<number, number>> = { 3: 180, 6: 90, 8: 270 };
const REDUCED = 1;

/** In points, 72 to an inch. */
function sizeOf({ width, height, tags }: Sheet): { width: number; height: number } {
  const inch = one(tags, TAG.unit, 2) === CENTIMETRES ? CENTIMETRES_OF_INCH : 1;
  const told = [TAG.xResolution, TAG.yResolution].map((tag) => one(tags, tag, 0) * inch);
  const isTold = told.every((fineness) => fineness >= COARSEST && fineness <= FINEST);
  const [across = 1, down = 1] = isTold ? told : [width / LETTER_INCHES, width / LETTER_INCHES];
  return { width: (width / across) * POINTS_OF_INCH, height: (height / down) * POINTS_OF_INCH };
}

export interface PdfOfTiff {
  readonly pdf: Uint8Array;
  readonly pages: number;
}

/** The pages of a TIFF as a PDF, without the small pictures of them that some scanners add. Throws `TiffFault`. */
export async function tiffToPdf(bytes: Uint8Array): Promise<PdfOfTiff> {
  const reader = new TiffReader(bytes);
  const pdf = await PDFDocument.create({ updateMetadata: false });
  for (const tags of reader.pages()) {
    if (one(tags, TAG.subfile, 0) & REDUCED) continue;
    if (pdf.getPageCount() === PAGES_MAX) throw new TiffFault('tooManyPages', 'It has too many pages');
    const sheet = sheetOf(tags);
    const size = sizeOf(sheet);
    const page = pdf.addPage([size.width, size.height]);
    page.setRotation(degrees(TURNED[one(tags, TAG.orientation, 1)] ?? 0));
    let below = 0;
    for (const { rows, dict, bytes: content } of picturesOf(sheet, stripsOf(reader, sheet))) {
      below += rows;
      const stream = pdf.context.stream(content, dict);
      const name = page.node.newXObject('Im', pdf.context.register(stream));
      const [height, bottom] = [rows, sheet.height - below].map((count) => (count / sheet.height) * size.height);
      page.pushOperators(
        pushGraphicsState(),
        concatTransformationMatrix(size.width, 0, 0, height ?? 0, 0, bottom ?? 0),
        drawObject(name),
        popGraphicsState(),
      );
    }
  }
  if (pdf.getPageCount() === 0) throw damaged('It has no page');
  // Of another file it is another one, though its pages are the same: a batch has the same bytes once.
  const id = PDFHexString.of(createHash('sha256').update(bytes).digest('hex'));
  pdf.context.trailerInfo.ID = pdf.context.obj([id, id]);
  return { pdf: await pdf.save(), pages: pdf.getPageCount() };
}
