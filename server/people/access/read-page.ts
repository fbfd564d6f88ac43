// Reads one page of a list that is searched, sorted and counted by a plain query.
import { type Compilable, type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SortKey } from '#contract/fields.ts';
import { orderedBy, orderOf, type Page, pageParams, pageValues } from '../../platform/db/list.ts';
import { type SearchedTexts, wordMatch } from '../../platform/db/word-match.ts';
import type { ReadScope } from './scope.ts';
import type { Sources } from './sources.ts';

/** A query that a page can be taken from; Kysely's builders are this. */
interface Pageable<Row> {
  orderBy(order: RawBuilder<unknown>): Pageable<Row>;
  limit(limit: Expression<number>): Pageable<Row>;
  offset(offset: Expression<number>): Compilable<Row>;
}

/** A list whose pages are all read the same way: searched by words, sorted by one column, counted by a query. */
interface ListShape<Row, Column extends string> {
  /** Unique among all lists: part of the name its statements are prepared under. */
  readonly name: string;
  readonly sortColumns: Readonly<Record<Column, string | RawBuilder<unknown>>>;
  readonly sort: SortKey<Column>;
  /** Makes every order total. */
  readonly idColumn: string;
  readonly searched: SearchedTexts;
  /** Of further parameters. */
  readonly values?: Readonly<Record<string, unknown>>;
  rows(sources: Sources, found: Expression<SqlBool>): Pageable<Row>;
  count(sources: Sources, found: Expression<SqlBool>): Compilable<{ total: number }>;
}

export async function readPage<Row, Column extends string>(
  scope: ReadScope,
  query: { limit?: number | undefined; offset?: number | undefined; q?: string | undefined },
  list: ListShape<Row, Column>,
): Promise<Page<Row>> {
  const { column, direction } = orderOf(list.sort);
  const match = wordMatch(query.q);
  const values = { ...list.values, ...pageValues(query), ...match?.values };
  const found = match?.on(list.searched) ?? sql<SqlBool>`1 = 1`;
  const rows = await scope.prepared<Row>(
    `${list.name}.list ${list.sort} ${match?.key}`,
    (sources) =>
      list
        .rows(sources, found)
        .orderBy(orderedBy(direction, list.sortColumns[column], list.idColumn))
        .limit(pageParams.limit)
        .offset(pageParams.offset),
    values,
  );
  const [count] = await scope.prepared<{ total: number }>(
    `${list.name}.count ${match?.key}`,
    (sources) => list.count(sources, found),
    values,
  );
  return { rows, total: count?.total ?? 0 };
}
