// Reads one page of a list that is searched, sorted and counted by a plain query.
import { type Compilable, type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SortKey } from '#contract/fields.ts';
import { contains, containsPattern, orderedBy, orderOf, type Page, pageParams, pageValues } from '../db/list.ts';
import type { ReadScope, Sources } from './scope.ts';

/** A query that a page can be taken from; Kysely's builders are this. */
interface Pageable<Row> {
  orderBy(order: RawBuilder<unknown>): Pageable<Row>;
  limit(limit: Expression<number>): Pageable<Row>;
  offset(offset: Expression<number>): Compilable<Row>;
}

/** A list whose pages are all read the same way: searched in folded columns, sorted by one, counted by a query. */
interface ListShape<Row, Column extends string> {
  /** Unique among all lists: part of the name its statements are prepared under. */
  readonly name: string;
  readonly sortColumns: Readonly<Record<Column, string>>;
  readonly sort: SortKey<Column>;
  /** Makes every order total. */
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
  const rows = await scope.prepared<Row>(
    `${list.name}.list ${list.sort} ${searched}`,
    (sources) =>
      list
        .rows(sources, found)
        .orderBy(orderedBy(direction, list.sortColumns[column], list.idColumn))
        .limit(pageParams.limit)
        .offset(pageParams.offset),
    values,
  );
  const [count] = await scope.prepared<{ total: number }>(
    `${list.name}.count ${searched}`,
    (sources) => list.count(sources, found),
    values,
  );
  return { rows, total: count?.total ?? 0 };
}
