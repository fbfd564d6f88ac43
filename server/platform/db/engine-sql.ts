// SQL that differs between the two engines, so that each reads a list by the plan that was measured.
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { DatabaseKind } from './database.ts';

/** `column` is one of the values of `subquery`, which is read once and never joined. */
export function isOneOf(engine: DatabaseKind, column: string, subquery: RawBuilder<unknown>): Expression<SqlBool> {
  return engine === 'postgres'
    ? sql<SqlBool>`${sql.ref(column)} = any(array(${subquery}))`
    : sql<SqlBool>`${sql.ref(column)} in (${subquery})`;
}

/**
 * The same for conditions on rows that an index has already put in order. PostgreSQL estimates a list of unknown length at ten values, and
 * would find the rows by it and sort them all; and it compares each row with one value after the other. A subquery that it can neither
 * join nor find rows by is looked up by hash.
 */
export function isOneOfInOrder(
  engine: DatabaseKind,
  column: string,
  subquery: RawBuilder<unknown>,
): Expression<SqlBool> {
  const isIn = sql<SqlBool>`${sql.ref(column)} in (${subquery})`;
  return engine === 'postgres' ? sql<SqlBool>`(${isIn}) is true` : isIn;
}

/** `table` under the name `alias`, read along `index`. PostgreSQL chooses the index by its statistics, SQLite is given it. */
export function along(engine: DatabaseKind, table: string, alias: string, index: string): RawBuilder<unknown> {
  const named = sql`${sql.table(table)} as ${sql.table(alias)}`;
  return engine === 'postgres' ? named : sql`${named} indexed by ${sql.table(index)}`;
}

/** For each row of `outer`, the rows of `table` that `where` leaves, along `index`: the join never starts from `table`. */
export function forEachOf(
  engine: DatabaseKind,
  outer: RawBuilder<unknown>,
  { table, alias, index, where }: { table: string; alias: string; index: string; where: Expression<SqlBool> },
): { from: RawBuilder<unknown>; where: Expression<SqlBool> } {
  return engine === 'postgres'
    ? {
        // The offset keeps PostgreSQL from reversing the join.
        from: sql`${outer} cross join lateral (select * from ${sql.table(table)} as ${sql.table(alias)} where ${where} offset 0) as ${sql.table(alias)}`,
        where: sql<SqlBool>`true`,
      }
    : { from: sql`${outer} cross join ${along(engine, table, alias, index)}`, where };
}

/**
 * The order of rows that are joined to others, told to the engine that may turn joins around: where they stand in it already, it
 * costs nothing. SQLite would sort them once more.
 */
export function keptOrder(engine: DatabaseKind, order: RawBuilder<unknown>): RawBuilder<unknown> {
  return engine === 'postgres' ? sql`order by ${order}` : sql``;
}

/** A moment in milliseconds since the epoch as ISO 8601 text, as JavaScript writes it. */
function isoText(engine: DatabaseKind, column: string): RawBuilder<string> {
  const at = sql.ref(column);
  // JSON has one way to write a moment, whatever the server's settings. The microsecond keeps the zeros of the milliseconds.
  return engine === 'postgres'
    ? sql<string>`substr(to_json(timestamp '1970-01-01 00:00:00.000001' + interval '1 millisecond' * ${at})::text, 2, 23) || 'Z'`
    : sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', ${at} / 1000.0, 'unixepoch')`;
}

/** What a member of a JSON object holds: an expression, or a moment in the column of milliseconds that it names. */
export type JsonMember = RawBuilder<unknown> | { readonly moment: string };

/** One JSON object of these members, as a value. */
export function jsonObject(engine: DatabaseKind, members: Readonly<Record<string, JsonMember>>): RawBuilder<unknown> {
  const values = Object.entries(members).map(
    ([name, member]) => sql`${sql.lit(name)}, ${'moment' in member ? isoText(engine, member.moment) : member}`,
  );
  return sql`${sql.raw(engine === 'sqlite' ? 'json_object' : 'json_build_object')}(${sql.join(values)})`;
}

/**
 * Each row of `from` as one JSON object of these members: the text, and the `from` in which it is there. The way that each engine
 * is quickest at.
 */
export function rowsAsJson(
  engine: DatabaseKind,
  from: RawBuilder<unknown>,
  members: Readonly<Record<string, JsonMember>>,
): { readonly json: RawBuilder<string>; readonly from: RawBuilder<unknown> } {
  const entries = Object.entries(members);
  if (engine === 'sqlite') return { json: sql<string>`${jsonObject(engine, members)}`, from };
  // To write a moment costs as much as the rest of a row, so each column of them is written once.
  const moments = [...new Set(entries.flatMap(([, member]) => ('moment' in member ? [member.moment] : [])))];
  const texts = moments.map((column, index) => sql`${isoText(engine, column)} as ${sql.id(`moment_${index}`)}`);
  const columns = entries.map(([name, member]) => {
    const value = 'moment' in member ? sql.ref(`moments.moment_${moments.indexOf(member.moment)}`) : member;
    return sql`${value} as ${sql.id(name)}`;
  });
  const written = texts.length === 0 ? sql`` : sql`cross join lateral (select ${sql.join(texts)} offset 0) as moments`;
  return {
    json: sql<string>`row_to_json(shown)::text`,
    from: sql`${from} ${written} cross join lateral (select ${sql.join(columns)}) as shown`,
  };
}
