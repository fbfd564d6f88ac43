// A job in the list that no process takes, for tests of those who read and manage the list.
import type { JobState } from '#contract/job-states.ts';
import type { Database } from '../platform/db/database.ts';

export function insertTestJob(
  database: Database,
  { state, error = null }: { readonly state: JobState; readonly error?: string | null },
): Promise<{ id: number }> {
  const isOpen = state === 'waiting' || state === 'running';
  return database.transaction((tx) =>
    tx
      .insertInto('jobs')
      .values({
        kind: 'test.nobody-runs-this',
        state,
        payload: '{}',
        attempts: state === 'waiting' ? 0 : 1,
        attempts_max: 3,
        run_at: 1,
        created_at: 1,
        ended_at: isOpen ? null : 2,
        error,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
}
