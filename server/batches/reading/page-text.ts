// What is read of a page: the text that stands on it, and where. Written by the readers, read by the recognisers.

/** Text as it stands in one piece. In points from the top left corner of the page as it is looked at, turned as the page is turned. */
export interface TextRun {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PageText {
  readonly width: number;
  readonly height: number;
  /** In the order of the page's content, which need not be the order of reading. */
  readonly runs: readonly TextRun[];
  /** By how many degrees the page as it is looked at was turned to the right to be read, where it lay on its side or upside down. */
  readonly turned?: number;
  /** Nothing stands on it, as far as it was looked at: the back of a sheet. A page without words need not be blank. */
  readonly blank?: boolean;
  /** Of a file that is a table, such as a CSV or a workbook: in points, how far down its first row of several cells stands. */
  readonly tableTop?: number;
  /** It is a picture that could not be read, and why: nobody knows what stands on it. */
  readonly unread?: PictureFault;
}

/** Why a picture could not be read. `tooLong`: it takes more time or memory than any honest one. */
export type PictureFault = 'tooLong' | 'damaged';

/** Where a table begins whose runs are its cells, row after row: above it a title may stand. 0 where it has no such row. */
export const tableTopOf = (cells: readonly TextRun[]): number =>
  cells.find(({ y }, index) => cells[index + 1]?.y === y)?.y ?? 0;

/** As many letters count as one piece of text: a long run is not read at the cost of a short one. */
const PIECE_LETTERS = 20;

/** How many pieces of text stand on pages: what recognising them costs. */
export function piecesOn(pages: readonly PageText[]): number {
  let pieces = 0;
  for (const { runs } of pages)
    for (const { text } of runs) pieces += Math.max(1, Math.ceil(text.length / PIECE_LETTERS));
  return pieces;
}

/** Whether a piece stands anywhere. */
export const isPlaced = ({ x, y, width, height }: TextRun): boolean => Number.isFinite(x + y + width + height);

/** Whether a piece says anything, and where. */
export const isReadable = (run: TextRun): boolean => run.text.trim() !== '' && isPlaced(run);

/** In letters: no page that people print has more. What stands beyond is not recognised. */
const LETTERS_RECOGNISED = 60_000;

/** The pieces of a page as far as they are recognised: the same list where that is all of them. */
export function recognisedRuns(runs: readonly TextRun[]): readonly TextRun[] {
  let letters = 0;
  for (const [index, run] of runs.entries()) {
    if (!isReadable(run)) continue;
    letters += run.text.length;
    if (letters > LETTERS_RECOGNISED) return runs.slice(0, index);
  }
  return runs;
}

/** Whether a page begins as an ACH file does, of which each record counts. */
export const mayBeAchFile = ({ runs }: PageText): boolean => runs[0]?.text.startsWith('101') === true;

/** A page without what recognition does not look at: a text of a megabyte has seventeen times as much. */
export function asFarAsRecognised(page: PageText): PageText {
  const runs = mayBeAchFile(page) ? page.runs : recognisedRuns(page.runs);
  return runs === page.runs ? page : { ...page, runs };
}

const READABLE = /[\p{L}\p{N}]/gu;
/** More than the line of a fax and a stamp or two. */
const FEW_LETTERS = 200;

/** The letters and digits on a page, counted until there are more than a few. */
export function lettersOn({ runs }: PageText): number {
  let count = 0;
  for (const { text } of runs) {
    for (const _ of text.matchAll(READABLE)) {
      count += 1;
      if (count > FEW_LETTERS) return count;
    }
  }
  return count;
}

export interface PagesByLetters {
  /** The pages without a letter or digit, the first being 1: scans and blank ones. */
  readonly withoutText: readonly number[];
  /** Those with so few that they may be what a fax or a stamp left over a scan. */
  readonly withFewLetters: readonly number[];
}

/** Which pages may be pictures, by the letters on each. */
export function byLetters(letters: readonly number[]): PagesByLetters {
  const pagesWith = (isMeant: (count: number) => boolean) =>
    letters.flatMap((count, index) => (isMeant(count) ? [index + 1] : []));
  return {
    withoutText: pagesWith((count) => count === 0),
    withFewLetters: pagesWith((count) => count > 0 && count <= FEW_LETTERS),
  };
}

/** Some pages, or more of the last one: as much as is copied or written in a few milliseconds. */
export type PagesPart = { readonly pages: readonly PageText[] } | { readonly runs: readonly TextRun[] };

const [PAGES_OF_PART, RUNS_OF_PART] = [20, 5_000];

/** A page whose runs are still being put together. */
export type OwnPage = Omit<PageText, 'runs'> & { readonly runs: TextRun[] };

/** The pages in their order, which `addPart` puts together again. */
export function* partsOf(pages: readonly PageText[]): Generator<PagesPart> {
  let some: PageText[] = [];
  let runsOfSome = 0;
  for (const page of pages) {
    const runs = page.runs.slice(0, RUNS_OF_PART);
    if (some.length === PAGES_OF_PART || runsOfSome + runs.length > RUNS_OF_PART) {
      yield { pages: some };
      some = [];
      runsOfSome = 0;
    }
    some.push({ ...page, runs });
    runsOfSome += runs.length;
    if (page.runs.length === runs.length) continue;
    yield { pages: some };
    some = [];
    runsOfSome = 0;
    for (let from = RUNS_OF_PART; from < page.runs.length; from += RUNS_OF_PART) {
      yield { runs: page.runs.slice(from, from + RUNS_OF_PART) };
    }
  }
  if (some.length > 0) yield { pages: some };
}

/** Puts a part behind `pages`, which are the caller's own; so are their runs from then on. */
export function addPart(pages: OwnPage[], part: PagesPart): void {
  if ('pages' in part) {
    for (const page of part.pages) pages.push({ ...page, runs: [...page.runs] });
    return;
  }
  // In place: a copy for each part of a long page would take more memory than its text.
  pages.at(-1)?.runs.push(...part.runs);
}

/** An entry of the document's own table of contents. */
export interface Bookmark {
  readonly title: string;
  /** The page it leads to, the first being 1. */
  readonly page: number;
  /** 0 for the outermost. */
  readonly depth: number;
}
