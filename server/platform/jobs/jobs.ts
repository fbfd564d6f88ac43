// Work in the background: ordered in the transaction of an act, run at least once, done once in effect.
import type { Kysely } from 'kysely';
import { Refusal } from '#contract/errors.ts';
import type { Principal } from '../../people/access/principal.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import type { Delivery } from './delivery.ts';
import {
  bringForward,
  type ClaimedJob,
  cancelledRuns,
  claimJob,
  endCancelled,
  endDone,
  endFailed,
  hasOpen,
  insertJob,
  type JobRef,
  LEASE_MS,
  lastEnd,
  noteProgress,
  releaseRun,
  renewLease,
  returnDelivery,
  takeOverLost,
  waitForRetry,
} from './job-table.ts';
import type { JobKind, JobKinds, Order, RunningJob } from './kinds.ts';
import { openLocalDelivery } from './local-delivery.ts';

const TICK_MS = 1_000;
const RENEW_EVERY_MS = LEASE_MS / 3;
const PROGRESS_EVERY_MS = 1_000;
const RETRY_WITHIN_MS = 60 * 60_000;
/** A start runs scheduled work early, unless it was done more recently than this. */
const FRESH_MS = 60 * 60_000;
const ERROR_LENGTH_MAX = 500;

/** How long running jobs have to end before they are given back to be run elsewhere. */
export const JOBS_GRACE_MS = 20_000;

export interface JobLog {
  error(facts: object, message: string): void;
  info(facts: object, message: string): void;
}

/** A job that the server orders by itself: at most one of a kind is waiting or running. */
const scheduled = (kind: string, attemptsMax: number, runAt: number, at: number) => ({
  kind,
  payload: '{}',
  actingFor: null,
  openKey: `schedule:${kind}`,
  attemptsMax,
  runAt,
  deliveredAt: null,
  at,
});

const silent: JobLog = { error() {}, info() {} };

/** The run is to end, or is no longer this process's own. */
class RunLost extends Error {
  override readonly name = 'RunLost';
}

interface Running {
  readonly job: ClaimedJob;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
  /** Why it was asked to stop, if it was. */
  stoppedBy: 'cancel' | 'release' | 'lost' | null;
}

export interface JobsOptions {
  readonly database: Database;
  readonly now: () => number;
  readonly clock: Clock;
  /** The principal of the person with this id. */
  readonly actingFor: (userId: number) => Principal;
  /** Whether this process looks for due jobs by itself, as it always does on SQLite, and asks no engine that several share. */
  readonly alone?: boolean | undefined;
}

export class Jobs<Kinds extends JobKinds> {
  /** How often lost runs are taken over and it is looked what there is work for. Tests have less patience. */
  static lookRoundEveryMs = 15_000;
  readonly #options: JobsOptions;
  readonly #kinds: Map<string, JobKind>;
  readonly #running = new Set<Running>();
  #delivery: Delivery | null = null;
  #log: JobLog = silent;
  #stopTicking = () => {};
  #tick: Promise<void> | null = null;
  #stopping = false;
  #renewedAt = 0;
  #tookOverAt = 0;

  constructor(options: JobsOptions, kinds: Kinds) {
    this.#options = options;
    this.#kinds = new Map(Object.entries(kinds));
  }

  /** The same jobs with more kinds, before they are started. */
  extend<More extends JobKinds>(more: More): Jobs<Kinds & More> {
    for (const [name, kind] of Object.entries(more)) this.#kinds.set(name, kind);
    return this as unknown as Jobs<Kinds & More>;
  }

  /** What a kind does, in a few words; its key where only another version of the program knows it. */
  titleOf(kind: string): string {
    return this.#kinds.get(kind)?.title ?? kind;
  }

  /**
   * Orders a job in the transaction of the act that needs it: the job exists exactly when the act has committed. Returns its
   * id; null where a job with the same `openKey` has not ended.
   */
  async enqueue(tx: Kysely<Schema>, order: Order<Kinds>): Promise<number | null> {
    const kind = this.#kind(order.kind);
    const payload = JSON.stringify(kind.payload.parse(order.payload));
    const at = this.#options.now();
    const runAt = order.runAt ?? at;
    const isDue = runAt <= at;
    const id = await insertJob(tx, {
      kind: order.kind,
      payload,
      actingFor: order.actingFor ?? null,
      openKey: order.openKey ?? null,
      attemptsMax: kind.attempts,
      runAt,
      deliveredAt: isDue && this.#delivery?.keeps ? at : null,
      at,
    });
    if (id !== null && isDue) await this.#delivery?.hand(tx, { id, kind: order.kind, attempts: 0 });
    return id;
  }

  /** Starts to run jobs in this process, the scheduled ones too. */
  async start(log: JobLog = silent): Promise<void> {
    const { database, now, clock } = this.#options;
    this.#log = log;
    this.#delivery = await this.#openDelivery();
    await this.#schedule(true);
    await this.#delivery.start({
      kinds: [...this.#kinds].map(([kind, { atOnce, inTurn = false }]) => ({ kind, atOnce, inTurn })),
      run: (job) => this.#run(job),
    });
    await takeOverLost(database, now());
    await this.#delivery.look();
    this.#stopTicking = clock.every(TICK_MS, () => void this.tick());
  }

  async #openDelivery(): Promise<Delivery> {
    const { database, now } = this.#options;
    if (database.kind === 'sqlite' || this.#options.alone) return openLocalDelivery(database, now);
    const { openPgBossDelivery } = await import('./pg-boss-delivery.ts');
    return openPgBossDelivery(database, now, (error) => this.#log.error({ err: error }, 'the job engine failed'));
  }

  /** What the timer does once a second; a fault of the database is logged, and the next tick tries again. */
  tick(): Promise<void> {
    this.#tick ??= this.#look()
      .catch((error) => this.#log.error({ err: error }, 'looking after jobs failed'))
      .finally(() => {
        this.#tick = null;
      });
    return this.#tick;
  }

  async #look(): Promise<void> {
    const { database, now } = this.#options;
    if (this.#delivery === null || this.#stopping) return;
    const at = now();
    if (this.#running.size > 0) {
      const ids = await cancelledRuns(database.reader);
      for (const running of this.#running) if (ids.includes(running.job.id)) stopRun(running, 'cancel');
      if (at - this.#renewedAt >= RENEW_EVERY_MS) await this.#renew(at);
    }
    if (at - this.#tookOverAt >= Jobs.lookRoundEveryMs) {
      this.#tookOverAt = at;
      await takeOverLost(database, at);
      await this.#schedule(false);
    }
    await this.#delivery.look();
  }

  async #renew(at: number): Promise<void> {
    this.#renewedAt = at;
    const lost = await this.#options.database.transaction(async (tx) => {
      const found: Running[] = [];
      for (const running of this.#running) if (!(await renewLease(tx, running.job, at))) found.push(running);
      return found;
    });
    for (const running of lost) stopRun(running, 'lost');
  }

  /** Orders scheduled jobs that are not waiting already, and those that there is work for. */
  async #schedule(isStart: boolean): Promise<void> {
    const { database, now } = this.#options;
    const at = now();
    for (const [name, { everyMs, isWanted, attempts }] of this.#kinds) {
      const openKey = `schedule:${name}`;
      if (isWanted !== undefined) {
        if (!(await hasOpen(database.reader, openKey)) && (await isWanted())) await this.#order(name, attempts, at);
        continue;
      }
      if (everyMs === undefined) continue;
      // In this order: one that ends in between is noticed by its end.
      const isOpen = await hasOpen(database.reader, openKey);
      const last = await lastEnd(database.reader, name);
      const isFresh = last !== null && at - last < FRESH_MS;
      if (isOpen && (!isStart || isFresh)) continue;
      const runAt = last === null || (isStart && !isFresh) ? at : last + everyMs;
      await database.transaction(async (tx) => {
        if (isOpen) return bringForward(tx, openKey, at);
        await insertJob(tx, scheduled(name, attempts, runAt, at));
      });
    }
  }

  #order(name: string, attempts: number, at: number): Promise<number | null> {
    return this.#options.database.transaction((tx) => insertJob(tx, scheduled(name, attempts, at, at)));
  }

  /**
   * Takes no more jobs and waits until those that run have ended; what runs longer than `graceMs` is stopped and handed back,
   * to be run elsewhere or at the next start.
   */
  async stop(graceMs: number = JOBS_GRACE_MS): Promise<void> {
    if (this.#delivery === null || this.#stopping) return;
    this.#stopping = true;
    this.#stopTicking();
    await this.#tick;
    const ended = () => Promise.all([...this.#running].map((running) => running.ended));
    const { clock } = this.#options;
    const { promise: grace, resolve } = Promise.withResolvers<void>();
    const endGrace = clock.after(graceMs, resolve, { ref: true });
    await Promise.race([ended(), grace]);
    endGrace();
    for (const running of this.#running) stopRun(running, 'release');
    // One that does not listen is left behind: its lease runs out.
    const deaf = new Promise<void>((resolve) => clock.after(1_000, resolve));
    await Promise.race([ended(), deaf]);
    await this.#delivery.stop();
    this.#delivery = null;
    this.#stopping = false;
  }

  #kind(name: string): JobKind {
    const kind = this.#kinds.get(name);
    if (kind === undefined) throw new Error(`No kind of job is called ${name}`);
    return kind;
  }

  async #run(ref: JobRef): Promise<void> {
    const { database, now } = this.#options;
    if (this.#stopping) return database.transaction((tx) => returnDelivery(tx, ref));
    const { inTurn = false } = this.#kind(ref.kind);
    const job = await database.transaction(async (tx) => {
      const claimed = await claimJob(tx, { ...ref, inTurn }, now());
      // Handed over again when its person's turn comes.
      if (claimed === null && inTurn) await returnDelivery(tx, ref);
      return claimed;
    });
    if (job === null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const running: Running = { job, controller: new AbortController(), ended: promise, stoppedBy: null };
    this.#running.add(running);
    try {
      await this.#attempt(running);
      // A scheduled job is ordered again at once.
      if (this.#kind(job.kind).everyMs !== undefined && !this.#stopping) await this.#schedule(false);
    } catch (error) {
      // Its end could not be recorded: the lease runs out, and the job runs again.
      this.#log.error({ err: error, job: job.id, kind: job.kind }, 'the end of a job could not be noted');
    } finally {
      this.#running.delete(running);
      resolve();
    }
  }

  async #attempt(running: Running): Promise<void> {
    const { database, now, actingFor } = this.#options;
    const { job, controller } = running;
    const kind = this.#kind(job.kind);
    const progress = this.#progressOf(job);
    let isFinished = false;
    const finish: RunningJob<unknown>['finish'] = async (tx, result) => {
      const text = result === undefined ? null : JSON.stringify(result);
      if (!(await endDone(tx, job, text, now()))) throw new RunLost(`Job ${job.id} was taken over`);
      isFinished = true;
    };
    try {
      const result = await kind.run({
        id: job.id,
        attempt: job.attempts,
        payload: kind.payload.parse(JSON.parse(job.payload)),
        principal: job.acting_user_id === null ? null : actingFor(job.acting_user_id),
        signal: controller.signal,
        passOver: (err, piece) =>
          this.#log.error({ err, job: job.id, kind: job.kind, piece }, 'a job went on without a piece'),
        progress: progress.note,
        finish,
      });
      await progress.end();
      if (!isFinished) await database.transaction((tx) => finish(tx, result));
    } catch (error) {
      await progress.end();
      await this.#settle(running, error);
    }
  }

  /** Records why a run ended without being done. */
  async #settle({ job, stoppedBy }: Running, error: unknown): Promise<void> {
    const { database, now } = this.#options;
    const kind = this.#kind(job.kind);
    const facts = { err: error, job: job.id, kind: job.kind, attempt: job.attempts };
    if (stoppedBy === 'cancel') return void (await database.transaction((tx) => endCancelled(tx, job, now())));
    if (stoppedBy === 'release') return void (await database.transaction((tx) => releaseRun(tx, job, now())));
    if (stoppedBy === 'lost' || error instanceof RunLost) return;
    const words = wordsOf(error);
    if (job.attempts >= job.attempts_max || isFinal(error)) {
      this.#log.error(facts, 'a job has failed');
      await database.transaction((tx) => endFailed(tx, job, words, now()));
      return;
    }
    this.#log.info(facts, 'a job failed and will be tried again');
    const waitMs = Math.min(kind.retryAfterMs * 2 ** (job.attempts - 1), RETRY_WITHIN_MS);
    await database.transaction((tx) => waitForRetry(tx, job, words, now() + waitMs));
  }

  /** Keeps the latest value and records it at most once a second, apart from the work. */
  #progressOf(job: ClaimedJob): { note(done: number, total: number): void; end(): Promise<void> } {
    const { database, clock } = this.#options;
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
        .catch((error) => this.#log.error({ err: error, job: job.id }, 'progress could not be noted'));
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
}

function stopRun(running: Running, by: NonNullable<Running['stoppedBy']>): void {
  if (running.stoppedBy !== null) return;
  running.stoppedBy = by;
  running.controller.abort(new RunLost(`Job ${running.job.id} is to stop: ${by}`));
}

/** Faults that a further attempt cannot fix: a missing right, a deleted object, a wrong payload. */
function isFinal(error: unknown): boolean {
  if (error instanceof Refusal) return error.status < 500;
  return error instanceof Error && ['ZodError', '$ZodError'].includes(error.name);
}

function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, ERROR_LENGTH_MAX);
}
