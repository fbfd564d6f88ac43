// Rows as CSV: the one way a list leaves as a spreadsheet.
import { stringify } from 'csv-stringify/sync';
import { formatsByZone } from '#contract/time-zones.ts';

/** Spreadsheets take a file without this mark for one in their own old alphabet. */
const BYTE_ORDER_MARK = '\uFEFF';

type Cell = string | number | null;

/** What the library does not see: a formula behind characters that some spreadsheets drop. */
const HIDDEN_FORMULA = /^(?:\p{Cc}|\s+[=+@-])/u;

const plainCell = (cell: Cell) => (typeof cell === 'string' && HIDDEN_FORMULA.test(cell) ? `'${cell}` : cell);

/** Cells that begin as a formula are made plain text: whoever named a file must not run anything on another's desk. */
function csvLines(rows: readonly (readonly Cell[])[]): string {
  return stringify(
    rows.map((row) => row.map(plainCell)),
    { record_delimiter: 'windows', escape_formulas: true },
  );
}

/** The whole of a small table. */
export function csvText(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return BYTE_ORDER_MARK + csvLines([header, ...rows]);
}

/** A table of any length, as it is read. */
export async function* csvChunks(
  header: readonly string[],
  pages: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<string> {
  yield csvText(header, []);
  for await (const rows of pages) yield csvLines(rows);
}

const momentsOf = formatsByZone({
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: 'numeric',
  minute: '2-digit',
});

/** How exports tell moments: MM/DD/YYYY and a 12-hour clock (spec 5), in `timeZone`. */
export function momentFormat(timeZone: string): (instant: string) => string {
  const format = momentsOf(timeZone);
  // Node puts a narrow space before AM and PM, which spreadsheets do not read as a time.
  return (instant) => format.format(new Date(instant)).replace(',', '').replaceAll('\u202f', ' ');
}
