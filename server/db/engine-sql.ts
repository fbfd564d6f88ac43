// SQL that differs between the two engines, so that each reads a list by the plan that was measured.
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { DatabaseKind } from './database.ts';

/** `column` is one of the values of `subquery`, which is read once and never joined. */
export function isOneOf(
  engine: DatabaseKind,
  column: string | RawBuilder<unknown>,
  subquery: RawBuilder<unknown>,
): Expression<SqlBool> {
  const value = typeof column === 'string' ? sql.ref(column) : column;
  return engine === 'postgres'
    ? sql<SqlBool>`${value} = any(array(${subquery}))`
    : sql<SqlBool>`${value} in (${subquery})`;
}

/**
 * A number column for conditions on rows that an index has already put in order: PostgreSQL estimates every list of
 * unknown length at ten values, and would otherwise find the rows by it and sort them all.
 */
export function asideFromIndexes(engine: DatabaseKind, column: string): RawBuilder<unknown> {
  return engine === 'postgres' ? sql`(${sql.ref(column)} + 0)` : sql`${sql.ref(column)}`;
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

/** A moment in milliseconds since the epoch as ISO 8601 text, as JavaScript writes it. */
export function isoText(engine: DatabaseKind, column: string): RawBuilder<string> {
  const at = sql.ref(column);
  return engine === 'postgres'
    ? sql<string>`to_char(to_timestamp(${at} / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : sql<string>`strftime('%Y-%m-%dT%H:%M:%S', ${at} / 1000, 'unixepoch') || printf('.%03dZ', ${at} % 1000)`;
}

/** One JSON object of these members, as text. */
export function jsonObject(
  engine: DatabaseKind,
  members: readonly (readonly [name: string, value: RawBuilder<unknown>])[],
): RawBuilder<string> {
  if (engine === 'sqlite') {
    return sql<string>`json_object(${sql.join(members.map(([name, value]) => sql`${sql.lit(name)}, ${value}`))})`;
  }
  const columns = members.map(([name, value]) => sql`${value} as ${sql.id(name)}`);
  return sql<string>`(select row_to_json(shown)::text from (select ${sql.join(columns)}) as shown)`;
}
