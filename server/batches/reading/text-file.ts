// Text and CSV files as one page: each line below the one before, each cell and each piece after a gap a run of its own.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { decodeText } from '#contract/text-encoding.ts';
import { type PageText, type TextRun, tableTopOf } from './page-text.ts';

/** Letters of one width, as printers had them: ten to an inch. */
const LETTER_POINTS = 7.2;
const LINE_POINTS = 12;

/** What is read of a text file; what comes after names nobody who was not named before. */
const BYTES_MAX = 1024 * 1024;
const RUNS_MAX = 50_000;

const LINE_ENDS = /\r\n|[\r\n\f]/g;
/** Where a run ends: at a tab, and where columns are set apart by spaces. */
const PIECES = /\S+(?: \S+)*/g;
/** A cell of a CSV, quoted or not. */
const CELLS = /(?:"(?:[^"]|"")*"|[^,;\t"])+/g;

/** Looking at so many lines and pieces takes a few milliseconds. */
const LOOKED_AT_ONCE = 1_000;

export function pageOfText(bytes: Uint8Array, contentType: string): PageText {
  const looking = lookedAt(bytes, contentType);
  let step = looking.next();
  while (!step.done) step = looking.next();
  return step.value;
}

/** The same on the event loop: others are served in between. */
export async function pageOfTextInTurns(bytes: Uint8Array, contentType: string): Promise<PageText> {
  const looking = lookedAt(bytes, contentType);
  let step = looking.next();
  while (!step.done) {
    await nextTurn();
    step = looking.next();
  }
  return step.value;
}

function* lookedAt(bytes: Uint8Array, contentType: string): Generator<undefined, PageText> {
  const text = decodeText(bytes.subarray(0, BYTES_MAX), { cut: bytes.length > BYTES_MAX });
  const isTable = contentType === 'text/csv';
  const pieces = isTable ? CELLS : PIECES;
  const runs: TextRun[] = [];
  let [width, lines, looked] = [0, 0, 0];
  for (const line of linesIn(text)) {
    width = Math.max(width, line.length * LETTER_POINTS);
    for (const match of line.matchAll(pieces)) {
      if (runs.length >= RUNS_MAX) break;
      const run = runAt(match[0], match.index, lines);
      if (run !== undefined) runs.push(run);
      looked += 1;
      if (looked % LOOKED_AT_ONCE === 0) yield;
    }
    lines += 1;
    looked += 1;
    if (looked % LOOKED_AT_ONCE === 0) yield;
  }
  const page = { width, height: lines * LINE_POINTS, runs };
  return isTable ? { ...page, tableTop: tableTopOf(runs) } : page;
}

function* linesIn(text: string): Generator<string> {
  let from = 0;
  for (const { 0: end, index } of text.matchAll(LINE_ENDS)) {
    yield text.slice(from, index);
    from = index + end.length;
  }
  yield text.slice(from);
}

function runAt(piece: string, column: number, line: number): TextRun | undefined {
  const text = piece
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .replaceAll('""', '"')
    .trim();
  if (text === '') return undefined;
  return { text, ...placeInText(line * LINE_POINTS, column, piece.length) };
}

/** Where letters of a line stand on the page. */
export const placeInText = (y: number, column: number, letters: number) => ({
  x: column * LETTER_POINTS,
  y,
  width: letters * LETTER_POINTS,
  height: LINE_POINTS,
});

export interface TextLine {
  /** With each letter in its column; without the blanks at the end. */
  readonly text: string;
  readonly y: number;
}

/** The lines that a page was made of, without the empty ones; null where it was no text file. */
export function linesOfText({ runs }: PageText): TextLine[] | null {
  const lines = new Map<number, string>();
  let letters = 0;
  for (const { text, x, y } of runs) {
    const before = lines.get(y) ?? '';
    const column = Math.round(x / LETTER_POINTS);
    letters += column + text.length - before.length;
    // Of a page that came from elsewhere, places may be anything.
    if (!(column >= before.length && letters <= BYTES_MAX)) return null;
    lines.set(y, before.padEnd(column) + text);
  }
  return [...lines].map(([y, text]) => ({ text, y }));
}
