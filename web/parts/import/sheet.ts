// A CSV as cells: its bytes read as spreadsheets and other programs write them, its lines by the parser's own rules.
import Papa from 'papaparse';
import { IMPORT_BYTES_MAX, IMPORT_ROWS_MAX } from '#contract/imports.ts';
import { encodingOf } from '#contract/text-encoding.ts';
import { importWords } from '#web/lib/import-messages.ts';

/** Why a file cannot be read, in a sentence. */
export class SheetFault extends Error {
  override readonly name = 'SheetFault';
}

export interface SheetRow {
  /** As a spreadsheet numbers it: the header is row 1. */
  readonly row: number;
  readonly cells: readonly string[];
}

export interface Sheet {
  readonly name: string;
  readonly header: readonly string[];
  readonly rows: readonly SheetRow[];
  /** What one should know about how the file was read. */
  readonly note: string | null;
}

const startsWith = (bytes: Uint8Array, ...start: number[]) => start.every((byte, index) => bytes[index] === byte);

/** The text of a CSV: UTF-8, UTF-16 with its mark, and otherwise what older spreadsheets write on Western machines. */
export function textOf(bytes: Uint8Array): { text: string; note: string | null } {
  const isWorkbook = startsWith(bytes, 0x50, 0x4b, 3, 4) || startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0);
  if (isWorkbook) throw new SheetFault(importWords.workbook);
  const encoding = encodingOf(bytes);
  if (!encoding.startsWith('utf-16') && bytes.includes(0)) throw new SheetFault(importWords.notText);
  const text = new TextDecoder(encoding).decode(bytes);
  if (encoding === 'windows-1252') return { text, note: importWords.western };
  return { text, note: text.includes('\uFFFD') ? importWords.damaged : null };
}

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** Occurs in no text: a list of one column has cells with commas in them. */
const NO_DELIMITER = '\u001f';

const headerBy = (text: string, delimiter: string) =>
  Papa.parse<string[]>(text, { delimiter, preview: 1, skipEmptyLines: 'greedy' }).data[0] ?? [];

/** What separates the cells: whichever makes the most known names of the first line, and then the most cells. */
function delimiterOf(text: string, knows: (header: string) => boolean): string {
  const scored = DELIMITERS.map((delimiter) => {
    const header = headerBy(text, delimiter);
    return { delimiter, cells: header.length, known: header.filter(knows).length };
  }).filter(({ cells }) => cells > 1);
  scored.sort((one, other) => other.known - one.known || other.cells - one.cells);
  return scored[0]?.delimiter ?? NO_DELIMITER;
}

/** Excel's own line about what separates the cells. */
const SEPARATOR_LINE = /^\uFEFF?sep=.\r?\n/i;

/** The rows below the first line that is not blank. `knows` says whether a name is one of the columns'. */
export function sheetOf(name: string, text: string, knows: (header: string) => boolean): Sheet {
  if (text.length > IMPORT_BYTES_MAX) throw new SheetFault(importWords.tooLarge);
  const skipped = SEPARATOR_LINE.exec(text)?.[0].length ?? 0;
  const content = text.slice(skipped).replace(/^\uFEFF/, '');
  const { data, errors } = Papa.parse<string[]>(content, { delimiter: delimiterOf(content, knows) });
  const first = skipped > 0 ? 2 : 1;
  const filled = data
    .map((cells, index) => ({ row: index + first, cells }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const [header, ...rows] = filled;
  if (header === undefined) throw new SheetFault(importWords.empty);
  if (rows.length === 0) throw new SheetFault(importWords.onlyHeader);
  const unclosed = errors.find(({ type }) => type === 'Quotes');
  if (unclosed) throw new SheetFault(importWords.quotes((unclosed.row ?? 0) + first));
  if (rows.length > IMPORT_ROWS_MAX) throw new SheetFault(importWords.tooMany(rows.length, IMPORT_ROWS_MAX));
  return { name, header: header.cells.map((cell) => cell.trim()), rows, note: null };
}

/** The sheet of a chosen file. */
export async function readSheet(file: File, knows: (header: string) => boolean): Promise<Sheet> {
  if (file.size > IMPORT_BYTES_MAX) throw new SheetFault(importWords.tooLarge);
  const { text, note } = textOf(new Uint8Array(await file.arrayBuffer()));
  return { ...sheetOf(file.name, text, knows), note };
}
