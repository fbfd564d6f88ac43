// PostgreSQL through a pool of connections.
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { ConnectionWaits } from './connection-waits.ts';
import type { Database } from './database.ts';
import { migrate } from './migrations.ts';
import { CHANGES_CHANNEL, watchPostgresChanges } from './postgres-changes.ts';
import { isFull, type Pool, postgresDialect, runPrepared } from './postgres-driver.ts';
import type { Schema } from './schema.ts';
import { preparePostgresSearch } from './text-search.ts';

const INT8 = 20;

/** Whole numbers of eight bytes as numbers. Ids, sizes and moments are all safe integers; anything else is a fault. */
export function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`Not a safe integer: ${text}`);
  return value;
}

const APPLICATION = 'coffer';
const POOL_SIZE = 20;
const WAIT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;

export function openPostgresPool(url: string): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: WAIT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: APPLICATION,
    // Compiling takes longer than any statement of a request; PgBouncer refuses startup parameters that it does not know.
    onConnect: async (client) => {
      await client.query('set jit = off');
    },
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8 && format !== 'binary'
          ? parseInt8
          : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
  });
  // A connection that dies while idle is replaced at the next use; without a listener it would end the process.
  pool.on('error', () => {});
  // One that dies in use fails the query it runs.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool as unknown as Pool;
}

/** Whether anybody else who calls itself Coffer is connected to the database. */
export async function isServingCoffer(url: string): Promise<boolean> {
  const db = new Kysely<Schema>({ dialect: postgresDialect(openPostgresPool(url)) });
  try {
    const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
      and application_name like ${`${APPLICATION}%`} and pid <> pg_backend_pid() limit 1`.execute(db);
    return rows.length > 0;
  } finally {
    await db.destroy();
  }
}

/** Any number, but always the same one for the same name. */
function lockKey(name: string): number {
  let key = 7;
  for (const character of name) key = (key * 31 + (character.codePointAt(0) ?? 0)) % 2_147_483_647;
  return key;
}

/** Commits that come together are announced together. */
const ANNOUNCE_AFTER_MS = 100;

/**
 * Announces commits to the processes that listen, after them and not in them: a transaction that announces holds the one lock of
 * `notify` until it is flushed, so that commits would wait for one another.
 */
function announceTo(db: Kysely<Schema>) {
  let timer: NodeJS.Timeout | undefined;
  const now = async () => {
    timer = undefined;
    // Lost, it is made up for by the look that listeners take now and then.
    await sql`select pg_notify(${CHANGES_CHANNEL}, '')`.execute(db).catch(() => {});
  };
  return {
    soon: () => {
      timer ??= setTimeout(() => void now(), ANNOUNCE_AFTER_MS).unref();
    },
    /** A command that ends at once tells what it did. */
    end: async () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      await now();
    },
  };
}

/** `url` is where the pool's server is; null for an embedded engine. */
export function openPostgres(pool: Pool, url: string | null): Database {
  const waits = new ConnectionWaits();
  const connect = () => waits.until(pool.connect());
  const db = new Kysely<Schema>({ dialect: postgresDialect({ connect, end: () => pool.end() }) });
  const unannounced: Database['transaction'] = (work) => db.transaction().execute(work);
  const announcer = announceTo(db);
  const transaction: Database['transaction'] = async (work) => {
    const result = await unannounced(work);
    if (url !== null) announcer.soon();
    return result;
  };
  let wordIndex = false;

  async function rows<Row>(statement: { name: string; sql: string }, parameters: readonly unknown[]): Promise<Row[]> {
    const connection = await connect();
    // Closed where a statement fails, as the pool's own queries do it.
    let close = true;
    try {
      const query = { name: statement.name, text: statement.sql, values: [...parameters] };
      const { rows } = await runPrepared(connection, query);
      close = isFull(connection);
      return rows as Row[];
    } finally {
      connection.release(close);
    }
  }

  return {
    kind: 'postgres',
    url,
    hasWordIndex: () => wordIndex,
    reader: db,
    transaction,
    // Its server flushes in processes of its own.
    transactionFlushedBeside: unannounced,
    rows,
    longRows: rows,
    version: () => null,
    watchChanges: (wake) => watchPostgresChanges(url, wake),
    // Without values: as the first statement of a transaction it goes along with BEGIN.
    serialize: async (tx, ...turns) => {
      const locks = turns.map((name) => `select pg_advisory_xact_lock(${lockKey(name)})`);
      await sql.raw(locks.join('; ')).execute(tx);
    },
    share: async (tx, name) => {
      await sql.raw(`select pg_advisory_xact_lock_shared(${lockKey(name)})`).execute(tx);
    },
    migrate: async () => {
      await migrate(db, 'postgres');
      wordIndex = await preparePostgresSearch(db);
    },
    waits,
    pool: () => (pool.totalCount === undefined ? null : { open: pool.totalCount, idle: pool.idleCount ?? 0 }),
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    close: async () => {
      await announcer.end();
      await db.destroy();
    },
  };
}
