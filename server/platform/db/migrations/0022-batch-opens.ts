// Who looked into which file of a batch, so that one look is one entry of the log; and who decided about a document, by id.
import { statements } from './dialect.ts';

export const batchOpens = statements(({ text }) => [
  `create table batch_file_opens (
    batch_file_id bigint not null references batch_files (id) on delete cascade,
    user_id bigint not null,
    action ${text} not null,
    at bigint not null,
    primary key (batch_file_id, user_id, action)
  )`,
  'alter table batch_documents add column reviewed_by_id bigint',
]);
