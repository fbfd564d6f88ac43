// When the due day of a request was last changed, by whom, since when without a rest, and from which day: its client's people are told.
import { statements } from './dialect.ts';

export const redatedRequests = statements(({ text }) => [
  'alter table requests add column redated_at bigint',
  'alter table requests add column redated_by_id bigint',
  'alter table requests add column redated_since bigint',
  `alter table requests add column redated_from ${text}`,
  // Few are: the others are not in it.
  'create index requests_redated on requests (redated_at) where redated_at is not null',
]);
