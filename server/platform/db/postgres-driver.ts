// How Kysely speaks to PostgreSQL here. As its own driver does, but BEGIN goes with the first statement where that is a lock, and a
// prepared statement keeps its name inside transactions too: without one it would be parsed and planned at each run.
import {
  AbortedTransactionError,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { nameOf } from './statement.ts';

/** What a connection answers to one statement. */
interface Answer {
  readonly command: string;
  readonly rowCount: number | null;
  readonly rows: unknown[];
}

interface NamedQuery {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

/** What is needed of a connection: pg's own, or one of an embedded engine with the same interface. */
interface Connection {
  /** Several statements at once come without values, and each is answered. */
  query(text: string, values: unknown[]): Promise<Answer | Answer[]>;
  query(prepared: NamedQuery): Promise<Answer>;
  release(close?: boolean): void;
}

export interface Pool {
  connect(): Promise<Connection>;
  end(): Promise<void>;
  /** How many are open, and how many of those nobody uses; an embedded engine has one for all. */
  readonly totalCount?: number;
  readonly idleCount?: number;
}

/**
 * How many statements a connection keeps prepared. PostgreSQL holds some 50 KB for each until the connection ends, and the
 * filters and orders of lists make thousands.
 */
const NAMES_A_CONNECTION = 256;
const namesOf = new WeakMap<Connection, Set<string>>();

/** Runs a statement that the connection prepares under its name, once. */
export function runPrepared(connection: Connection, query: NamedQuery): Promise<Answer> {
  const names = namesOf.get(connection) ?? new Set<string>();
  namesOf.set(connection, names.add(query.name));
  return connection.query(query);
}

/** Whether the connection holds as many statements as it may, and is closed by whoever gives it back. */
export function isFull(connection: Connection): boolean {
  return (namesOf.get(connection)?.size ?? 0) >= NAMES_A_CONNECTION;
}

const CHANGING = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'];
/** The tables are not those that a statement was prepared for, or the server has forgotten it: here it would fail for ever. */
const STALE = ['0A000', '26000'];

/** A connection in the hands of whoever reads or of one transaction. */
class HeldConnection implements DatabaseConnection {
  readonly connection: Connection;
  /** What begins the transaction, until it is sent. */
  begin: string | null = null;
  /** Nobody uses it again. */
  isSpoiled = false;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { command, rowCount, rows } = await this.#ask(query);
    return {
      rows: rows as Row[],
      ...(CHANGING.includes(command) ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}),
    };
  }

  async #ask(query: CompiledQuery): Promise<Answer> {
    const { sql: text, parameters } = query;
    const { begin } = this;
    this.begin = null;
    // Each of the two has a snapshot of its own, so that what waits for a lock reads what its holder committed.
    if (begin !== null && parameters.length === 0 && text.startsWith('select ')) return this.send(`${begin}; ${text}`);
    if (begin !== null) await this.send(begin);
    const name = nameOf(query);
    if (name === undefined) return this.send(text, parameters);
    try {
      return await runPrepared(this.connection, { name, text, values: [...parameters] });
    } catch (error) {
      if (STALE.includes((error as { code?: string }).code ?? '')) this.isSpoiled = true;
      throw error;
    }
  }

  /** Of several statements all rows, and of the last one what it was. */
  async send(text: string, values: readonly unknown[] = []): Promise<Answer> {
    const answer = await this.connection.query(text, [...values]);
    if (!Array.isArray(answer)) return answer;
    const last = answer.at(-1);
    return {
      command: last?.command ?? '',
      rowCount: last?.rowCount ?? null,
      rows: answer.flatMap(({ rows }) => rows),
    };
  }

  /** Nothing here streams. */
  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streaming is not supported on PostgreSQL');
  }
}

class PoolDriver implements Driver {
  readonly #pool: Pick<Pool, 'connect' | 'end'>;

  constructor(pool: Pick<Pool, 'connect' | 'end'>) {
    this.#pool = pool;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<HeldConnection> {
    return new HeldConnection(await this.#pool.connect());
  }

  async beginTransaction(held: HeldConnection, { isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    const isolation = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`;
    held.begin = `begin${isolation}${accessMode === undefined ? '' : ` ${accessMode}`}`;
  }

  async commitTransaction(held: HeldConnection): Promise<void> {
    if (isUnbegun(held)) return;
    const { command } = await held.send('commit');
    // After a statement that failed and was not heeded.
    if (command === 'ROLLBACK') throw new AbortedTransactionError();
  }

  async rollbackTransaction(held: HeldConnection): Promise<void> {
    if (isUnbegun(held)) return;
    try {
      await held.send('rollback');
    } catch {
      // To close it takes everything back too, and what is told is why the transaction failed.
      held.isSpoiled = true;
    }
  }

  async releaseConnection({ connection, isSpoiled }: HeldConnection): Promise<void> {
    connection.release(isSpoiled || isFull(connection));
  }

  destroy(): Promise<void> {
    return this.#pool.end();
  }
}

/** Whether the transaction ends without having asked anything, so that nobody need be told of it. */
function isUnbegun(held: HeldConnection): boolean {
  const unbegun = held.begin !== null;
  held.begin = null;
  return unbegun;
}

export function postgresDialect(pool: Pick<Pool, 'connect' | 'end'>): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PoolDriver(pool),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}
