// A page in shades of gray, as the recognition of words takes it.
import type { Matrix } from './pdf-runs.ts';

export interface Raster {
  readonly width: number;
  readonly height: number;
  /** A byte a point, row by row from the top; 0 is black. */
  readonly gray: Uint8Array<ArrayBuffer>;
}

/** A picture as pdf.js hands it over. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint8ClampedArray;
  readonly kind: 'bits' | 'rgb' | 'rgba' | 'stencil';
}

/** A picture, and the matrix from the square of side 1, which it fills, to the page as it is looked at. */
export interface PlacedPicture {
  readonly picture: Picture;
  readonly matrix: Matrix;
}

const WHITE = 255;

/** Draws the pictures onto a white page, each point as the picture has it there. `scale` is points of the raster to a point of the page. */
export function drawn(
  pictures: readonly PlacedPicture[],
  page: { width: number; height: number },
  scale: number,
): Raster {
  const [width, height] = [Math.ceil(page.width * scale), Math.ceil(page.height * scale)];
  const gray = new Uint8Array(width * height).fill(WHITE);
  for (const { picture, matrix } of pictures)
    draw(
      picture,
      matrix.map((part) => part * scale),
      { width, height, gray },
    );
  return { width, height, gray };
}

function draw(
  picture: Picture,
  [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]: Matrix,
  { width, height, gray }: Raster,
): void {
  const area = a * d - b * c;
  if (area === 0) return;
  const [xs, ys] = [
    [e, e + a, e + c, e + a + c],
    [f, f + b, f + d, f + b + d],
  ];
  const [left, right] = [Math.max(0, Math.floor(Math.min(...xs))), Math.min(width, Math.ceil(Math.max(...xs)))];
  const [top, bottom] = [Math.max(0, Math.floor(Math.min(...ys))), Math.min(height, Math.ceil(Math.max(...ys)))];
  const shade = shadeOf(picture);
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const [dx, dy] = [x + 0.5 - e, y + 0.5 - f];
      const column = Math.floor(((d * dx - c * dy) / area) * picture.width);
      const row = Math.floor((1 - (a * dy - b * dx) / area) * picture.height);
      if (column < 0 || row < 0 || column >= picture.width || row >= picture.height) continue;
      const at = y * width + x;
      gray[at] = shade(column, row, gray[at] ?? WHITE);
    }
  }
}

/** The shade of a point of the picture over the shade that is there. */
function shadeOf({ data, kind, width }: Picture): (column: number, row: number, below: number) => number {
  const bytesOfRow = (width + 7) >> 3;
  const isSet = (column: number, row: number) =>
    ((data[row * bytesOfRow + (column >> 3)] ?? 0) & (128 >> (column & 7))) !== 0;
  const luma = (at: number) => 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);
  if (kind === 'bits') return (column, row) => (isSet(column, row) ? WHITE : 0);
  if (kind === 'stencil') return (column, row, below) => (isSet(column, row) ? below : 0);
  if (kind === 'rgb') return (column, row) => luma((row * width + column) * 3);
  return (column, row, below) => {
    const at = (row * width + column) * 4;
    const cover = (data[at + 3] ?? WHITE) / WHITE;
    return luma(at) * cover + below * (1 - cover);
  };
}

/** Turned by as many quarters to the right. */
export function turned({ width, height, gray }: Raster, quarters: number): Raster {
  if (quarters === 0) return { width, height, gray };
  const to = new Uint8Array(gray.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) to[x * height + (height - 1 - y)] = gray[y * width + x] ?? WHITE;
  }
  return turned({ width: height, height: width, gray: to }, quarters - 1);
}

/** Fewer dark points than a line of text has. */
export function isBlank({ gray }: Raster): boolean {
  let dark = 0;
  for (const shade of gray) if (shade < 128) dark += 1;
  return dark < gray.length / 20_000;
}

/** Whether not even anything faint is on it, but for dust and the shade of paper. */
export function isBare({ gray }: Raster): boolean {
  let faint = 0;
  for (const shade of gray) if (shade < 200) faint += 1;
  return faint < gray.length / 5_000;
}

/** As a file that needs no decoding. */
export function fileOf({ width, height, gray }: Raster): Uint8Array<ArrayBuffer> {
  const head = Buffer.from(`P5\n${width} ${height}\n255\n`);
  const file = new Uint8Array(head.length + gray.length);
  file.set(head);
  file.set(gray, head.length);
  return file;
}
