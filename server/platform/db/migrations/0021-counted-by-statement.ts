// On PostgreSQL a statement counts its files once for each counter, not once for each file: a counter that one transaction
// changes thousands of times gets slower with each change, and a client with 20,000 files could not be restored.
import { statements } from './dialect.ts';

const COUNTERS = `client_id, access_key, case when access_key = 0 then coalesce(uploaded_by_id, 0) else 0 end as owner_id,
  coalesce(document_type, '') as document_type, count(*) as n`;

const onPostgres = [
  'drop trigger files_counted on files',
  `create function count_added_files() returns trigger language plpgsql as $$ begin
    insert into file_counts (client_id, access_key, owner_id, document_type, n)
      select ${COUNTERS} from added group by 1, 2, 3, 4
      on conflict (client_id, access_key, owner_id, document_type) do update set n = file_counts.n + excluded.n;
    return null;
  end $$`,
  `create function count_removed_files() returns trigger language plpgsql as $$ begin
    update file_counts set n = file_counts.n - gone.n
      from (select ${COUNTERS} from removed group by 1, 2, 3, 4) as gone
      where file_counts.client_id = gone.client_id and file_counts.access_key = gone.access_key
        and file_counts.owner_id = gone.owner_id and file_counts.document_type = gone.document_type;
    return null;
  end $$`,
  `create trigger files_counted after insert on files referencing new table as added
    for each statement execute function count_added_files()`,
  `create trigger files_uncounted after delete on files referencing old table as removed
    for each statement execute function count_removed_files()`,
];

/** SQLite changes a row in place, however often. */
export const countedByStatement = statements(({ engine }) => (engine === 'postgres' ? onPostgres : []));
