// Which files Client users sent, when the client's people last opened one, and which documents of Client users staff have opened.
import { type Dialect, statements } from './dialect.ts';

const CLIENT_USERS = `select person.id from users person join roles held on held.id = person.role_id where held.system_key = 'client'`;

/** An announced view that never came is none; what left in a prepared ZIP was never announced. */
const opening = (row: string) => `${row}.action in ('view', 'download')
  and (${row}.announced_at is null or ${row}.served_at is not null)`;

/** When people of the client last opened the file, its uploader aside. */
const openedByClient = (
  file: string,
  client: string,
  uploader: string,
) => `(select max(coalesce(entry.served_at, entry.at))
  from activity entry where entry.file_id = ${file} and entry.client_id = ${client} and ${opening('entry')}
    and entry.user_id in (${CLIENT_USERS}) and entry.user_id is distinct from ${uploader})`;

/** The same facts for files that are in the trash, in the row that is kept of each. */
function inTheTrash(engine: Dialect['engine']): string {
  const of = (name: string) =>
    engine === 'postgres' ? `(content::json ->> '${name}')::bigint` : `(content ->> '${name}')`;
  const sent = `case when ${of('uploaded_by_id')} in (${CLIENT_USERS}) then 1 else 0 end`;
  const opened = openedByClient(of('id'), of('client_id'), of('uploaded_by_id'));
  const content =
    engine === 'postgres'
      ? `(content::jsonb || jsonb_build_object('sent_by_client', ${sent}, 'opened_by_client_at', ${opened}))::text`
      : `json_set(content, '$.sent_by_client', ${sent}, '$.opened_by_client_at', ${opened})`;
  return `update trashed_rows set content = ${content} where table_name = 'files'`;
}

const sixtyDaysAgo: Readonly<Record<Dialect['engine'], string>> = {
  sqlite: "(unixepoch('now', '-60 days') * 1000)",
  postgres: "(extract(epoch from now() - interval '60 days') * 1000)::bigint",
};

const DOCUMENT_OF_CLIENT = 'sent_by_client = 1 and access_key = -1';

export const whoOpened = statements(({ engine }) => [
  'alter table files add column sent_by_client bigint not null default 0',
  'alter table files add column opened_by_client_at bigint',
  `update files set sent_by_client = 1 where uploaded_by_id in (${CLIENT_USERS})`,
  `update files set opened_by_client_at = ${openedByClient('files.id', 'files.client_id', 'files.uploaded_by_id')}
    where id in (select entry.file_id from activity entry where ${opening('entry')} and entry.user_id in (${CLIENT_USERS}))`,
  inTheTrash(engine),
  `create index files_sent_by_clients on files (uploaded_at, id, client_id, access_key, uploaded_by_id) where ${DOCUMENT_OF_CLIENT}`,
  // With the column that it is about, so that SQLite need not look up the row.
  `create index files_unopened on files (uploaded_at, id, client_id, access_key, uploaded_by_id, opened_by_client_at)
    where opened_by_client_at is null and access_key >= 0`,
  // So that nobody of staff finds new what they have opened before; older ones than sixty days are new to nobody.
  `insert into file_opens (file_id, user_id, at)
    select entry.file_id, entry.user_id, min(entry.at) from files join activity entry on entry.file_id = files.id
    where ${DOCUMENT_OF_CLIENT} and files.uploaded_at >= ${sixtyDaysAgo[engine]} and ${opening('entry')}
      and entry.user_id in (select id from users)
    group by entry.file_id, entry.user_id on conflict (file_id, user_id) do nothing`,
]);
