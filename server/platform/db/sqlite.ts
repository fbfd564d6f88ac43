// SQLite through node:sqlite: one connection that writes, one that reads, both on the same WAL file.
import { closeSync, openSync } from 'node:fs';
import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { BoundedCache } from './bounded-cache.ts';
import { ConnectionWaits } from './connection-waits.ts';
import type { Database } from './database.ts';
import { migrate } from './migrations.ts';
import type { Schema } from './schema.ts';
import { SqliteReaders } from './sqlite-readers.ts';
import { TickSnapshot } from './tick-snapshot.ts';
import { isDatabaseAway } from './violations.ts';
import { type FlushFile, flushToDisk, WalFlush } from './wal-flush.ts';

/** What a connection keeps prepared, in characters of SQL; a prepared statement takes several times as many bytes. */
const STATEMENTS_KEPT = { entries: 500, characters: 1_500_000, longest: 32_768 };

interface Prepared {
  readonly statement: StatementSync;
  readonly returnsRows: boolean;
}

/** One open file handle with the statements prepared on it. */
class SqliteConnection implements DatabaseConnection {
  readonly #file: DatabaseSync;
  readonly #statements = new BoundedCache<Prepared>(STATEMENTS_KEPT);

  constructor(file: DatabaseSync) {
    this.#file = file;
  }

  #prepare(text: string): Prepared {
    const kept = this.#statements.get(text);
    if (kept !== undefined) return kept;
    const statement = this.#file.prepare(text);
    const prepared = { statement, returnsRows: statement.columns().length > 0 };
    this.#statements.set(text, prepared, text);
    return prepared;
  }

  /** Where there is no room SQLite ends a transaction by itself. */
  get isInTransaction(): boolean {
    return this.#file.isTransaction;
  }

  rows<Row>(text: string, parameters: readonly unknown[]): Row[] {
    return this.#prepare(text).statement.all(...(parameters as SQLInputValue[])) as Row[];
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { statement, returnsRows } = this.#prepare(query.sql);
    if (returnsRows) return { rows: statement.all(...(query.parameters as SQLInputValue[])) as Row[] };
    const { changes, lastInsertRowid } = statement.run(...(query.parameters as SQLInputValue[]));
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  // biome-ignore lint/correctness/useYield: node:sqlite rows are read whole; nothing here streams
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streaming is not supported on SQLite');
  }
}

interface DriverOptions {
  /** Of a connection that has one holder at a time; without it, any number share it. */
  readonly waits?: ConnectionWaits;
  readonly beforeTransaction?: () => void;
  readonly afterCommit?: () => void;
}

/** Hands the one connection to its holders, in order. */
class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection;
  readonly #options: DriverOptions;
  #last: Promise<void> = Promise.resolve();
  #release: (() => void) | undefined;

  constructor(connection: SqliteConnection, options: DriverOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    if (this.#options.waits) {
      const before = this.#last;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#last = promise;
      await this.#options.waits.until(before);
      this.#release = resolve;
    }
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#release?.();
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    this.#options.beforeTransaction?.();
    // Taking the write lock at once means that a transaction never fails half way because it cannot get it.
    connection.rows('begin immediate', []);
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    connection.rows('commit', []);
    this.#options.afterCommit?.();
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    // To end what has ended fails, and that would be told in place of the fault.
    if (connection.isInTransaction) connection.rows('rollback', []);
  }

  async destroy(): Promise<void> {}
}

function dialect(connection: SqliteConnection, options: DriverOptions): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new SqliteDriver(connection, options),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** SQLite can roll back a schema change, so migrations run inside one transaction, whose write lock is their lock. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

const BUSY_TIMEOUT_MS = 5_000;

const PRAGMAS = [
  'journal_mode = wal',
  'synchronous = full',
  'foreign_keys = on',
  'temp_store = memory',
  'journal_size_limit = 67108864',
  // 16 MB: the log of views and downloads makes many small commits.
  'wal_autocheckpoint = 4000',
];

/** SQLite would make a file that every account of the machine can read; its -wal and -shm take over this file's rights. */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    // There already, or about to be refused by SQLite in its own words.
    if (!['EEXIST', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** How often somebody who waits for changes asks whether any process has committed something: one number. */
const LOOK_EVERY_MS = 500;

/** Pages kept in memory: many for lists, few for writing, which touches few pages. */
const CACHE_KIB = { reader: 16_000, writer: 4_000 };

function openFile(path: string, use: keyof typeof CACHE_KIB): DatabaseSync {
  makePrivate(path);
  // Waiting from the first statement on: another process may be making this very file.
  const file = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  for (const pragma of [...PRAGMAS, `cache_size = -${CACHE_KIB[use]}`]) file.exec(`pragma ${pragma}`);
  return file;
}

/** Whether any other connection has the file open; the file must be there. In this mode SQLite opens it alone or not at all. */
export function isOpenElsewhere(path: string): boolean {
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec('pragma locking_mode = exclusive');
    file.exec('select count(*) from sqlite_schema');
    return false;
  } catch (error) {
    if (isDatabaseAway(error)) return true;
    throw error;
  } finally {
    file.close();
  }
}

/** All pages in one step: one that is cut into several begins anew with every commit of others. */
const WHOLE_COPY = 2 ** 31 - 1;

/**
 * Copies the database in the file `from`, which others may use meanwhile, as of one moment into the new file `to`. Works beside the
 * event loop. Rejects where the copy is not sound.
 */
export async function copySqliteFile(from: string, to: string): Promise<void> {
  makePrivate(to);
  const file = new DatabaseSync(from, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    await backup(file, to, { rate: WHOLE_COPY });
  } finally {
    file.close();
  }
  const copy = new DatabaseSync(to);
  try {
    const { quick_check: found } = copy.prepare('pragma quick_check(1)').get() as { quick_check: string };
    if (found !== 'ok') throw new Error(`The database is damaged: ${found}`);
  } finally {
    copy.close();
  }
}

/** Checkpoints the whole write-ahead log into the database file, durably; throws where a reader is in the way. */
function emptyLog(connection: SqliteConnection): void {
  const [answer] = connection.rows<{ busy: number }>('pragma wal_checkpoint(truncate)', []);
  if (answer?.busy !== 0) throw new Error('The write-ahead log cannot be emptied while it is read');
}

/**
 * Opens the database file at `path`, making it when it is missing. Throws when the folder cannot be written. `flushFile` is
 * another one only in tests of failing disks.
 */
export function openSqlite(path: string, flushFile: FlushFile = flushToDisk): Database {
  const writerFile = openFile(path, 'writer');
  const readerFile = openFile(path, 'reader');
  readerFile.exec('pragma query_only = on');
  const writerConnection = new SqliteConnection(writerFile);
  const readerConnection = new SqliteConnection(readerFile);
  const readers = new SqliteReaders(path);
  const log = new WalFlush(`${path}-wal`, flushFile);
  const turn = new TickSnapshot(readerConnection);
  const waits = new ConnectionWaits();
  const writer = new Kysely<Schema>({
    dialect: dialect(writerConnection, {
      waits,
      // A snapshot that is always open somewhere would keep the log from ever restarting.
      beforeTransaction: () => {
        turn.end();
        log.afterFailedFlush(() => emptyLog(writerConnection));
      },
      afterCommit: () => turn.end(),
    }),
  });
  const reader = new Kysely<Schema>({ dialect: dialect(readerConnection, {}) });
  return {
    kind: 'sqlite',
    url: null,
    hasWordIndex: () => true,
    reader,
    transaction: (work) => writer.transaction().execute(work),
    async transactionFlushedBeside(work) {
      const result = await writer.connection().execute(async (held) => {
        writerFile.exec('pragma synchronous = normal');
        try {
          return await held.transaction().execute(work);
        } finally {
          writerFile.exec('pragma synchronous = full');
        }
      });
      await log.flush();
      return result;
    },
    rows: async (statement, parameters) => readerConnection.rows(statement.sql, parameters),
    longRows: (statement, parameters) => readers.rows(statement.sql, parameters),
    version: () => turn.version(),
    watchChanges(wake) {
      let seen = turn.version();
      const timer = setInterval(() => {
        const version = turn.version();
        if (version !== seen) wake();
        seen = version;
      }, LOOK_EVERY_MS).unref();
      return async () => clearInterval(timer);
    },
    serialize: async () => {},
    share: async () => {},
    async migrate() {
      // A step may change the stored text of a table, which is refused to everything else.
      writerFile.enableDefensive(false);
      try {
        await migrate(writer, 'sqlite');
      } finally {
        writerFile.enableDefensive(true);
      }
    },
    waits,
    pool: () => null,
    ping: async () => {
      readerConnection.rows('select 1', []);
    },
    close: async () => {
      await Promise.all([writer.destroy(), reader.destroy(), readers.close()]);
      turn.end();
      readerFile.close();
      writerFile.close();
      log.close();
    },
  };
}
