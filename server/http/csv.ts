// Rows as CSV: the one way a list leaves as a spreadsheet.
import { stringify } from 'csv-stringify/sync';

/** Spreadsheets take a file without this mark for one in their own old alphabet. */
const BYTE_ORDER_MARK = '\uFEFF';

type Cell = string | number | null;

/** In full width too, as some alphabets write them. */
const BEGINS_FORMULA = String.raw`[=+\-@＝＋－＠]`;
/** What some spreadsheets drop before they look at a cell. */
const DROPPED = String.raw`[\s"\p{Cc}\p{Cf}]`;
const FORMULA = new RegExp(String.raw`^(?:\p{Cc}|${DROPPED}*${BEGINS_FORMULA})`, 'v');
/**
 * Where a reader begins a cell who does not begin it at commas: such a one does not see quotes that stand behind a comma. What
 * separates is not dropped here, so that each character is looked at once.
 */
const FORMULA_WITHIN = new RegExp(String.raw`[;\|\t\r\n](?=[${DROPPED}--[\t\r\n]]*${BEGINS_FORMULA})`, 'gv');

function plainCell(cell: Cell): Cell {
  if (typeof cell !== 'string') return cell;
  const plain = cell.replace(FORMULA_WITHIN, "$&'");
  return FORMULA.test(plain) ? `'${plain}` : plain;
}

/** Cells that begin as a formula are made plain text: whoever named a file must not run anything on another's desk. */
function csvLines(rows: readonly (readonly Cell[])[]): string {
  return stringify(
    rows.map((row) => row.map(plainCell)),
    { record_delimiter: 'windows', quoted_string: true },
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

/** How exports tell moments: MM/DD/YYYY and a 12-hour clock (spec 5), in `timeZone`. */
export function momentFormat(timeZone: string): (instant: string) => string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: 'numeric',
    minute: '2-digit',
  });
  // Node puts a narrow space before AM and PM, which spreadsheets do not read as a time.
  return (instant) => format.format(new Date(instant)).replace(',', '').replaceAll('\u202f', ' ');
}
