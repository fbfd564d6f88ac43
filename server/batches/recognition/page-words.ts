// A page as it is read: lines from top to bottom, in each of them cells that stand apart, in each cell its words.
import { searchForm } from '#contract/search.ts';
import { isReadable, type PageText, recognisedRuns, type TextRun } from '../reading/page-text.ts';

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
  /** Where a box lies on the page itself: its words are placed as if they were level, and a scan may lie askew. */
  readonly onPage: (box: Box) => Box;
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

/** How much lines rise or fall on a page that lies askew, to each point of width; 0.07 is four degrees. */
const SLOPE_MAX = 0.07;
/** Fewer pieces of text than these tell no slope. */
const SLOPE_RUNS = 12;
/** At first; then finer. */
const SLOPE_STEP = 0.0025;
/** In points: pieces of one line are nearer to each other. */
const SLOPE_BIN = 2.5;
/** How much better the lines must fit to be taken for askew. */
const SLOPE_GAIN = 1.25;

const middleHeight = (run: TextRun, slope: number) => run.y + run.height / 2 - slope * (run.x + run.width / 2);

/** Turned about the middle of the page, so that lines with this slope are level; small angles alone. */
function levelled<B extends Box>(box: B, slope: number, { width, height }: PageText): B {
  if (slope === 0) return box;
  const [fromLeft, fromTop] = [box.x + box.width / 2 - width / 2, box.y + box.height / 2 - height / 2];
  return { ...box, x: box.x + slope * fromTop, y: box.y - slope * fromLeft };
}

/** How many pieces stand at one height with others, where lines have a slope. */
function fitOf(runs: readonly TextRun[], slope: number): number {
  const counts = new Map<number, number>();
  for (const run of runs) {
    const bin = Math.round(middleHeight(run, slope) / SLOPE_BIN);
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  let fit = 0;
  for (const count of counts.values()) fit += count * count;
  return fit;
}

/** The slope of a page's lines: 0 for what was printed, another one for what was scanned askew. */
function slopeOf(runs: readonly TextRun[]): number {
  if (runs.length < SLOPE_RUNS) return 0;
  const heights = new Set(runs.map((run) => Math.round(10 * middleHeight(run, 0))));
  // Of what was printed, whole lines are at the very same height.
  if (heights.size * 2 < runs.length) return 0;
  let [best, slope] = [fitOf(runs, 0) * SLOPE_GAIN, 0];
  const tryAround = (middle: number, reach: number, step: number) => {
    for (let tried = middle - reach; tried <= middle + reach; tried += step) {
      const fit = fitOf(runs, tried);
      if (fit > best) [best, slope] = [fit, tried];
    }
  };
  tryAround(0, SLOPE_MAX, SLOPE_STEP);
  // Across a wide page a step is half a line.
  if (slope !== 0) tryAround(slope, SLOPE_STEP, SLOPE_STEP / 10);
  return slope;
}

/** Runs whose middles are at one height, each line from left to right. */
function linesOf(runs: readonly TextRun[]): TextRun[][] {
  const middle = (run: TextRun) => middleHeight(run, 0);
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

/** In widths of a letter: words of a heading that is set wide, or was read as words where its letters are spaced, stand no farther apart. */
const WIDE_GAP = 1.2;
const letterWidth = ({ text, width }: TextRun) => width / Math.max(1, text.length);

/** How far apart two pieces of one cell stand at most. */
function spaceBetween(run: TextRun, before: TextRun | undefined): number {
  if (before === undefined) return run.height;
  return Math.max(run.height, before.height, WIDE_GAP * Math.min(letterWidth(run), letterWidth(before)));
}

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
    if (gap > spaceBetween(run, before)) close();
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

/** From so many letters on they are a heading that is set in spaced letters. */
const SPACED_LETTERS = 5;
/** In heights: letters of one heading stand no farther apart. */
const LETTER_GAP = 2.5;
/** How much wider the gap between two words is than that between two letters. */
const WORD_GAP = 1.7;

const isLetter = ({ text }: Word) => /^[\p{L}&]$/u.test(text);
const gapBetween = (one: Word, other: Word) => other.x - one.x - one.width;

/** The words of 'P A Y R O L L   J O U R N A L'. */
function wordsOfLetters(letters: readonly Word[]): Word[] {
  const usual = middleOf(letters.slice(1).map((letter, index) => gapBetween(letters[index] as Word, letter)));
  const words: Word[] = [];
  for (const [index, letter] of letters.entries()) {
    const before = letters[index - 1];
    const last = words.at(-1);
    const begins =
      before === undefined ||
      letter.plain === '' ||
      before.plain === '' ||
      gapBetween(before, letter) > WORD_GAP * Math.max(usual, 1);
    if (begins || last === undefined) words.push({ ...letter, spaced: index > 0 });
    else words[words.length - 1] = joined(last, letter);
  }
  return words;
}

/** A line's cells, in which headings set in spaced letters are words again, each heading one cell. */
function closedUp(cells: readonly Cell[], line: number): readonly Cell[] {
  const words = cells.flatMap((cell) => cell.words);
  if (words.filter(isLetter).length < SPACED_LETTERS) return cells;
  const groups: Word[][] = [];
  for (const word of words) {
    const last = groups.at(-1)?.at(-1);
    const isNear = last !== undefined && gapBetween(last, word) <= LETTER_GAP * word.height;
    if (last !== undefined && isNear && isLetter(last) && isLetter(word)) groups.at(-1)?.push(word);
    else groups.push([word]);
  }
  const spaced = groups.filter((group) => group.filter(({ plain }) => plain !== '').length >= SPACED_LETTERS);
  if (spaced.length === 0) return cells;
  const inHeading = new Set(spaced.flat());
  const rest = cells.flatMap((cell) => {
    const own = cell.words.filter((word) => !inHeading.has(word));
    return own.length === 0 ? [] : [own.length === cell.words.length ? cell : cellOf(own, line)];
  });
  const headings = spaced.map((letters) => cellOf(wordsOfLetters(letters), line));
  return [...rest, ...headings].sort((one, other) => one.x - other.x);
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

export function readWords(page: PageText): PageWords {
  const found = recognisedRuns(page.runs).filter(isReadable);
  const slope = slopeOf(found);
  const runs = found.map((run) => levelled(run, slope, page));
  const lines = linesOf(runs).map((line, index) => closedUp(cellsOf(line, index), index));
  return {
    width: page.width,
    height: page.height,
    cells: lines.flat(),
    lines,
    usualHeight: middleOf(runs.map((run) => run.height)),
    onPage: (box) => levelled(box, -slope, page),
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
