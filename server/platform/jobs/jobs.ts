// Work in the background: ordered in the transaction of an act, run at least once, done once in effect.
import type { Kysely } from 'kysely';
import type { Principal } from '../../people/access/principal.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import type { Delivery } from './delivery.ts';
import { claimJob, type JobRef, returnDelivery } from './due-jobs.ts';
import { type JobLog, silent } from './job-log.ts';
import { attemptRun, type Running, stopRun } from './job-run.ts';
import { bringBack, insertJob } from './job-table.ts';
import type { JobKind, JobKinds, Order } from './kinds.ts';
import { openLocalDelivery } from './local-delivery.ts';
import { cancelledRuns, LEASE_MS, renewLease, takeOverLost } from './running-jobs.ts';
import { orderScheduled } from './schedule.ts';

const TICK_MS = 1_000;
const RENEW_EVERY_MS = LEASE_MS / 3;

/** How long running jobs have to end before they are given back to be run elsewhere. */
export const JOBS_GRACE_MS = 20_000;

/** Whether so much time has passed, or the clock was put back: then nobody knows. */
const isOver = (since: number, ms: number, at: number) => at < since || at - since >= ms;

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
  /** Runs that are being begun. */
  readonly #beginning = new Set<Promise<unknown>>();
  #delivery: Delivery | null = null;
  #log: JobLog = silent;
  #stopTicking = () => {};
  #tick: Promise<void> | null = null;
  #ending: Promise<void> | null = null;
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

  /** How often a kind is tried; undefined where only another version of the program knows it. */
  attemptsOf(kind: string): number | undefined {
    return this.#kinds.get(kind)?.attempts;
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
    // Of two deliveries the first could not be stopped any more.
    if (this.#delivery !== null) throw new Error('The jobs run already');
    this.#log = log;
    this.#delivery = await this.#openDelivery();
    await this.#orderScheduled(true);
    await this.#delivery.start({
      kinds: [...this.#kinds].map(([kind, { atOnce, inTurn = false }]) => ({ kind, atOnce, inTurn })),
      run: (job) => this.#run(job),
    });
    await takeOverLost(database, now());
    await bringBack(database, now());
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
      if (isOver(this.#renewedAt, RENEW_EVERY_MS, at)) await this.#renew(at);
    }
    if (isOver(this.#tookOverAt, Jobs.lookRoundEveryMs, at)) {
      this.#tookOverAt = at;
      await takeOverLost(database, at);
      await bringBack(database, at);
      await this.#orderScheduled(false);
    }
    await this.#delivery.look();
  }

  #orderScheduled(isStart: boolean): Promise<void> {
    return orderScheduled(this.#kinds, isStart, { ...this.#options, log: this.#log });
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

  /**
   * Takes no more jobs and waits until those that run have ended; what runs longer than `graceMs`, and with SQLite at once what goes
   * on where it was, is stopped and handed back, to be run elsewhere or at the next start.
   */
  async stop(graceMs: number = JOBS_GRACE_MS): Promise<void> {
    if (this.#delivery === null) return;
    // Whoever asks meanwhile waits for the same end.
    this.#ending ??= this.#end(this.#delivery, graceMs).finally(() => {
      this.#ending = null;
    });
    await this.#ending;
  }

  get #stopping(): boolean {
    return this.#ending !== null;
  }

  async #end(delivery: Delivery, graceMs: number): Promise<void> {
    this.#stopTicking();
    // Before it is waited for: a look would hand the same job over again and again, since none is begun any more.
    delivery.takeNoMore();
    await this.#tick;
    // What was being begun runs by then, or stays where it was.
    await Promise.allSettled(this.#beginning);
    // Of SQLite alone: what pg-boss delivered ends in its time.
    if (!delivery.keeps) {
      for (const running of this.#running) if (this.#kind(running.job.kind).resumes) stopRun(running, 'release');
    }
    const ended = () => Promise.all([...this.#running].map((running) => running.ended));
    const { clock } = this.#options;
    const { promise: grace, resolve } = Promise.withResolvers<void>();
    const endGrace = clock.after(graceMs, resolve, { ref: true });
    await Promise.race([ended(), grace]);
    endGrace();
    for (const running of this.#running) stopRun(running, 'release');
    // One that does not listen is left behind: its lease runs out.
    const leftBehind = new Promise<void>((resolve) => clock.after(1_000, resolve));
    await Promise.race([ended(), leftBehind]);
    for (const { job } of this.#running)
      this.#log.error({ job: job.id, kind: job.kind }, 'a job did not end with its process and was left behind');
    this.#running.clear();
    await delivery.stop();
    this.#delivery = null;
  }

  #kind(name: string): JobKind {
    const kind = this.#kinds.get(name);
    if (kind === undefined) throw new Error(`No kind of job is called ${name}`);
    return kind;
  }

  /** Begins a run, and what tells that it has ended; null where there is none to begin, or none any more. */
  async #begin(ref: JobRef): Promise<{ readonly running: Running; readonly end: () => void } | null> {
    const { database, now } = this.#options;
    const { inTurn = false } = this.#kind(ref.kind);
    const job = await database.transaction(async (tx) => {
      const claimed = this.#stopping ? null : await claimJob(tx, { ...ref, inTurn }, now());
      // Handed over again when its person's turn comes, or by another process.
      if (claimed === null && (inTurn || this.#stopping)) await returnDelivery(tx, ref);
      return claimed;
    });
    if (job === null) return null;
    const { promise, resolve } = Promise.withResolvers<void>();
    const running: Running = { job, controller: new AbortController(), ended: promise, stoppedBy: null };
    this.#running.add(running);
    return { running, end: resolve };
  }

  async #run(ref: JobRef): Promise<void> {
    const beginning = this.#begin(ref);
    this.#beginning.add(beginning);
    const begun = await beginning.finally(() => this.#beginning.delete(beginning));
    if (begun === null) return;
    const { running, end } = begun;
    const { job } = running;
    try {
      await attemptRun(running, this.#kind(job.kind), { ...this.#options, log: this.#log });
      // A scheduled job is ordered again at once.
      if (this.#kind(job.kind).everyMs !== undefined && !this.#stopping) await this.#orderScheduled(false);
    } catch (error) {
      // Its end could not be recorded: the lease runs out, and the job runs again.
      this.#log.error({ err: error, job: job.id, kind: job.kind }, 'the end of a job could not be noted');
    } finally {
      this.#running.delete(running);
      end();
    }
  }
}
