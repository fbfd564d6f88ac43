// Words of pages that are pictures: scans in PDFs, and image files. One page at a time in the whole process, since each takes a processor
// for seconds and much memory.
import { IMAGE_POINTS } from '#contract/recognition-words.ts';
import { giveBack } from '#server/platform/jobs/give-back.ts';
import { movable, Thread, ThreadLimit } from '#server/platform/jobs/thread.ts';
import { type ImageHead, imageHead, turnedOrientation } from './image-head.ts';
import { stoodUp } from './lying-words.ts';
import type { OcrQuestion, SheetQuestion, Word } from './ocr-thread.ts';
import type { PageText, PictureFault, TextRun } from './page-text.ts';
import type { Scan } from './pdf-scan.ts';
import type { PageSize, PdfAnswer, PdfQuestion } from './pdf-thread.ts';
import { PAGES_MAX, PDF_THREAD } from './read-document.ts';
import { IS_WORD, WordReader } from './word-reader.ts';

export interface RecognizedPage {
  /** The first being 1. */
  readonly page: number;
  /** Without runs when the page is blank, or could not be read. */
  readonly text: PageText;
  /** By how many degrees the page as it is looked at was turned to the right to stand upright; `text` is of the upright page. */
  readonly turned: number;
  /** What it teaches about the pages after it. */
  readonly effort: Effort;
  /** How long recognising took until now, without the waits for others, in ms. */
  readonly spentMs: number;
}

/** How the pages before were read: those of one file lie alike, and where none is sure, trying all sides of the next is in vain. */
export interface Effort {
  /** So many pages until now were not sure from any side. */
  readonly unsure: number;
  /** By how many quarters the last of them was turned to be read best. */
  readonly quarters: number;
}

export const NO_EFFORT: Effort = { unsure: 0, quarters: 0 };
/** After so many pages that are not sure from any side, each is looked at from one. */
const UNSURE_MAX = 2;

export interface OcrOptions {
  readonly password?: string | undefined;
  /** Whose turn it takes: pictures of different ones are recognised in turn. */
  readonly turn?: string | undefined;
  readonly effort?: Effort;
  /** The pages that have letters of their own: they are read where pictures fill them, which the letters lie over. */
  readonly lettered?: ReadonlySet<number>;
  readonly signal: AbortSignal;
}

/** Of a page: pictures that take as much of it fill it. */
const FILLED = 0.6;

const PAGE_MS = 60_000;
const MEMORY_BYTES = 256 * 1024 * 1024;
/** Four times a sheet scanned at 300 points to an inch. */
const IMAGE_AREA_MAX = 40_000_000;
const SHEET: PageSize = { width: 612, height: 792 };

/**
 * Reads the pages of a PDF one after another, each when the one before has been taken. A page that cannot be read says so in its text
 * and spoils none after it: `read` is asked for the bytes again where it ended the thread that had them.
 */
export async function* recognizeScans(
  read: () => Promise<Uint8Array>,
  pages: readonly number[],
  { password, turn = '', effort: before = NO_EFFORT, lettered = new Set(), signal }: OcrOptions,
): AsyncGenerator<RecognizedPage, void, undefined> {
  await using scans = new ScannedPages(read, { password, signal });
  await using words = new WordReader(turn);
  let effort = before;
  const spentMs = () => scans.spentMs + words.spentMs;
  for (const page of pages) {
    const answer = await scans.scan(page);
    if (typeof answer === 'string') {
      yield { page, text: { ...SHEET, runs: [], unread: answer }, turned: 0, effort, spentMs: spentMs() };
      continue;
    }
    const { size, scan, blank, bare } = answer;
    if (lettered.has(page) && (scan?.share ?? 0) < FILLED) {
      yield { page, text: { ...size, runs: [] }, turned: 0, effort, spentMs: spentMs() };
      continue;
    }
    const nothing = bare ? { blank: true } : {};
    const empty = { text: { ...size, runs: [], ...nothing }, turned: 0 };
    const found = blank || scan === undefined ? undefined : await upright(scan, size, { words, effort, signal });
    // Whoever recognised it had a copy.
    if (scan !== undefined) giveBack(scan.raster.gray);
    effort = found?.effort ?? effort;
    yield { page, ...(found?.read ?? empty), effort, spentMs: spentMs() };
  }
}

type ScannedPage = Extract<PdfAnswer, { readonly scan: unknown }>;

/** The pictures of a PDF, page by page. One that takes too much ends the thread that decodes it, and those after it have another. */
class ScannedPages implements AsyncDisposable {
  readonly #read: () => Promise<Uint8Array>;
  readonly #options: Pick<OcrOptions, 'password' | 'signal'>;
  #thread: Thread<PdfQuestion, PdfAnswer> | undefined;
  /** Why it cannot be opened: it is not tried again for each page. */
  #fault: PictureFault | undefined;
  #spentMs = 0;

  constructor(read: () => Promise<Uint8Array>, options: Pick<OcrOptions, 'password' | 'signal'>) {
    this.#read = read;
    this.#options = options;
  }

  /** How long its pages took until now, in ms. */
  get spentMs(): number {
    return this.#spentMs;
  }

  async scan(page: number): Promise<ScannedPage | PictureFault> {
    const begunAt = Date.now();
    try {
      if (this.#thread === undefined && this.#fault === undefined) this.#fault = await this.#open();
      if (this.#thread === undefined) return this.#fault ?? 'damaged';
      const answer = await this.#thread.ask({ scan: page }, { processorMs: PAGE_MS });
      return 'scan' in answer ? answer : 'damaged';
    } catch (error) {
      if (!(error instanceof ThreadLimit)) throw error;
      await this[Symbol.asyncDispose]();
      return 'tooLong';
    } finally {
      this.#spentMs += Date.now() - begunAt;
    }
  }

  async #open(): Promise<PictureFault | undefined> {
    const { password, signal } = this.#options;
    const bytes = movable(await this.#read());
    const memoryBytes = MEMORY_BYTES + bytes.length;
    this.#thread = new Thread(PDF_THREAD, { signal, memoryBytes, isKept: password === undefined });
    let fault: PictureFault = 'damaged';
    try {
      const question = { open: bytes, password, pagesMax: PAGES_MAX };
      const answer = await this.#thread.ask(question, { processorMs: PAGE_MS, transfer: [bytes.buffer] });
      if ('opened' in answer) return undefined;
    } catch (error) {
      if (!(error instanceof ThreadLimit)) throw error;
      fault = 'tooLong';
    }
    await this[Symbol.asyncDispose]();
    return fault;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.[Symbol.asyncDispose]();
  }
}

/** The words of an image file, on a page as long as a sheet of paper, as it stands upright; or why it cannot be read. */
export async function recognizeImage(
  image: Uint8Array,
  { turn = '', signal }: OcrOptions,
): Promise<PageText | PictureFault> {
  const head = imageHead(image);
  if (head === undefined) return 'damaged';
  if (head.points > IMAGE_AREA_MAX) return 'tooLong';
  const { width, height, orientation, around } = head;
  await using words = new WordReader(turn);
  const from = (quarters: number) => ({ image, orientation: turnedOrientation(orientation, quarters) });
  const view = await uprightImage({ width, height, around, from }, { words, signal });
  if (typeof view === 'string') return view;
  const scale = Math.max(width, height) / IMAGE_POINTS;
  const page = { width: view.width / scale, height: view.height / scale, runs: runsOf(view.words, scale) };
  return view.quarters === 0 ? page : { ...page, turned: view.quarters * 90 };
}

/** Below it, a page is looked at from its other sides too. */
const SURE = 75;
/** In the order in which scans lie wrong. On its side, a page is read from one of the first two as a rule: its words are found lying. */
const QUARTERS = [0, 2, 1, 3] as const;
/** Paper has more words; an image without them is a picture, from whichever side. */
const IMAGE_WORDS_MIN = 3;
/** An image of which so many times as much is read from one side as from another lies no other way. */
const CLEARLY = 3;

interface Attempt {
  readonly words: WordReader;
  readonly signal: AbortSignal;
}

/** A picture as it is looked at, which may lie any way. */
interface Lying extends PageSize {
  /** Of a picture of which a part is read. */
  readonly around?: ImageHead['around'] | undefined;
  /** What is asked about it where it is turned to the right by so many quarters. */
  readonly from: (quarters: number) => OcrQuestion | SheetQuestion;
}

/** What is read of it from one side, standing upright then. */
interface View extends PageSize {
  readonly words: readonly Word[];
  /** By how many it was turned to the right until its words stood upright. */
  readonly quarters: number;
  readonly weight: number;
  readonly isSure: boolean;
}

async function viewFrom(
  quarters: number,
  { width, height, around, from }: Lying,
  { words, signal }: Attempt,
): Promise<View | PictureFault> {
  const found = await words.in(from(quarters), signal);
  if (typeof found === 'string') return found;
  const [across, down] = quarters % 2 === 0 ? [width, height] : [height, width];
  const stood = stoodUp({ words: inWhole(found, quarters, around), width: across, height: down });
  const isSure = sureness(found) >= SURE;
  return { ...stood, quarters: (stood.quarters + quarters) % 4, weight: weight(found), isSure };
}

/** Words of a part where they stand in the whole, both turned to the right by so many quarters: what was at the left is above then. */
function inWhole(words: readonly Word[], quarters: number, around: ImageHead['around'] = []): readonly Word[] {
  const [above = 0, left = 0] = [around[(4 - quarters) % 4], around[3 - quarters]];
  return above === 0 && left === 0 ? words : words.map((word) => ({ ...word, x: word.x + left, y: word.y + above }));
}

/** Most images are no paper, or stand upright: only where words are found that are not sure, one is looked at from its other sides. */
async function uprightImage(lying: Lying, attempt: Attempt): Promise<View | PictureFault> {
  const [first, ...others] = QUARTERS;
  let best = await viewFrom(first, lying, attempt);
  for (const quarters of others) {
    if (typeof best === 'string' || best.isSure || wordsIn(best) < IMAGE_WORDS_MIN) break;
    const view = await viewFrom(quarters, lying, attempt);
    // From yet another side it would take as much.
    if (typeof view === 'string') break;
    const [more, less] = view.weight > best.weight ? [view, best] : [best, view];
    best = more;
    if (more.weight > CLEARLY * less.weight) break;
  }
  return best;
}

const wordsIn = ({ words }: View) => words.filter(({ text }) => IS_WORD.test(text)).length;

interface Upright {
  readonly read: Pick<RecognizedPage, 'text' | 'turned'>;
  readonly effort: Effort;
}

/** The words of a scan as it stands upright. */
async function upright(
  { raster, scale }: Scan,
  { width, height }: PageSize,
  { effort, ...attempt }: Attempt & { readonly effort: Effort },
): Promise<Upright> {
  const from = (quarters: number) => ({ sheet: raster, quarters });
  const lying = { width: raster.width, height: raster.height, from };
  let best: (View & { readonly seenFrom: number }) | undefined;
  let isSure = false;
  let fault: PictureFault = 'tooLong';
  for (const quarters of effort.unsure < UNSURE_MAX ? QUARTERS : [effort.quarters]) {
    const view = await viewFrom(quarters, lying, attempt);
    // From its other sides it would take as much.
    if (typeof view === 'string') {
      fault = view;
      break;
    }
    if (best === undefined || view.weight > best.weight) best = { ...view, seenFrom: quarters };
    isSure = view.isSure;
    if (isSure) break;
  }
  const next = { unsure: isSure ? 0 : effort.unsure + 1, quarters: best?.seenFrom ?? effort.quarters };
  if (best === undefined) {
    return { read: { text: { width, height, runs: [], unread: fault }, turned: 0 }, effort: next };
  }
  const size = best.quarters % 2 === 0 ? { width, height } : { width: height, height: width };
  const text = { ...size, runs: runsOf(best.words, scale) };
  return { read: { text, turned: best.quarters * 90 }, effort: next };
}

const weight = (words: readonly Word[]) =>
  words.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0);

/** Of a page with too few words nothing is sure. */
function sureness(words: readonly Word[]): number {
  return words.length < 3 ? 0 : weight(words) / words.reduce((sum, { text }) => sum + text.length, 0);
}

const LETTERS = /[\p{L}\p{N}]/u;

/** Whether a word is a sign as low as a hyphen, beside the word before it: such a box alone would be a line of its own. */
function isFlatBeside(word: Word, before: Word | undefined): before is Word {
  if (before === undefined || LETTERS.test(word.text) || word.height * 2 > before.height) return false;
  const middle = word.y + word.height / 2;
  return word.x > before.x && middle > before.y && middle < before.y + before.height;
}

function runsOf(words: readonly Word[], scale: number): TextRun[] {
  let before: Word | undefined;
  return words.map((word) => {
    before = isFlatBeside(word, before) ? { ...word, y: before.y, height: before.height } : word;
    const { text, x, y, width, height } = before;
    return { text, x: x / scale, y: y / scale, width: width / scale, height: height / scale };
  });
}
