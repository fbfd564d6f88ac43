// The interface of a database, whichever engine runs it.
import type { Kysely } from 'kysely';
import type { ConnectionWaits } from './connection-waits.ts';
import type { Schema } from './schema.ts';

export type DatabaseKind = 'sqlite' | 'postgres';

/** A query that is prepared once and bound many times. */
export interface Statement {
  /** Distinct for each statement of this process: the name it is prepared under. */
  readonly name: string;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/**
 * What transactions take turns at: changes of rights, assigning names, tries at secrets, and joining one user's
 * accesses, ordering archives for one user, reminding of reports, deciding about files in disposals, changing one batch, saying what files of one client correct,
 * and changing many mails at once.
 * A transaction that takes both takes rights before names.
 */
export type Turn =
  | 'rights'
  | 'names'
  | 'attempts'
  | 'firm-settings'
  | 'disposals'
  | 'reminders'
  | 'mails'
  | 'replacements'
  | 'expectations'
  | `accesses-of-${number}`
  | `archives-of-${number}`
  | `batch-${number}`
  | `corrections-of-${number}`;

export interface Database {
  readonly kind: DatabaseKind;
  /** The address for further connections of other kinds; null where every connection must come from here. */
  readonly url: string | null;
  /** Whether words are found by trigrams; known once `migrate` has run. */
  hasWordIndex(): boolean;
  /** Reads outside any transaction. On SQLite a connection of its own, so that it never sees a half-done write. */
  readonly reader: Kysely<Schema>;
  /** Runs `work` in one transaction: committed and durable when the promise resolves, rolled back when it rejects. */
  transaction<Result>(work: (tx: Kysely<Schema>) => Promise<Result>): Promise<Result>;
  /**
   * Like `transaction`, but the flush to disk blocks nobody else. Others may see what was committed before it is durable; the
   * promise resolves only then, and rejects where it cannot be made durable, without taking the commit back.
   */
  transactionFlushedBeside<Result>(work: (tx: Kysely<Schema>) => Promise<Result>): Promise<Result>;
  /** Runs a prepared statement on the reader: the hot path, without building a query. */
  rows<Row>(statement: Statement, parameters: readonly unknown[]): Promise<Row[]>;
  /**
   * The same for what may take longer than some milliseconds: on SQLite it is read in a thread of its own, so that nobody else waits.
   * Rejects where it takes longer than 15 seconds.
   */
  longRows<Row>(statement: Statement, parameters: readonly unknown[]): Promise<Row[]>;
  /**
   * Changes with every commit, by any process; null on an engine without such a number. For requests that have just
   * arrived: what else is read in the same turn of the event loop is read as of this version, until this process commits.
   */
  version(): number | null;
  /**
   * Calls `wake` within a second or so after any process committed a row of `changes`, and sometimes without one. The answer stops
   * it. A connection that is lost is opened again, and meanwhile `wake` is called every few seconds.
   */
  watchChanges(wake: () => void): () => Promise<void>;
  /**
   * Inside a transaction, makes every other holder of one of `turns`, which are taken in this order, wait until this transaction
   * ends. SQLite has one writer at a time anyway.
   */
  serialize(tx: Kysely<Schema>, ...turns: readonly Turn[]): Promise<void>;
  /** Inside a transaction, holds `turn` together with others who share it, and never with one who serializes it. */
  share(tx: Kysely<Schema>, turn: Turn): Promise<void>;
  /** Brings the schema up to date; SchemaRefusal where a newer program made it. */
  migrate(): Promise<void>;
  /** What was waited for connections: for the one that writes on SQLite, for one of the pool on PostgreSQL. */
  readonly waits: ConnectionWaits;
  /** The connections of the pool; null on an engine without one. */
  pool(): { readonly open: number; readonly idle: number } | null;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
