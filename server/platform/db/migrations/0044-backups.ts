// Backups: by which name a firm knows its own, and how each run of them ended.
import { statements } from './dialect.ts';

export const backups = statements(({ id, text }) => [
  // Given with the first backup. A place that holds another firm's backups is told by it.
  `alter table firm_settings add column firm_id ${text}`,
  `create table backup_runs (
    ${id},
    place ${text} not null,
    name ${text},
    begun_at bigint not null,
    ended_at bigint not null,
    files bigint not null,
    size_bytes bigint not null,
    damaged bigint not null,
    fault ${text}
  )`,
]);
