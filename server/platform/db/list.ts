// How lists are ordered and paged in SQL.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SortKey } from '#contract/fields.ts';
import { param } from './statement.ts';

/** How many rows a list holds. */
export interface Total {
  readonly total: number;
  /** Whether there are more than `total`: a list narrowed by words or days is not counted to its end. */
  readonly more: boolean;
}

/** At most this many files are counted where no counter has the number. */
export const COUNTED_AT_MOST = 1_000;

/** How many rows a source holds, up to `most`. */
export const cappedCount = (
  { from, where }: { readonly from: RawBuilder<unknown>; readonly where: Expression<SqlBool> },
  most: RawBuilder<number> = sql.lit(COUNTED_AT_MOST + 1),
) => sql<number>`(select count(*) from (select 1 as one from ${from} where ${where} limit ${most}) as counted)`;

/** Serialising more rows at once would block others for some milliseconds. */
const ROWS_AT_ONCE = 100;

/** Rows that were read together, in pieces. */
export function* slicesOf<Row>(rows: readonly Row[], atOnce = ROWS_AT_ONCE): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += atOnce) yield rows.slice(start, start + atOnce);
}

/** Making something of a document of a batch takes up to 100 µs. */
const MADE_AT_ONCE = 50;

/** What `work` makes of all rows, some at a time: others are served in between. */
export async function inTurns<Row, Made>(
  rows: readonly Row[],
  work: (row: Row, index: number) => Made,
): Promise<Made[]> {
  const made: Made[] = [];
  for (const some of slicesOf(rows, MADE_AT_ONCE)) {
    if (made.length > 0) await nextTurn();
    const from = made.length;
    for (const [nth, row] of some.entries()) made.push(work(row, from + nth));
  }
  return made;
}

/** One page of a list and how many rows all pages hold. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly more?: boolean;
}

/** The same with the rows as the engine wrote them: the JSON of an array. */
export interface JsonPage extends Total {
  readonly json: string;
}

export interface Order<Column extends string> {
  readonly column: Column;
  readonly direction: 'asc' | 'desc';
}

/** A sort key of the contract (`name`, `-name`) as a column and a direction. */
export function orderOf<Column extends string>(sort: SortKey<Column>): Order<Column> {
  return sort.startsWith('-')
    ? { column: sort.slice(1) as Column, direction: 'desc' }
    : { column: sort as Column, direction: 'asc' };
}

/** `order by` over columns or expressions in one direction; the last should be unique, so that pages never overlap. */
export function orderedBy(
  direction: 'asc' | 'desc',
  ...expressions: (string | RawBuilder<unknown>)[]
): RawBuilder<unknown> {
  const terms = expressions.map((expression) => (typeof expression === 'string' ? sql.ref(expression) : expression));
  return sql.join(terms.map((term) => sql`${term} ${sql.raw(direction)}`));
}

/** Means "all rows" where a page has no limit of its own: more than any table here holds. */
const ALL_ROWS = 1_000_000_000;

/** The values of a page's parameters, `limit` and `offset`; without a limit, `otherwise` (or all). */
export function pageValues(
  query: { limit?: number | undefined; offset?: number | undefined },
  otherwise: number = ALL_ROWS,
): { limit: number; offset: number } {
  return { limit: query.limit ?? otherwise, offset: query.offset ?? 0 };
}

export const pageParams = { limit: param<number>('limit'), offset: param<number>('offset') };

/** How many rows a query finds, as a number on both engines. */
export const rowCount = sql<number>`cast(count(*) as bigint)`;
