// What the target knows of an unfinished move: how far each table is. Deleted at the end of the move.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { UNFINISHED_MOVE } from '../db/migrations.ts';
import type { Schema } from '../db/schema.ts';
import type { Table } from '../db/tables.ts';
import { AT_THE_BEGINNING, type Position } from './rows.ts';

const here = sql.table(UNFINISHED_MOVE);

export async function isUnfinished(database: Database): Promise<boolean> {
  const tables = await database.reader.introspection.getTables();
  return tables.some(({ name }) => name === UNFINISHED_MOVE);
}

/** From here on no server starts on the database. */
export async function beginMove(tx: Kysely<Schema>): Promise<void> {
  await sql`create table ${here} (
    name text not null primary key, rows_moved bigint not null, last_key text not null, digest text not null
  )`.execute(tx);
}

export async function positionOf(db: Kysely<Schema>, { name }: Table): Promise<Position> {
  const { rows } = await sql<{ rows: number; last_key: string; digest: string }>`
    select rows_moved as rows, last_key, digest from ${here} where name = ${name}`.execute(db);
  const [row] = rows;
  return row ? { rows: row.rows, lastKey: JSON.parse(row.last_key), digest: row.digest } : AT_THE_BEGINNING;
}

/** In the transaction that inserts the rows. */
export async function notePosition(tx: Kysely<Schema>, { name }: Table, position: Position): Promise<void> {
  const lastKey = JSON.stringify(position.lastKey);
  await sql`insert into ${here} (name, rows_moved, last_key, digest)
    values (${name}, ${position.rows}, ${lastKey}, ${position.digest})
    on conflict (name) do update set
      rows_moved = excluded.rows_moved, last_key = excluded.last_key, digest = excluded.digest`.execute(tx);
}

export async function endMove(tx: Kysely<Schema>): Promise<void> {
  await sql`drop table ${here}`.execute(tx);
}
