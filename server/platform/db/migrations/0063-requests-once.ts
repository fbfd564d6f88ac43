// Under which key a request was sent, so that one whose answer was lost is made once.
import { statements } from './dialect.ts';

export const requestsOnce = statements(({ text }) => [
  `alter table requests add column idempotency_key ${text}`,
  `create unique index requests_idempotency on requests (asked_by_id, idempotency_key, client_id)
    where idempotency_key is not null`,
]);
