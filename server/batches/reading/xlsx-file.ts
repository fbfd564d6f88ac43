// The words of an XLSX workbook as one page: its sheets one below the other, each cell a run of its own. No formula and no macro is looked at.

import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { DAY_MS } from '../../platform/clock.ts';
import { type OpenZip, openZip } from './open-zip.ts';
import { type PageText, type TextRun, tableTopOf } from './page-text.ts';
import { elementsOf } from './xml-elements.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Some programs write a workbook so that its first bytes tell no more than that it is a ZIP. */
export const isWorkbook = ({ contentType, name }: { readonly contentType: string; readonly name: string }) =>
  contentType === XLSX || (contentType === 'application/zip' && /\.xlsx$/i.test(name));

const ENTRIES_MOST = 2_000;
/** Of everything in it, unpacked; of the parts that are read, no more than the next. */
const BYTES_MOST = 1024 * 1024 * 1024;
const PART_BYTES_MOST = 32 * 1024 * 1024;
const SHEETS_MOST = 20;
const ROWS_MOST = 1_000;
const COLUMNS_MOST = 50;
const RUNS_MOST = 50_000;

const LETTER_POINTS = 7.2;
const LINE_POINTS = 12;
/** Between two columns: more than between two words. */
const GAP_LETTERS = 3;

/** Throws `CannotOpenZip` and `DamagedEntry`. */
export async function pageOfWorkbook(bytes: Uint8Array): Promise<PageText> {
  const zip = await openZip(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
    entriesMost: ENTRIES_MOST,
    bytesMost: BYTES_MOST,
  });
  try {
    const shared = sharedStrings(await partOf(zip, 'xl/sharedStrings.xml'));
    const dates = dateStyles(await partOf(zip, 'xl/styles.xml'));
    const is1904 = /<(?:\w+:)?workbookPr\b[^>]*\bdate1904="(?:1|true)"/.test(await partOf(zip, 'xl/workbook.xml'));
    const rows: string[][] = [];
    for (const path of sheetsOf(zip)) {
      if (rows.length > 0) rows.push([]);
      rows.push(...rowsOf(await partOf(zip, path), { shared, dates, is1904 }));
    }
    return laidOut(rows);
  } finally {
    zip.close();
  }
}

const SHEET = /^xl\/worksheets\/sheet(\d+)\.xml$/;
const numberOf = (path: string) => Number(SHEET.exec(path)?.[1]);

function sheetsOf({ entries }: OpenZip): string[] {
  const paths = entries.map(({ path }) => path).filter((path) => SHEET.test(path));
  return paths.sort((one, other) => numberOf(one) - numberOf(other)).slice(0, SHEETS_MOST);
}

/** The text of a part, as far as it is read; empty where there is none. */
async function partOf({ entries }: OpenZip, name: string): Promise<string> {
  const entry = entries.find(({ path, isEncrypted }) => path === name && !isEncrypted);
  if (entry === undefined) return '';
  const content = await entry.read();
  return await text(Readable.from(beginning(content)));
}

async function* beginning(content: Readable): AsyncGenerator<Buffer> {
  let left = PART_BYTES_MOST;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

/** Each entry's text without how it is spoken, which Japanese workbooks add. */
function sharedStrings(xml: string): string[] {
  const strings: string[] = [];
  let current = '';
  let spoken = false;
  for (const { name, closes, text: words } of elementsOf(xml)) {
    if (name === 'rPh') spoken = !closes;
    else if (name === 't' && !closes && !spoken) current += words;
    else if (name === 'si') {
      if (closes) strings.push(current);
      current = '';
    }
  }
  return strings;
}

/** Styles by number of which the cells show a day. */
function dateStyles(xml: string): ReadonlySet<number> {
  const days = new Set<number>();
  const formats = new Map<string, string>();
  let isOfCells = false;
  let nth = 0;
  for (const { name, closes, attribute } of elementsOf(xml)) {
    if (name === 'numFmt') formats.set(attribute('numFmtId'), attribute('formatCode'));
    else if (name === 'cellXfs') isOfCells = !closes;
    else if (name === 'xf' && isOfCells && !closes) {
      if (showsDay(attribute('numFmtId'), formats)) days.add(nth);
      nth += 1;
    }
  }
  return days;
}

/** Numbers that every program knows: 14 to 17 and 22 are days. Others are named by letters outside of quotes and brackets. */
function showsDay(format: string, formats: ReadonlyMap<string, string>): boolean {
  if (/^(?:1[4-7]|22)$/.test(format)) return true;
  const code = formats.get(format)?.replace(/"[^"]*"|\[[^\]]*\]|\\./g, '') ?? '';
  return /[dy]/i.test(code);
}

interface Book {
  readonly shared: readonly string[];
  readonly dates: ReadonlySet<number>;
  readonly is1904: boolean;
}

interface OpenCell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  words: string;
}

function rowsOf(xml: string, book: Book): string[][] {
  const rows: string[][] = [];
  let cell: OpenCell | undefined;
  let next = 0;
  for (const { name, closes, isEmpty, text: words, attribute } of elementsOf(xml)) {
    if (name === 'row' && !closes) {
      if (rows.length >= ROWS_MOST) break;
      rows.push([]);
      next = 0;
    } else if (name === 'c' && !closes && !isEmpty) {
      const column = columnOf(attribute('r')) ?? next;
      next = column + 1;
      cell = { column, type: attribute('t'), style: Number(attribute('s')), words: '' };
    } else if (name === 'c') {
      if (cell !== undefined && cell.column < COLUMNS_MOST) {
        const row = rows.at(-1);
        if (row !== undefined) row[cell.column] = shown(cell, book);
      }
      cell = undefined;
    } else if ((name === 'v' || name === 't') && !closes && cell !== undefined) cell.words += words;
  }
  return rows;
}

/** From 0: 'B3' is 1. */
function columnOf(place: string): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(place)?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** The day before the first, as spreadsheets count: with a 29th of February in 1900, or from 1904 on. */
const DAY_ZERO = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) };
const LAST_DAY = 2_958_465;

function shown({ type, style, words }: OpenCell, { shared, dates, is1904 }: Book): string {
  if (type === 's') return shared[Number(words)] ?? '';
  if (type === 'b' || type === 'e') return '';
  const days = Number(words);
  if (type !== '' && type !== 'n') return words;
  if (!dates.has(style) || !(days >= 1 && days <= LAST_DAY)) return words;
  const day = new Date((is1904 ? DAY_ZERO[1904] : DAY_ZERO[1900]) + Math.floor(days) * DAY_MS);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(day.getUTCMonth() + 1)}/${two(day.getUTCDate())}/${day.getUTCFullYear()}`;
}

/** Where the cells would stand in letters of one width. */
function laidOut(rows: readonly (readonly string[])[]): PageText {
  const letters: number[] = [];
  const lines = rows.map((row) => Array.from(row, (cell) => (cell ?? '').replace(/\s+/g, ' ').trim()));
  for (const line of lines) {
    for (const [column, cell] of line.entries())
      letters[column] = Math.max(letters[column] ?? 0, Math.min(cell.length, 40));
  }
  const starts: number[] = [];
  let width = 0;
  for (let column = 0; column < letters.length; column += 1) {
    starts.push(width);
    width += ((letters[column] ?? 0) + GAP_LETTERS) * LETTER_POINTS;
  }
  const runs: TextRun[] = [];
  for (const [line, cells] of lines.entries()) {
    for (const [column, cell] of cells.entries()) {
      if (cell === '' || runs.length >= RUNS_MOST) continue;
      const x = starts[column] ?? 0;
      runs.push({ text: cell, x, y: line * LINE_POINTS, width: cell.length * LETTER_POINTS, height: LINE_POINTS });
    }
  }
  return {
    width: Math.max(width, LETTER_POINTS),
    height: Math.max(1, lines.length) * LINE_POINTS,
    runs,
    tableTop: tableTopOf(runs),
  };
}
