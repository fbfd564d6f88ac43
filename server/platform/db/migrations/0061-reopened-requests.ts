// When a closed request was last reopened: its client's people are told of it as of a new one.
import { statements } from './dialect.ts';

export const reopenedRequests = statements(() => [
  'alter table requests add column reopened_at bigint',
  // Few are: the others are not in it.
  'create index requests_reopened on requests (reopened_at) where reopened_at is not null',
]);
