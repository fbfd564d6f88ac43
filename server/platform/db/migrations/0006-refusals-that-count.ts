// Repeated refusals become one entry with a count, events get a topic, and announcements are told apart by whether an access followed.
import { statements } from './dialect.ts';

export const refusalsThatCount = statements(({ text, computed }) => [
  'alter table security_events add column times bigint not null default 1 check (times >= 1)',
  'alter table security_events add column repeated_at bigint',
  `alter table security_events add column open_key ${text}`,
  // Computed, so that no row of a long log has to be rewritten.
  `alter table security_events add column last_at bigint generated always as (coalesce(repeated_at, at)) ${computed}`,
  `alter table security_events add column about ${text} generated always as (case
    when kind in ('signed_in', 'signed_out', 'session_ended', 'recovery_code_used', 'stepped_up') then 'sign-ins'
    when kind in ('sign_in_failed', 'second_factor_failed', 'denied') then 'refusals'
    else 'changes' end) ${computed}`,
  'drop index security_events_user',
  'create index security_events_user on security_events (user_id, last_at, id)',
  'create index security_events_about on security_events (user_id, about, last_at, id)',
  'create unique index security_events_open on security_events (open_key) where open_key is not null',
  // How many announcements of a person nothing has followed lately.
  'create index activity_waiting on activity (user_id, at) where served_at is null and announced_at is not null',
  // They were in the log in the words of an access, also in the searchable text.
  `update activity set
    details = 'Announced a download, nothing was sent: ' || substr(details, length('Downloaded file: ') + 1),
    search_text = 'announced a download, nothing was sent: ' || substr(search_text, length('downloaded file: ') + 1)
    where served_at is null and announced_at is not null and details like 'Downloaded file: %'`,
  `update activity set
    details = 'Announced a view, nothing was sent: ' || substr(details, length('Viewed file: ') + 1),
    search_text = 'announced a view, nothing was sent: ' || substr(search_text, length('viewed file: ') + 1)
    where served_at is null and announced_at is not null and details like 'Viewed file: %'`,
]);
