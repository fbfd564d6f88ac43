// Words of pages that are pictures: scans in PDFs, and image files. One page at a time in the whole process, since each takes a processor
// for seconds and much memory.
import { movable, Thread } from '#server/jobs/thread.ts';
import type { PageText, TextRun } from '../page-text.ts';
import { imageHead } from './image-head.ts';
import { stoodUp } from './lying-words.ts';
import type { Word } from './ocr-thread.ts';
import type { Scan } from './pdf-scan.ts';
import type { PageSize, PdfAnswer, PdfQuestion } from './pdf-thread.ts';
import { fileOf, isBare, isBlank, turned } from './raster.ts';
import { PAGES_MAX, PDF_THREAD } from './read-document.ts';
import { WordReader } from './word-reader.ts';

export interface RecognizedPage {
  /** The first being 1. */
  readonly page: number;
  /** Without runs when the page is blank, or takes more time or memory than any honest one. */
  readonly text: PageText;
  /** By how many degrees the page as it is looked at was turned to the right to stand upright; `text` is of the upright page. */
  readonly turned: number;
}

export interface OcrOptions {
  readonly password?: string | undefined;
  readonly signal: AbortSignal;
}

const PAGE_MS = 60_000;
const MEMORY_BYTES = 256 * 1024 * 1024;
/** Four times a sheet scanned at 300 points to an inch. */
const IMAGE_AREA_MAX = 40_000_000;
const SHEET_POINTS = 792;

/** Reads the pages of a PDF one after another, each when the one before has been taken. `bytes` are gone from this side afterwards. */
export async function* recognizeScans(
  bytes: Uint8Array,
  pages: readonly number[],
  { password, signal }: OcrOptions,
): AsyncGenerator<RecognizedPage, void, undefined> {
  await using pdf = new Thread<PdfQuestion, PdfAnswer>(PDF_THREAD, {
    signal,
    memoryBytes: MEMORY_BYTES + bytes.length,
    isKept: password === undefined,
  });
  await using words = new WordReader();
  const open = movable(bytes);
  const within = { withinMs: PAGE_MS };
  const opened = await pdf.ask({ open, password, pagesMax: PAGES_MAX }, { ...within, transfer: [open.buffer] });
  if (!('opened' in opened)) throw new Error('A PDF is recognised that cannot be read');
  for (const page of pages) {
    const answer = await pdf.ask({ scan: page }, within);
    if (!('scan' in answer)) throw new Error('A page is recognised that cannot be read');
    const { size, scan, paintsMore } = answer;
    const blank = scan === undefined || isBlank(scan.raster);
    const bare = !paintsMore && (scan === undefined || isBare(scan.raster));
    const nothing = bare ? { blank: true } : {};
    const empty = { text: { ...size, runs: [], ...nothing }, turned: 0 };
    yield { page, ...(blank ? empty : ((await upright(scan, size, words, signal)) ?? empty)) };
  }
}

/** The words of an image file, on a page as long as a sheet of paper. Undefined when it takes more than any honest one. */
export async function recognizeImage(image: Uint8Array, { signal }: OcrOptions): Promise<PageText | undefined> {
  const head = imageHead(image);
  if (head === undefined || head.width * head.height > IMAGE_AREA_MAX) return undefined;
  await using words = new WordReader();
  const found = await words.in({ image, orientation: head.orientation }, signal);
  if (found === undefined) return undefined;
  const scale = Math.max(head.width, head.height) / SHEET_POINTS;
  return { width: head.width / scale, height: head.height / scale, runs: found.map((word) => runOf(word, scale)) };
}

/** Below it, a page is looked at from its other sides too. */
const SURE = 75;
/** In the order in which scans lie wrong. */
const QUARTERS = [0, 2, 1, 3];

/** The words of a scan as it stands upright. Undefined when it takes too long. */
async function upright(
  { raster, scale }: Scan,
  { width, height }: PageSize,
  words: WordReader,
  signal: AbortSignal,
): Promise<Omit<RecognizedPage, 'page'> | undefined> {
  let best: ReturnType<typeof stoodUp> | undefined;
  for (const quarters of QUARTERS) {
    const sheet = turned(raster, quarters);
    const found = await words.in({ image: fileOf(sheet), orientation: 1 }, signal);
    if (found === undefined) continue;
    const stood = stoodUp({ words: found, width: sheet.width, height: sheet.height });
    if (best === undefined || weight(found) > weight(best.words)) {
      best = { ...stood, quarters: (stood.quarters + quarters) % 4 };
    }
    if (sureness(found) >= SURE) break;
  }
  if (best === undefined) return undefined;
  const size = best.quarters % 2 === 0 ? { width, height } : { width: height, height: width };
  return { text: { ...size, runs: best.words.map((word) => runOf(word, scale)) }, turned: best.quarters * 90 };
}

const weight = (words: readonly Word[]) =>
  words.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0);

/** Of a page with too few words nothing is sure. */
function sureness(words: readonly Word[]): number {
  return words.length < 3 ? 0 : weight(words) / words.reduce((sum, { text }) => sum + text.length, 0);
}

function runOf({ text, x, y, width, height }: Word, scale: number): TextRun {
  return { text, x: x / scale, y: y / scale, width: width / scale, height: height / scale };
}
