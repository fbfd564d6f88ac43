// Which waiting uploads are judged by names alone: those of people who do not see federal ids whole.
import { statements } from './dialect.ts';

export const judgedByNames = statements(() => [
  'alter table files_to_judge add column by_names_alone bigint not null default 0 check (by_names_alone in (0, 1))',
]);
