// The database engine under measurement: SQLite in the servers' own processes, or a PostgreSQL server started here or given by address.
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import pg from 'pg';
import type { DatabaseKind } from '#server/platform/db/database.ts';
import { onServer, startPostgres, urlOn } from '#server/testing/postgres-server.ts';
import { familyProcessorMs } from './children.ts';
import { Broken } from './load.ts';

export interface Engine {
  readonly kind: DatabaseKind;
  /** Like "PostgreSQL 15.14". */
  readonly title: string;
  /** A new, empty database for the data folder `dataDir`, which is created; returns its DATABASE_URL. */
  createDatabase(dataDir: string): Promise<string>;
  /** Processor time in ms that the engine's own processes used so far; null where the system does not report it. */
  processorMs(): number | null;
  stop(): Promise<void>;
}

/** As a firm would run it: durable, with a part of the machine's memory; the rest are PostgreSQL's defaults. */
const PRODUCTION_SETTINGS = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'shared_buffers=512MB'];

function makeDataFolder(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
}

function sqlite(): Engine {
  return {
    kind: 'sqlite',
    title: 'SQLite',
    createDatabase: async (dataDir) => {
      makeDataFolder(dataDir);
      return `sqlite:${join(dataDir, 'coffer.db')}`;
    },
    processorMs: () => 0,
    stop: async () => {},
  };
}

async function versionOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version.split(' ')[0] ?? '';
  } finally {
    await client.end();
  }
}

/** `folder` holds the cluster of a server that is started here. */
async function postgres(folder: string): Promise<Engine> {
  const named = process.env.BENCH_DATABASE_URL;
  mkdirSync(folder, { recursive: true });
  const started = named ? null : await startPostgres({ settings: PRODUCTION_SETTINGS, parent: folder });
  const kill = () => {
    if (started !== null) process.kill(started.pid, 'SIGQUIT');
  };
  // Before its folder is removed.
  process.prependListener('exit', kill);
  const url = named || started?.url;
  if (url === undefined) throw new Broken('No PostgreSQL is installed here, and BENCH_DATABASE_URL names none');
  const version = await versionOf(url);
  const databases: string[] = [];
  return {
    kind: 'postgres',
    title: `PostgreSQL ${version}`,
    createDatabase: async (dataDir) => {
      makeDataFolder(dataDir);
      const name = `coffer_bench_${randomUUID().replaceAll('-', '')}`;
      await onServer(url, `create database ${name}`);
      databases.push(name);
      return urlOn(url, name);
    },
    processorMs: () => (started === null ? null : familyProcessorMs(started.pid)),
    stop: async () => {
      process.off('exit', kill);
      if (started !== null) return started.stop();
      for (const name of databases) await onServer(url, `drop database if exists ${name} with (force)`);
    },
  };
}

export function openEngine(kind: DatabaseKind, folder: string): Promise<Engine> {
  return kind === 'sqlite' ? Promise.resolve(sqlite()) : postgres(folder);
}
