// Deleted files and clients, as they were, until they are purged.
import { statements } from './dialect.ts';

export const trash = statements(({ id, text }) => [
  `create table trash (
    ${id},
    kind ${text} not null,
    item_id bigint not null,
    name ${text} not null,
    name_key ${text} not null,
    search_text ${text} not null,
    client_id bigint not null,
    client_name ${text} not null,
    with_client bigint not null constraint trash_with_client_flag check (with_client in (0, 1)),
    access_key bigint,
    uploaded_by_id bigint,
    sha256 ${text},
    storage_key ${text} unique references blobs (storage_key),
    files bigint,
    users bigint,
    deleted_at bigint not null,
    deleted_by_id bigint not null,
    deleted_by_name ${text} not null,
    gone_at bigint not null,
    constraint trash_item unique (kind, item_id)
  )`,
  'create index trash_listed on trash (deleted_at, id) where with_client = 0',
  'create index trash_deleter on trash (deleted_by_id, deleted_at, id) where with_client = 0',
  'create index trash_client on trash (client_id, kind)',
  'create index trash_gone on trash (kind, gone_at, id)',
  // Each row of a table as JSON, by the names of its columns: what a later version adds to a table is kept too.
  `create table trashed_rows (
    ${id},
    trash_id bigint not null references trash (id) on delete cascade,
    table_name ${text} not null,
    content ${text} not null
  )`,
  'create index trashed_rows_trash on trashed_rows (trash_id, table_name)',
]);
