// A scanner for the corpus: pages of text as the gray points of a sheet, a little askew, with the dust of paper.
import { join } from 'node:path';
import PDFDocument from 'pdfkit';
import type { PageText, TextRun } from '#server/batches/reading/page-text.ts';
import type { Bitmap } from '#server/testing/bitmap-page.ts';
import type { Random } from '../../demo/random.ts';

/** Points of a scan to a point of the page: 200 to an inch. */
const SCALE = 200 / 72;
/** Rows of samples to a row of points. */
const SAMPLES = 4;
const BASELINE = 0.8;
const CURVE_STEPS = 4;
const PAPER = 248;
/** One point in so many is dust. */
const DUST = 20_000;

interface Glyph {
  readonly advanceWidth: number;
  readonly path: { readonly commands: readonly { readonly command: string; readonly args: readonly number[] }[] };
}

interface Outlines {
  readonly unitsPerEm: number;
  layout(text: string): { readonly glyphs: readonly Glyph[] };
}

/** A font that pdf.js brings along, by its outlines. */
function openFont(): Outlines {
  const file = join(import.meta.dirname, '../../node_modules/pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf');
  const document = new PDFDocument().font(file) as unknown as { readonly _font: { readonly font: Outlines } };
  return document._font.font;
}

type Point = readonly [x: number, y: number];

/** The closed lines of a glyph, its curves as short straight ones. */
function linesOf({ path }: Glyph): Point[][] {
  const closed: Point[][] = [];
  let line: Point[] = [];
  for (const { command, args } of path.commands) {
    const [a = 0, b = 0, c = 0, d = 0] = args;
    if (command === 'moveTo') {
      line = [[a, b]];
      closed.push(line);
    } else if (command === 'lineTo') line.push([a, b]);
    else if (command === 'quadraticCurveTo') {
      const [x, y] = line.at(-1) ?? [0, 0];
      for (let step = 1; step <= CURVE_STEPS; step += 1) {
        const t = step / CURVE_STEPS;
        const [one, two, three] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
        line.push([one * x + two * a + three * c, one * y + two * b + three * d]);
      }
    }
  }
  return closed;
}

/** Sheets that are drawn point by point. */
class Sheet {
  readonly width: number;
  readonly height: number;
  /** How much of each point is ink, 1 being all of it. */
  readonly #ink: Float32Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#ink = new Float32Array(width * height);
  }

  /** Fills closed lines, whose holes go the other way round. */
  fill(closed: readonly (readonly Point[])[]): void {
    const ys = closed.flat().map(([, y]) => y);
    const [top, bottom] = [Math.floor(Math.min(...ys) * SAMPLES), Math.ceil(Math.max(...ys) * SAMPLES)];
    for (let row = top; row <= bottom; row += 1) {
      const y = (row + 0.5) / SAMPLES;
      const crossings: { readonly x: number; readonly way: number }[] = [];
      for (const line of closed) {
        for (const [at, from] of line.entries()) {
          const to = line[(at + 1) % line.length] ?? from;
          if (from[1] <= y === to[1] <= y) continue;
          const x = from[0] + ((y - from[1]) / (to[1] - from[1])) * (to[0] - from[0]);
          crossings.push({ x, way: to[1] > from[1] ? 1 : -1 });
        }
      }
      crossings.sort((one, other) => one.x - other.x);
      let winding = 0;
      for (const [at, { x, way }] of crossings.entries()) {
        winding += way;
        const next = crossings[at + 1];
        if (winding !== 0 && next !== undefined) this.#inkRow(Math.floor(y), x, next.x);
      }
    }
  }

  #inkRow(row: number, from: number, to: number): void {
    if (row < 0 || row >= this.height) return;
    const [left, right] = [Math.max(0, from), Math.min(this.width, to)];
    for (let at = Math.floor(left); at < right; at += 1) {
      const index = row * this.width + at;
      this.#ink[index] = (this.#ink[index] ?? 0) + (Math.min(at + 1, right) - Math.max(at, left)) / SAMPLES;
    }
  }

  /** As it is looked at, with dust on it. */
  gray(random: Random): Uint8Array {
    const gray = Uint8Array.from(this.#ink, (ink) => Math.round(PAPER * (1 - Math.min(1, ink))));
    for (let grain = 0; grain < gray.length / DUST; grain += 1)
      gray[random.int(0, gray.length - 1)] = random.int(0, 120);
    return gray;
  }
}

let font: Outlines | undefined;

function drawRun(sheet: Sheet, run: TextRun, place: (point: Point) => Point): void {
  font ??= openFont();
  const size = run.height / font.unitsPerEm;
  const baseline = run.y + run.height * BASELINE;
  let x = run.x;
  for (const glyph of font.layout(run.text).glyphs) {
    const left = x;
    const closed = linesOf(glyph).map((line) =>
      line.map(([px, py]) => place([left + px * size, baseline - py * size])),
    );
    if (closed.length > 0) sheet.fill(closed);
    x += glyph.advanceWidth * size;
  }
}

/** A page as a scanner leaves it, turned about its middle by `degrees` to the right. */
export function scanned({ width, height, runs }: PageText, degrees: number, random: Random): Bitmap {
  const sheet = new Sheet(Math.round(width * SCALE), Math.round(height * SCALE));
  const turn = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(turn) * SCALE, Math.sin(turn) * SCALE];
  const place = ([x, y]: Point): Point => {
    const [dx, dy] = [x - width / 2, y - height / 2];
    return [sheet.width / 2 + dx * cos - dy * sin, sheet.height / 2 + dx * sin + dy * cos];
  };
  for (const run of runs) drawRun(sheet, run, place);
  return { width: sheet.width, height: sheet.height, gray: sheet.gray(random) };
}
