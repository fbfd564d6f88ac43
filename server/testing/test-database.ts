// A fresh database for a test file, on either engine.
import { randomUUID } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { inject } from 'vitest';
import type { Database, DatabaseKind } from '../platform/db/database.ts';
import { openPostgres, openPostgresPool } from '../platform/db/postgres.ts';
import { openSqlite } from '../platform/db/sqlite.ts';
import type { FlushFile } from '../platform/db/wal-flush.ts';
import { breadth } from './breadth.ts';
import { openEmbedded } from './embedded-postgres.ts';
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
  /** What `copyOf` takes once it is closed; asked for while it is open. */
  keep(): Promise<string>;
  /** Drops what was created; the database itself is closed by its owner. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** Uses a copy of a migrated database, where there is one. */
  readonly migrated?: boolean;
  /** Uses a copy of this one, which nobody has open: the path of a file of SQLite or of the embedded engine, or the name of a database on the server. */
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
    return {
      database: openSqlite(path, flushFile),
      url: `sqlite:${path}`,
      keep: async () => path,
      drop: async () => {},
    };
  }
  const serverUrl = inject('postgresUrl');
  if (serverUrl === null) {
    const { pool, keep } = openEmbedded(original);
    return { database: openPostgres(pool, null), url: null, keep, drop: async () => {} };
  }
  const name = `${inject('postgresPrefix')}${randomUUID().replaceAll('-', '')}`;
  const copied = original === null ? '' : ` template ${original}${inject('postgresCopies')}`;
  await onServer(serverUrl, `create database ${name}${copied}`);
  const url = urlOn(serverUrl, name);
  return {
    database: openPostgres(openPostgresPool(url), url),
    url,
    keep: async () => name,
    drop: () => onServer(serverUrl, `drop database if exists ${name} with (force)`),
  };
}
