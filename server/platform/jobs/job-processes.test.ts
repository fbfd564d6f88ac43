// Jobs and the processes that run them: one that is killed in the middle, and two that share a PostgreSQL.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { breadth } from '../../testing/breadth.ts';
import { itInFull } from '../../testing/narrowed.ts';
import { Program } from '../../testing/program.ts';
import { openTestDatabase, SHARED_KINDS } from '../../testing/test-database.ts';
import type { Database, DatabaseKind } from '../db/database.ts';
import { insertJob } from './job-table.ts';

const WITHIN = { timeout: 60_000, interval: 50 };

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function newDatabase(kind: DatabaseKind) {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-jobs-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  const { database, url, drop } = await openTestDatabase(kind, join(folder, 'coffer.db'));
  cleanups.push(drop, () => database.close());
  await database.migrate();
  const environment = { DATA_DIR: folder, DATABASE_URL: url ?? '' };
  return { database, environment };
}

/** A process that runs jobs, or anything else of the server. */
function started(environment: Record<string, string>, file = 'server/testing/job-process.ts'): Program {
  const program = new Program([file], environment);
  cleanups.push(() => program.end('SIGKILL'));
  return program;
}

const order = (database: Database, kind: string, name: string) =>
  database.transaction((tx) =>
    insertJob(tx, {
      kind,
      payload: JSON.stringify({ name }),
      actingFor: null,
      openKey: null,
      attemptsMax: 5,
      runAt: 1,
      deliveredAt: null,
      at: 1,
    }),
  );

const read = (database: Database, kind: string) =>
  database.reader
    .selectFrom('jobs')
    .select(['id', 'state', 'attempts', 'result'])
    .where('kind', '=', kind)
    .orderBy('id')
    .execute();

const effects = async (database: Database) =>
  (await database.reader.selectFrom('report_types').select('name').execute()).map(({ name }) => name);

/** Where several processes share the work, if there is such a server. */
const KILLED_ON = breadth(SHARED_KINDS.slice(-1), SHARED_KINDS);

describe.each(KILLED_ON)('a job on %s', (kind) => {
  it('whose process is killed halfway takes effect once, by the next process', async () => {
    const { database, environment } = await newDatabase(kind);
    await order(database, 'test.once', 'Once and only once');
    const first = started(environment);
    await first.says('in the middle');
    expect(await read(database, 'test.once')).toMatchObject([{ state: 'running', attempts: 1 }]);
    await first.end('SIGKILL');
    expect(await effects(database)).toEqual([]);
    const second = started(environment);
    await second.says('runs jobs');
    // It is believed to live until its lease is over: that is brought forward here.
    expect(await read(database, 'test.once')).toMatchObject([{ state: 'running', attempts: 1 }]);
    await database.transaction((tx) => sql`update jobs set lease_until = 0 where kind = 'test.once'`.execute(tx));
    await vi.waitFor(
      async () => expect(await read(database, 'test.once')).toMatchObject([{ state: 'done', attempts: 2 }]),
      WITHIN,
    );
    expect(await effects(database)).toEqual(['Once and only once']);
    expect(await second.end('SIGTERM')).toBe(0);
  }, 180_000);
});

describe.each(SHARED_KINDS.filter((kind) => kind === 'postgres'))('two processes on one %s', (kind) => {
  it('share the work, each job done by one of them, and run maintenance once', async () => {
    const { database, environment } = await newDatabase(kind);
    const names = Array.from({ length: 40 }, (_, nth) => `Type ${nth}`);
    for (const name of names) await order(database, 'test.shared', name);
    const processes = [started(environment), started(environment)];
    for (const one of processes) await one.says('runs jobs');
    // Each does one at a time and ends none before it is let: both have one.
    await vi.waitFor(
      async () =>
        expect((await read(database, 'test.shared')).filter(({ state }) => state === 'running')).toHaveLength(2),
      WITHIN,
    );
    for (const one of processes) one.signal('SIGUSR2');
    await vi.waitFor(
      async () =>
        expect(new Set((await read(database, 'test.shared')).map(({ state }) => state))).toEqual(new Set(['done'])),
      WITHIN,
    );
    expect((await effects(database)).toSorted()).toEqual(names.toSorted());
    const done = await read(database, 'test.shared');
    expect(new Set(done.map(({ attempts }) => attempts))).toEqual(new Set([1]));
    expect(new Set(done.map(({ result }) => result)).size).toBe(2);
    const kinds = ['archives', 'blobs', 'jobs', 'security-events', 'sign-ins', 'word-index'].map(
      (name) => `maintenance.${name}`,
    );
    for (const name of kinds) {
      await vi.waitFor(
        async () => expect((await read(database, name)).map(({ state }) => state)).toEqual(['done', 'waiting']),
        WITHIN,
      );
    }
    for (const one of processes) expect(await one.end('SIGTERM')).toBe(0);
  }, 180_000);

  itInFull(
    'may be a server that runs no jobs and a worker that does nothing else',
    async () => {
      const { database, environment } = await newDatabase(kind);
      const server = started({ ...environment, PORT: '0', JOBS: 'off', LOG_LEVEL: 'warn' }, 'server/main.ts');
      await server.says('is serving on');
      expect(await read(database, 'maintenance.blobs')).toEqual([]);
      const worker = started({ ...environment, LOG_LEVEL: 'warn' }, 'server/worker.ts');
      await worker.says('runs background jobs');
      await vi.waitFor(
        async () =>
          expect(await read(database, 'maintenance.blobs')).toMatchObject([{ state: 'done' }, { state: 'waiting' }]),
        WITHIN,
      );
      expect([await worker.end('SIGTERM'), await server.end('SIGTERM')]).toEqual([0, 0]);
    },
    180_000,
  );

  itInFull(
    'says of the keys that it has made, as a worker that is started before any server has, where they are',
    async () => {
      const { environment } = await newDatabase(kind);
      const keys = `The keys of the stored files were made: ${join(environment.DATA_DIR, 'files.keys')}\n`;
      const saidBy = async () => {
        const worker = started({ ...environment, LOG_LEVEL: 'warn' }, 'server/worker.ts');
        await worker.says('runs background jobs');
        expect(await worker.end('SIGTERM')).toBe(0);
        return worker.out;
      };
      expect(await saidBy()).toContain(keys);
      expect(await saidBy()).not.toContain(keys);
    },
    180_000,
  );
});
