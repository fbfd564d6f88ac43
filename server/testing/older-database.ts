// Databases for tests of migrations: one without a schema, one as it was before a step, and what is in them. All of it goes with the test.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import { onTestFinished, vi } from 'vitest';
import type { Database, DatabaseKind } from '../platform/db/database.ts';
import { migrationsFor } from '../platform/db/migrations.ts';
import type { Schema } from '../platform/db/schema.ts';
import { insertRowWithId } from './insert-row.ts';
import { newFolder } from './new-folder.ts';
import { goodRows, noIds } from './table-rows.ts';
import { openTestDatabase, type TestDatabase } from './test-database.ts';

export async function newDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  const made = await openTestDatabase(kind, join(newFolder(), 'coffer.db'));
  onTestFinished(made.drop);
  return made;
}

/** A database as it was before the step `next`, with `rows` inserted; `migrate` runs all steps from there. */
export async function databaseBefore(kind: DatabaseKind, next: string, rows: readonly string[]): Promise<Database> {
  const { database } = await newDatabase(kind);
  onTestFinished(() => database.close());
  const taken = Object.entries(migrationsFor(kind)).filter(([name]) => name < next);
  // Some steps write the schema, which `migrate` alone may do.
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  await database.transaction(async (tx) => {
    await sql`select 1`.execute(tx);
    for (const file of prepare.mock.contexts as DatabaseSync[]) file.enableDefensive(false);
    const records = sql.table('kysely_migration');
    await sql`create table ${records} (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(tx);
    for (const [name, step] of taken) {
      await step.up(tx);
      await sql`insert into ${records} (name, timestamp) values (${name}, '2026-01-01T00:00:00.000Z')`.execute(tx);
    }
    for (const row of rows) await sql.raw(row).execute(tx);
  });
  for (const file of prepare.mock.contexts as DatabaseSync[]) file.enableDefensive(true);
  prepare.mockRestore();
  return database;
}

/** A database as it was before the step `name`, with `rows` inserted, and then that step. */
export async function stepOver(kind: DatabaseKind, name: string, rows: readonly string[]) {
  const { database } = await newDatabase(kind);
  onTestFinished(() => database.close());
  const steps = Object.entries(migrationsFor(kind));
  const at = steps.findIndex(([step]) => step === name);
  const run = (some: typeof steps) =>
    database.transaction(async (tx) => {
      for (const [, step] of some) await step.up(tx);
    });
  await run(steps.slice(0, at));
  await database.transaction(async (tx) => {
    for (const row of rows) await sql.raw(row).execute(tx);
  });
  await run(steps.slice(at, at + 1));
  return database;
}

/** The file of a database as the version before has left it. */
export async function makeFileOfBefore(path: string): Promise<void> {
  const { database } = await openTestDatabase('sqlite', path);
  await database.migrate();
  await database.transaction((tx) =>
    sql`delete from kysely_migration where name = (select max(name) from kysely_migration)`.execute(tx),
  );
  await database.close();
}

/** One file with all that it stands on; `also` runs in the same transaction. */
export async function addOneFile(
  database: Database,
  also: (tx: Kysely<Schema>, file: number) => Promise<void> = async () => undefined,
): Promise<void> {
  const blobKey = 'a'.repeat(32);
  const good = goodRows({ ...noIds(), claimableBlob: () => blobKey });
  await database.transaction(async (tx) => {
    const add = async (table: keyof Schema, row: Readonly<Record<string, unknown>>) =>
      (await insertRowWithId(tx, table, row)).id;
    await tx
      .insertInto('blobs')
      .values({ ...good.blobs(), storage_key: blobKey })
      .execute();
    const role = await add('roles', good.roles());
    const user = await add('users', { ...good.users(), role_id: role });
    const client = await add('clients', good.clients());
    const type = await add('report_types', good.report_types());
    const place = { client_id: client, report_type_id: type, uploaded_by_id: user };
    await also(tx, await add('files', { ...good.files(), ...place }));
  });
}

/** Every table with its columns. */
export async function describeSchema(database: Database): Promise<[name: string, columns: unknown][]> {
  const tables = await database.reader.introspection.getTables({ withInternalKyselyTables: true });
  return tables
    .map(({ name, columns }): [string, unknown] => [
      name,
      columns.map((column) => [column.name, column.dataType, column.isNullable]),
    ])
    .sort();
}
