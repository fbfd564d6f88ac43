// A firm with a row in every table is moved between engines and stores: the same for all viewers afterwards, and the source untouched.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildApp } from '../../app.ts';
import { openContext } from '../../context.ts';
import { breadth } from '../../testing/breadth.ts';
import { cheapPasswords } from '../../testing/cheap-passwords.ts';
import { type FullFirm, firmRows, makeFullFirm } from '../../testing/full-firm.ts';
import { itInFull } from '../../testing/narrowed.ts';
import { filesBelow } from '../../testing/stored.ts';
import { Caller, NEVER_LATE_MS, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { openBlobStore, parseBlobUrl } from '../blobs/open-blob-store.ts';
import type { Database, DatabaseKind } from '../db/database.ts';
import { migrationsFor, UNFINISHED_MOVE } from '../db/migrations.ts';
import { lastIdOf, tablesOf } from '../db/tables.ts';
import { nameColumns } from '../names/name-forms.ts';
import { type Move, move } from './move.ts';
import type { Advance } from './progress.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const folder = mkdtempSync(join(tmpdir(), 'coffer-move-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const newFolder = () => mkdtempSync(join(folder, 'some-'));

type StoreKind = 'disk' | 's3';

let s3: FauxqsServer;
let buckets = 0;
beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  s3 = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
});
afterAll(async () => {
  await s3.stop();
  vi.unstubAllEnvs();
});

/** The address of an empty store. */
function newStore(kind: StoreKind): string {
  if (kind === 'disk') return `file:${join(newFolder(), 'blobs')}`;
  buckets += 1;
  const bucket = `moved-${buckets}`;
  s3.createBucket(bucket);
  return `s3://${bucket}/firm?region=us-east-1&endpoint=http://127.0.0.1:${s3.port}`;
}

async function openStore(url: string): Promise<BlobStore> {
  const store = await openBlobStore(parseBlobUrl(url));
  cleanups.push(() => store.close());
  return store;
}

async function newDatabase(kind: DatabaseKind): Promise<Database> {
  const { database, drop } = await openTestDatabase(kind, join(newFolder(), 'coffer.db'));
  cleanups.push(drop, () => database.close());
  return database;
}

interface Source {
  readonly app: TestApp;
  readonly firm: FullFirm;
}

/** Created once, for tests that leave the source as it is. */
const kept = new Map<string, Promise<Source>>();
afterAll(async () => {
  for (const source of kept.values()) await (await source).app.close();
});

function sharedSource(kind: DatabaseKind, store: StoreKind = 'disk'): Promise<Source> {
  const name = `${kind} ${store}`;
  const source = kept.get(name) ?? makeSource(kind, store);
  kept.set(name, source);
  return source;
}

async function makeSource(kind: DatabaseKind, store: StoreKind): Promise<Source> {
  const app = await startTestApp(kind, { BLOB_URL: newStore(store) });
  return { app, firm: await makeFullFirm(app) };
}

/** For tests that change it. */
async function newSource(kind: DatabaseKind): Promise<Source> {
  const source = await makeSource(kind, 'disk');
  cleanups.push(() => source.app.close());
  return source;
}

/** In small pieces, so that a small firm takes many. */
function moving({ app }: Source, more: Partial<Move>): Move {
  return { source: app.database, target: null, blobs: null, report: () => {}, rowsAtOnce: 3, ...more };
}

/** The application on the moved firm; everybody stays signed in. */
async function serve({ app: { config } }: Source, database: Database, blobs: BlobStore): Promise<string> {
  const context = await openContext(config, { database, blobs, passwords: cheapPasswords(config.passwordHash) });
  const app = await buildApp(context, { logger: false, lateLoopMs: NEVER_LATE_MS });
  cleanups.push(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

const LISTS = [
  '/api/files?limit=100',
  '/api/files?limit=100&fileType=report&sort=originalName',
  '/api/files?q=lohn',
  '/api/overview',
  '/api/clients',
  '/api/users',
  '/api/roles',
  '/api/permissions',
  '/api/report-types',
  '/api/activity-logs?limit=100',
  '/api/activity-logs?q=f1.txt',
];

async function listsOf(viewers: Readonly<Record<string, Caller>>, origin?: string): Promise<unknown[][]> {
  const answers: unknown[][] = [];
  for (const [name, viewer] of Object.entries(viewers)) {
    const caller = origin === undefined ? viewer : new Caller(origin, viewer.token);
    for (const path of LISTS) {
      const { status, body } = await caller.get(path);
      answers.push([name, path, status, status === 200 ? body : null]);
    }
  }
  return answers;
}

type Route = readonly [DatabaseKind, StoreKind, DatabaseKind, StoreKind];
const SAME_ENGINE: readonly Route[] = [
  ['sqlite', 'disk', 'sqlite', 'disk'],
  ['postgres', 'disk', 'postgres', 's3'],
];
const ROUTES: readonly Route[] = [
  ['sqlite', 'disk', 'postgres', 's3'],
  ['postgres', 's3', 'sqlite', 'disk'],
  ...breadth<typeof SAME_ENGINE>([], SAME_ENGINE),
];

describe.each(ROUTES)('a firm on %s and %s moved to %s and %s', (fromEngine, fromStore, toEngine, toStore) => {
  it('is the same for all viewers, and continues as before', async () => {
    const source = await sharedSource(fromEngine, fromStore);
    const { app, firm } = source;
    const viewers = { admin: app.admin, ...firm.viewers };
    const before = await listsOf(viewers);
    expect(before.filter(([name, , status]) => name === 'admin' && status !== 200)).toEqual([]);
    const rows = await firmRows(app.database);
    for (const [table, some] of Object.entries(rows)) expect([table, some.length > 0]).toEqual([table, true]);

    const target = await newDatabase(toEngine);
    const to = await openStore(newStore(toStore));
    const blobs = { from: app.context.services.blobs, to };
    const moved = await move(moving(source, { target, blobs, rowsAtOnce: breadth(20, 3) }));

    expect(await firmRows(app.database)).toEqual(rows);
    expect(await firmRows(target)).toEqual(rows);
    const files = (rows['blobs'] ?? []).length;
    expect(moved).toEqual({ files: { copied: files, damaged: [] } });

    const origin = await serve(source, target, to);
    expect(await listsOf(viewers, origin)).toEqual(before);
    const admin = new Caller(origin, app.admin.token);
    const opened = await admin.fetch(`/api/files/${firm.largeFile.id}/download`);
    expect(Buffer.from(await opened.arrayBuffer()).equals(firm.largeBytes)).toBe(true);
    // The id of a deleted row is not given again.
    const fields = { clientId: firm.clients[0], fileType: 'report' };
    const next = await admin.upload<{ id: number }>({ fields });
    expect([next.status, next.body.id > firm.deletedFileId]).toEqual([201, true]);
  });
});

/** What a move refuses, and how it goes on, is the same code on the way back. */
describe.each(breadth(['sqlite'] as const, ['sqlite', 'postgres'] as const))('a move from %s', (kind) => {
  const other = kind === 'sqlite' ? 'postgres' : 'sqlite';

  it('continues the numbering of ids, and counts what triggers count once', async () => {
    const source = await sharedSource(kind);
    const { database } = source.app;
    const target = await newDatabase(other);
    await move(moving(source, { target }));
    const [tables, moved] = [await tablesOf(database.reader, kind), await tablesOf(target.reader, other)];
    expect(moved.map(({ name }) => name)).toEqual(tables.map(({ name }) => name));
    for (const table of tables.filter(({ givesIds }) => givesIds)) {
      const last = await lastIdOf(database.reader, kind, table);
      expect([table.name, await lastIdOf(target.reader, other, table)]).toEqual([table.name, last]);
      expect([table.name, last > 0]).toEqual([table.name, true]);
    }
    const counted = await target.reader
      .selectFrom('file_counts')
      .select((eb) => eb.fn.sum('n').as('n'))
      .executeTakeFirstOrThrow();
    const files = await target.reader.selectFrom('files').select('id').execute();
    expect(Number(counted.n)).toBe(files.length);
  });

  it('delivers waiting jobs again', async () => {
    const source = await newSource(kind);
    await source.app.database.transaction((tx) => sql`update jobs set delivered_at = 5`.execute(tx));
    const target = await newDatabase(other);
    await move(moving(source, { target }));
    const waiting = await target.reader
      .selectFrom('jobs')
      .select('delivered_at')
      .where('state', '=', 'waiting')
      .execute();
    expect(waiting.length).toBeGreaterThan(0);
    expect(waiting.every((job) => job.delivered_at === null)).toBe(true);
  });

  itInFull('shows how far it is, in every step', async () => {
    const source = await sharedSource(kind);
    const shown: Advance[] = [];
    await move(
      moving(source, {
        target: await newDatabase(other),
        blobs: { from: source.app.context.services.blobs, to: await openStore(newStore('disk')) },
        report: (advance) => shown.push(advance),
      }),
    );
    for (const step of ['copy rows', 'compare rows', 'copy files'] as const) {
      const ofStep = shown.filter((advance) => advance.step === step);
      expect(ofStep.length).toBeGreaterThan(3);
      expect(ofStep.map(({ done }) => done)).toEqual(ofStep.map(({ done }) => done).toSorted((a, b) => a - b));
      expect(ofStep.at(-1)).toMatchObject({ done: ofStep[0]?.total });
    }
  });

  it('lets nobody write to the source before it has ended', async () => {
    const source = await newSource(kind);
    const order: string[] = [];
    let writing: Promise<unknown> | undefined;
    await move(
      moving(source, {
        target: await newDatabase(other),
        report: ({ step }) => {
          order.push(step);
          writing ??= source.app.database
            .transaction((tx) => sql`update clients set phone = 'changed'`.execute(tx))
            .then(() => order.push('written'));
        },
      }),
    );
    await writing;
    // After all that it tells of: whoever waited goes on in the moment in which it ends.
    expect(order.indexOf('written')).toBe(order.length - 1);
  });

  it('refuses a database that has rows, and leaves it as it is', async () => {
    const source = await sharedSource(kind);
    const target = await newDatabase(other);
    await target.migrate();
    await target.transaction((tx) =>
      tx
        .insertInto('report_types')
        .values({ ...nameColumns('Own'), created_at: 1 })
        .execute(),
    );
    const before = await firmRows(target);
    await expect(move(moving(source, { target }))).rejects.toThrow(/not empty: it has rows in report_types/);
    expect(await firmRows(target)).toEqual(before);
    await target.migrate();
  });

  itInFull('refuses a database that a firm has been moved to already', async () => {
    const source = await sharedSource(kind);
    const target = await newDatabase(other);
    await move(moving(source, { target }));
    await expect(move(moving(source, { target }))).rejects.toThrow(/not empty/);
  });

  it.each(['older', 'newer'])('refuses a source with an %s schema, and leaves it as it is', async (age) => {
    const source = await newSource(kind);
    const { database } = source.app;
    const [last = ''] = Object.keys(migrationsFor(kind)).reverse();
    await database.transaction((tx) =>
      (age === 'older'
        ? sql`delete from kysely_migration where name = ${last}`
        : sql`insert into kysely_migration (name, timestamp) values ('0099-from-the-future', '2099')`
      ).execute(tx),
    );
    const target = await newDatabase(other);
    await expect(move(moving(source, { target }))).rejects.toThrow(
      `made by ${age === 'older' ? 'an older' : 'a newer'}`,
    );
    expect(await tablesOf(target.reader, other)).toEqual([]);
    const taken = await sql<{ name: string }>`select name from kysely_migration`.execute(database.reader);
    expect(taken.rows.some(({ name }) => name === last)).toBe(age === 'newer');
  });

  /** Starts a move and interrupts it once this much is reported. */
  async function breakOff(options: Move, after: (advance: Advance) => boolean): Promise<void> {
    const report = (advance: Advance) => {
      if (after(advance)) throw new Error('broken off');
    };
    await expect(move({ ...options, report })).rejects.toThrow('broken off');
  }

  const inTable = (name: string) => (advance: Advance) => advance.step === 'copy rows' && advance.name === name;

  it('lets no server start on a database with half a firm', async () => {
    const source = await sharedSource(kind);
    const target = await newDatabase(other);
    await breakOff(moving(source, { target }), inTable('files'));
    await expect(target.migrate()).rejects.toThrow(/has not ended\. Run it again/);
    await move(moving(source, { target }));
    await target.migrate();
    const tables = await target.reader.introspection.getTables();
    expect(tables.map(({ name }) => name)).not.toContain(UNFINISHED_MOVE);
  });

  it('continues where it was interrupted', async () => {
    const source = await sharedSource(kind);
    const target = await newDatabase(other);
    const counted: string[] = [];
    for (const step of ['activity', 'clients', 'files'] as const) {
      await breakOff(moving(source, { target }), inTable(step));
      const some = await target.reader.selectFrom(step).selectAll().execute();
      counted.push(`${step} ${some.length}`);
    }
    // Each time as far as the first piece of that table, and the tables before it.
    expect(counted).toEqual(['activity 3', 'clients 3', 'files 3']);
    await move(moving(source, { target }));
    expect(await firmRows(target)).toEqual(await firmRows(source.app.database));
  });

  itInFull('notices a source that has changed since it was broken off', async () => {
    const source = await newSource(kind);
    const target = await newDatabase(other);
    await breakOff(moving(source, { target }), inTable('files'));
    const [clientId] = source.firm.clients;
    await source.app.database.transaction((tx) =>
      sql`update clients set phone = '(207)-555-0199' where id = ${clientId}`.execute(tx),
    );
    await expect(move(moving(source, { target }))).rejects.toThrow(/clients has changed\. Empty the target/);
  });

  it('names the table in which the target differs from what was copied', async () => {
    const source = await sharedSource(kind);
    const target = await newDatabase(other);
    await breakOff(moving(source, { target }), ({ step }) => step === 'compare rows');
    await target.transaction((tx) => sql`update report_types set name = 'Altered' where name = 'Form 941'`.execute(tx));
    await expect(move(moving(source, { target }))).rejects.toThrow(/holds in report_types \(3 rows .*, 3 in/);
  });

  itInFull('names the counters that do not match what they count', async () => {
    const source = await newSource(kind);
    await source.app.database.transaction((tx) => sql`update file_counts set n = n + 1`.execute(tx));
    const target = await newDatabase(other);
    await expect(move(moving(source, { target }))).rejects.toThrow(/holds in file_counts/);
  });
});

const STORES: readonly (readonly [StoreKind, StoreKind])[] = [
  ['disk', 's3'],
  ['s3', 'disk'],
  ['disk', 'disk'],
];
describe.each(breadth(STORES.slice(0, 2), STORES))('bytes moved from %s to %s', (fromStore, toStore) => {
  it('lie under the keys they had, and the database stays', async () => {
    const source = await sharedSource('sqlite', fromStore);
    const { app } = source;
    const to = await openStore(newStore(toStore));
    const rows = await firmRows(app.database);
    const blobs = { from: app.context.services.blobs, to };
    const { files } = await move(moving(source, { blobs }));
    expect(files).toEqual({ copied: rows['blobs']?.length, damaged: [] });
    expect(await firmRows(app.database)).toEqual(rows);
    await readAll(source, to);
    expect(await keysIn(blobs.from)).toEqual(await keysIn(to));
  });

  it('are not moved over other bytes', async () => {
    const source = await sharedSource('sqlite', fromStore);
    const to = await openStore(newStore(toStore));
    const { app } = source;
    const staged = await to.stage(Readable.from([Buffer.from('other')]), { maxBytes: 9 });
    const key = await staged.publish();
    const blobs = { from: app.context.services.blobs, to };
    await expect(move(moving(source, { blobs }))).rejects.toThrow(
      `not empty: it has bytes that are not the firm's (${key})`,
    );
    expect(await keysIn(to)).toEqual([key]);
  });
});

/** Reads everything that the source has a row for; a read checks the digest. */
async function readAll({ app }: Source, store: BlobStore): Promise<void> {
  const all = await app.database.reader
    .selectFrom('blobs')
    .select(['storage_key as storageKey', 'size_bytes as sizeBytes', 'sha256'])
    .execute();
  for (const blob of all) {
    const bytes = await store.read(blob);
    expect((Buffer.isBuffer(bytes) ? bytes : await buffer(bytes)).length).toBe(blob.sizeBytes);
  }
  expect(await keysIn(store)).toEqual(all.map(({ storageKey }) => storageKey).sort());
}

async function keysIn(store: BlobStore): Promise<string[]> {
  const keys = [];
  for await (const { storageKey } of store.list()) keys.push(storageKey);
  return keys.sort();
}

describe('bytes that were damaged', () => {
  it('are named with their files, and all others are moved', async () => {
    const source = await newSource('sqlite');
    const { app, firm } = source;
    const places = filesBelow(app.config.blobUrl.slice('file:'.length));
    const keyOf = async (id: number) => {
      const { key } = await app.database.reader
        .selectFrom('files')
        .select('storage_key as key')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return { key, path: places.find((path) => path.endsWith(key)) ?? '' };
    };
    const [altered, large, missing] = [
      await keyOf(firm.oddFiles[0]?.id ?? 0),
      await keyOf(firm.largeFile.id),
      await keyOf(firm.files.f1.id),
    ];
    writeFileSync(altered.path, 'bytes of somebody else entirely, cut to size'.slice(0, 5));
    writeFileSync(large.path, Buffer.concat([firm.largeBytes.subarray(1), Buffer.from('x')]));
    rmSync(missing.path);

    const to = await openStore(newStore('s3'));
    const { files } = await move(moving(source, { blobs: { from: app.context.services.blobs, to } }));
    const [clientId] = firm.clients;
    const named = (storageKey: string, file: { id: number | undefined; name: string | undefined }) => ({
      storageKey,
      file: expect.objectContaining({ kind: 'file', clientId, ...file }),
    });
    expect(files?.damaged).toHaveLength(3);
    expect(files?.damaged).toEqual(
      expect.arrayContaining([
        named(altered.key, { id: firm.oddFiles[0]?.id, name: firm.oddFiles[0]?.originalName }),
        named(large.key, { id: firm.largeFile.id, name: 'large.bin' }),
        named(missing.key, { id: firm.files.f1.id, name: 'f1.txt' }),
      ]),
    );
    expect(await keysIn(to)).toHaveLength(files?.copied ?? 0);
    expect(await keysIn(to)).not.toContain(large.key);
    expect(files?.copied).toBe(places.length - 3);
  });

  it('at the target are copied again', async () => {
    const source = await sharedSource('sqlite');
    const { app } = source;
    const url = newStore('disk');
    const to = await openStore(url);
    const blobs = { from: app.context.services.blobs, to };
    await move(moving(source, { blobs }));
    const [first = '', second = ''] = filesBelow(url.slice('file:'.length));
    writeFileSync(first, readFileSync(first).reverse());
    rmSync(second);
    const { files } = await move(moving(source, { blobs }));
    expect(files?.damaged).toEqual([]);
    await readAll(source, to);
  });

  it('by the target itself are noticed at once', async () => {
    const source = await sharedSource('sqlite');
    const url = newStore('disk');
    const to = await openStore(url);
    const damaging: BlobStore['stage'] = async (bytes, options) => {
      const staged = await to.stage(bytes, options);
      const publish = async () => {
        const key = await staged.publish();
        const [path = ''] = filesBelow(url.slice('file:'.length)).filter((place) => place.endsWith(key));
        writeFileSync(path, readFileSync(path).reverse());
        return key;
      };
      return { ...staged, publish };
    };
    const store = new Proxy(to, {
      get: (target, name: keyof BlobStore) => (name === 'stage' ? damaging : target[name].bind(target)),
    });
    const blobs = { from: source.app.context.services.blobs, to: store };
    await expect(move(moving(source, { blobs }))).rejects.toThrow(
      /does not give back what was written to it \([0-9a-f]{32}\)/,
    );
  });
});
