// How far a job is: the latest value is kept, and written down now and then.
import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import type { ClaimedJob } from './due-jobs.ts';
import type { JobLog } from './job-log.ts';
import { noteProgress } from './running-jobs.ts';

const PROGRESS_EVERY_MS = 1_000;

/** Keeps the latest value and records it at most once a second, apart from the work. */
export function progressOf(
  job: ClaimedJob,
  { database, clock, log }: { readonly database: Database; readonly clock: Clock; readonly log: JobLog },
): { note(done: number, total: number): void; end(): Promise<void> } {
  let latest = -1;
  let written = -1;
  let stop: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();
  const write = () => {
    stop = undefined;
    if (latest === written) return;
    const percent = latest;
    written = percent;
    writing = database
      .transactionFlushedBeside((tx) => noteProgress(tx, job, percent))
      .catch((error) => log.error({ err: error, job: job.id }, 'progress could not be noted'));
    stop = clock.after(PROGRESS_EVERY_MS, write);
  };
  return {
    note(done, total) {
      latest = total <= 0 ? 0 : Math.max(0, Math.min(100, Math.floor((done / total) * 100)));
      if (stop === undefined) write();
    },
    async end() {
      stop?.();
      stop = undefined;
      await writing;
    },
  };
}
