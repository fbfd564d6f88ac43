// Words that a reviewer had remembered who may not change the firm's: of a report type or of a client, for that person's own batches.
import { statements } from './dialect.ts';

export const suggestions = statements(({ id, text }) => [
  `create table suggestions (
    ${id},
    kind ${text} not null,
    owner_id bigint not null references users (id) on delete cascade,
    owner_name ${text} not null,
    report_type_id bigint references report_types (id) on delete cascade,
    client_id bigint references clients (id) on delete cascade,
    words ${text} not null,
    words_key ${text} not null constraint suggestions_words_key check (length(words_key) > 0),
    created_at bigint not null,
    constraint suggestions_of_one check ((report_type_id is null) <> (client_id is null)),
    constraint suggestions_once unique (owner_id, kind, words_key)
  )`,
  'create index suggestions_of_type on suggestions (report_type_id)',
  'create index suggestions_of_client on suggestions (client_id)',
]);
