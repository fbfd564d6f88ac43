// Pages as a scanner leaves them: pictures of letters, drawn point by point.
import { crc32, deflateSync } from 'node:zlib';

/** Five points wide and seven high; a row a letter, from top to bottom, five bits each. */
const LETTERS: Readonly<Record<string, readonly number[]>> = {
  A: [0x0e, 0x11, 0x11, 0x1f, 0x11, 0x11, 0x11],
  B: [0x1e, 0x11, 0x11, 0x1e, 0x11, 0x11, 0x1e],
  E: [0x1f, 0x10, 0x10, 0x1e, 0x10, 0x10, 0x1f],
  H: [0x11, 0x11, 0x11, 0x1f, 0x11, 0x11, 0x11],
  L: [0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x1f],
  O: [0x0e, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0e],
  P: [0x1e, 0x11, 0x11, 0x1e, 0x10, 0x10, 0x10],
  R: [0x1e, 0x11, 0x11, 0x1e, 0x14, 0x12, 0x11],
  T: [0x1f, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04],
  Y: [0x11, 0x11, 0x0a, 0x04, 0x04, 0x04, 0x04],
  ' ': [0, 0, 0, 0, 0, 0, 0],
};
const [ROWS, COLUMNS] = [7, 5];

export interface Bitmap {
  readonly width: number;
  readonly height: number;
  /** A byte a point; 0 is black. */
  readonly gray: Uint8Array;
}

/** A sheet at 100 points to an inch, with `lines` of large letters from near its top left corner. */
export function bitmapPage(lines: readonly string[], { size = 4, left = 60, top = 80 } = {}): Bitmap {
  const [width, height] = [850, 1_100];
  const gray = new Uint8Array(width * height).fill(255);
  const dot = (x: number, y: number) => {
    for (let row = 0; row < size; row += 1) gray.fill(0, (y + row) * width + x, (y + row) * width + x + size);
  };
  for (const [line, text] of lines.entries()) {
    for (const [place, letter] of [...text].entries()) {
      const rows = LETTERS[letter] ?? [];
      for (let row = 0; row < ROWS; row += 1) {
        for (let column = 0; column < COLUMNS; column += 1) {
          if (((rows[row] ?? 0) >> (COLUMNS - 1 - column)) & 1) {
            dot(left + (place * (COLUMNS + 1) + column) * size, top + (line * 2 * ROWS + row) * size);
          }
        }
      }
    }
  }
  return { width, height, gray };
}

/** The bitmap turned to the right by so many quarters. */
export function turnedBitmap({ width, height, gray }: Bitmap, quarters: number): Bitmap {
  if (quarters === 0) return { width, height, gray };
  const turned = new Uint8Array(gray.length);
  for (const [at, shade] of gray.entries()) {
    turned[(at % width) * height + height - 1 - Math.floor(at / width)] = shade;
  }
  return turnedBitmap({ width: height, height: width, gray: turned }, quarters - 1);
}

/** The bitmap as one bit a point, 1 being white; rows begin with a byte. */
export function bitsOf({ width, height, gray }: Bitmap): Uint8Array {
  const row = Math.ceil(width / 8);
  const bits = new Uint8Array(row * height);
  for (const [at, shade] of gray.entries()) {
    const x = at % width;
    const byte = Math.floor(at / width) * row + (x >> 3);
    if (shade > 127) bits[byte] = (bits[byte] ?? 0) | (128 >> (x & 7));
  }
  return bits;
}

/** `orientation`: how the camera was held, as it writes that before the picture; nothing is written unless it is said. */
export function pngOf({ width, height, gray }: Bitmap, { orientation = 0 } = {}): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1) rows.set(gray.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const notes = Buffer.from(`4d4d002a0000000800010112000300000001000${orientation}000000000000`, 'hex');
  const parts = [
    signature,
    chunk('IHDR', head),
    ...(orientation === 0 ? [] : [chunk('eXIf', notes)]),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return new Uint8Array(Buffer.concat(parts));
}

/**
 * The bitmap as a GIF of two colours, its points unpacked: each code is one point. `frames` times the same picture, on a screen of its
 * own size unless another is said.
 */
export function gifOf(
  { width, height, gray }: Bitmap,
  { frames = 1, screen = { width, height }, left = 0, top = 0 } = {},
): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(19);
  head.write('GIF89a', 'latin1');
  head.writeUInt16LE(screen.width, 6);
  head.writeUInt16LE(screen.height, 8);
  // Two colours: black, which the buffer is, and white.
  head[10] = 0x80;
  head.fill(255, 16);
  const frame = Buffer.alloc(11);
  frame[0] = 0x2c;
  frame.writeUInt16LE(left, 1);
  frame.writeUInt16LE(top, 3);
  frame.writeUInt16LE(width, 5);
  frame.writeUInt16LE(height, 7);
  // Codes of eight bits: seven for a point, and the table is cleared before they need a ninth.
  frame[10] = 7;
  const [clear, end, most] = [128, 129, 120];
  const codes: number[] = [];
  for (const [at, shade] of gray.entries()) {
    if (at % most === 0) codes.push(clear);
    codes.push(shade > 127 ? 1 : 0);
  }
  codes.push(end);
  const blocks: Buffer[] = [];
  for (let at = 0; at < codes.length; at += 255) {
    const some = codes.slice(at, at + 255);
    blocks.push(Buffer.from([some.length, ...some]));
  }
  const picture = Buffer.concat([frame, ...blocks, Buffer.from([0])]);
  return new Uint8Array(Buffer.concat([head, ...Array.from({ length: frames }, () => picture), Buffer.from(';')]));
}

/** The lines HARBOR PAYROLL and TOTAL PAY on a sheet, as another program made a WebP of it. */
export const WEBP_PAGE = new Uint8Array(
  Buffer.from(
    'UklGRtAAAABXRUJQVlA4TMQAAAAvUcMSAQ8w//M///MfeIAcSZKkKM0QIPTXMjWIxwzw2oMzI/o/Af6gl/lv/vtvQExJSU1JVVJThNQU5WGAIAiCHAQ5CPIQsX04JCSkpIf0kJKIpI8FQUDkgAdFDviIsFfsHfYhAakpcg+mJCSPgB/xCzUSUxJTTkhNkQeEiIjIFUEeK7YPjeRKSiI+NOSKIi8hpleSR8dPOP/Nf/Pf/Df/zX/z3/w3/81/89/8N//Nf/Pf/Df/zX/z3/w3/81/89/89ykH',
    'base64',
  ),
);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}
