// What a monitor is told of the process and of the portal, in the text format of Prometheus.
import type { SystemFacts } from '#contract/system.ts';
import type { Admission } from '../platform/admission/admission.ts';
import { FairTurns } from '../platform/admission/fair-turns.ts';
import { ConnectionPlaces } from '../platform/admission/open-connections.ts';
import type { Clock } from '../platform/clock.ts';
import type { Monitored } from './monitored.ts';
import { ProcessMetrics } from './process-metrics.ts';
import { one, oneIfAny, type Sample, Samples } from './samples.ts';
import type { JobsOfKind, MailsOfState } from './system-rows.ts';

/** What costs is asked for once in this time, however many monitors there are. */
const KEPT_MS = 15_000;
/** A monitor is told what was known before rather than kept waiting. */
const WAITED_MS = 3_000;
const ABOUT = ['database', 'store', 'jobs', 'backup', 'mail'] as const;

interface Known {
  readonly atMs: number;
  readonly facts: SystemFacts;
  readonly jobs: readonly JobsOfKind[];
  readonly mails: readonly MailsOfState[];
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const seconds = (instant: string) => Date.parse(instant) / 1_000;

export interface MetricsParts extends Monitored {
  readonly admission: Admission;
  readonly clock: Clock;
  /** In ms since the epoch. */
  readonly now: () => number;
  /** Told why the facts could not be read. */
  readonly onFault: (error: unknown) => void;
}

export class Metrics {
  readonly samples = new Samples();
  readonly #parts: MetricsParts;
  readonly #process: ProcessMetrics;
  /** Null before the first reading, and where the last one failed. */
  #known: Known | null = null;
  #askedAtMs: number | null = null;
  #reading: Promise<void> | null = null;

  constructor(parts: MetricsParts) {
    this.#parts = parts;
    this.#process = new ProcessMetrics(this.samples, parts.engine);
    this.#tellAdmission();
    this.#tellConnections();
    this.#tellFacts();
    this.#tellPlaces();
  }

  /** All of it. Waits for a store that does not answer for a moment only, and never rejects for it. */
  async text(): Promise<string> {
    const { clock } = this.#parts;
    if (this.#reading === null && (this.#askedAtMs === null || clock.nowMs() - this.#askedAtMs >= KEPT_MS)) {
      this.#askedAtMs = clock.nowMs();
      this.#process.readLoop();
      this.#reading = this.#read().finally(() => {
        this.#reading = null;
      });
    }
    if (this.#reading !== null) await this.#atMost(WAITED_MS, this.#reading);
    return this.samples.registry.metrics();
  }

  end(): void {
    this.#process.end();
  }

  async #read(): Promise<void> {
    const { facts, jobs, mails, now, onFault } = this.#parts;
    this.#known = await Promise.all([facts(), jobs(), mails()]).then(
      ([facts, jobs, mails]) => ({ atMs: now(), facts, jobs, mails }),
      (error: unknown) => {
        onFault(error);
        return null;
      },
    );
  }

  #atMost(ms: number, work: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#parts.clock.after(ms, resolve);
      void work.then(() => {
        stop();
        resolve();
      });
    });
  }

  #tellAdmission(): void {
    const shares = Object.entries(this.#parts.admission).map(([name, share]) => [snakeCase(name), share] as const);
    const turns = (read: (share: FairTurns) => number) => () =>
      shares.flatMap(([share, of]): Sample[] => (of instanceof FairTurns ? [[{ share }, read(of)]] : []));
    const places = (read: (share: ConnectionPlaces) => number) => () =>
      shares.flatMap(([share, of]): Sample[] => (of instanceof ConnectionPlaces ? [[{ share }, read(of)]] : []));
    const label = ['share'];
    this.samples.gauge(
      'admission_in_flight',
      'What is being done, by share.',
      label,
      turns(({ running }) => running),
    );
    this.samples.gauge(
      'admission_waiting',
      'What waits for its turn, by share.',
      label,
      turns(({ waiting }) => waiting),
    );
    const refused = 'What was refused because too much waited, by share.';
    this.samples.counter(
      'admission_refused',
      refused,
      label,
      turns(({ refused }) => refused),
    );
    this.samples.gauge(
      'connections_open',
      'Open connections, by share.',
      label,
      places(({ open }) => open),
    );
    const closed = 'Connections that were closed to make room for another, by share.';
    this.samples.counter(
      'connections_closed_for_room',
      closed,
      label,
      places(({ closed }) => closed),
    );
  }

  #tellConnections(): void {
    const { connections, storeFaults } = this.#parts;
    this.samples.gauge('database_connections', 'Connections of the pool to PostgreSQL.', ['state'], () => {
      const { open, idle = 0 } = connections();
      if (open === undefined) return [];
      return [
        [{ state: 'in_use' }, open - idle],
        [{ state: 'idle' }, idle],
      ];
    });
    const of = 'for a connection: the one that writes on SQLite, one of the pool on PostgreSQL.';
    this.samples.gauge('database_waiting', `What waits ${of}`, [], () => one(connections().waits.waiting));
    this.samples.counter('database_waits', `How often was asked ${of}`, [], () => one(connections().waits.taken));
    this.samples.counter('database_wait_seconds', `How long was waited ${of}`, [], () =>
      one(connections().waits.waitedMs / 1_000),
    );
    this.samples.counter('store_faults', 'What failed at the place of the files, by operation.', ['operation'], () =>
      Object.entries(storeFaults.counts).map(([operation, n]): Sample => [{ operation }, n]),
    );
  }

  /** What `read` makes of the facts that are known; nothing where none are. */
  #ofKnown(read: (known: Known) => Iterable<Sample>): () => Iterable<Sample> {
    return () => (this.#known === null ? [] : read(this.#known));
  }

  #tellFacts(): void {
    const up = 'Whether the database could be asked for the facts that follow.';
    this.samples.gauge('facts_up', up, [], () => one(this.#known === null ? 0 : 1));
    const read = 'When the facts that follow were read, since 1970.';
    this.samples.gauge(
      'facts_read_time_seconds',
      read,
      [],
      this.#ofKnown(({ atMs }) => one(atMs / 1_000)),
    );
    const warnings = 'Warnings of the page System, by what they are about.';
    this.samples.gauge(
      'warnings',
      warnings,
      ['about'],
      this.#ofKnown(({ facts }) =>
        ABOUT.map((about): Sample => [{ about }, facts.warnings.filter((one) => one.about === about).length]),
      ),
    );
    this.samples.gauge(
      'jobs',
      'Background jobs that are kept, by kind and state.',
      ['kind', 'state'],
      this.#ofKnown(({ jobs }) => jobs.map(({ kind, state, n }): Sample => [{ kind, state }, n])),
    );
    this.samples.gauge(
      'jobs_due',
      'Background jobs that are due and not begun.',
      [],
      this.#ofKnown(({ facts }) => one(facts.jobs.due)),
    );
    const oldest = 'How long the oldest of those has been due.';
    this.samples.gauge(
      'jobs_oldest_due_seconds',
      oldest,
      [],
      this.#ofKnown(({ facts: { jobs }, atMs }) =>
        one(jobs.dueSince === null ? 0 : Math.max(0, atMs / 1_000 - seconds(jobs.dueSince))),
      ),
    );
    this.samples.gauge(
      'mails',
      'Mails that are kept, by state.',
      ['state'],
      this.#ofKnown(({ mails }) => mails.map(({ state, n }): Sample => [{ state }, n])),
    );
    const failing = 'Mails that failed within three days or wait for another try.';
    this.samples.gauge(
      'mails_failing',
      failing,
      [],
      this.#ofKnown(({ facts }) => one(facts.mail.failing)),
    );
  }

  #tellPlaces(): void {
    this.samples.gauge(
      'files',
      'Stored files.',
      [],
      this.#ofKnown(({ facts }) => one(facts.store.files)),
    );
    this.samples.gauge(
      'files_bytes',
      'Their bytes.',
      [],
      this.#ofKnown(({ facts }) => one(facts.store.sizeBytes)),
    );
    const damaged = 'Stored files that are missing or damaged, as far as is known.';
    this.samples.gauge(
      'files_damaged',
      damaged,
      [],
      this.#ofKnown(({ facts }) => one(facts.store.damaged)),
    );
    const answers = 'Whether the place of the files takes bytes.';
    this.samples.gauge(
      'store_up',
      answers,
      [],
      this.#ofKnown(({ facts }) => one(facts.store.answers ? 1 : 0)),
    );
    const free = 'Free space where the files are; absent for a bucket.';
    this.samples.gauge(
      'store_free_bytes',
      free,
      [],
      this.#ofKnown(({ facts }) => oneIfAny(facts.store.freeBytes)),
    );
    this.samples.gauge(
      'database_bytes',
      'Size of the database.',
      [],
      this.#ofKnown(({ facts }) => one(facts.database.sizeBytes)),
    );
    const room = 'Free space where the database is; absent for a server of its own.';
    this.samples.gauge(
      'database_free_bytes',
      room,
      [],
      this.#ofKnown(({ facts }) => oneIfAny(facts.database.freeBytes)),
    );
    const backup = 'When the last backup ended, since 1970; absent where there is none.';
    this.samples.gauge(
      'last_backup_time_seconds',
      backup,
      [],
      this.#ofKnown(({ facts }) => (facts.backup?.last ? one(seconds(facts.backup.last.endedAt)) : [])),
    );
  }
}
