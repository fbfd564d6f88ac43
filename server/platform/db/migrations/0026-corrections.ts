// A file that corrects an earlier one, which stays; and the file that a document of a batch is to correct.
import { statements } from './dialect.ts';

/** Whoever looks at a list hears that what a file corrects has changed. */
function heard(engine: 'sqlite' | 'postgres'): string[] {
  const at =
    engine === 'sqlite'
      ? `cast(unixepoch('subsec') * 1000 as bigint)`
      : '(extract(epoch from clock_timestamp()) * 1000)::bigint';
  const writes = `insert into changes (at, topic, kind, file_id, client_id, access_key, owner_id)
    select ${at}, 'files', 'changed', new.id, new.client_id, new.access_key, new.uploaded_by_id;`;
  const when = 'after update of corrects_id on files';
  const differs = 'when (new.corrects_id is distinct from old.corrects_id)';
  if (engine === 'sqlite') return [`create trigger files_heard_corrects ${when} ${differs} begin ${writes} end`];
  return [
    `create function files_heard_corrects() returns trigger language plpgsql as $$ begin ${writes} return new; end $$`,
    `create trigger files_heard_corrects ${when} for each row ${differs} execute function files_heard_corrects()`,
  ];
}

export const corrections = statements(({ engine }) => [
  `alter table files add column corrects_id bigint references files (id) on delete set null
    constraint files_corrects_another check (corrects_id <> id)`,
  // Few files correct another: the others are not in it.
  'create index files_corrects on files (corrects_id, uploaded_at, id) where corrects_id is not null',
  ...heard(engine),
  `alter table batch_documents add column corrects_file_id bigint
    constraint batch_documents_one_earlier_file check (corrects_file_id is null or replaces_file_id is null)`,
]);
