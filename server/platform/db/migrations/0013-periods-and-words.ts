// What each file is for, and texts as they are searched: every word, whatever its case, accents and punctuation.
import { type Kysely, sql } from 'kysely';
import { searchForm } from '#contract/search.ts';
import type { Schema } from '../schema.ts';
import type { Dialect, Step } from './dialect.ts';

const ROWS_AT_ONCE = 2_000;

/** Sets `target` of every row to what `toText` makes of `source`, an expression over the row. */
async function rewrite(
  db: Kysely<Schema>,
  engine: Dialect['engine'],
  {
    table,
    source,
    target,
    toText,
  }: { table: string; source: string; target: string; toText: (text: string) => string },
): Promise<void> {
  const rows = sql.table(table);
  for (let last = 0; ; ) {
    const { rows: some } = await sql<{ id: number; text: string }>`
      select id, ${sql.raw(source)} as text from ${rows} where id > ${last} order by id limit ${sql.lit(ROWS_AT_ONCE)}`.execute(
      db,
    );
    const end = some.at(-1);
    if (end === undefined) return;
    last = end.id;
    const texts = JSON.stringify(some.map(({ id, text }) => ({ id, text: toText(text) })));
    const given =
      engine === 'postgres'
        ? sql`json_to_recordset(${texts}::json) as given (id bigint, text text)`
        : sql`(select value ->> 'id' as id, value ->> 'text' as text from json_each(${texts})) as given`;
    await sql`update ${rows} set ${sql.ref(target)} = given.text from ${given} where ${rows}.id = given.id`.execute(db);
  }
}

/** What was folded is searched as it was written: both give the same form. */
const lines = (text: string) => text.split('\n').map(searchForm).join('\n');

const named = [
  { table: 'roles', source: 'name', toText: searchForm },
  { table: 'report_types', source: 'name', toText: searchForm },
  { table: 'clients', source: 'name', toText: searchForm },
  { table: 'files', source: 'original_name', toText: searchForm },
  { table: 'users', source: `full_name || '\n' || username`, toText: lines },
];

/** Walks along these look at names and periods too. */
const indexes = [
  'create index files_newest on files (uploaded_at, id, client_id, access_key, uploaded_by_id, search_name, period_key)',
  'create index files_key_newest on files (access_key, uploaded_at, id, client_id, uploaded_by_id, search_name, period_key)',
  `create index files_document_type_newest on files (document_type, uploaded_at, id, client_id, access_key, uploaded_by_id, search_name, period_key)
    where document_type is not null`,
  'create index files_client_newest on files (client_id, uploaded_at, id, access_key, uploaded_by_id, size_bytes, search_name, period_key)',
  'create index files_period on files (period_key, id, client_id, access_key, uploaded_by_id, uploaded_at)',
  'create index files_client_period on files (client_id, period_key, id, access_key, uploaded_by_id, uploaded_at)',
  'create index files_without_period on files (uploaded_at, id, client_id, access_key, uploaded_by_id, period) where period is null',
];

const forget = `insert into file_words (file_words, rowid, search_name) values ('delete', old.id, old.search_name);`;
const remember = 'insert into file_words (rowid, search_name) values (new.id, new.search_name);';

/** SQLite's word indexes; PostgreSQL's are made again by `server/platform/db/text-search.ts`. */
const sqliteWords = [
  `create virtual table file_words using fts5 (search_name, content = 'files', content_rowid = 'id', tokenize = 'trigram', detail = 'none', columnsize = 0)`,
  `insert into file_words (file_words) values ('rebuild')`,
  `create trigger files_named after insert on files begin ${remember} end`,
  `create trigger files_unnamed after delete on files begin ${forget} end`,
  `create trigger files_renamed after update of search_name on files when new.search_name is not old.search_name
    begin ${forget} ${remember} end`,
  `insert into activity_words (activity_words) values ('delete-all')`,
  `insert into activity_words (rowid, search_text) select id, search_text from activity
    where id <= (select through_id from indexed_words where table_name = 'activity')`,
];

const dayOfUpload = {
  sqlite: `strftime('%Y-%m-%d', uploaded_at / 1000, 'unixepoch')`,
  postgres: `to_char(to_timestamp(uploaded_at / 1000) at time zone 'UTC', 'YYYY-MM-DD')`,
};

export const periodsAndWords: Step = async (db, { engine, text }) => {
  const run = async (statements: readonly string[]) => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  };
  await run([
    ...(engine === 'sqlite'
      ? ['drop trigger files_named', 'drop trigger files_unnamed', 'drop table file_words']
      : ['drop index if exists files_words', 'drop index if exists activity_words']),
    ...['files_newest', 'files_key_newest', 'files_document_type_newest', 'files_client_newest'].map(
      (index) => `drop index ${index}`,
    ),
    `alter table files add column period ${text}`,
    `alter table files add column period_key ${text} not null default ''`,
    ...named.map(({ table }) => `alter table ${table} add column search_name ${text} not null default ''`),
    `update files set period_key = ${dayOfUpload[engine]}`,
  ]);
  for (const each of named) await rewrite(db, engine, { ...each, target: 'search_name' });
  for (const table of ['clients', 'activity']) {
    await rewrite(db, engine, { table, source: 'search_text', target: 'search_text', toText: lines });
  }
  await run([
    ...indexes,
    ...(engine === 'sqlite' ? sqliteWords : []),
    // The periods that names speak of are filled in by a job, which says of how many files it cannot tell.
    `insert into jobs (kind, state, payload, open_key, attempts_max, run_at, created_at)
      select 'files.periods', 'waiting', '{}', 'files.periods', 20, 0, 0 where exists (select 1 from files)`,
    ...(engine === 'postgres' ? ['analyze files'] : []),
  ]);
};
