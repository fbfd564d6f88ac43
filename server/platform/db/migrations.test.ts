// The schema: created once however many processes start, refused when it is newer, and kept over a restart.

import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { type Config, readConfig } from '../../config.ts';
import { openContext } from '../../context.ts';
import { breadth } from '../../testing/breadth.ts';
import { eventually } from '../../testing/eventually.ts';
import { newFolder } from '../../testing/new-folder.ts';
import { describeSchema, newDatabase } from '../../testing/older-database.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { compileCache } from '../../testing/test-environment.ts';
import { openDatabase } from './connect.ts';
import type { Database } from './database.ts';
import { SchemaRefusal } from './schema-refusal.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/** How many there are by now. */
const STEPS = 65;

const appliedSteps = async (database: Database) =>
  (
    await sql<{ name: string; timestamp: string }>`select name, timestamp from kysely_migration order by name`.execute(
      database.reader,
    )
  ).rows;

describe.each(DATABASE_KINDS)('the schema on %s', (kind) => {
  it('is created at the first start and left alone at the next', async () => {
    const { database } = await newDatabase(kind);
    onTestFinished(() => database.close());
    await database.migrate();
    const made = [await describeSchema(database), await appliedSteps(database)];
    expect(made[1]).toHaveLength(STEPS);
    await database.migrate();
    expect([await describeSchema(database), await appliedSteps(database)]).toEqual(made);
  });

  it('of a newer program is refused in one clear line and left as it is', async () => {
    const { database } = await newDatabase(kind);
    onTestFinished(() => database.close());
    await database.migrate();
    await database.transaction((tx) =>
      sql`insert into kysely_migration (name, timestamp) values ('0099-from-the-future', '2099-01-01T00:00:00.000Z')`.execute(
        tx,
      ),
    );
    await database.transaction((tx) => sql`alter table roles add column colour text`.execute(tx));
    const before = [await describeSchema(database), await appliedSteps(database)];
    const refusal = await database.migrate().then(
      () => null,
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(SchemaRefusal);
    expect((refusal as Error).message).toMatch(/^The database was made by a newer Coffer .*0099-from-the-future.*$/);
    expect([await describeSchema(database), await appliedSteps(database)]).toEqual(before);
  });

  it('refuses a second migration even where the newer step sorts before the own', async () => {
    const { database } = await newDatabase(kind);
    onTestFinished(() => database.close());
    await database.migrate();
    await database.transaction((tx) =>
      sql`insert into kysely_migration (name, timestamp) values ('0000-other', '2099-01-01T00:00:00.000Z')`.execute(tx),
    );
    await expect(database.migrate()).rejects.toThrow(SchemaRefusal);
  });

  // The embedded engine lives in one process and one opening.
  if (kind === 'sqlite' || inject('postgresUrl') !== null) {
    it('and all rows are there after a restart', async () => {
      const made = await newDatabase(kind);
      await made.database.close();
      const config: Config = readConfig({ DATA_DIR: newFolder(), DATABASE_URL: made.url ?? '' });
      const first = await openContext(config);
      expect(await first.makeFirstAdmin()).toMatchObject({ username: 'admin', password: expect.any(String) });
      await first.close();
      const second = await openContext(config);
      expect(await second.makeFirstAdmin()).toBeNull();
      await second.close();
      const database = await openDatabase(made.url ?? '');
      onTestFinished(() => database.close());
      expect(await database.reader.selectFrom('users').select(['username', 'full_name']).execute()).toEqual([
        { username: 'admin', full_name: 'Administrator' },
      ]);
      const keys = (await database.reader.selectFrom('roles').select('system_key').execute()).map(
        (role) => role.system_key,
      );
      expect(keys.sort()).toEqual(['admin', 'client', 'cpa']);
    });

    it('is created once, with one Admin, when processes start together', async () => {
      const starters = Array.from({ length: 3 }, () => new Starter());
      onTestFinished(async () => {
        await Promise.all(starters.map((starter) => starter.end()));
      });
      await Promise.all(starters.map((starter) => starter.said()));
      for (let round = 0; round < breadth(1, kind === 'sqlite' ? 4 : 2); round += 1) {
        const made = await newDatabase(kind);
        await made.database.close();
        const folder = newFolder();
        const said = await Promise.all(starters.map((starter) => starter.start(made.url ?? '', folder)));
        expect(said.toSorted()).toEqual(['found an Admin', 'found an Admin', 'made the Admin']);
        const database = await openDatabase(made.url ?? '');
        try {
          expect(await appliedSteps(database)).toHaveLength(STEPS);
          expect(await database.reader.selectFrom('users').select('id').execute()).toHaveLength(1);
          expect(await database.reader.selectFrom('roles').select('id').execute()).toHaveLength(3);
        } finally {
          await database.close();
        }
      }
    });
  }
});

it.skipIf(inject('postgresUrl') === null)('has its index of words where another one makes its extension', async () => {
  const { database, url } = await newDatabase('postgres');
  const maker = await openDatabase(url ?? '');
  onTestFinished(async () => {
    await Promise.all([database.close(), maker.close()]);
  });
  let migrated: Promise<void> | undefined;
  await maker.transaction(async (tx) => {
    await sql`create extension pg_trgm`.execute(tx);
    migrated = database.migrate();
    await eventually(async () => {
      const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock'`.execute(maker.reader);
      expect(rows).toHaveLength(1);
    });
  });
  await migrated;
  expect(database.hasWordIndex()).toBe(true);
});

it.skipIf(inject('postgresUrl') === null).each([
  ['migrates', '3853314791062309107'],
  ['makes the index of words', '8241'],
])('waits for another one that %s for longer than a request may take', async (_what, lock) => {
  const { database: maker, url } = await newDatabase('postgres');
  const hasty = new URL(url ?? '');
  // In place of a quarter of a minute.
  hasty.searchParams.set('statement_timeout', '1000');
  const database = await openDatabase(hasty.href);
  onTestFinished(async () => {
    await Promise.all([database.close(), maker.close()]);
  });
  await sql`create extension pg_trgm`.execute(maker.reader);
  let migrated: Promise<void> | undefined;
  await maker.transaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.raw(lock)})`.execute(tx);
    migrated = database.migrate();
    await eventually(async () => {
      const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query_start < clock_timestamp() - interval '2 seconds'`.execute(maker.reader);
      expect(rows).toHaveLength(1);
    });
  });
  await migrated;
  expect(database.hasWordIndex()).toBe(true);
  expect(await appliedSteps(database)).toHaveLength(STEPS);
  // What requests may take is as it was.
  const allowed = sql<{ time: string }>`select current_setting('statement_timeout') as time`;
  expect((await allowed.execute(database.reader)).rows).toEqual([{ time: '1s' }]);
});

it.skipIf(inject('postgresUrl') === null)('compiles no statement just in time, whatever the server does', async () => {
  const { database: made, url } = await newDatabase('postgres');
  const database = await openDatabase(url ?? '');
  onTestFinished(async () => {
    await Promise.all([database.close(), made.close()]);
  });
  // The server of the tests has it off by itself.
  const setting = sql`select setting, source from pg_settings where name = 'jit'`;
  expect((await setting.execute(database.reader)).rows).toEqual([{ setting: 'off', source: 'session' }]);
});

// Only Linux shows that another process waits.
it.skipIf(process.platform !== 'linux')('waits where another process is just creating the SQLite file', async () => {
  const starter = new Starter();
  onTestFinished(() => starter.end());
  await starter.said();
  // A start of its own first, so that the next one meets the lock at once.
  expect(await starter.start(`sqlite:${join(newFolder(), 'coffer.db')}`, newFolder())).toBe('made the Admin');
  const path = join(newFolder(), 'coffer.db');
  const maker = new DatabaseSync(path);
  maker.exec('begin exclusive');
  const starting = starter.start(`sqlite:${path}`, newFolder());
  let said: string | undefined;
  void starting.then((line) => {
    said = line;
  });
  // A start that does not wait says that it has failed; one that waits has met the lock by now.
  await eventually(() => expect(said !== undefined || starter.isWaitingFor(path)).toBe(true));
  maker.exec('commit');
  maker.close();
  expect([said, await starting]).toEqual([undefined, 'made the Admin']);
});

/** What each starter runs: a server's start up to where it would listen, once for every line it is given. */
const STARTER = `
  import { createInterface } from 'node:readline';
  import { readConfig } from '${ROOT}/server/config.ts';
  import { openContext } from '${ROOT}/server/context.ts';
  console.log('ready');
  for await (const line of createInterface({ input: process.stdin })) {
    const [url, folder] = JSON.parse(line);
    try {
      const context = await openContext(readConfig({ DATA_DIR: folder, DATABASE_URL: url, ADMIN_PASSWORD: 'correct horse' }));
      const made = await context.makeFirstAdmin();
      await context.close();
      console.log(made === null ? 'found an Admin' : 'made the Admin');
    } catch (error) {
      console.log('failed: ' + error.message);
    }
  }
`;

/** Where a symbolic link leads; the empty text when it is gone. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** A process of its own that starts on a database when told to. */
class Starter {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  #sleptBefore: number | undefined;

  constructor() {
    this.#process = spawn(process.execPath, ['--input-type=module', '-e', STARTER], {
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: compileCache(),
    });
    if (this.#process.stdout === null) throw new Error('The starter has no output');
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  async said(): Promise<string> {
    return String((await this.#lines.next()).value);
  }

  start(url: string, folder: string): Promise<string> {
    this.#process.stdin?.write(`${JSON.stringify([url, folder])}\n`);
    return this.said();
  }

  /** Whether its main thread has slept again and again since it has the file open: SQLite does between its tries for a lock. */
  isWaitingFor(path: string): boolean {
    const at = `/proc/${this.#process.pid}`;
    if (!readdirSync(`${at}/fd`).some((fd) => linkOf(`${at}/fd/${fd}`) === path)) return false;
    const status = readFileSync(`${at}/task/${this.#process.pid}/status`, 'utf8');
    const slept = Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(status)?.[1]);
    this.#sleptBefore ??= slept;
    return slept >= this.#sleptBefore + 10;
  }

  async end(): Promise<void> {
    const ended = new Promise((done) => this.#process.once('exit', done));
    this.#process.stdin?.end();
    await ended;
  }
}
