// Under which key users were imported, so that a list whose answer was lost is known when it is sent again.
import { statements } from './dialect.ts';

export const usersOnce = statements(({ text }) => [
  `alter table users add column idempotency_key ${text}`,
  'create index users_idempotency on users (idempotency_key) where idempotency_key is not null',
]);
