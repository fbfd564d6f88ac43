// A table of blobs, which files refer to, and no more lists of words in checks: a new word no longer needs a table recreated.
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import { type Dialect, type Step, statements } from './dialect.ts';

const tables = statements(({ text, keyedTable }) => [
  `create table blobs (
    storage_key ${text} not null primary key check (length(storage_key) = 32),
    size_bytes bigint not null check (size_bytes >= 0),
    sha256 ${text} not null check (length(sha256) = 64),
    state ${text} not null,
    purpose ${text} not null,
    created_at bigint not null
  )${keyedTable}`,
  `create index blobs_staged on blobs (created_at) where state = 'staged'`,
  `create table released_blobs (
    storage_key ${text} not null primary key,
    released_at bigint not null
  )${keyedTable}`,
  'create index released_blobs_released on released_blobs (released_at)',
  // In the order of the key, so that rows are written one after the other; sorted first, not looked up one by one in that order.
  `insert into blobs (storage_key, size_bytes, sha256, state, purpose, created_at)
    select storage_key, size_bytes, sha256, 'live', 'file', uploaded_at from files order by storage_key || ''`,
]);

const onPostgres: Step = async (db) => {
  const { rows } = await sql<{ name: string; words: string }>`
    select conrelid::regclass::text as name, conname as words from pg_constraint
    where contype = 'c' and connamespace = current_schema()::regnamespace
      and pg_get_constraintdef(oid) ~ '= ANY \\(+ARRAY\\[''[^'']*''::text'
    order by 1, 2`.execute(db);
  for (const { name, words } of rows) {
    await sql`alter table ${sql.table(name)} drop constraint ${sql.ref(words)}`.execute(db);
  }
  await sql`alter table files add constraint files_storage_key_fkey foreign key (storage_key) references blobs (storage_key)`.execute(
    db,
  );
};

const CHECK_OF_WORDS = / (?:constraint \w+ )?check \(\w+ in \('[^()]*'\)\)/gi;

/**
 * SQLite cannot drop or add a constraint of a table. Its stored text is changed instead, as SQLite's own
 * documentation advises for constraints (lang_altertable.html, section 7) and takes no longer for a million rows: nothing
 * of how rows are written depends on them. What rows are made of is compared before and after.
 */
const onSqlite: Step = async (db) => {
  const { rows } = await sql<{ name: string; made: string }>`
    select name, sql as made from sqlite_schema where type = 'table' order by name`.execute(db);
  const changed = rows
    .map(({ name, made }) => ({ name, made, remade: remade(name, made) }))
    .filter(({ made, remade }) => made !== remade);
  const before = await layoutsOf(db, changed);
  const { rows: versions } = await sql<{ schema_version: number }>`pragma schema_version`.execute(db);
  await sql`pragma writable_schema = on`.execute(db);
  for (const { name, remade } of changed) {
    await sql`update sqlite_schema set sql = ${remade} where type = 'table' and name = ${name}`.execute(db);
  }
  // Every connection reads the schema again, this one too.
  await sql.raw(`pragma schema_version = ${(versions[0]?.schema_version ?? 0) + 1}`).execute(db);
  await sql`pragma writable_schema = reset`.execute(db);
  if ((await layoutsOf(db, changed)) !== before) throw new Error('The tables would not be what they were');
};

function remade(name: string, made: string): string {
  const without = made.replaceAll(CHECK_OF_WORDS, '');
  return name === 'files'
    ? without.replace(/\bstorage_key text not null unique\b/, '$& references blobs (storage_key)')
    : without;
}

/** Columns and keys of tables, on which depends how their rows are written. */
async function layoutsOf(db: Kysely<Schema>, tables: readonly { name: string }[]): Promise<string> {
  const layouts = [];
  for (const { name } of tables) {
    const columns = await sql`select * from pragma_table_xinfo(${name})`.execute(db);
    const indexes = await sql`select * from pragma_index_list(${name}) order by name`.execute(db);
    const kinds = await sql`select ncol, wr, strict from pragma_table_list where name = ${name}`.execute(db);
    layouts.push(columns.rows, indexes.rows, kinds.rows);
  }
  return JSON.stringify(layouts);
}

export const blobs: Step = async (db: Kysely<Schema>, dialect: Dialect) => {
  await tables(db, dialect);
  await (dialect.engine === 'sqlite' ? onSqlite : onPostgres)(db, dialect);
};
