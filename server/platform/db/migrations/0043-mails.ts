// Mails on their way and those that were sent lately, and the links by which people choose a new password.
import { statements } from './dialect.ts';

export const mails = statements(({ id, text }) => [
  `create table mails (
    ${id},
    kind ${text} not null,
    user_id bigint,
    to_name ${text} not null,
    to_address ${text} not null,
    facts ${text} not null,
    sealed ${text},
    message_id ${text} not null,
    state ${text} not null,
    attempts bigint not null default 0 check (attempts >= 0),
    due_at bigint not null,
    claimed_until bigint,
    last_step_at bigint,
    give_up_at bigint not null,
    error ${text},
    created_at bigint not null,
    ended_at bigint
  )`,
  "create index mails_due on mails (due_at, id) where state = 'waiting'",
  "create index mails_claimed on mails (claimed_until) where state = 'sending'",
  'create index mails_state on mails (state, id)',
  'create index mails_ended on mails (ended_at) where ended_at is not null',
  'create index mails_of on mails (user_id, kind, created_at) where user_id is not null',
  `create table password_links (
    user_id bigint not null primary key references users (id) on delete cascade,
    token_hash ${text} not null,
    expires_at bigint not null
  )`,
  'create unique index password_links_token_hash on password_links (token_hash)',
]);
