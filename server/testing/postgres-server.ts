// A PostgreSQL server for tests and benchmarks, where one is installed: an empty cluster in a temporary folder, on loopback.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);
const READY_WITHIN_MS = 60_000;

export interface RunningPostgres {
  readonly url: string;
  readonly majorVersion: number;
  /** Of the process whose children serve the connections. */
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * For data that nobody misses after a crash. Nothing is tidied up in the background: in a run of more than a minute that would
 * change plans between two tests, and stand in the way of whoever copies a database.
 */
const FOR_TESTS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'autovacuum=off',
  // Compiling a statement takes longer than asking it of a small firm.
  'jit=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=4GB',
  'checkpoint_timeout=1h',
];

/** The folder with initdb and postgres, newest version first, or null. */
function findBinaries(): string | null {
  const versions = '/usr/lib/postgresql';
  const numbered = existsSync(versions)
    ? readdirSync(versions)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(versions, version, 'bin'))
    : [];
  const brewed = ['/opt/homebrew/bin', '/usr/local/opt/postgresql/bin'];
  const onPath = (process.env.PATH ?? '').split(':').filter((folder) => folder !== '');
  const complete = (folder: string) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'));
  return [...numbered, ...brewed, ...onPath].find(complete) ?? null;
}

/** PostgreSQL refuses to run as root, so root lends it another account of this machine. */
function unprivilegedAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const account = ['postgres', 'nobody'].map((name) => accounts.find(([entry]) => entry === name)).find(Boolean);
  if (account === undefined) return undefined;
  return { uid: Number(account[2]), gid: Number(account[3]) };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No free port');
  return address.port;
}

/** Resolves to its major version. */
async function waitUntilReady(url: string, server: ChildProcess): Promise<number> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      const { rows } = await client.query('show server_version_num');
      await client.end();
      return Math.floor(Number(rows[0].server_version_num) / 10_000);
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) throw error;
      // biome-ignore lint/plugin: asks again until it answers
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Runs one statement on the server. */
export async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Drops the databases whose names begin with `prefix`. */
export async function dropAll(serverUrl: string, prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [prefix]);
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  } finally {
    await client.end();
  }
}

/** The address of the database `name` on the server. */
export function urlOn(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/**
 * Starts an installed PostgreSQL on a free port, with `settings` like `shared_buffers=512MB` and its cluster in a new folder
 * below `parent`; null where none is installed.
 */
export async function startPostgres({
  settings: chosen = FOR_TESTS,
  parent = tmpdir(),
}: {
  settings?: readonly string[];
  parent?: string;
} = {}): Promise<RunningPostgres | null> {
  const binaries = findBinaries();
  if (binaries === null) return null;
  const account = unprivilegedAccount();
  if (process.getuid?.() === 0 && account === undefined) return null;
  const folder = mkdtempSync(join(parent, 'coffer-postgres-'));
  if (account) chownSync(folder, account.uid, account.gid);
  const cluster = join(folder, 'cluster');
  const settings = { ...account, cwd: folder };
  await run(
    join(binaries, 'initdb'),
    ['-D', cluster, '-U', 'coffer', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    settings,
  );
  const port = await freePort();
  const options = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, ...chosen];
  const server = spawn(
    join(binaries, 'postgres'),
    ['-D', cluster, '-p', String(port), ...options.flatMap((option) => ['-c', option])],
    { ...settings, stdio: 'ignore' },
  );
  const url = `postgres://coffer@127.0.0.1:${port}/postgres`;
  const stop = async () => {
    if (server.exitCode === null) {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  let majorVersion: number;
  try {
    majorVersion = await waitUntilReady(url, server);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, majorVersion, pid: server.pid ?? Number.NaN, stop };
}
