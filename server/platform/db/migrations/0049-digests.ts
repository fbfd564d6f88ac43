// How often people hear by mail of what is new, until when they were told, and what the firm sets as usual.
import { statements } from './dialect.ts';

export const digests = statements(({ text, keyedTable }) => [
  `create table digest_choices (
    user_id bigint not null references users (id) on delete cascade,
    topic ${text} not null,
    pace ${text},
    chosen_at bigint not null,
    told_until bigint not null,
    primary key (user_id, topic)
  )${keyedTable}`,
  `create table digest_rounds (
    pace ${text} not null primary key,
    done_until bigint not null
  )${keyedTable}`,
  `alter table firm_settings add column digests ${text}`,
]);
