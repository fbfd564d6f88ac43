// Every row that a database holds, for tests of whether something changed or is in it.
import { sql } from 'kysely';
import type { Database } from '../platform/db/database.ts';

/** Every row of every table as JSON, by table, in an order that does not depend on the engine. */
export async function dump(database: Database): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const name of await namesOf(database)) {
    const rows = await database.reader
      .selectFrom(name as 'users')
      .selectAll()
      .execute();
    tables[name] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return tables;
}

/** The same by one statement, for tests that only compare: each row as the engine itself writes it. SQLite has no text of a row, and answers at once. */
export async function tableTexts(database: Database): Promise<Record<string, string[]>> {
  if (database.kind === 'sqlite') return dump(database);
  const tables = await namesOf(database);
  const each = tables.map((name) => sql`select ${sql.lit(name)} as name, t::text as row from ${sql.table(name)} as t`);
  const { rows } = await sql<{ name: string; row: string }>`${sql.join(each, sql` union all `)}`.execute(
    database.reader,
  );
  const texts: Record<string, string[]> = Object.fromEntries(tables.map((name) => [name, []]));
  for (const { name, row } of rows) texts[name]?.push(row);
  for (const table of Object.values(texts)) table.sort();
  return texts;
}

const known = new WeakMap<Database, Promise<readonly string[]>>();

/** Asking which tables there are takes longer than asking for their rows. No table is made while a test runs. */
function namesOf(database: Database): Promise<readonly string[]> {
  const names =
    known.get(database) ?? database.reader.introspection.getTables().then((tables) => tables.map(({ name }) => name));
  known.set(database, names);
  return names;
}
