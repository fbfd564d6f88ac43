// What was dropped and did not come into a batch, and of each document of a batch why, when and by whom it was recalled.
import { statements } from './dialect.ts';

export const toldOfBatches = statements(({ id, text }) => [
  'alter table batches add column left_out bigint not null default 0',
  `create table batch_left_out (
    ${id},
    batch_id bigint not null references batches (id) on delete cascade,
    name ${text} not null,
    reason ${text} not null,
    constraint batch_left_out_once unique (batch_id, name, reason)
  )`,
  `alter table batch_documents add column recall_reason ${text}`,
  `alter table batch_documents add column recalled_by_name ${text}`,
  'alter table batch_documents add column recalled_at bigint',
  // What was recalled before has a reason for each document in the log alone. The one that a batch kept is read by older processes.
  `update batch_documents set recall_reason = told.reason, recalled_by_name = told.by_name, recalled_at = told.at
    from (
      select found.document_id as document_id, found.by_name as by_name, found.at as at,
        substr(found.details, length(found.words) + 1) as reason
      from (
        select document.id as document_id, entry.user_name as by_name, entry.at as at, entry.details as details,
          'Recalled file: ' || entry.file_name || ', released from batch: ' || batches.name || '. Reason: ' as words
        from batch_documents document
        join batches on batches.id = document.batch_id
        join activity entry on entry.file_id = document.released_file_id and entry.action = 'delete'
      ) as found
      where substr(found.details, 1, length(found.words)) = found.words
    ) as told
    where batch_documents.id = told.document_id`,
]);
