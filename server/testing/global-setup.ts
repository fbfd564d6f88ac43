// Before all tests: finds the PostgreSQL they run on (a named one, else an installed one, else the embedded engine), and makes
// one database of today's schema on each engine, which the applications under test copy.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { TestProject } from 'vitest/node';
import type { Database } from '../platform/db/database.ts';
import { openPostgres, openPostgresPool } from '../platform/db/postgres.ts';
import { openSqlite } from '../platform/db/sqlite.ts';
import { openEmbedded } from './embedded-postgres.ts';
import { dropAll, onServer, type RunningPostgres, startPostgres, urlOn } from './postgres-server.ts';

/** A database of today's schema on each engine: the path of a file, and a name on the server at `postgresUrl` or a file of the embedded engine. */
interface Migrated {
  readonly sqlite: string | null;
  readonly postgres: string | null;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of a PostgreSQL server where databases may be made, or null for the embedded engine. */
    postgresUrl: string | null;
    /** How the databases of this run are called. */
    postgresPrefix: string;
    /** The end of a statement that copies a database. */
    postgresCopies: string;
    /** What new databases are copied from; null where each is migrated by itself. */
    migrated: Migrated;
  }
}

const undo: (() => unknown)[] = [];

async function migrateAndClose(database: Database): Promise<void> {
  try {
    await database.migrate();
  } finally {
    await database.close();
  }
}

async function makeMigrated(serverUrl: string | null, prefix: string): Promise<Migrated> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-migrated-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const sqlite = join(folder, 'coffer.db');
  await migrateAndClose(openSqlite(sqlite));
  if (serverUrl === null) {
    const { pool, keep } = openEmbedded(null);
    const database = openPostgres(pool, null);
    await database.migrate();
    const postgres = await keep(folder);
    await database.close();
    return { sqlite, postgres };
  }
  const postgres = `${prefix}migrated`;
  await onServer(serverUrl, `create database ${postgres}`);
  await migrateAndClose(openPostgres(openPostgresPool(urlOn(serverUrl, postgres)), null));
  return { sqlite, postgres };
}

/**
 * To copy the files takes a third of what it takes to log their pages, where nobody waits for the disk at the two checkpoints. Before
 * PostgreSQL 15 there was no other way, nor a word for it.
 */
const copiesOn = (server: RunningPostgres | null) =>
  server !== null && server.majorVersion >= 15 ? ' strategy file_copy' : '';

export async function setup(project: TestProject): Promise<void> {
  const named = process.env.TEST_DATABASE_URL;
  // `embedded` asks for the embedded engine even where a server is installed.
  const started: RunningPostgres | null = named === undefined ? await startPostgres() : null;
  if (started !== null) undo.push(() => started.stop());
  const url = named === 'embedded' ? null : (named ?? started?.url ?? null);
  const prefix = `coffer_${randomUUID().slice(0, 8)}_`;
  if (url !== null && started === null) undo.push(() => dropAll(url, prefix));
  project.provide('postgresUrl', url);
  project.provide('postgresPrefix', prefix);
  project.provide('postgresCopies', copiesOn(started));
  // Who watches may be changing a migration, and this file is read once.
  const isWatching = project.vitest.config.watch;
  project.provide('migrated', isWatching ? { sqlite: null, postgres: null } : await makeMigrated(url, prefix));
  process.stdout.write(`PostgreSQL tests run on ${url === null ? 'the embedded engine' : 'a real server'}\n`);
}

export async function teardown(): Promise<void> {
  for (const step of undo.splice(0).reverse()) await step();
}
