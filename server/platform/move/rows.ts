// Rows in the order of their key: read in pieces, written in pieces, and summed up in one digest that is the same on both engines.
import { hash } from 'node:crypto';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { DatabaseKind } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import type { Table } from '../db/tables.ts';
import { MoveRefusal } from './move-refusal.ts';

type Value = string | number | null;
/** The values of one row, in the order of the table's columns. */
export type Row = readonly Value[];

/** How far a table has been read: how many rows, the key of the last one, and the digest of them all. */
export interface Position {
  readonly rows: number;
  /** In the order of the table's key; null before the first row. */
  readonly lastKey: Row | null;
  /** SHA-256 in hexadecimal, of the digest before a row and that row, row by row; empty before the first one. */
  readonly digest: string;
}

export const AT_THE_BEGINNING: Position = { rows: 0, lastKey: null, digest: '' };

/** The next rows after `position`, at most `limit`, and only those for which `where` holds. */
export async function rowsAfter(
  db: Kysely<Schema>,
  table: Table,
  { lastKey }: Position,
  limit: number,
  where: RawBuilder<unknown> = sql`1 = 1`,
): Promise<Row[]> {
  const columns = table.columns.map(({ name }) => name);
  const key = sql.join(table.key.map((name) => sql.ref(name)));
  const after = lastKey === null ? sql`1 = 1` : sql`(${key}) > (${sql.join(lastKey)})`;
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join(columns.map((name) => sql.ref(name)))} from ${sql.table(table.name)}
    where ${after} and ${where} order by ${key} limit ${limit}`.execute(db);
  return rows.map((row) => columns.map((name) => plainValue(row[name], `${table.name}.${name}`)));
}

function plainValue(value: unknown, column: string): Value {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  throw new Error(`${column} holds a kind of value that cannot be moved yet (${typeof value})`);
}

/** The position after `rows`, which follow `position`. */
export function advance(table: Table, position: Position, rows: readonly Row[]): Position {
  const last = rows.at(-1);
  if (last === undefined) return position;
  const names = table.columns.map(({ name }) => name);
  return {
    rows: position.rows + rows.length,
    lastKey: table.key.map((name) => last[names.indexOf(name)] ?? null),
    digest: rows.reduce((digest, row) => hash('sha256', digest + JSON.stringify(row)), position.digest),
  };
}

/** SQLSTATE: a text with U+0000, as such or in JSON. */
const NOT_TEXT = ['22021', '22P05'];

/**
 * Inserts rows with their ids. What the engine computes or its triggers maintain follows by itself; to other rows of the table they
 * do not refer yet (`referToOwn`): a row may come before the one it names.
 */
export async function insertRows(
  tx: Kysely<Schema>,
  kind: DatabaseKind,
  table: Table,
  rows: readonly Row[],
): Promise<void> {
  const columns = sql.join(table.columns.map(({ name }) => sql.ref(name)));
  const into = sql`insert into ${sql.table(table.name)} (${columns})`;
  const values = table.columns.map(({ name, type }, at) => {
    const value = table.ownReferences.includes(name) ? sql`null` : sql`moved.value ->> ${sql.lit(at)}`;
    return kind === 'sqlite' ? value : sql`(${value})::${sql.raw(type)}`;
  });
  const json = JSON.stringify(rows);
  try {
    await (kind === 'sqlite'
      ? sql`${into} select ${sql.join(values)} from json_each(${json}) as moved`
      : sql`${into} overriding system value
          select ${sql.join(values)} from jsonb_array_elements(${json}::jsonb) as moved (value)`
    ).execute(tx);
  } catch (error) {
    if (!NOT_TEXT.includes((error as { code?: string }).code ?? '')) throw error;
    const row = rows.find((values) => values.some((value) => typeof value === 'string' && value.includes('\0')));
    throw new MoveRefusal(
      `PostgreSQL keeps no U+0000 in a text, and a row of ${table.name} has one: ${JSON.stringify(row)}.`,
    );
  }
}

/** The next rows after `position` that refer to other rows of their table. */
export function rowsThatReferToOwn(
  db: Kysely<Schema>,
  table: Table,
  position: Position,
  limit: number,
): Promise<Row[]> {
  const any = sql.join(
    table.ownReferences.map((name) => sql`${sql.ref(name)} is not null`),
    sql` or `,
  );
  return rowsAfter(db, table, position, limit, sql`(${any})`);
}

/** Writes to which rows of their table these refer, once all of them are there; may be repeated. */
export async function referToOwn(
  tx: Kysely<Schema>,
  kind: DatabaseKind,
  table: Table,
  rows: readonly Row[],
): Promise<void> {
  const movedTo = (column: string) => {
    const at = table.columns.findIndex(({ name }) => name === column);
    const value = sql`moved.value ->> ${sql.lit(at)}`;
    return kind === 'sqlite' ? value : sql`(${value})::${sql.raw(table.columns[at]?.type ?? '')}`;
  };
  const set = sql.join(table.ownReferences.map((name) => sql`${sql.ref(name)} = ${movedTo(name)}`));
  const same = sql.join(
    table.key.map((name) => sql`${sql.table(table.name)}.${sql.ref(name)} = ${movedTo(name)}`),
    sql` and `,
  );
  const json = JSON.stringify(rows);
  const moved =
    kind === 'sqlite' ? sql`json_each(${json}) as moved` : sql`jsonb_array_elements(${json}::jsonb) as moved (value)`;
  await sql`update ${sql.table(table.name)} set ${set} from ${moved} where ${same}`.execute(tx);
}
