// Which reports are expected of a client, and how often.
import { statements } from './dialect.ts';

export const expectations = statements(({ id, text }) => [
  `create table expectations (
    ${id},
    client_id bigint not null references clients (id) on delete cascade,
    report_type_id bigint not null references report_types (id) on delete cascade,
    frequency ${text} not null,
    due_days bigint not null constraint expectations_due_days check (due_days between 0 and 366),
    starts ${text} constraint expectations_starts check (length(starts) = 10),
    phase bigint not null constraint expectations_phase check (phase between 0 and 13),
    constraint expectations_once unique (client_id, report_type_id)
  )`,
  'create index expectations_type on expectations (report_type_id, client_id)',
]);
