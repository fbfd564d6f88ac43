// Where the text of a PDF's page stands, as the page is looked at.
import type { TextRun } from './page-text.ts';

/** Six numbers that move, turn and stretch, as PDF has them. */
export type Matrix = readonly number[];

/** What `getTextContent` of pdf.js says of a piece of text. */
export interface TextItem {
  readonly str: string;
  readonly transform: Matrix;
  readonly width: number;
  readonly height: number;
}

/** How much of a line of text stands above the line that its letters stand on. */
const ABOVE_BASELINE = 0.8;

/** Those that no reader writes, and that fonts without Unicode leave. */
const CONTROL = /\p{Cc}+/gu;

export function times(outer: Matrix, inner: Matrix): [number, number, number, number, number, number] {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = outer;
  const [p = 1, q = 0, r = 0, s = 1, t = 0, u = 0] = inner;
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f];
}

/** Fewer signs than these do not tell how a page lies: they may be a stamp. */
const LYING_SIGNS = 20;
/** Of the signs on a page that lies, as many lie the same way; others have what is printed beside them turned. */
const LYING_SHARE = 0.75;

/** By how many degrees a page is to be turned to the right whose text was drawn on its side or upside down; 0 for any other. */
export function turnToRead(items: readonly TextItem[], view: Matrix): number {
  const signs = [0, 0, 0, 0];
  let all = 0;
  for (const { str, transform } of items) {
    const [a, b, c, d] = times(view, transform);
    // Letters that are mirrored are drawn by a font that mirrors them back.
    const quarters = a * d < b * c ? (4 - Math.round(Math.atan2(b, a) / (Math.PI / 2))) % 4 : 0;
    const own = str.trim().length;
    signs[quarters] = (signs[quarters] ?? 0) + own;
    all += own;
  }
  const most = Math.max(...signs);
  return most > LYING_SIGNS && most >= LYING_SHARE * all ? 90 * signs.indexOf(most) : 0;
}

const cents = (points: number) => Math.round(points * 100) / 100;

/** Undefined for what shows nothing. `view` leads from the page's own coordinates to those it is looked at in. */
export function runOf(item: TextItem, view: Matrix): TextRun | undefined {
  const text = item.str.replace(CONTROL, ' ').trim();
  if (text === '') return undefined;
  const [a, b, c, d, x, y] = times(view, item.transform);
  const stretch = Math.hypot(view[0] ?? 1, view[1] ?? 0);
  const along = unit(a, b);
  const up = unit(c, d);
  const width = item.width * stretch;
  const height = Math.hypot(c, d);
  const [above, below] = [height * ABOVE_BASELINE, -height * (1 - ABOVE_BASELINE)];
  const corners = [0, width].flatMap((step) =>
    [above, below].map((rise) => [x + along[0] * step + up[0] * rise, y + along[1] * step + up[1] * rise] as const),
  );
  return boxed(text, corners);
}

/** The text that fills a rectangle of the page, two opposite corners of which are given. */
export function runIn([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[], text: string, view: Matrix): TextRun {
  const corners = [times(view, [1, 0, 0, 1, x1, y1]), times(view, [1, 0, 0, 1, x2, y2])];
  return boxed(
    text,
    corners.map(([, , , , x, y]) => [x, y]),
  );
}

function unit(x: number, y: number): readonly [number, number] {
  const length = Math.hypot(x, y);
  return length === 0 ? [0, 0] : [x / length, y / length];
}

function boxed(text: string, corners: readonly (readonly [number, number])[]): TextRun {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return {
    text,
    x: cents(left),
    y: cents(top),
    width: cents(Math.max(...xs) - left),
    height: cents(Math.max(...ys) - top),
  };
}
