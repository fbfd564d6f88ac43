// Jobs of a PostgreSQL that several processes share, delivered by pg-boss.
import type { Kysely } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import type { Delivery, WorkedKind, Worker } from './delivery.ts';
import { hasUndelivered, type JobRef, markDelivered } from './due-jobs.ts';

/** A pool of its own, so that background work never waits for requests or they for it. */
const CONNECTIONS = 3;
/** How often a worker polls: seldom where LISTEN announces every delivery. */
const LOOKS = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 5 } as const;
const STOP_WITHIN_MS = 5_000;

/** pg-boss locks, counts and retries deliveries; how often a job is tried is up to its own row. */
const QUEUE = {
  notify: true,
  retryLimit: 3,
  retryDelay: 5,
  /** A process that was killed drops its deliveries after this; its jobs are taken over by their lease. */
  heartbeatSeconds: 60,
  /** The longest that pg-boss allows; a job itself has no such limit. */
  expireInSeconds: 86_399,
  deleteAfterSeconds: 3_600,
} as const;

export function openPgBossDelivery(database: Database, now: () => number, onFault: (error: unknown) => void): Delivery {
  let boss: PgBoss | null = null;
  let kinds: readonly WorkedKind[] = [];

  const send = async (engine: PgBoss, tx: Kysely<Schema>, job: JobRef) => {
    await engine.send(job.kind, job, { db: fromKysely(tx) });
  };

  async function open(): Promise<PgBoss> {
    const existing = await database.reader
      .withTables<{ 'pg_catalog.pg_namespace': { nspname: string } }>()
      .selectFrom('pg_catalog.pg_namespace')
      .select('nspname')
      .where('nspname', '=', 'pgboss')
      .executeTakeFirst();
    const engine = new PgBoss({
      ...(database.url === null
        ? { db: fromKysely(database.reader), backend: 'pglite' as const }
        : { connectionString: database.url, max: CONNECTIONS, application_name: 'coffer-jobs', useListenNotify: true }),
      // An account that may not make schemas can be given this one.
      createSchema: existing === undefined,
      schedule: false,
    });
    engine.on('error', onFault);
    await engine.start();
    return engine;
  }

  /** One worker of a kind: takes one delivery after another. */
  async function takeAt(engine: PgBoss, kind: string, worker: Worker): Promise<void> {
    const place = await engine.work<JobRef>(kind, LOOKS, async (deliveries) => {
      for (const { data } of deliveries) await worker.run(data);
      // The next one at once, instead of at the next look.
      engine.notifyWorker(place);
    });
  }

  return {
    get keeps() {
      return boss !== null;
    },
    async hand(tx, job) {
      if (boss !== null) await send(boss, tx, job);
    },
    async start(worker: Worker) {
      const engine = await open();
      for (const { kind } of worker.kinds) await engine.createQueue(kind, QUEUE);
      kinds = worker.kinds;
      boss = engine;
      for (const { kind, atOnce } of worker.kinds) {
        for (let place = 0; place < atOnce; place += 1) await takeAt(engine, kind, worker);
      }
    },
    async look() {
      const engine = boss;
      if (engine === null || !(await hasUndelivered(database.reader, kinds, now()))) return;
      await database.transaction(async (tx) => {
        for (const job of await markDelivered(tx, kinds, now())) await send(engine, tx, job);
      });
    },
    // What its workers still take is handed back, and delivered at the next look of a process that goes on.
    takeNoMore() {},
    async stop() {
      const engine = boss;
      boss = null;
      await engine?.stop({ graceful: true, timeout: STOP_WITHIN_MS });
    },
  };
}
