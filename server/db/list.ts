// How lists are ordered, paged and searched in SQL.
import { type Compilable, type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { foldKey, type SortKey } from '#contract/fields.ts';
import type { ReadScope, Sources } from './scope.ts';
import { hole } from './statement.ts';

/** One page of a list and how many rows all pages hold. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
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

/** The pattern that finds `q` anywhere in folded text, with its own wildcards taken literally. */
export function containsPattern(q: string): string {
  return `%${foldKey(q).replace(/[\\%_]/g, '\\$&')}%`;
}

/** True where folded text holds the pattern in the hole `q`. */
function contains(column: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} like ${hole<string>('q')} escape '\\'`;
}

/** Stands for "all rows" where a page has no limit of its own: more than any table here holds. */
const ALL_ROWS = 1_000_000_000;

/** The values of a page's holes, `limit` and `offset`; without a limit, `otherwise` (or all). */
export function pageValues(
  query: { limit?: number | undefined; offset?: number | undefined },
  otherwise: number = ALL_ROWS,
): { limit: number; offset: number } {
  return { limit: query.limit ?? otherwise, offset: query.offset ?? 0 };
}

export const pageHoles = { limit: hole<number>('limit'), offset: hole<number>('offset') };

/** How many rows a query finds, as a number on both engines. */
export const rowCount = sql<number>`cast(count(*) as bigint)`;

/** A query that a page can be cut from; Kysely's builders are this. */
interface Pageable<Row> {
  orderBy(order: RawBuilder<unknown>): Pageable<Row>;
  limit(limit: Expression<number>): Pageable<Row>;
  offset(offset: Expression<number>): Compilable<Row>;
}

/** A list whose pages are all read the same way: searched in folded columns, sorted by one, counted by looking. */
interface ListShape<Row, Column extends string> {
  /** Distinct among all lists: part of the name its statements are compiled under. */
  readonly name: string;
  readonly sortColumns: Readonly<Record<Column, string>>;
  readonly sort: SortKey<Column>;
  /** Makes every order whole. */
  readonly idColumn: string;
  readonly searchColumns: readonly [string, ...string[]];
  rows(sources: Sources, found: Expression<SqlBool>): Pageable<Row>;
  count(sources: Sources, found: Expression<SqlBool>): Compilable<{ total: number }>;
}

export async function readPage<Row, Column extends string>(
  scope: ReadScope,
  query: { limit?: number | undefined; offset?: number | undefined; q?: string | undefined },
  list: ListShape<Row, Column>,
): Promise<Page<Row>> {
  const { column, direction } = orderOf(list.sort);
  const searched = Boolean(query.q);
  const values = { ...pageValues(query), ...(query.q ? { q: containsPattern(query.q) } : {}) };
  const found = searched
    ? sql<SqlBool>`(${sql.join(list.searchColumns.map(contains), sql` or `)})`
    : sql<SqlBool>`1 = 1`;
  const rows = await scope.compiled<Row>(
    `${list.name}.list ${list.sort} ${searched}`,
    (sources) =>
      list
        .rows(sources, found)
        .orderBy(orderedBy(direction, list.sortColumns[column], list.idColumn))
        .limit(pageHoles.limit)
        .offset(pageHoles.offset),
    values,
  );
  const [count] = await scope.compiled<{ total: number }>(
    `${list.name}.count ${searched}`,
    (sources) => list.count(sources, found),
    values,
  );
  return { rows, total: count?.total ?? 0 };
}

/** Rows read by their ids, `size` at once, in the order of `ids`; an id without a row is passed over. */
export async function* pagesOf<Row extends { readonly id: number }>(
  ids: readonly number[],
  size: number,
  read: (ids: readonly number[]) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let start = 0; start < ids.length; start += size) {
    const page = ids.slice(start, start + size);
    const byId = new Map((await read(page)).map((row) => [row.id, row]));
    yield page.flatMap((id) => byId.get(id) ?? []);
  }
}
