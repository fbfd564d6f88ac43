// What is kept beside a file of a batch as it was dropped may be of another format than the file: it has a name and a type of its own.
import { statements } from './dialect.ts';

export const originals = statements(({ text, keyedTable }) => [
  `create table batch_originals (
    batch_file_id bigint not null primary key references batch_files (id) on delete cascade,
    name ${text} not null,
    content_type ${text} not null,
    size_bytes bigint not null,
    sha256 ${text} not null,
    storage_key ${text} not null unique references blobs (storage_key)
  )${keyedTable}`,
  `insert into batch_originals (batch_file_id, name, content_type, size_bytes, sha256, storage_key)
    select locked.batch_file_id, file.name, file.content_type, locked.size_bytes, locked.sha256, locked.storage_key
    from batch_locked_files locked join batch_files file on file.id = locked.batch_file_id`,
  'drop table batch_locked_files',
]);
