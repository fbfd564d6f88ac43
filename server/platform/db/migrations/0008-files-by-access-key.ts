// One column, the access key, says who may see a file: lists, counters and searches of files all use it.
import { sql } from 'kysely';
import { type Dialect, type Step, statements } from './dialect.ts';

/** The report type; 0 for a report without one; -1 for a company document. */
const accessKeyOf = (row = '') =>
  `case when ${row}file_type = 'company_document' then -1 else coalesce(${row}report_type_id, 0) end`;

/** An index for each order within each prefix that a list may have, with all columns that decide whether a file is in reach. */
const indexes = [
  'create index files_newest on files (uploaded_at, id, client_id, access_key, uploaded_by_id, name_key)',
  'create index files_key_newest on files (access_key, uploaded_at, id, client_id, uploaded_by_id, name_key)',
  `create index files_document_type_newest on files (document_type, uploaded_at, id, client_id, access_key, uploaded_by_id, name_key) where document_type is not null`,
  'create index files_client_newest on files (client_id, uploaded_at, id, access_key, uploaded_by_id, size_bytes, name_key)',
  'create index files_client_key_newest on files (client_id, access_key, uploaded_at, id, uploaded_by_id)',
  'create index files_name on files (name_key, id, client_id, access_key, uploaded_by_id, uploaded_at)',
  'create index files_kind_name on files (file_type, name_key, id, client_id, access_key, uploaded_by_id, uploaded_at)',
  'create index files_key_name on files (access_key, name_key, id, client_id, uploaded_by_id, uploaded_at)',
  'create index files_client_name on files (client_id, name_key, id, access_key, uploaded_by_id, uploaded_at)',
  'create index files_size on files (size_bytes, id, client_id, access_key, uploaded_by_id, uploaded_at)',
  'create index files_kind_size on files (file_type, size_bytes, id, client_id, access_key, uploaded_by_id, uploaded_at)',
  // A person's own reports without a type, and what is found by its uploader when an account is deleted.
  'create index files_uploader on files (uploaded_by_id, access_key, client_id)',
  // A report type with files is not deleted.
  'create index files_report_type on files (report_type_id)',
];

const superseded = [
  'files_uploaded',
  'files_kind_uploaded',
  'files_type_uploaded',
  'files_client_uploaded',
  'files_client_kind_uploaded',
  'files_client_type_uploaded',
  'files_client_name',
  'files_name',
  'files_size',
  'files_untyped',
  'files_kind_name',
  'files_type_name',
  'files_kind_size',
];

/** The counter a file belongs to: an owner only where it decides who sees the file, a document type only where there is one. */
const counterOf = (row: string) => `${row}client_id, ${accessKeyOf(row)},
  case when ${accessKeyOf(row)} = 0 then coalesce(${row}uploaded_by_id, 0) else 0 end, coalesce(${row}document_type, '')`;

const addOne = (row: string) => `insert into file_counts (client_id, access_key, owner_id, document_type, n)
  values (${counterOf(row)}, 1)
  on conflict (client_id, access_key, owner_id, document_type) do update set n = file_counts.n + 1`;

const takeOne = (row: string) => `update file_counts set n = n - 1
  where (client_id, access_key, owner_id, document_type) = (${counterOf(row)})`;

const MOVING = 'client_id, file_type, report_type_id, document_type, uploaded_by_id';

/**
 * The key follows from the other columns, whatever is written. It is not a generated column, since SQLite looks up the row for
 * one of those even where an index holds it.
 */
const KEYED = 'file_type, report_type_id, access_key';
const rightKey = (when: string) => `create trigger files_keyed_${when.split(' ', 1)[0]} after ${when} on files
  when new.access_key is not (${accessKeyOf('new.')})
  begin update files set access_key = ${accessKeyOf('new.')} where id = new.id; end`;

/** The key and the counters move with every row, whichever statement moves it. */
function triggers(engine: Dialect['engine']): string[] {
  if (engine === 'sqlite') {
    return [
      rightKey('insert'),
      rightKey(`update of ${KEYED}`),
      `create trigger files_counted after insert on files begin ${addOne('new.')}; end`,
      `create trigger files_uncounted after delete on files begin ${takeOne('old.')}; end`,
      `create trigger files_recounted after update of ${MOVING} on files begin ${takeOne('old.')}; ${addOne('new.')}; end`,
    ];
  }
  return [
    `create function key_file() returns trigger language plpgsql as $$ begin
      new.access_key := ${accessKeyOf('new.')};
      return new;
    end $$`,
    `create trigger files_keyed before insert or update of ${KEYED} on files for each row execute function key_file()`,
    `create function count_file() returns trigger language plpgsql as $$ begin
      if tg_op <> 'INSERT' then ${takeOne('old.')}; end if;
      if tg_op <> 'DELETE' then ${addOne('new.')}; end if;
      return null;
    end $$`,
    'create trigger files_counted after insert or delete on files for each row execute function count_file()',
    `create trigger files_recounted after update of ${MOVING} on files for each row execute function count_file()`,
  ];
}

/**
 * Words by trigrams. SQLite indexes those of file names with each row, and those of the log in the background,
 * up to the entry in `indexed_words`; PostgreSQL's indexes are in `server/platform/db/text-search.ts`, since they need an extension.
 */
const words = [
  `create virtual table file_words using fts5 (name_key, content = 'files', content_rowid = 'id', tokenize = 'trigram', detail = 'none', columnsize = 0)`,
  `insert into file_words (file_words) values ('rebuild')`,
  `create trigger files_named after insert on files begin
    insert into file_words (rowid, name_key) values (new.id, new.name_key); end`,
  `create trigger files_unnamed after delete on files begin
    insert into file_words (file_words, rowid, name_key) values ('delete', old.id, old.name_key); end`,
];

const tables = statements(({ engine, text, keyedTable }) => [
  ...superseded.map((name) => `drop index ${name}`),
  'alter table files add column access_key bigint',
  `update files set access_key = ${accessKeyOf()}`,
  'drop table file_counts',
  `create table file_counts (
    client_id bigint not null references clients (id) on delete cascade,
    access_key bigint not null,
    owner_id bigint not null,
    document_type ${text} not null,
    n bigint not null check (n >= 0),
    primary key (client_id, access_key, owner_id, document_type)
  )${keyedTable}`,
  `insert into file_counts (client_id, access_key, owner_id, document_type, n)
    select client_id, access_key, case when access_key = 0 then coalesce(uploaded_by_id, 0) else 0 end,
      coalesce(document_type, ''), count(*) from files group by 1, 2, 3, 4`,
  ...indexes,
  ...triggers(engine),
  ...(engine === 'sqlite' ? words : []),
]);

export const filesByAccessKey: Step = async (db, dialect) => {
  await tables(db, dialect);
  // The planner's figures of the tables, which every list depends on.
  if (dialect.engine === 'postgres') await sql`analyze files, file_counts, user_clients`.execute(db);
};
