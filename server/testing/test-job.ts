// A job in the list that no process takes, for tests of those who read and manage the list, and of whom it was ordered by.
import type { JobState } from '#contract/job-states.ts';
import type { Database } from '../platform/db/database.ts';

export interface TestJob {
  readonly state: JobState;
  readonly error?: string | null;
  /** With `waiting` one that nobody runs, as it is unless given. */
  readonly kind?: string;
  readonly payload?: Readonly<Record<string, number>>;
  /** Who has ordered it; nobody unless given. */
  readonly actingUserId?: number;
  readonly progress?: number;
}

export function insertTestJob(
  database: Database,
  { state, error = null, kind = 'test.nobody-runs-this', payload = {}, actingUserId, progress }: TestJob,
): Promise<{ id: number }> {
  const isOpen = state === 'waiting' || state === 'running';
  return database.transaction((tx) =>
    tx
      .insertInto('jobs')
      .values({
        kind,
        state,
        payload: JSON.stringify(payload),
        acting_user_id: actingUserId ?? null,
        attempts: state === 'waiting' ? 0 : 1,
        attempts_max: 3,
        run_at: 1,
        progress: progress ?? null,
        created_at: 1,
        ended_at: isOpen ? null : 2,
        error,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
}
