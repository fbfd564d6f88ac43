// Files that another file took the place of: they leave `files` as what is deleted does, and are kept as long as the newest one.
import { statements } from './dialect.ts';

export const versions = statements(({ text }) => [
  'alter table trash add column version_of bigint',
  'alter table trash add column replaced_by_id bigint',
  `alter table trash add column replaced_because ${text}`,
  'create index trash_versions on trash (version_of, deleted_at, id) where version_of is not null',
  'alter table view_tickets add column version_id bigint',
]);
