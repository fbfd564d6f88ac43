// A fresh database for a test file, on either engine.
import { randomUUID } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { PGlite, types } from '@electric-sql/pglite';
import { inject } from 'vitest';
import type { Database, DatabaseKind } from '../db/database.ts';
import { openPostgres, openPostgresPool, type Pool, parseInt8 } from '../db/postgres.ts';
import { openSqlite } from '../db/sqlite.ts';
import type { FlushFile } from '../db/wal-flush.ts';
import { breadth } from './breadth.ts';
import { onServer, urlOn } from './postgres-server.ts';

export const DATABASE_KINDS: readonly DatabaseKind[] = ['sqlite', 'postgres'];

/** For what no statement decides, like bytes on the wire or the cost of a hash: one engine at each run, both in `npm run test:full`. */
export const ANY_DATABASE_KIND: readonly DatabaseKind[] = breadth(['sqlite'], DATABASE_KINDS);

/** Those that several processes can share: the embedded engine lives in one. */
export const SHARED_KINDS: readonly DatabaseKind[] = DATABASE_KINDS.filter(
  (kind) => kind === 'sqlite' || inject('postgresUrl') !== null,
);

export interface TestDatabase {
  readonly database: Database;
  /** Where a second process would find the same database; null for the embedded engine, which is one process only. */
  readonly url: string | null;
  /** What `copyOf` takes; null where it cannot be copied. */
  readonly original: string | null;
  /** Drops what was created; the database itself is closed by its owner. */
  drop(): Promise<void>;
}

const commandOf = (text: string) => text.trimStart().split(/\s/, 1)[0]?.toUpperCase() ?? '';

/** The embedded engine as a pool of one connection, lent to one holder at a time. */
function embeddedPool(): Pool {
  const engine = new PGlite({ parsers: { [types.INT8]: parseInt8 } });
  let last: Promise<unknown> = Promise.resolve();
  const query = async (asked: string | { text: string; values: unknown[] }, given: readonly unknown[] = []) => {
    const { text, values } = typeof asked === 'string' ? { text: asked, values: given } : asked;
    // Several statements at once must come without values, as on a server.
    if (values.length === 0) {
      const rows = (await engine.exec(text)).map(({ rows, affectedRows }) => ({
        rows,
        count: affectedRows ?? rows.length,
      }));
      const last = rows.at(-1);
      return { command: commandOf(text), rows: rows.flatMap((one) => one.rows), rowCount: last?.count ?? 0 };
    }
    const result = await engine.query(text, [...values]);
    // The shape of pg: Kysely reads the command and the number of rows.
    return { command: commandOf(text), rows: result.rows, rowCount: result.affectedRows ?? result.rows.length };
  };
  const connect = async () => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    return { query, release: resolve };
  };
  return {
    connect,
    end: () => engine.close(),
  } as unknown as Pool;
}

export interface TestDatabaseOptions {
  /** Uses a copy of a migrated database, where there is one. */
  readonly migrated?: boolean;
  /** Uses a copy of this one, which nobody has open: the path of a file of SQLite, or the name of a database on the server. */
  readonly copyOf?: string | undefined;
  /** How SQLite flushes. */
  readonly flushFile?: FlushFile | undefined;
}

/** A new database, empty unless given otherwise; on SQLite the file `path`. */
export async function openTestDatabase(
  kind: DatabaseKind,
  path: string,
  { migrated = false, copyOf, flushFile }: TestDatabaseOptions = {},
): Promise<TestDatabase> {
  const original = copyOf ?? (migrated ? inject('migrated')[kind] : null);
  if (kind === 'sqlite') {
    if (original !== null) copyFileSync(original, path);
    return { database: openSqlite(path, flushFile), url: `sqlite:${path}`, original: path, drop: async () => {} };
  }
  const serverUrl = inject('postgresUrl');
  if (serverUrl === null) {
    return { database: openPostgres(embeddedPool(), null), url: null, original: null, drop: async () => {} };
  }
  const name = `${inject('postgresPrefix')}${randomUUID().replaceAll('-', '')}`;
  await onServer(serverUrl, `create database ${name}${original === null ? '' : ` template ${original}`}`);
  const url = urlOn(serverUrl, name);
  return {
    database: openPostgres(openPostgresPool(url), url),
    url,
    original: name,
    drop: () => onServer(serverUrl, `drop database if exists ${name} with (force)`),
  };
}
