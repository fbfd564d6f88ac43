// What an image file says of itself before its picture: how large it is and how the camera was held.

export interface ImageHead {
  readonly width: number;
  readonly height: number;
  /** Of all its frames: what is unpacked to show it. */
  readonly points: number;
  /** As cameras write it: 1 is upright, from 5 on the picture lies on its side. */
  readonly orientation: number;
  /** Of a GIF, how far around its first frame the whole goes: above it, at the right, below and at the left. */
  readonly around?: readonly number[];
}

/** The types of images whose words are recognised. */
export const PICTURE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Each is the one before it in its row, turned to the right by a quarter; those of the second row are mirrored. */
const ORIENTATIONS: readonly (readonly number[])[] = [
  [1, 6, 3, 8],
  [2, 7, 4, 5],
];

/** How a picture is to be turned that is to be turned to the right by so many quarters besides. */
export function turnedOrientation(orientation: number, quarters: number): number {
  const row = ORIENTATIONS.find((one) => one.includes(orientation)) ?? [];
  return row[(row.indexOf(orientation) + quarters) % row.length] ?? orientation;
}

const upright = (width: number, height: number, points = width * height): ImageHead => ({
  width,
  height,
  points,
  orientation: 1,
});

/** Of a picture that lies as the camera was held. */
const held = (width: number, height: number, orientation = 1): ImageHead => ({
  ...(orientation < 5 ? upright(width, height) : upright(height, width)),
  orientation,
});

/** Of a PNG, JPEG, GIF or WebP, the size as it is looked at; undefined for anything else. */
export function imageHead(image: Uint8Array): ImageHead | undefined {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.length);
  if (bytes.length >= 24 && bytes.readUInt32BE(0) === 0x89504e47) return pngHead(bytes);
  if (bytes.length >= 14 && /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return gifHead(bytes);
  if (bytes.length >= 30 && bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') {
    return webpHead(bytes);
  }
  return bytes.length >= 4 && bytes.readUInt16BE(0) === 0xffd8 ? jpegHead(bytes) : undefined;
}

const PNG = { picture: 0x49444154, notes: 0x65584966 };

/** Its notes count where they come before the picture: browsers show it by no others. */
function pngHead(bytes: Buffer): ImageHead {
  let orientation: number | undefined;
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const part = bytes.readUInt32BE(at + 4);
    if (part === PNG.picture) break;
    if (part === PNG.notes) orientation ??= orientationIn(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  }
  return held(bytes.readUInt32BE(16), bytes.readUInt32BE(20), orientation);
}

/** How many bytes a table of colours has, by the byte that tells of it. */
const coloursAfter = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1));
const GIF = { extension: 0x21, frame: 0x2c };

/** The first frame is what is read, and all of them are unpacked for it: each has a size of its own, whatever the screen's. */
function gifHead(bytes: Buffer): ImageHead | undefined {
  let first: number | undefined;
  let points = 0;
  let at = 13 + coloursAfter(bytes[10] ?? 0);
  while (at < bytes.length) {
    if (bytes[at] === GIF.frame && at + 10 < bytes.length) {
      first ??= at;
      points += bytes.readUInt16LE(at + 5) * bytes.readUInt16LE(at + 7);
      // Past its colours and the byte that says how wide the codes are.
      at += 11 + coloursAfter(bytes[at + 9] ?? 0);
    } else if (bytes[at] === GIF.extension) at += 2;
    else break;
    while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0);
    at += 1;
  }
  return first === undefined ? undefined : onScreen(bytes, first, points);
}

/** The frame that begins at `at`, on its screen, as browsers show it: no less than what the frame needs. */
function onScreen(bytes: Buffer, at: number, points: number): ImageHead {
  const [left, top] = [bytes.readUInt16LE(at + 1), bytes.readUInt16LE(at + 3)];
  const [right, bottom] = [left + bytes.readUInt16LE(at + 5), top + bytes.readUInt16LE(at + 7)];
  const [width, height] = [Math.max(bytes.readUInt16LE(6), right), Math.max(bytes.readUInt16LE(8), bottom)];
  return { ...upright(width, height, points), around: [top, width - right, height - bottom, left] };
}

/** By how its picture is packed; of an extended one the size of the whole. */
function webpHead(bytes: Buffer): ImageHead | undefined {
  const packing = bytes.toString('latin1', 12, 16);
  if (packing === 'VP8X') return upright(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
  if (packing === 'VP8 ') return upright(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
  if (packing !== 'VP8L') return undefined;
  const size = bytes.readUInt32LE(21);
  return upright((size & 0x3fff) + 1, ((size >> 14) & 0x3fff) + 1);
}

/** The marks of a JPEG that begin a picture, by how it is packed. */
const isFrame = (mark: number) => mark >= 0xc0 && mark <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(mark);
const EXIF = 0xe1;

function jpegHead(bytes: Buffer): ImageHead | undefined {
  let orientation: number | undefined;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const mark = bytes[at + 1] ?? 0;
    // Other notes follow them that do not say it.
    if (mark === EXIF) orientation ??= orientationIn(bytes.subarray(at, at + 2 + bytes.readUInt16BE(at + 2)));
    if (!isFrame(mark)) continue;
    return held(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5), orientation);
  }
  return undefined;
}

/** The entry of the camera's notes that says so, in either order of bytes, without what it says. */
const ENTRIES = [Buffer.from('011200030000000100', 'hex'), Buffer.from('1201030001000000', 'hex')];

function orientationIn(notes: Buffer): number | undefined {
  for (const entry of ENTRIES) {
    const at = notes.indexOf(entry);
    const value = at === -1 ? 0 : notes[at + entry.length];
    if (value !== undefined && value >= 1 && value <= 8) return value;
  }
  return undefined;
}
