// Saves the state a fuzzed server began with and restores it after every request that changed it: every request meets the same firm.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { TestApp } from '../test-app.ts';

type AnyTable = 'users';

const REFERENCES = {
  sqlite: sql<{ from: string; to: string }>`
    select tables.name as "from", keys."table" as "to"
    from sqlite_master tables join pragma_foreign_key_list(tables.name) keys where tables.type = 'table'`,
  postgres: sql<{ from: string; to: string }>`
    select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint where contype = 'f'`,
};

/** Columns that are the database's to compute, as `table.column`. */
const COMPUTED = {
  sqlite: sql<{ name: string }>`
    select tables.name || '.' || columns.name as name
    from sqlite_master tables join pragma_table_xinfo(tables.name) columns
    where tables.type = 'table' and columns.hidden in (2, 3)`,
  postgres: sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema() and is_generated = 'ALWAYS'`,
};

/** Word indexes that SQLite stores as tables: virtual tables and their shadow tables. */
const WORD_TABLES = sql<{ name: string; type: string }>`
  select name, type from pragma_table_list where schema = 'main' and type in ('virtual', 'shadow')`;

/** Tables that triggers fill as their rows are inserted. */
const FILLED_BY_TRIGGERS: readonly string[] = ['file_counts', 'files_to_read'];

/** It keeps no text that it could be built from: the job that reads files fills it, and runs in no fuzzed server. */
const WITHOUT_CONTENT = 'document_words';

/** The database assigns ids; here they come with the rows. */
const WITH_IDS = { sqlite: sql``, postgres: sql`overriding system value` };

/** The tables, those that others refer to first. */
async function tablesInOrder({ kind, reader }: TestApp['database'], others: readonly string[]): Promise<AnyTable[]> {
  const tables = await reader.introspection.getTables();
  const { rows: references } = await REFERENCES[kind].execute(reader);
  const ordered: string[] = [];
  const visit = (name: string) => {
    if (ordered.includes(name)) return;
    for (const { to } of references.filter(({ from, to }) => from === name && to !== name)) visit(to);
    ordered.push(name);
  };
  for (const { name, isView } of tables) if (!isView && !others.includes(name)) visit(name);
  return ordered as AnyTable[];
}

/** Saves what `app` holds now; the returned function restores it, rows and bytes. Ids assigned meanwhile are not assigned again. */
export async function saveState({ database, config }: TestApp): Promise<() => Promise<void>> {
  const wordTables = database.kind === 'sqlite' ? (await WORD_TABLES.execute(database.reader)).rows : [];
  const tables = await tablesInOrder(
    database,
    wordTables.map(({ name }) => name),
  );
  const kept = new Map<AnyTable, object[]>();
  const { rows: computed } = await COMPUTED[database.kind].execute(database.reader);
  const isComputed = (table: string, column: string) => computed.some(({ name }) => name === `${table}.${column}`);
  for (const table of tables) {
    const rows: object[] = await database.reader.selectFrom(table).selectAll().execute();
    const given = (row: object) => Object.entries(row).filter(([column]) => !isComputed(table, column));
    kept.set(
      table,
      rows.map((row) => Object.fromEntries(given(row))),
    );
  }
  const blobs = join(config.dataDir, 'blobs');
  const keptBlobs = join(config.dataDir, 'kept-blobs');
  cpSync(blobs, keptBlobs, { recursive: true });

  return async () => {
    await database.transaction(async (tx) => {
      for (const table of tables.toReversed()) await tx.deleteFrom(table).execute();
      for (const table of tables.filter((name: string) => !FILLED_BY_TRIGGERS.includes(name))) {
        const rows = kept.get(table) ?? [];
        const [first] = rows;
        if (first === undefined) continue;
        const columns = sql.join(Object.keys(first).map((name) => sql.ref(name)));
        const tuples = sql.join(rows.map((row) => sql`(${sql.join(Object.values(row))})`));
        await sql`insert into ${sql.table(table)} (${columns}) ${WITH_IDS[database.kind]} values ${tuples}`.execute(tx);
      }
      for (const { name, type } of wordTables) {
        if (type === 'virtual' && name !== WITHOUT_CONTENT)
          await sql`insert into ${sql.table(name)} (${sql.ref(name)}) values ('rebuild')`.execute(tx);
      }
    });
    rmSync(blobs, { recursive: true, force: true });
    cpSync(keptBlobs, blobs, { recursive: true });
  };
}
