// When an item of a request came into its state, and by whom; and the indexes by which what is new of requests is found.
import { statements } from './dialect.ts';

export const requestNews = statements(() => [
  'alter table request_items add column state_at bigint',
  'alter table request_items add column state_by_id bigint',
  'create index request_items_state on request_items (state_at)',
  'create index requests_newest on requests (created_at)',
]);
