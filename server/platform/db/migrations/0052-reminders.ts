// When people were last reminded of a report that nobody had opened.
import { statements } from './dialect.ts';

export const reminders = statements(({ keyedTable }) => [
  `create table file_reminders (
    file_id bigint not null primary key references files (id) on delete cascade,
    reminded_at bigint not null
  )${keyedTable}`,
]);
