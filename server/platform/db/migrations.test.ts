// The schema: created once however many processes start, refused when it is newer, kept over a restart, and strict by itself.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { SECURITY_EVENT_KINDS, topicOf } from '#contract/security-events.ts';
import { type Config, readConfig } from '../../config.ts';
import { openContext } from '../../context.ts';
import { storeTexts, textsHeld } from '../../files/texts/text-rows.ts';
import { clientWord } from '../../files/texts/words.ts';
import { breadth } from '../../testing/breadth.ts';
import { eventually } from '../../testing/eventually.ts';
import { goodRows } from '../../testing/table-rows.ts';
import { DATABASE_KINDS, openTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { compileCache } from '../../testing/test-environment.ts';
import { skeletonOf } from '../names/name-forms.ts';
import { openDatabase } from './connect.ts';
import type { Database } from './database.ts';
import { knownNetworks } from './migrations/0005-known-networks.ts';
import { migrationsFor } from './migrations.ts';
import type { Schema } from './schema.ts';
import { SchemaRefusal } from './schema-refusal.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-schema-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function newDatabase(kind: (typeof DATABASE_KINDS)[number]): Promise<TestDatabase> {
  const made = await openTestDatabase(kind, join(newFolder(), 'coffer.db'));
  cleanups.push(made.drop);
  return made;
}

/** How many there are by now. */
const STEPS = 58;

const appliedSteps = async (database: Database) =>
  (
    await sql<{ name: string; timestamp: string }>`select name, timestamp from kysely_migration order by name`.execute(
      database.reader,
    )
  ).rows;

/** A database as it was before the step `next`, with `rows` inserted; `migrate` runs all steps from there. */
async function databaseBefore(
  kind: (typeof DATABASE_KINDS)[number],
  next: string,
  rows: readonly string[],
): Promise<Database> {
  const { database } = await newDatabase(kind);
  cleanups.push(() => database.close());
  const taken = Object.entries(migrationsFor(kind)).filter(([name]) => name < next);
  // Some steps write the schema, which `migrate` alone may do.
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  await database.transaction(async (tx) => {
    await sql`select 1`.execute(tx);
    for (const file of prepare.mock.contexts as DatabaseSync[]) file.enableDefensive(false);
    const records = sql.table('kysely_migration');
    await sql`create table ${records} (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(tx);
    for (const [name, step] of taken) {
      await step.up(tx as never);
      await sql`insert into ${records} (name, timestamp) values (${name}, '2026-01-01T00:00:00.000Z')`.execute(tx);
    }
    for (const row of rows) await sql.raw(row).execute(tx);
  });
  for (const file of prepare.mock.contexts as DatabaseSync[]) file.enableDefensive(true);
  prepare.mockRestore();
  return database;
}

/** Every table with its columns. */
/** One file with all that it stands on; `also` runs in the same transaction. */
async function addOneFile(
  database: Database,
  also: (tx: Kysely<Schema>, file: number) => Promise<void> = async () => undefined,
): Promise<void> {
  const blobKey = 'a'.repeat(32);
  const claimableBlob = () => blobKey;
  const ids = {
    role: 0,
    user: 0,
    client: 0,
    type: 0,
    file: 0,
    session: 0,
    trash: 0,
    batch: 0,
    batchFile: 0,
    request: 0,
    requestItem: 0,
    disposal: 0,
  };
  const good = goodRows({ ...ids, claimableBlob });
  await database.transaction(async (tx) => {
    const add = async (table: 'roles' | 'users' | 'clients' | 'report_types' | 'files', row: object) =>
      (
        await tx
          .insertInto(table)
          .values(row as never)
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    await tx
      .insertInto('blobs')
      .values({ ...good.blobs(), storage_key: blobKey } as never)
      .execute();
    const role = await add('roles', good.roles());
    const user = await add('users', { ...good.users(), role_id: role });
    const client = await add('clients', good.clients());
    const type = await add('report_types', good.report_types());
    const place = { client_id: client, report_type_id: type, uploaded_by_id: user };
    await also(tx, await add('files', { ...good.files(), ...place }));
  });
}

async function describeSchema(database: Database): Promise<[name: string, columns: unknown][]> {
  const tables = await database.reader.introspection.getTables({ withInternalKyselyTables: true });
  return tables
    .map(({ name, columns }): [string, unknown] => [
      name,
      columns.map((column) => [column.name, column.dataType, column.isNullable]),
    ])
    .sort();
}

describe.each(DATABASE_KINDS)('the schema on %s', (kind) => {
  it('is created at the first start and left alone at the next', async () => {
    const { database } = await newDatabase(kind);
    cleanups.push(() => database.close());
    await database.migrate();
    const made = [await describeSchema(database), await appliedSteps(database)];
    expect(made[1]).toHaveLength(STEPS);
    await database.migrate();
    expect([await describeSchema(database), await appliedSteps(database)]).toEqual(made);
  });

  it('of a newer program is refused in one clear line and left as it is', async () => {
    const { database } = await newDatabase(kind);
    cleanups.push(() => database.close());
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

  it('files get the day of their upload as their place among periods, and texts are searched by every word', async () => {
    const database = await databaseBefore(kind, '0009-blobs', [
      `insert into clients (name, name_key, address, phone, email, federal_id, state_id, employee_count, start_date,
         search_text, created_at) values ('Café & Söhne', 'café & söhne', '1 Main St', '', '', '00-1234567', '', 0, '2026-01-31',
         'café & söhne\n\n\n00-1234567\n\n1 main st', 1)`,
      `insert into roles (name, name_key, reach, created_at) values ('R', 'r', 'lists', 0)`,
      `insert into users (username, username_key, full_name, full_name_key, password_hash, role_id, created_at)
         select 'o.brien', 'o.brien', 'Ann O''Brien', 'ann o''brien', '$argon2id$x', min(id), 1 from roles`,
      `insert into files (original_name, name_key, storage_key, size_bytes, sha256, content_type, file_type, client_id,
         uploader_name, uploaded_at) values ('Q1-25 Café.pdf', 'q1-25 café.pdf', '${'a'.repeat(32)}', 1, '${'a'.repeat(64)}',
         'text/plain', 'report', (select id from clients), 'U', ${Date.UTC(2026, 0, 31, 23, 59)})`,
      `insert into activity (action, user_name, search_text, at) values ('view', 'U', 'viewed file: q1-25 café.pdf\n\nu\n', 1)`,
    ]);
    await database.migrate();
    const db = database.reader;
    const files = await db.selectFrom('files').select(['search_name', 'period', 'period_key']).execute();
    expect(files).toEqual([{ search_name: 'q125 cafepdf', period: null, period_key: '2026-01-31' }]);
    expect(await db.selectFrom('clients').select(['search_name', 'search_text']).execute()).toEqual([
      { search_name: 'cafe sohne', search_text: 'cafe sohne\n\n\n001234567\n\n1 main st' },
    ]);
    expect(await db.selectFrom('users').select('search_name').execute()).toEqual([
      { search_name: 'ann obrien\nobrien' },
    ]);
    expect(await db.selectFrom('activity').select('search_text').execute()).toEqual([
      { search_text: 'viewed file q125 cafepdf\n\nu\n' },
    ]);
    const jobs = await db.selectFrom('jobs').select(['kind', 'state', 'payload']).execute();
    expect(jobs).toEqual([{ kind: 'files.periods', state: 'waiting', payload: '{}' }]);
  });

  it('G16: older rows get the skeleton of their names', async () => {
    const names = ['Plain name', '\u0410dmin', 'Sp\u00e4t'];
    const database = await databaseBefore(
      kind,
      '0007-look-alike-names',
      names.flatMap((name) => [
        `insert into roles (name, name_key, reach, created_at) values ('${name}', '${name}', 'lists', 0)`,
        `insert into report_types (name, name_key, created_at) values ('${name}', '${name}', 0)`,
      ]),
    );
    await database.migrate();
    for (const table of ['roles', 'report_types'] as const) {
      const rows = await database.reader.selectFrom(table).select(['name', 'name_skeleton']).orderBy('id').execute();
      expect(rows).toEqual(names.map((name) => ({ name, name_skeleton: skeletonOf(name) })));
    }
  });

  it('refuses a second migration even where the newer step sorts before the own', async () => {
    const { database } = await newDatabase(kind);
    cleanups.push(() => database.close());
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
      cleanups.push(() => database.close());
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
      cleanups.push(() => Promise.all(starters.map((starter) => starter.end())));
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

// Only Linux shows that another process waits.
it.skipIf(process.platform !== 'linux')('waits where another process is just creating the SQLite file', async () => {
  const starter = new Starter();
  cleanups.push(() => starter.end());
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

describe.each(DATABASE_KINDS)('a database with rows on %s', (kind) => {
  /** A database as it was before the step `name`, with `rows` inserted, and then that step. */
  async function stepOver(name: string, rows: readonly string[]) {
    const { database } = await newDatabase(kind);
    cleanups.push(() => database.close());
    const steps = Object.entries(migrationsFor(kind));
    const at = steps.findIndex(([step]) => step === name);
    const run = (some: typeof steps) =>
      database.transaction(async (tx) => {
        for (const [, step] of some) await step.up(tx as never);
      });
    await run(steps.slice(0, at));
    await database.transaction(async (tx) => {
      for (const row of rows) await sql.raw(row).execute(tx);
    });
    await run(steps.slice(at, at + 1));
    return database;
  }

  it('G14: gives the CPA and the Admin as a capability what the CPA’s system key implied before', async () => {
    const role = (name: string, key: string) =>
      `insert into roles (name, name_key, system_key, reach, created_at) values ('${name}', '${name}', ${key}, 'lists', 1)`;
    const database = await stepOver('0004-activity-of-clients', [
      role('admin', "'admin'"),
      role('cpa', "'cpa'"),
      role('client', "'client'"),
      role('keeper', 'null'),
      `insert into role_capabilities (role_id, capability) select id, 'files.delete' from roles where name in ('cpa', 'keeper')`,
    ]);
    const held = await database.reader
      .selectFrom('role_capabilities')
      .innerJoin('roles', 'roles.id', 'role_capabilities.role_id')
      .select(['roles.name as name', 'role_capabilities.capability as capability'])
      .orderBy('roles.id')
      .orderBy('role_capabilities.capability')
      .execute();
    expect(held.map(({ name, capability }) => `${name} ${capability}`)).toEqual([
      'admin activity.read-clients',
      'cpa activity.read-clients',
      'cpa files.delete',
      'keeper files.delete',
    ]);
    // The rules of the table are what they were.
    const refused = (values: string) =>
      expect(
        database.transaction((tx) =>
          sql.raw(`insert into role_capabilities (role_id, capability) values ${values}`).execute(tx),
        ),
      ).rejects.toThrow();
    await refused(`((select id from roles where name = 'cpa'), 'files.delete')`);
    await refused(`((select id from roles where name = 'cpa'), 'everything')`);
    await refused(`(999999, 'files.delete')`);
    await database.transaction((tx) => tx.deleteFrom('roles').where('name', '=', 'keeper').execute());
    const left = await database.reader.selectFrom('role_capabilities').select('role_id').execute();
    expect(left).toHaveLength(3);
  });

  it('finds nothing new to those who have an account already, and hears of nothing that was there', async () => {
    const before = Date.now();
    const person = (name: string) =>
      `insert into users (username, username_key, username_skeleton, full_name, full_name_key, full_name_skeleton, password_hash, role_id, created_at)
        select '${name}', '${name}', '${name}', '${name}', '${name}', '${name}', '$argon2id$x', min(id), 5 from roles`;
    const database = await databaseBefore(kind, '0009-blobs', [
      `insert into roles (name, name_key, name_skeleton, reach, created_at) values ('R', 'r', 'r', 'lists', 0)`,
      person('early'),
    ]);
    await database.migrate();
    const changes = () => database.reader.selectFrom('changes').select(['topic', 'kind']).execute();
    expect(await changes()).toEqual([]);
    await database.transaction((tx) => sql.raw(person('late')).execute(tx));
    const people = await database.reader.selectFrom('users').select(['username', 'news_since']).orderBy('id').execute();
    expect(people).toEqual([
      { username: 'early', news_since: expect.any(Number) },
      { username: 'late', news_since: null },
    ]);
    expect(people[0]?.news_since).toBeGreaterThanOrEqual(before - 1_000);
    expect(people[0]?.news_since).toBeLessThanOrEqual(Date.now() + 1_000);
    expect(await changes()).toEqual([{ topic: 'users', kind: 'changed' }]);
  });

  it.each([false, true])('leads nobody through the first steps who works already: files there: %s', async (works) => {
    const database = await databaseBefore(kind, '0034-first-steps', []);
    if (works) await addOneFile(database);
    await database.migrate();
    const decided = await database.reader
      .selectFrom('firm_settings')
      .select(['id', 'four_eyes', 'support_email', 'first_steps_dismissed', 'firm_id'])
      .execute();
    const settings = { id: 1, four_eyes: 0, support_email: '', first_steps_dismissed: 1, firm_id: null };
    expect(decided).toEqual(works ? [settings] : []);
  });

  it('G54: has the words of pages made anew from the text that is kept', async () => {
    const database = await databaseBefore(kind, '0032-turns-of-reading', []);
    await addOneFile(database, async (tx, file) => {
      await tx.deleteFrom('files_to_read').execute();
      const page = { id: file * 4_096 + 1, file_id: file, page: 1, text: 'sandpiper' };
      await tx
        .insertInto('document_texts')
        .values(page as never)
        .execute();
    });
    await database.migrate();
    const { client_id, uploaded_by_id, id } = await database.reader
      .selectFrom('files')
      .select(['id', 'client_id', 'uploaded_by_id'])
      .executeTakeFirstOrThrow();
    const waiting = await database.reader.selectFrom('files_to_read').selectAll().execute();
    expect(waiting).toEqual([{ file_id: id, attempts: 0, person_id: uploaded_by_id, scans: null, takes_long: 0 }]);
    await storeTexts(database, id, await textsHeld(database, id));
    const word = clientWord(client_id);
    const { rows } = await (kind === 'postgres'
      ? sql`select id from document_texts where words @@ cast(${`'sandpiper' & '${word}'`} as tsquery)`
      : sql`select rowid from document_words where document_words match ${`"sandpiper" AND "${word}"`}`
    ).execute(database.reader);
    expect(rows).toHaveLength(1);
  });

  it('tells of documents that were recalled before what the log says of each', async () => {
    const entry = (file: number, details: string, user: string) =>
      `insert into activity (action, file_id, file_name, details, user_name, search_text, at)
        values ('delete', ${file}, 'a ${file}.pdf', '${details}', '${user}', '', ${file})`;
    const recalled = (file: number, batch: string, reason: string) =>
      `Recalled file: a ${file}.pdf, released from batch: ${batch}. Reason: ${reason}`;
    const document = (file: number | null) =>
      `insert into batch_documents (batch_id, batch_file_id, from_page, to_page, state, correction, proposal, released_file_id, version)
        select batch_id, id, 1, 1, 'recalled', 0, '{}', ${file}, 1 from batch_files`;
    const database = await databaseBefore(kind, '0033-told-of-batches', [
      `insert into batches (name, owner_id, owner_name, state, recall_reason, created_at) values ('Run', 1, 'O', 'review', 'Last', 1)`,
      `insert into blobs (storage_key, size_bytes, sha256, state, purpose, created_at)
        values ('${'a'.repeat(32)}', 1, '${'b'.repeat(64)}', 'stored', 'batch', 1)`,
      `insert into batch_files (batch_id, name, content_type, size_bytes, sha256, storage_key, state, created_at)
        select id, 'f', 'text/plain', 1, '${'b'.repeat(64)}', '${'a'.repeat(32)}', 'read', 1 from batches`,
      ...[7, 8, 9, null].map(document),
      entry(7, recalled(7, 'Run', 'Wrong. Reason: week'), 'Ann'),
      entry(8, recalled(8, 'Other', 'Not of this batch'), 'Bob'),
      entry(9, 'Deleted file: a 9.pdf', 'Bob'),
    ]);
    await database.migrate();
    const rows = await database.reader
      .selectFrom('batch_documents')
      .select(['recall_reason', 'recalled_by_name', 'recalled_at'])
      .orderBy('id')
      .execute();
    const nothing = { recall_reason: null, recalled_by_name: null, recalled_at: null };
    expect(rows).toEqual([
      { recall_reason: 'Wrong. Reason: week', recalled_by_name: 'Ann', recalled_at: 7 },
      nothing,
      nothing,
      nothing,
    ]);
    expect(await database.reader.selectFrom('batches').select('left_out').execute()).toEqual([{ left_out: 0 }]);
  });

  it('knows who sent and who opened the files that were there, those in the trash too', async () => {
    const days = 24 * 60 * 60_000;
    const lately = Date.now() - 10 * days;
    const person = (name: string, role: string) =>
      `insert into users (username, username_key, username_skeleton, full_name, full_name_key, full_name_skeleton, search_name, password_hash, role_id, created_at)
        select '${name}', '${name}', '${name}', '${name}', '${name}', '${name}', '${name}', '$argon2id$x', id, 5 from roles where name = '${role}'`;
    const role = (name: string, key: string) =>
      `insert into roles (name, name_key, name_skeleton, search_name, system_key, reach, created_at) values ('${name}', '${name}', '${name}', '${name}', ${key}, 'lists', 0)`;
    const idOf = (table: string, column: string, value: string) =>
      `(select id from ${table} where ${column} = '${value}')`;
    const file = (name: string, kind: string, by: string, at = lately) => [
      `insert into blobs (storage_key, size_bytes, sha256, state, purpose, created_at)
        values ('${name.padEnd(32, '0')}', 1, '${'0'.repeat(64)}', 'live', 'file', 0)`,
      `insert into files (original_name, name_key, search_name, period_key, storage_key, size_bytes, sha256, content_type, file_type, client_id,
         uploaded_by_id, uploader_name, uploaded_at) values ('${name}', '${name}', '${name}', '2026-01-31', '${name.padEnd(32, '0')}', 1, '${'0'.repeat(64)}',
         'text/plain', '${kind}', ${idOf('clients', 'name', 'Co')}, ${idOf('users', 'username', by)}, 'U', ${at})`,
    ];
    const access = (
      name: string,
      by: string,
      at: number,
      { announced = 'null', served = 'null', client = 'Co' } = {},
    ) =>
      `insert into activity (action, file_id, user_id, user_name, client_id, search_text, at, announced_at, served_at)
        values ('view', ${idOf('files', 'original_name', name)}, ${idOf('users', 'username', by)}, 'U', ${idOf('clients', 'name', client)}, '',
          ${at}, ${announced}, ${served})`;
    const client = (name: string) =>
      `insert into clients (name, name_key, name_skeleton, search_name, address, phone, email, federal_id, state_id, employee_count, start_date,
         search_text, created_at) values ('${name}', '${name}', '${name}', '${name}', '', '', '', '', '', 0, '2026-01-31', 'co', 1)`;
    const database = await databaseBefore(kind, '0036-who-opened', [
      role('client', "'client'"),
      role('staff', 'null'),
      ...['ann', 'ben'].map((name) => person(name, 'client')),
      person('sue', 'staff'),
      client('Co'),
      client('Other'),
      ...file('aa', 'report', 'sue'),
      access('aa', 'ann', 100, { announced: '90', served: '110' }),
      access('aa', 'ben', 300),
      access('aa', 'ann', 400, { announced: '400' }),
      access('aa', 'sue', 500, { served: '500' }),
      access('aa', 'ann', 600, { served: '600', client: 'Other' }),
      ...file('bb', 'report', 'sue'),
      ...file('cc', 'company_document', 'ann'),
      access('cc', 'ann', 100, { served: '100' }),
      access('cc', 'sue', lately + 2, { served: `${lately + 2}` }),
      access('cc', 'sue', lately + 1, { served: `${lately + 1}` }),
      ...file('dd', 'company_document', 'ann', lately - 60 * days),
      access('dd', 'sue', lately, { served: `${lately}` }),
      `insert into trash (kind, item_id, name, name_key, search_text, client_id, client_name, with_client, access_key, uploaded_by_id, sha256, storage_key,
         deleted_at, deleted_by_id, deleted_by_name, gone_at)
        select 'file', id, 'aa', 'aa', 'aa', client_id, 'Co', 0, 0, uploaded_by_id, sha256, storage_key, 1, 1, 'U', 2 from files where original_name in ('aa', 'cc')`,
      `insert into trashed_rows (trash_id, table_name, content)
        select trash.id, 'files', '{"id":' || files.id || ',"client_id":' || files.client_id || ',"uploaded_by_id":' || files.uploaded_by_id || '}'
        from trash join files on files.id = trash.item_id`,
    ]);
    await database.migrate();
    const files = await database.reader
      .selectFrom('files')
      .select(['original_name', 'sent_by_client', 'opened_by_client_at'])
      .orderBy('original_name')
      .execute();
    expect(files.map((row) => Object.values(row))).toEqual([
      ['aa', 0, 300],
      ['bb', 0, null],
      ['cc', 1, null],
      ['dd', 1, null],
    ]);
    const kept = await database.reader.selectFrom('trashed_rows').select('content').orderBy('trash_id').execute();
    expect(kept.map(({ content }) => JSON.parse(content))).toEqual([
      expect.objectContaining({ sent_by_client: 0, opened_by_client_at: 300 }),
      expect.objectContaining({ sent_by_client: 1, opened_by_client_at: null }),
    ]);
    const opens = await database.reader.selectFrom('file_opens').select(['at']).orderBy('at').execute();
    expect(opens).toEqual([{ at: 100 }, { at: lately + 1 }]);
  });

  it('gets a blob for every file and no checks on lists of words, and stays the same otherwise', async () => {
    const keys = ['b', 'a', 'c'].map((digit) => digit.repeat(32));
    const database = await databaseBefore(kind, '0009-blobs', [
      `insert into clients (name, name_key, address, phone, email, federal_id, state_id, employee_count, start_date,
         search_text, created_at) values ('Co', 'co', '', '', '', '', '', 0, '2026-01-31', 'co', 1)`,
      ...keys.map(
        (
          key,
          nth,
        ) => `insert into files (original_name, name_key, storage_key, size_bytes, sha256, content_type, file_type,
          client_id, uploader_name, uploaded_at) values ('f', 'f', '${key}', ${nth}, '${key.repeat(2)}', 'text/plain',
          'report', (select id from clients), 'U', ${100 + nth})`,
      ),
      `insert into activity (action, user_name, search_text, at) values ('view', 'U', '', 1)`,
    ]);
    const rowsOf = async (table: 'files' | 'clients' | 'activity') =>
      database.reader.selectFrom(table).selectAll().orderBy('id').execute();
    const were = [await rowsOf('files'), await rowsOf('clients'), await rowsOf('activity')];
    const tables = await describeSchema(database);

    await database.migrate();
    // Later steps add columns and tables of their own.
    expect([await rowsOf('files'), await rowsOf('clients'), await rowsOf('activity')]).toMatchObject(were);
    const now = new Map((await describeSchema(database)) as [string, unknown[]][]);
    for (const [name, columns] of tables as [string, unknown[]][]) {
      // SQLite's index of words is made anew for other texts.
      if (name.startsWith('file_words')) continue;
      expect([name, now.get(name)]).toEqual([name, expect.arrayContaining(columns)]);
    }
    const entered = await database.reader.selectFrom('blobs').selectAll().orderBy('size_bytes').execute();
    expect(entered).toMatchObject(
      keys.map((key, nth) => ({
        storage_key: key,
        size_bytes: nth,
        sha256: key.repeat(2),
        state: 'live',
        purpose: 'file',
        created_at: 100 + nth,
      })),
    );
    await expect(database.transaction((tx) => tx.deleteFrom('blobs').execute())).rejects.toThrow(/foreign key/i);

    const checks =
      kind === 'sqlite'
        ? await sql<{ text: string }>`select sql as text from sqlite_schema where sql is not null`.execute(
            database.reader,
          )
        : await sql<{ text: string }>`select pg_get_constraintdef(oid) as text from pg_constraint
              where contype = 'c' and connamespace = current_schema()::regnamespace`.execute(database.reader);
    expect(checks.rows.length).toBeGreaterThan(10);
    expect(checks.rows.filter(({ text }) => /check[^,]* in \('|array\['/i.test(text))).toEqual([]);
    if (kind === 'sqlite') {
      const check = async (name: string) => (await sql`pragma ${sql.raw(name)}`.execute(database.reader)).rows;
      expect([await check('integrity_check'), await check('foreign_key_check')]).toEqual([
        [{ integrity_check: 'ok' }],
        [],
      ]);
      // What only a migration may do.
      const tampering = database.transaction(async (tx) => {
        await sql`pragma writable_schema = on`.execute(tx);
        await sql`update sqlite_schema set sql = '' where name = 'files'`.execute(tx);
      });
      await expect(tampering).rejects.toThrow(/may not be modified/);
    }
  });

  it('G13: keeps its events, each once, with its topic', async () => {
    // Kinds that came later were not known to the table then.
    const kinds = SECURITY_EVENT_KINDS.filter(
      (event) => !['looked_at', 'invited', 'invitation_withdrawn', 'joined'].includes(event),
    );
    const database = await stepOver(
      '0006-refusals-that-count',
      kinds.map((event, nth) => `insert into security_events (at, kind, user_id) values (${100 + nth}, '${event}', 7)`),
    );
    const kept = await database.reader
      .selectFrom('security_events')
      .select(['at', 'last_at', 'times', 'kind', 'about', 'open_key'])
      .orderBy('id')
      .execute();
    expect(kept).toEqual(
      kinds.map((event, nth) => ({
        at: 100 + nth,
        last_at: 100 + nth,
        times: 1,
        kind: event,
        about: topicOf[event],
        open_key: null,
      })),
    );
  });

  it('G19: says of accesses that were announced and never served that nothing was sent', async () => {
    const entry = (action: string, words: string, announced: string, served: string) =>
      `insert into activity (action, details, user_name, search_text, at, announced_at, served_at)
       values ('${action}', '${words}: Ångström.pdf', 'U', '${words.toLowerCase()}: ångström.pdf\n\nu\n', 1, ${announced}, ${served})`;
    const database = await stepOver('0006-refusals-that-count', [
      entry('download', 'Downloaded file', '1', 'null'),
      entry('view', 'Viewed file', '1', 'null'),
      entry('download', 'Downloaded file', '1', '2'),
      entry('view', 'Viewed file', 'null', '2'),
    ]);
    const kept = await database.reader
      .selectFrom('activity')
      .select(['details', 'search_text'])
      .orderBy('id')
      .execute();
    expect(kept).toEqual(
      [
        [
          'Announced a download, nothing was sent: Ångström.pdf',
          'announced a download, nothing was sent: ångström.pdf',
        ],
        ['Announced a view, nothing was sent: Ångström.pdf', 'announced a view, nothing was sent: ångström.pdf'],
        ['Downloaded file: Ångström.pdf', 'downloaded file: ångström.pdf'],
        ['Viewed file: Ångström.pdf', 'viewed file: ångström.pdf'],
      ].map(([details, first]) => ({ details, search_text: `${first}\n\nu\n` })),
    );
  });
});

/** Thrown to undo an insert that was only tried. */
class Undo extends Error {}

describe.each(DATABASE_KINDS)('the tables on %s', (kind) => {
  let made: TestDatabase;
  let database: Database;
  const folder = mkdtempSync(join(tmpdir(), 'coffer-tables-'));
  /** The keys of blobs that wait for a file. */
  const blobKeys: string[] = [];
  const claimableBlob = () => blobKeys.pop() ?? 'no blob is left';
  const ids = {
    role: 0,
    user: 0,
    client: 0,
    type: 0,
    file: 0,
    session: 0,
    trash: 0,
    batch: 0,
    batchFile: 0,
    request: 0,
    requestItem: 0,
    disposal: 0,
    claimableBlob,
  };
  const good = goodRows(ids);
  type Table = keyof typeof good;

  const insert = (tx: Kysely<Schema>, table: Table, row: Record<string, unknown>) =>
    // The rows here break on purpose what the types guarantee.
    tx.insertInto(table).values(row as never);
  const add = (table: Table, row: Record<string, unknown> = good[table]()) =>
    database.transaction(
      (tx) => insert(tx, table, row).returning('id').executeTakeFirstOrThrow() as Promise<{ id: number }>,
    );

  beforeAll(async () => {
    made = await openTestDatabase(kind, join(folder, 'coffer.db'));
    database = made.database;
    await database.migrate();
    await database.transaction(async (tx) => {
      for (let n = 0; n < 100; n++) {
        const blob = good.blobs();
        await insert(tx, 'blobs', blob).execute();
        blobKeys.push(blob.storage_key);
      }
    });
    ids.role = (await add('roles')).id;
    ids.user = (await add('users')).id;
    ids.client = (await add('clients')).id;
    ids.type = (await add('report_types')).id;
    ids.file = (await add('files')).id;
    // A trigger entered it.
    await database.transaction((tx) => tx.deleteFrom('files_to_read').execute());
    ids.session = (await add('sessions')).id;
    ids.trash = (await add('trash')).id;
    ids.batch = (await add('batches')).id;
    ids.batchFile = (await add('batch_files')).id;
    ids.request = (await add('requests')).id;
    ids.requestItem = (await add('request_items')).id;
    ids.disposal = (await add('disposals')).id;
  });
  afterAll(async () => {
    await database.close();
    await made.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Tries to insert rows and undoes it; the error, or null when all were taken. */
  async function trial(table: Table, ...rows: Record<string, unknown>[]): Promise<unknown> {
    try {
      await database.transaction(async (tx) => {
        for (const row of rows) await insert(tx, table, row).execute();
        throw new Undo();
      });
    } catch (error) {
      return error instanceof Undo ? null : error;
    }
    return null;
  }

  it.each(Object.keys(good) as Table[])('%s take a good row', async (table) =>
    expect(await trial(table, good[table]())).toBeNull(),
  );

  it.each(Object.keys(good) as Table[])('%s have every column filled that must be', async (table) => {
    const optional = {
      roles: ['system_key'],
      files: ['period', 'document_type', 'report_type_id', 'uploaded_by_id', 'idempotency_key'],
      activity: ['file_id', 'file_name', 'details', 'user_id', 'client_id', 'client_name', 'announced_at', 'served_at'],
      view_tickets: ['opened_at'],
      batch_files: ['pages'],
      file_marks: ['named_client_id'],
      batch_documents: ['client_id', 'report_type_id'],
      sessions: ['stepped_up_at'],
      invitations: ['token_hash'],
      digest_choices: ['pace'],
      requests: ['due_on'],
      disposals: ['ended_at'],
      disposal_files: ['report_type_id', 'period', 'decided_at'],
      passkeys: ['last_used_at'],
      security_events: [
        'repeated_at',
        'open_key',
        'user_id',
        'username',
        'actor_id',
        'actor_name',
        'address',
        'user_agent',
        'detail',
      ],
    }[table as string];
    for (const column of Object.keys(good[table]())) {
      const error = await trial(table, { ...good[table](), [column]: null });
      expect([column, error === null]).toEqual([column, optional?.includes(column) ?? false]);
    }
  });

  it.each<[Table, Record<string, unknown>]>([
    ['roles', { name: '' }],
    ['roles', { name: 'x'.repeat(101) }],
    ['role_capabilities', { role_id: 999_999 }],
    ['users', { role_id: 999_999 }],
    ['users', { username: '' }],
    ['users', { username: 'x'.repeat(65) }],
    ['users', { full_name: '' }],
    ['users', { password_hash: 'plain text' }],
    ['clients', { name: 'x' }],
    ['clients', { employee_count: -1 }],
    ['clients', { start_date: '2026-1-1' }],
    ['report_types', { name: '' }],
    ['user_clients', { user_id: 999_999 }],
    ['user_clients', { client_id: 999_999 }],
    ['user_report_types', { user_id: 999_999 }],
    ['user_report_types', { report_type_id: 999_999 }],
    ['files', { client_id: 999_999 }],
    ['files', { report_type_id: 999_999 }],
    ['files', { uploaded_by_id: 999_999 }],
    ['files', { size_bytes: -1 }],
    ['files', { sha256: 'abc' }],
    ['files', { storage_key: '../../etc/passwd' }],
    ['files', { storage_key: 'f'.repeat(32) }],
    ['files', { original_name: '' }],
    ['files', { file_type: 'company_document' }],
    ['files', { document_type: 'Tax Return' }],
    ['sessions', { user_id: 999_999 }],
    ['view_tickets', { session_id: 999_999 }],
    ['view_tickets', { file_id: 999_999 }],
    ['file_counts', { client_id: 999_999 }],
    ['file_counts', { n: -1 }],
    ['activity_counts', { n: -1 }],
    ['blobs', { storage_key: 'abc' }],
    ['blobs', { size_bytes: -1 }],
    ['blobs', { sha256: 'abc' }],
    ['attempts', { tries: -1 }],
    ['known_networks', { user_id: 999_999 }],
    ['known_networks', { network: '' }],
    ['preferences', { user_id: 999_999 }],
    ['invitations', { user_id: 999_999 }],
    ['sign_ins', { user_id: 999_999 }],
    ['sign_ins', { enrols: 2 }],
    ['sign_ins', { tries: -1 }],
    ['totp_secrets', { user_id: 999_999 }],
    ['totp_secrets', { waiting: 2 }],
    ['passkeys', { user_id: 999_999 }],
    ['passkeys', { name: '' }],
    ['passkeys', { counter: -1 }],
    ['passkey_challenges', { user_id: 999_999 }],
    ['recovery_codes', { user_id: 999_999 }],
    ['security_events', { times: 0 }],
    ['trash', { storage_key: 'f'.repeat(32) }],
    ['trash', { with_client: 2 }],
    ['trashed_rows', { trash_id: 999_999 }],
    ['report_type_phrases', { report_type_id: 999_999 }],
    ['report_type_phrases', { phrase_key: '' }],
    ['expectations', { client_id: 999_999 }],
    ['expectations', { report_type_id: 999_999 }],
    ['expectations', { phase: 14 }],
    ['expectations', { due_days: 367 }],
    ['expectations', { starts: '2026' }],
    ['batch_files', { batch_id: 999_999 }],
    ['batch_files', { storage_key: 'f'.repeat(32) }],
    ['batch_readings', { batch_file_id: 999_999 }],
    ['batch_readings', { page: -1 }],
    ['batch_documents', { batch_file_id: 999_999 }],
    ['batch_documents', { from_page: 2, to_page: 1 }],
    ['batch_documents', { state: 'released' }],
    ['batch_documents', { client_id: 999_999 }],
    ['batch_documents', { corrects_file_id: 1, replaces_file_id: 1 }],
    ['files', { corrects_id: 999_999 }],
    ['batch_file_opens', { batch_file_id: 999_999 }],
    ['document_texts', { file_id: 999_999 }],
    ['document_texts', { page: 0 }],
    ['files_to_read', { file_id: 999_999 }],
    ['file_marks', { file_id: 999_999 }],
    ['file_marks', { named_client_id: 999_999 }],
    ['file_marks', { state: 'gone' }],
    ['file_marks', { state: 'settled' }],
    ['file_marks', { settled_at: 1 }],
    ['files_to_judge', { file_id: 999_999 }],
    ['files_to_judge', { attempts: -1 }],
    ['files_to_judge', { by_names_alone: 2 }],
    ['requests', { client_id: 999_999 }],
    ['requests', { title: '' }],
    ['requests', { due_on: '2026' }],
    ['requests', { owed: 2 }],
    ['request_items', { request_id: 999_999 }],
    ['request_items', { name: '' }],
    ['request_items', { said_not: 2 }],
    ['request_item_files', { item_id: 999_999 }],
    ['request_templates', { name_key: '' }],
    ['firm_settings', { id: 2 }],
    ['firm_settings', { four_eyes: 2 }],
    ['firm_settings', { first_steps_dismissed: 2 }],
  ])('%s refuse %j', async (table, wrong) => {
    const error = await trial(table, { ...good[table](), ...wrong });
    expect(error).not.toBeNull();
    expect(String(error)).toMatch(/constraint/i);
  });

  it.each<[Table, Record<string, unknown>]>([
    ['roles', { reach: 'some' }],
    ['roles', { system_key: 'owner' }],
    ['role_capabilities', { capability: 'everything' }],
    ['files', { file_type: 'invoice', report_type_id: null }],
    ['files', { file_type: 'company_document', report_type_id: null, document_type: 'Poem' }],
    ['activity', { action: 'think' }],
    ['file_counts', { document_type: 'Poem' }],
    ['activity_counts', { action: 'think' }],
    ['passkey_challenges', { purpose: 'fun' }],
    ['security_events', { kind: 'thought' }],
    ['blobs', { state: 'held', purpose: 'page' }],
  ])('%s take a word that no earlier version knew: %j', async (table, word) => {
    expect(await trial(table, { ...good[table](), ...word })).toBeNull();
  });

  it.each<[Table, string[]]>([
    ['roles', ['name_key']],
    ['role_capabilities', ['role_id', 'capability']],
    ['users', ['username_key']],
    ['report_types', ['name_key']],
    ['user_clients', ['user_id', 'client_id']],
    ['user_report_types', ['user_id', 'report_type_id']],
    ['files', ['storage_key']],
    ['blobs', ['storage_key']],
    ['blob_keys', ['version']],
    ['released_blobs', ['storage_key']],
    ['sessions', ['token_hash']],
    ['sessions', ['cookie_hash']],
    ['view_tickets', ['ticket_hash']],
    ['file_counts', ['client_id', 'access_key', 'owner_id', 'document_type']],
    ['activity_counts', ['user_id', 'client_id', 'action']],
    ['attempts', ['key']],
    ['known_networks', ['user_id', 'network']],
    ['preferences', ['user_id']],
    ['invitations', ['user_id']],
    ['invitations', ['token_hash']],
    ['sign_ins', ['token_hash']],
    ['totp_secrets', ['user_id', 'waiting']],
    ['passkeys', ['credential_id']],
    ['passkey_challenges', ['challenge_hash']],
    ['recovery_codes', ['user_id', 'code_hash']],
    ['security_events', ['open_key']],
    ['trash', ['kind', 'item_id']],
    ['request_item_files', ['item_id', 'file_id']],
    ['request_templates', ['name_key']],
  ])('%s hold %j once', async (table, columns) => {
    const [first, second]: Record<string, unknown>[] = [good[table](), good[table]()];
    const same = Object.fromEntries(columns.map((column) => [column, first?.[column]]));
    const error = await trial(table, first ?? {}, { ...second, ...same });
    expect(String(error)).toMatch(/unique/i);
  });

  it('files hold an upload once under one key and person, and any number without a key', async () => {
    const keyed = () => ({ ...good.files(), idempotency_key: 'k' });
    expect(String(await trial('files', keyed(), keyed()))).toMatch(/unique/i);
    expect(await trial('files', keyed(), { ...keyed(), uploaded_by_id: null })).toBeNull();
    expect(await trial('files', good.files(), good.files())).toBeNull();
  });

  it('roles hold one of each system key', async () => {
    const admin = () => ({ ...good.roles(), system_key: 'admin' });
    expect(String(await trial('roles', admin(), admin()))).toMatch(/unique/i);
  });

  it.each([
    ['a role that somebody holds', 'roles', 'role'],
    ['a client that has files', 'clients', 'client'],
    ['a report type that files have', 'report_types', 'type'],
  ] as const)('do not let %s go', async (_what, table, key) => {
    const removal = database.transaction((tx) => tx.deleteFrom(table).where('id', '=', ids[key]).execute());
    await expect(removal).rejects.toThrow(/foreign key/i);
  });

  it.each([
    'roles',
    'users',
    'clients',
    'report_types',
    'files',
    'activity',
    'sessions',
    'view_tickets',
    'trash',
  ] as const)('%s never give an id twice', async (table) => {
    const first = await add(table);
    await database.transaction((tx) => tx.deleteFrom(table).where('id', '=', first.id).execute());
    const second = await add(table);
    expect(second.id).toBeGreaterThan(first.id);
    await database.transaction((tx) => tx.deleteFrom(table).where('id', '=', second.id).execute());
    expect((await add(table)).id).toBeGreaterThan(second.id);
  });

  it('G6: know after the upgrade where open sessions were opened, except for IPv6, whose networks are recorded again', async () => {
    const { id } = await add('users');
    for (const [address, at] of [
      ['192.0.2.7', 5],
      ['192.0.2.7', 9],
      ['198.51.100.4', 3],
      ['2001:db8::7', 4],
      ['', 6],
    ] as const) {
      await add('sessions', { ...good.sessions(), user_id: id, address, created_at: at });
    }
    await database.transaction(async (tx) => {
      await sql`drop table known_networks`.execute(tx);
      await knownNetworks(tx, { engine: kind, id: '', text: 'text', keyedTable: '', computed: 'stored' });
    });
    const known = await database.reader
      .selectFrom('known_networks')
      .select(['network', 'signed_in_at'])
      .where('user_id', '=', id)
      .orderBy('network')
      .execute();
    expect(known).toEqual([
      { network: '192.0.2.7', signed_in_at: 9 },
      { network: '198.51.100.4', signed_in_at: 3 },
    ]);
  });

  it('keep a deleted user’s files and drop the sessions, tickets and list entries', async () => {
    const { id } = await add('users');
    const { id: sessionId } = await add('sessions', { ...good.sessions(), user_id: id });
    await add('view_tickets', { ...good.view_tickets(), session_id: sessionId });
    const file = await add('files', { ...good.files(), uploaded_by_id: id });
    await database.transaction((tx) =>
      tx.insertInto('user_clients').values({ user_id: id, client_id: ids.client }).execute(),
    );
    await database.transaction((tx) => tx.deleteFrom('users').where('id', '=', id).execute());
    const { reader } = database;
    expect(await reader.selectFrom('sessions').select('id').where('id', '=', sessionId).execute()).toEqual([]);
    expect(await reader.selectFrom('view_tickets').select('id').where('session_id', '=', sessionId).execute()).toEqual(
      [],
    );
    expect(await reader.selectFrom('user_clients').selectAll().where('user_id', '=', id).execute()).toEqual([]);
    const kept = await reader
      .selectFrom('files')
      .select(['uploaded_by_id', 'uploader_name'])
      .where('id', '=', file.id)
      .execute();
    expect(kept).toEqual([{ uploaded_by_id: null, uploader_name: 'U' }]);
  });

  if (kind === 'sqlite') {
    it('are written with every commit flushed to disk and every reference checked', async () => {
      const pragma = (name: string) =>
        database.transaction(
          async (tx) => Object.values((await sql<object>`pragma ${sql.raw(name)}`.execute(tx)).rows[0] ?? {})[0],
        );
      expect([await pragma('journal_mode'), await pragma('synchronous'), await pragma('foreign_keys')]).toEqual([
        'wal',
        2,
        1,
      ]);
      // The other connection cannot write at all.
      const writing = sql`delete from activity`.execute(database.reader);
      await expect(writing).rejects.toThrow(/readonly/);
    });
  }
});
