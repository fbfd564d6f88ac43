// Rows as CSV: the only way a list leaves as a spreadsheet.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { formatsByZone } from '#contract/time-zones.ts';

/** Spreadsheets take a file without this mark for one in their own old alphabet. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A line of an archive's manifest costs some 30 µs: others wait less than a millisecond. */
const LINES_AT_ONCE = 25;

export type Cell = string | number | null;

/** In full width too, as some alphabets write them. */
const BEGINS_FORMULA = String.raw`[=+\-@＝＋－＠]`;
/** What some spreadsheets drop before they read a cell. */
const DROPPED = String.raw`[\s"\p{Cc}\p{Cf}]`;
const FORMULA = new RegExp(String.raw`^(?:\p{Cc}|${DROPPED}*${BEGINS_FORMULA})`, 'v');
/**
 * Where a reader with another delimiter than the comma starts a cell: such a reader does not see quotes that follow a comma. What
 * separates is not dropped here, so that each character is looked at once.
 */
const FORMULA_WITHIN = new RegExp(String.raw`[;\|\t\r\n](?=[${DROPPED}--[\t\r\n]]*${BEGINS_FORMULA})`, 'gv');

function plainCell(cell: Cell): Cell {
  if (typeof cell !== 'string') return cell;
  const plain = cell.replace(FORMULA_WITHIN, "$&'");
  return FORMULA.test(plain) ? `'${plain}` : plain;
}

/** Cells that begin like a formula become plain text: naming a file must not run anything on somebody else's machine. */
function csvLines(rows: readonly (readonly Cell[])[]): string {
  return stringify(
    rows.map((row) => row.map(plainCell)),
    { record_delimiter: 'windows', quoted_string: true },
  );
}

/** Lines of a table already read, in pieces, so that others are served in between. */
async function* slicesOf(rows: readonly (readonly Cell[])[]): AsyncGenerator<string> {
  for (let start = 0; start < rows.length; start += LINES_AT_ONCE) {
    await nextTurn();
    yield csvLines(rows.slice(start, start + LINES_AT_ONCE));
  }
}

/** A table of any length, as it is read. */
export async function* csvChunks(
  header: readonly string[],
  pages: AsyncIterable<readonly (readonly Cell[])[]> | Iterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLines([header]);
  for await (const rows of pages) yield* slicesOf(rows);
}

/** The whole of a table. */
export async function csvText(header: readonly string[], rows: readonly (readonly Cell[])[]): Promise<string> {
  let text = '';
  for await (const chunk of csvChunks(header, [rows])) text += chunk;
  return text;
}

const momentsOf = formatsByZone({
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: 'numeric',
  minute: '2-digit',
});

/** How exports write moments: MM/DD/YYYY and a 12-hour clock (docs/behaviour.md, Fields: how values are shown), in `timeZone`. */
export function momentFormat(timeZone: string): (instant: string) => string {
  const format = momentsOf(timeZone);
  // Node puts a narrow space before AM and PM, which spreadsheets do not read as a time.
  return (instant) => format.format(new Date(instant)).replace(',', '').replaceAll('\u202f', ' ');
}
