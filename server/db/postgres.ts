// PostgreSQL through a pool of connections.
import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely';
import pg from 'pg';
import type { Database } from './database.ts';
import { migrate } from './migrations.ts';
import type { Schema } from './schema.ts';

/** What this file needs of a pool: pg's own, or an embedded engine that speaks the same way. */
export interface Pool extends PostgresPool {
  query(query: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>;
}

const INT8 = 20;

/** Whole numbers of eight bytes as numbers. Ids, sizes and moments are all safe integers; anything else is a fault. */
export function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`Not a safe integer: ${text}`);
  return value;
}

const POOL_SIZE = 10;
const WAIT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;

export function openPostgresPool(url: string): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: WAIT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'coffer',
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8 && format !== 'binary'
          ? parseInt8
          : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
  });
  // A connection that dies while idle is replaced at the next use; without a listener it would end the process.
  pool.on('error', () => {});
  return pool as unknown as Pool;
}

/** Any number, but always the same one for the same name. */
function lockKey(name: string): number {
  let key = 7;
  for (const character of name) key = (key * 31 + (character.codePointAt(0) ?? 0)) % 2_147_483_647;
  return key;
}

export function openPostgres(pool: Pool): Database {
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  const transaction: Database['transaction'] = (work) => db.transaction().execute(work);
  return {
    kind: 'postgres',
    reader: db,
    transaction,
    // Its server flushes in processes of its own.
    transactionFlushedBeside: transaction,
    rows: async <Row>(statement: { name: string; sql: string }, parameters: readonly unknown[]) => {
      const { rows } = await pool.query({ name: statement.name, text: statement.sql, values: [...parameters] });
      return rows as Row[];
    },
    version: () => null,
    serialize: async (tx, name) => {
      await sql`select pg_advisory_xact_lock(${lockKey(name)})`.execute(tx);
    },
    share: async (tx, name) => {
      await sql`select pg_advisory_xact_lock_shared(${lockKey(name)})`.execute(tx);
    },
    migrate: () => migrate(db, 'postgres'),
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    close: () => db.destroy(),
  };
}
