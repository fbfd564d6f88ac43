// Background jobs: one row a job, from the act that ordered it until some days after its end.
import { statements } from './dialect.ts';

export const jobs = statements(({ id, text }) => [
  `create table jobs (
    ${id},
    kind ${text} not null,
    state ${text} not null,
    payload ${text} not null,
    acting_user_id bigint,
    acting_user_name ${text},
    open_key ${text},
    attempts bigint not null default 0 check (attempts >= 0),
    attempts_max bigint not null check (attempts_max >= 1),
    run_at bigint not null,
    delivered_at bigint,
    lease_until bigint,
    cancel_requested bigint not null default 0 check (cancel_requested in (0, 1)),
    progress bigint check (progress between 0 and 100),
    result ${text},
    error ${text},
    created_at bigint not null,
    started_at bigint,
    ended_at bigint
  )`,
  // One open job for a key, whichever process orders it.
  'create unique index jobs_open_key on jobs (open_key) where open_key is not null',
  "create index jobs_due on jobs (kind, run_at, id) where state = 'waiting'",
  "create index jobs_undelivered on jobs (delivered_at, run_at) where state = 'waiting'",
  "create index jobs_leases on jobs (lease_until) where state = 'running'",
  'create index jobs_ended on jobs (ended_at) where ended_at is not null',
  'create index jobs_ended_of_kind on jobs (kind, ended_at) where ended_at is not null',
  'create index jobs_state on jobs (state, id)',
]);
