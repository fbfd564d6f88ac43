// Which key each stored file is encrypted under, as it was last seen; and the keys of the firm, told from others without being told.
import { statements } from './dialect.ts';

export const encryption = statements(({ text }) => [
  // 0: in plain, or not looked at yet; -1: its bytes are not those that were stored.
  'alter table blobs add column key_version bigint not null default 0',
  'create index blobs_key_version on blobs (key_version, storage_key)',
  `create table blob_keys (
    version bigint not null primary key check (version >= 1),
    fingerprint ${text} not null check (length(fingerprint) = 32),
    created_at bigint not null
  )`,
]);
