// A process that runs jobs, for tests that kill it: `node server/testing/job-process.ts` with DATABASE_URL and DATA_DIR.

import { once } from 'node:events';
import { z } from 'zod';
import { readConfig } from '../config.ts';
import { openContext } from '../context.ts';
import { openDatabase } from '../platform/db/connect.ts';
import { jobKind, type RunningJob } from '../platform/jobs/kinds.ts';
import { nameColumns } from '../platform/names/name-forms.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const never = new Promise<never>(() => {});
const mayEnd = once(process, 'SIGUSR2');

const config = readConfig();
const database = await openDatabase(config.databaseUrl);
const context = await openContext(config, { database });

/** The effect of a job: one row, in the transaction that ends it. */
async function write(name: string, { finish }: RunningJob<unknown>, beforeCommit?: Promise<never>): Promise<void> {
  await database.transaction(async (tx) => {
    await tx
      .insertInto('report_types')
      .values({ ...nameColumns(name), created_at: 1 })
      .execute();
    if (beforeCommit !== undefined) {
      say('in the middle');
      await beforeCommit;
    }
    await finish(tx, `by ${process.pid}`);
  });
}

const kind = { title: 'Test', acts: 'system', payload: z.strictObject({ name: z.string() }), attempts: 5 } as const;
const jobs = context.jobs.extend({
  /** Writes one row; the first run of all stops in the middle of its transaction. */
  'test.once': jobKind({
    ...kind,
    retryAfterMs: 1_000,
    atOnce: 1,
    run: (job) => write(job.payload.name, job, job.attempt === 1 ? never : undefined),
  }),
  /** One of many: records who ran it, once the process got SIGUSR2. */
  'test.shared': jobKind({
    ...kind,
    retryAfterMs: 1_000,
    atOnce: 1,
    run: async (job) => {
      await mayEnd;
      await write(job.payload.name, job);
    },
  }),
});
await jobs.start();
say('runs jobs');
process.once('SIGTERM', async () => {
  await context.close();
  process.exit(0);
});
setInterval(() => {}, 60_000);
