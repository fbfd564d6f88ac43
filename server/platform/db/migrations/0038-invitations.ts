// Mail addresses of people, and the links by which those who were invited choose their first password.
import { statements } from './dialect.ts';

export const invitations = statements(({ text }) => [
  // Empty where nobody has said.
  `alter table users add column email ${text} not null default ''`,
  // A row for everybody who has not chosen a password yet: without a hash, the link was withdrawn.
  `create table invitations (
    user_id bigint not null primary key references users (id) on delete cascade,
    token_hash ${text},
    expires_at bigint not null
  )`,
  'create unique index invitations_token_hash on invitations (token_hash)',
]);
