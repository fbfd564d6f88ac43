// The table of background jobs.
import type { Generated } from 'kysely';
import type { JobState } from '#contract/job-states.ts';
import type { Fixed } from './columns.ts';

/** Background jobs. The person acted for has no foreign key: the job of a deleted person is refused, not run as the server's own. */
interface JobTable {
  id: Generated<number>;
  kind: Fixed<string>;
  state: JobState;
  /** JSON, by the schema of its kind. */
  payload: Fixed<string>;
  /** Null where the job acts for the server itself. */
  acting_user_id: Fixed<number | null>;
  acting_user_name: Fixed<string | null>;
  /** Held by one job that has not ended; then null. */
  open_key: string | null;
  /** How often it was started. Also distinguishes the runs: an earlier run can no longer end the job. */
  attempts: Generated<number>;
  attempts_max: number;
  run_at: number;
  /** When it was handed to the engine; null until it is due, and where no engine is used. */
  delivered_at: number | null;
  /** Until when its process is believed to live. */
  lease_until: number | null;
  cancel_requested: Generated<0 | 1>;
  /** Per cent. */
  progress: number | null;
  result: string | null;
  error: string | null;
  created_at: Fixed<number>;
  started_at: number | null;
  ended_at: number | null;
}

export interface TablesOfJobs {
  jobs: JobTable;
}
