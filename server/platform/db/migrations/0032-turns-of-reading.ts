// Whose turn it is when files are read and judged, which scans of a file are left, and words that name a place as no page can.
import { type Dialect, statements } from './dialect.ts';

const sender = (table: string) => `coalesce((select uploaded_by_id from files where files.id = ${table}.file_id), 0)`;

export const turnsOfReading = statements(({ engine, text }) => [
  ...['files_to_read', 'files_to_judge'].flatMap((table) => [
    // 0 where nobody is known.
    `alter table ${table} add column person_id bigint not null default 0`,
    `update ${table} set person_id = ${sender(table)}`,
  ]),
  // What is left to recognise of a file whose text is kept already, as JSON.
  `alter table files_to_read add column scans ${text}`,
  'drop index files_to_read_next',
  'create index files_to_read_next on files_to_read (person_id, attempts, file_id desc)',
  'create index files_to_judge_next on files_to_judge (person_id, attempts, file_id)',
  ...triggers[engine],
  // The words of what was read are made anew from its text, which is kept: nothing is read again.
  `insert into files_to_read (file_id, attempts, person_id)
    select files.id, 0, coalesce(files.uploaded_by_id, 0) from files
    where exists (select 1 from document_texts held where held.file_id = files.id)
    on conflict (file_id) do update set attempts = 0`,
]);

/** As before, with the person; a file that goes elsewhere keeps what is left to recognise. */
const triggers: Readonly<Record<Dialect['engine'], readonly string[]>> = {
  sqlite: [
    'drop trigger files_to_be_read',
    'drop trigger files_to_be_read_again',
    `create trigger files_to_be_read after insert on files begin
      insert into files_to_read (file_id, attempts, person_id) values (new.id, 0, coalesce(new.uploaded_by_id, 0)); end`,
    `create trigger files_to_be_read_again after update of client_id, access_key on files
      when new.client_id <> old.client_id or new.access_key <> old.access_key begin
      insert into files_to_read (file_id, attempts, person_id) values (new.id, 0, coalesce(new.uploaded_by_id, 0))
        on conflict (file_id) do update set attempts = 0; end`,
  ],
  postgres: [
    `create or replace function files_to_be_read() returns trigger language plpgsql as $$ begin
      insert into files_to_read (file_id, attempts, person_id) select id, 0, coalesce(uploaded_by_id, 0) from added;
      return null;
    end $$`,
    `create or replace function files_to_be_read_again() returns trigger language plpgsql as $$ begin
      insert into files_to_read (file_id, attempts, person_id) values (new.id, 0, coalesce(new.uploaded_by_id, 0))
        on conflict (file_id) do update set attempts = 0;
      return null;
    end $$`,
  ],
};
