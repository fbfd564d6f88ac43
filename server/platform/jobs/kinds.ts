// What a kind of job is: its payload, its limits, and what it does. `Jobs` holds the registry of them.
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { Principal } from '../../people/access/principal.ts';
import type { Schema } from '../db/schema.ts';

/** Whose rights a job has: those of the person who ordered it, at the moment it acts, or the server's own. */
export type Acts = 'person' | 'system';

/** One run of one job. */
export interface RunningJob<Payload, Act extends Acts = Acts> {
  readonly id: number;
  /** 1 for the first run; one that was given back does not count. */
  readonly attempt: number;
  readonly payload: Payload;
  /** The person the job acts for; null for the server itself. */
  readonly principal: Act extends 'person' ? Principal : null;
  /** Aborted when somebody cancels the job, when the process ends, or when another process has taken the job over. */
  readonly signal: AbortSignal;
  /** Logs a fault of one piece, where the job goes on with the others. `piece` says which, in words without what people wrote. */
  passOver(error: unknown, piece: string): void;
  /** How much is done, of how much. Written down once a second at most: call it as often as you like. */
  progress(done: number, total: number): void;
  /**
   * Called after each piece whose effect is kept. After as many as the kind allows (`piecesOfATurn`), where somebody else's job of the
   * kind waits for a place, this run ends here, and another goes on in its turn.
   */
  pieceKept(): Promise<void>;
  /**
   * Ends the job in the transaction of its effect: both commit or neither. Throws where another process has taken the job over,
   * which rolls the effect back. A job that never calls it ends when its `run` resolves, and must tolerate being run twice.
   */
  finish(tx: Kysely<Schema>, result?: unknown): Promise<void>;
}

export interface JobKind<Payload extends z.ZodType = z.ZodType, Act extends Acts = Acts> {
  /** What it does, for an Admin who reads the list. */
  readonly title: string;
  readonly acts: Act;
  readonly payload: Payload;
  /** How often it is begun before it counts as failed. */
  readonly attempts: number;
  /** The wait after the first failure, in ms; each further one doubles it, up to an hour. */
  readonly retryAfterMs: number;
  /** How many run at once in one process. */
  readonly atOnce: number;
  /** For a kind that acts for people: it runs one job of each at a time, in all processes together, so that nobody takes all places. */
  readonly inTurn?: boolean;
  /** For a kind in turn: after so many pieces it makes way for others (`pieceKept`). */
  readonly piecesOfATurn?: number;
  /** Whether another run goes on where this one was: a process with SQLite that ends stops it at once, and waits for others. */
  readonly resumes?: true;
  /** For a scheduled job: from one end to the next run, in ms. Its payload is `{}`. */
  readonly everyMs?: number;
  /** For a job that the server orders by itself whenever there is work for it. Its payload is `{}`. */
  readonly isWanted?: () => Promise<boolean>;
  /** Resolves to the stored result. A `Refusal` ends the job as failed at once; any other error is tried again. */
  run(job: RunningJob<z.output<Payload>, Act>): Promise<unknown>;
}

/** Ties the type of the payload to `run`. */
export function jobKind<Payload extends z.ZodType, Act extends Acts>(
  kind: JobKind<Payload, Act>,
): JobKind<Payload, Act> {
  return kind;
}

export type JobKinds = Readonly<Record<string, JobKind>>;

export interface Person {
  readonly id: number;
  readonly fullName: string;
}

/** What a job of `Kinds` is ordered with. A kind that acts for a person cannot be ordered without one. */
export type Order<Kinds extends JobKinds> = {
  readonly [Kind in keyof Kinds & string]: {
    readonly kind: Kind;
    readonly payload: z.input<Kinds[Kind]['payload']>;
    /** The earliest start, in ms since the epoch; now unless given. What is more than two hours away is taken for a clock that was put back. */
    readonly runAt?: number;
    /** While a job with this key has not ended, no other is taken. */
    readonly openKey?: string;
  } & (Kinds[Kind]['acts'] extends 'person' ? { readonly actingFor: Person } : { readonly actingFor?: never });
}[keyof Kinds & string];

/** What a room that orders jobs of `Kinds` is handed (`Jobs.enqueue`). */
export interface JobOrders<Kinds extends JobKinds> {
  enqueue(tx: Kysely<Schema>, order: Order<Kinds>): Promise<number | null>;
}
