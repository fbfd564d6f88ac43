// Jobs of a database that has one process: the process looks for itself.
import type { Database } from '../db/database.ts';
import type { Delivery, Worker } from './delivery.ts';
import { dueJobs } from './due-jobs.ts';

export function openLocalDelivery(database: Database, now: () => number): Delivery {
  const held = new Map<string, Set<number>>();
  let worker: Worker | null = null;
  let looking: Promise<void> | null = null;
  let again = false;

  async function begin({ kinds, run }: Worker): Promise<void> {
    for (const { kind, atOnce, inTurn } of kinds) {
      const running = held.get(kind) ?? new Set();
      held.set(kind, running);
      // One that was just taken may still be listed as waiting.
      const places = atOnce - running.size;
      if (places <= 0) continue;
      const due = await dueJobs(database.reader, { kind, inTurn }, atOnce, now());
      // It was to take no more meanwhile.
      if (worker === null) return;
      for (const job of due.filter(({ id }) => !running.has(id)).slice(0, places)) {
        running.add(job.id);
        void run(job)
          // What could not be started still waits, and is found at the next tick.
          .then(wake, () => {})
          .finally(() => running.delete(job.id));
      }
    }
  }

  /** One look at a time; one requested meanwhile follows it. */
  function look(): Promise<void> {
    if (looking !== null) {
      again = true;
      return looking;
    }
    looking = (async () => {
      do {
        again = false;
        if (worker !== null) await begin(worker);
      } while (again);
    })().finally(() => {
      looking = null;
    });
    return looking;
  }

  /** Soon, without making the caller wait; what fails is tried at the next tick. */
  function wake(): void {
    setImmediate(() => void look().catch(() => {}));
  }

  return {
    keeps: false,
    async hand() {
      // The writer has one holder at a time, so this runs once the calling transaction has ended.
      void database.transaction(async () => {}).then(wake, () => {});
    },
    async start(given) {
      worker = given;
      await look();
    },
    look,
    takeNoMore() {
      worker = null;
    },
    async stop() {
      await looking?.catch(() => {});
    },
  };
}
