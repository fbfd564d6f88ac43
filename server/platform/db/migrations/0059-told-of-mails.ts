// When people were last reminded of a request and how many, and the index by which mails that failed are found by their person.
import { statements } from './dialect.ts';

export const toldOfMails = statements(() => [
  'alter table requests add column reminded_at bigint',
  'alter table requests add column reminded_people bigint',
  "create index mails_failed on mails (user_id, to_address) where state = 'failed'",
]);
