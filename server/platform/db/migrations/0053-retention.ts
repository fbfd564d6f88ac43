// How many years files are kept, by report type and for those without one; and what was disposed of at the end of them, for good.
import { statements } from './dialect.ts';

export const retention = statements(({ id, text }) => [
  'alter table report_types add column retention_years bigint',
  'alter table firm_settings add column untyped_retention_years bigint',
  `create table disposals (
    ${id},
    ordered_by_id bigint not null,
    ordered_by_name ${text} not null,
    ordered_at bigint not null,
    ended_at bigint
  )`,
  `create table disposal_files (
    disposal_id bigint not null references disposals (id) on delete cascade,
    file_id bigint not null,
    name ${text} not null,
    client_id bigint not null,
    client_name ${text} not null,
    report_type_id bigint,
    type_name ${text} not null,
    period ${text},
    size_bytes bigint not null,
    sha256 ${text} not null,
    uploaded_at bigint not null,
    due_on ${text} not null,
    rule ${text} not null,
    outcome ${text} not null,
    reason ${text},
    decided_at bigint,
    primary key (disposal_id, file_id)
  )`,
  "create index disposal_files_waiting on disposal_files (disposal_id, file_id) where outcome = 'waiting'",
]);
