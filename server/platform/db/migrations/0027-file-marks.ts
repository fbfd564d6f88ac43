// Files of Client users that name another client than theirs, for staff to look at; and which of their uploads are still to be judged.
import { statements } from './dialect.ts';

export const fileMarks = statements(({ text }) => [
  `create table file_marks (
    file_id bigint not null primary key references files (id) on delete cascade,
    named_client_id bigint references clients (id) on delete set null,
    state ${text} not null,
    settled_by_id bigint,
    settled_by_name ${text},
    settled_at bigint,
    created_at bigint not null,
    constraint file_marks_settled check ((state = 'open') = (settled_at is null)
      and (settled_at is null) = (settled_by_id is null) and (settled_at is null) = (settled_by_name is null))
  )`,
  "create index file_marks_open on file_marks (file_id) where state = 'open'",
  'create index file_marks_named on file_marks (named_client_id)',
  `create table files_to_judge (
    file_id bigint not null primary key references files (id) on delete cascade,
    attempts bigint not null,
    constraint files_to_judge_attempts check (attempts >= 0)
  )`,
]);
