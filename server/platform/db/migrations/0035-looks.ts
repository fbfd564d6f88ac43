// Looks: sessions in which somebody sees the portal as another person has it.
import { statements } from './dialect.ts';

export const looks = statements(() => [
  // Both are null for a session that somebody signed in to.
  'alter table sessions add column looks_at_id bigint references users (id) on delete cascade',
  'alter table sessions add column opened_from_id bigint references sessions (id) on delete cascade',
  'create index sessions_looks_at on sessions (looks_at_id) where looks_at_id is not null',
  'create index sessions_opened_from on sessions (opened_from_id) where opened_from_id is not null',
]);
