// ZIPs of many files, prepared in the background and kept for a day.
import { statements } from './dialect.ts';

export const archives = statements(({ id, text }) => [
  `create table archives (
    ${id},
    owner_id bigint not null,
    asked ${text} not null,
    files_asked bigint not null check (files_asked >= 1),
    job_id bigint,
    storage_key ${text} unique references blobs (storage_key),
    name ${text},
    file_ids ${text},
    ready_at bigint,
    fault ${text},
    created_at bigint not null,
    expires_at bigint not null,
    constraint archives_made check (storage_key is null or (name is not null and file_ids is not null and ready_at is not null))
  )`,
  'create index archives_owner on archives (owner_id, id)',
  'create index archives_expires on archives (expires_at)',
]);
