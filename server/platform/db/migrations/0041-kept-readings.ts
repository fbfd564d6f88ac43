// What was read of the files of a batch, until its documents are proposed.
import { statements } from './dialect.ts';

export const keptReadings = statements(({ text }) => [
  `create table batch_readings (
    batch_file_id bigint not null references batch_files (id) on delete cascade,
    stage bigint not null,
    page bigint not null constraint batch_readings_page check (page >= 0),
    content ${text} not null,
    primary key (batch_file_id, stage, page)
  )`,
]);
