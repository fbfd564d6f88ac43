// A page as it is read: lines from top to bottom, in each of them cells that stand apart, in each cell its words.
import { searchForm } from '#contract/search.ts';
import type { PageText, TextRun } from '../page-text.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Word extends Box {
  /** As it stands: letters and digits with the points and apostrophes inside, or one sign. */
  readonly text: string;
  /** In plain small letters and digits; empty for a sign. */
  readonly plain: string;
  /** Whether a space stands before it. */
  readonly spaced: boolean;
}

/** Words that stand together, with wider gaps to what is beside them: a heading, a label, a column of a row. */
export interface Cell extends Box {
  readonly words: readonly Word[];
  readonly text: string;
  readonly line: number;
}

export interface PageWords {
  readonly width: number;
  readonly height: number;
  /** In the order of reading. */
  readonly cells: readonly Cell[];
  /** The cells of each line, from left to right. */
  readonly lines: readonly (readonly Cell[])[];
  /** The height that most text has. */
  readonly usualHeight: number;
}

/** Words of letters and digits, with the points and apostrophes inside of them; every other sign by itself. */
const PIECES = /[\p{L}\p{N}\p{M}]+(?:[.'’]+[\p{L}\p{N}\p{M}]+)*|\S/gu;
const PLAIN_ASCII = /^[a-z0-9]+$/;
const NOT_ASCII = /[^\x20-\x7e]/;
/** A run of text with this many spaces stands in two columns. */
const COLUMN_GAP = / {2,}|\t/;

export function plainWord(text: string): string {
  const small = text.toLowerCase();
  if (PLAIN_ASCII.test(small)) return small;
  return NOT_ASCII.test(small) ? searchForm(text).replaceAll(' ', '') : small.replace(/[^a-z0-9]/g, '');
}

/** A text's words in plain letters, without signs: what names and phrases are compared by. */
export const plainWords = (text: string): string[] =>
  [...text.normalize('NFKC').matchAll(PIECES)].map(([piece]) => plainWord(piece)).filter((word) => word !== '');

interface Piece extends Word {
  readonly newCell: boolean;
}

/** The words of a run: each as far along it as its letters are, which is near enough to mark it. */
function piecesOf(run: TextRun): Piece[] {
  const { text, x, y, width, height } = run;
  const letter = width / Math.max(1, text.length);
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(PIECES)) {
    const [piece] = match;
    const between = text.slice(end, match.index);
    pieces.push({
      text: piece,
      plain: plainWord(piece),
      spaced: between !== '',
      newCell: end > 0 && COLUMN_GAP.test(between),
      x: x + match.index * letter,
      y,
      width: piece.length * letter,
      height,
    });
    end = match.index + piece.length;
  }
  return pieces;
}

/** Runs whose middles are at one height, each line from left to right. */
function linesOf(runs: readonly TextRun[]): TextRun[][] {
  const middle = (run: TextRun) => run.y + run.height / 2;
  const lines: TextRun[][] = [];
  let line: TextRun[] = [];
  let at = Number.NEGATIVE_INFINITY;
  for (const run of [...runs].sort((one, other) => middle(one) - middle(other))) {
    const first = line[0];
    if (first === undefined || middle(run) - at > 0.45 * Math.min(run.height, first.height) + 0.5) {
      line = [];
      lines.push(line);
      at = middle(run);
    }
    line.push(run);
  }
  for (const each of lines) each.sort((one, other) => one.x - other.x);
  return lines;
}

const cellOf = (words: readonly Word[], line: number): Cell => ({
  words,
  text: textOf(words),
  line,
  ...boxAround(words),
});

/** Bold print is sometimes the same text twice, a hair apart. */
const isTwice = (run: TextRun, before: TextRun | undefined) =>
  before !== undefined && before.text === run.text && Math.abs(before.x - run.x) < 1;

/** One line's words, parted where the gap is wider than a space. */
function cellsOf(runs: readonly TextRun[], line: number): Cell[] {
  const cells: Cell[] = [];
  let words: Word[] = [];
  let before: TextRun | undefined;
  const close = () => {
    if (words.length > 0) cells.push(cellOf(words, line));
    words = [];
  };
  for (const run of runs) {
    if (isTwice(run, before)) continue;
    const gap = before === undefined ? Number.POSITIVE_INFINITY : run.x - before.x - before.width;
    if (gap > Math.max(run.height, before?.height ?? 0)) close();
    const apart = gap > 0.12 * run.height || before?.text.endsWith(' ') === true;
    for (const [index, piece] of piecesOf(run).entries()) {
      if (piece.newCell) close();
      const spaced = piece.spaced || (index === 0 && apart);
      const last = words.at(-1);
      // Runs of one size that touch hold pieces of one word.
      const touches = index === 0 && !spaced && Math.abs(run.height - (before?.height ?? 0)) < 0.5;
      if (touches && last !== undefined && last.plain !== '' && piece.plain !== '') {
        words[words.length - 1] = joined(last, piece);
      } else {
        words.push({ ...piece, spaced });
      }
    }
    before = run;
  }
  close();
  return cells;
}

const joined = (one: Word, other: Word): Word => ({
  ...one,
  text: one.text + other.text,
  plain: one.plain + other.plain,
  width: other.x + other.width - one.x,
});

function middleOf(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[numbers.length >> 1] ?? 0;
}

/** In letters: no page that people print has more. What stands beyond is not recognised. */
const LONGEST_PAGE = 60_000;

/** The runs that say anything, as far as a page's text is read. */
function readable(runs: readonly TextRun[]): TextRun[] {
  const read: TextRun[] = [];
  let letters = 0;
  for (const run of runs) {
    if (run.text.trim() === '' || !Number.isFinite(run.x + run.y + run.width + run.height)) continue;
    letters += run.text.length;
    if (letters > LONGEST_PAGE) break;
    read.push(run);
  }
  return read;
}

export function readWords(page: PageText): PageWords {
  const runs = readable(page.runs);
  const lines = linesOf(runs).map(cellsOf);
  return {
    width: page.width,
    height: page.height,
    cells: lines.flat(),
    lines,
    usualHeight: middleOf(runs.map((run) => run.height)),
  };
}

/** Words as a person reads them. */
export const textOf = (words: readonly Word[]): string =>
  words.map((word, index) => (index > 0 && word.spaced ? ` ${word.text}` : word.text)).join('');

/** The box around words of one line. */
export function boxAround(words: readonly Box[]): Box {
  let [left, top, right, bottom] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (const { x, y, width, height } of words) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}
