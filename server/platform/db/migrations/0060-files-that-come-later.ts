// When a file last came to other people than its upload had brought it to, and by whom: from then on it is news to them.
import { statements } from './dialect.ts';

export const filesThatComeLater = statements(() => [
  'alter table files add column came_at bigint',
  'alter table files add column came_by_id bigint',
  // Few files move: the others are not in it.
  'create index files_came on files (came_at, id, client_id, access_key, uploaded_by_id) where came_at is not null',
]);
