// A row put into whichever table, with columns that nobody checked: for tests that go through all tables, or break what types guarantee.
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../platform/db/schema.ts';

type Row = Readonly<Record<string, unknown>>;

function insertion(table: keyof Schema, row: Row) {
  const columns = Object.keys(row).map((name) => sql.ref(name));
  return sql`insert into ${sql.table(table)} (${sql.join(columns)}) values (${sql.join(Object.values(row))})`;
}

export async function insertRow(tx: Kysely<Schema>, table: keyof Schema, row: Row): Promise<void> {
  await insertion(table, row).execute(tx);
}

/** The same, of a table whose rows get ids: with the id that it got. */
export async function insertRowWithId(tx: Kysely<Schema>, table: keyof Schema, row: Row): Promise<{ id: number }> {
  const { rows } = await sql<{ id: number }>`${insertion(table, row)} returning id`.execute(tx);
  const [inserted] = rows;
  if (inserted === undefined) throw new Error(`${table} took no row`);
  return inserted;
}
