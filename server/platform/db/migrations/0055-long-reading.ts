// Which of the files to read take long, and are read beside the others; their order, by who sent them.
import { statements } from './dialect.ts';

export const longReading = statements(() => [
  'alter table files_to_read add column takes_long bigint not null default 0',
  'update files_to_read set takes_long = 1 where scans is not null',
  'drop index files_to_read_next',
  'create index files_to_read_next on files_to_read (takes_long, person_id, attempts, file_id desc)',
]);
