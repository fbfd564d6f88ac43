// What the job that writes digests does, at once and in a process of the test's own.
import { digestsJob } from '../mail/digests/digest-job.ts';
import { oneRun } from './one-run.ts';
import type { TestApp } from './test-app.ts';

/** Writes what is due; where nothing is due it is not even begun, as in use. */
export async function writeDigests(app: TestApp): Promise<void> {
  const { services, sessions, scopes } = app.context;
  const job = digestsJob({ ...services, database: app.database, scopes, findPerson: sessions.byPerson });
  if (!(await job.isWanted?.())) return;
  await job.run(oneRun());
}
