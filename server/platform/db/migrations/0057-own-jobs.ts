// What a person has ordered in the background, the newest first.
import { statements } from './dialect.ts';

export const ownJobs = statements(() => [
  'create index jobs_of_person on jobs (acting_user_id, id) where acting_user_id is not null',
]);
