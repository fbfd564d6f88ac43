// A file of a batch as it was dropped, with its password: kept beside the copy that needs none.
import { statements } from './dialect.ts';

export const lockedFiles = statements(({ text, keyedTable }) => [
  `create table batch_locked_files (
    batch_file_id bigint not null primary key references batch_files (id) on delete cascade,
    size_bytes bigint not null,
    sha256 ${text} not null,
    storage_key ${text} not null unique references blobs (storage_key)
  )${keyedTable}`,
]);
