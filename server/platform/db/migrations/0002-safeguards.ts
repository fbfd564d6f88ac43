// Second factors, and the log of account events.
import { oneOf, statements } from './dialect.ts';

const SECURITY_EVENT_KINDS = [
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'session_ended',
  'password_changed',
  'password_reset',
  'second_factor_added',
  'second_factor_removed',
  'second_factor_reset',
  'second_factor_failed',
  'recovery_code_used',
  'recovery_codes_made',
  'stepped_up',
  'access_changed',
  'denied',
];

export const safeguards = statements(({ id, text, keyedTable }) => [
  'alter table sessions add column stepped_up_at bigint',
  `create table sign_ins (
    ${id},
    user_id bigint not null references users (id) on delete cascade,
    token_hash ${text} not null unique,
    enrols bigint not null check (enrols in (0, 1)),
    tries bigint not null check (tries >= 0),
    expires_at bigint not null
  )`,
  'create index sign_ins_user on sign_ins (user_id)',
  'create index sign_ins_expires on sign_ins (expires_at)',
  `create table totp_secrets (
    user_id bigint not null references users (id) on delete cascade,
    waiting bigint not null check (waiting in (0, 1)),
    sealed ${text} not null,
    created_at bigint not null,
    last_step bigint not null,
    primary key (user_id, waiting)
  )${keyedTable}`,
  `create table passkeys (
    ${id},
    user_id bigint not null references users (id) on delete cascade,
    name ${text} not null check (length(name) between 1 and 60),
    credential_id ${text} not null constraint passkeys_credential_id unique,
    public_key ${text} not null,
    counter bigint not null check (counter >= 0),
    transports ${text} not null,
    created_at bigint not null,
    last_used_at bigint
  )`,
  'create index passkeys_user on passkeys (user_id)',
  `create table passkey_challenges (
    challenge_hash ${text} not null primary key,
    user_id bigint not null references users (id) on delete cascade,
    purpose ${text} not null ${oneOf('purpose', ['sign-in', 'step-up', 'enrol'])},
    created_at bigint not null
  )${keyedTable}`,
  'create index passkey_challenges_user on passkey_challenges (user_id)',
  'create index passkey_challenges_created on passkey_challenges (created_at)',
  `create table recovery_codes (
    user_id bigint not null references users (id) on delete cascade,
    code_hash ${text} not null,
    primary key (user_id, code_hash)
  )${keyedTable}`,
  `create table security_events (
    ${id},
    at bigint not null,
    kind ${text} not null ${oneOf('kind', SECURITY_EVENT_KINDS)},
    user_id bigint,
    username ${text},
    actor_id bigint,
    actor_name ${text},
    address ${text},
    user_agent ${text},
    detail ${text}
  )`,
  'create index security_events_at on security_events (at)',
  'create index security_events_user on security_events (user_id, id)',
]);
