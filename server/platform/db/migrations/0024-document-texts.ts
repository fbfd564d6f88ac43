// What stands on the pages of files, for searching inside them; and which files are still to be read for it.
import { statements } from './dialect.ts';

export const documentTexts = statements(({ engine, text }) => [
  // Its id has that of the file in it, so that the newest files are found first.
  `create table document_texts (
    id bigint not null primary key,
    file_id bigint not null references files (id) on delete cascade,
    page bigint not null,
    text ${text} not null,
    ${engine === 'postgres' ? "words tsvector not null default ''," : ''}
    constraint document_texts_page unique (file_id, page),
    constraint document_texts_from_one check (page >= 1)
  )`,
  `create table files_to_read (
    file_id bigint not null primary key references files (id) on delete cascade,
    attempts bigint not null
  )`,
  'create index files_to_read_next on files_to_read (attempts, file_id desc)',
  ...(engine === 'postgres' ? ON_POSTGRES : ON_SQLITE),
]);

/** Every file that is added is read, wherever it comes from; the words of one that goes elsewhere are made anew, as they name its place. */
const ON_SQLITE = [
  `create virtual table document_words using fts5 (words, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0', detail = 'none', prefix = '3')`,
  `create trigger document_texts_forgotten after delete on document_texts begin
    delete from document_words where rowid = old.id; end`,
  `create trigger files_to_be_read after insert on files begin
    insert into files_to_read (file_id, attempts) values (new.id, 0); end`,
  `create trigger files_to_be_read_again after update of client_id, access_key on files
    when new.client_id <> old.client_id or new.access_key <> old.access_key begin
    insert or replace into files_to_read (file_id, attempts) values (new.id, 0); end`,
];

const ON_POSTGRES = [
  'create index document_texts_words on document_texts using gin (words)',
  `create function files_to_be_read() returns trigger language plpgsql as $$ begin
    insert into files_to_read (file_id, attempts) select id, 0 from added;
    return null;
  end $$`,
  `create trigger files_to_be_read after insert on files referencing new table as added
    for each statement execute function files_to_be_read()`,
  `create function files_to_be_read_again() returns trigger language plpgsql as $$ begin
    insert into files_to_read (file_id, attempts) values (new.id, 0) on conflict (file_id) do update set attempts = 0;
    return null;
  end $$`,
  `create trigger files_to_be_read_again after update on files for each row
    when (new.client_id <> old.client_id or new.access_key <> old.access_key) execute function files_to_be_read_again()`,
];
