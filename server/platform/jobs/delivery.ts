// How due jobs come to the processes that run them: by the process itself, or by an engine that several processes share.
import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import type { JobRef } from './due-jobs.ts';

export interface WorkedKind {
  readonly kind: string;
  readonly atOnce: number;
  /** One job of a person at a time. */
  readonly inTurn: boolean;
}

export interface Worker {
  /** Kinds with how many of each may run at once in this process. */
  readonly kinds: readonly WorkedKind[];
  /** Runs the job to its end, if it can still be run. Rejects only where it could not be started. */
  run(job: JobRef): Promise<void>;
}

/**
 * The row of a job decides what happens to it; a delivery only asks a process to begin. So one that comes twice, late or after
 * the job was cancelled does no harm, and one that is lost is sent again.
 */
export interface Delivery {
  /** Whether `hand` gives jobs to an engine, which stores them: such a row is marked as delivered. */
  readonly keeps: boolean;
  /** Hands over a job that is due, in the transaction that makes it so. */
  hand(tx: Kysely<Schema>, job: JobRef): Promise<void>;
  start(worker: Worker): Promise<void>;
  /** Looks for due jobs that have not been handed over: they waited for their time, or no process was there. */
  look(): Promise<void>;
  /** Begins no more by itself: what the process hands back while it ends is not taken again. */
  takeNoMore(): void;
  /** Resolves when the engine holds nothing of this process. */
  stop(): Promise<void>;
}
