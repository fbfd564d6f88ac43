// What a server does when its machine or its own code fails: it ends at any point of an upload, has no more files to open, or throws what nobody catches.
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// biome-ignore lint/style/noRestrictedImports: the instant of a kill is random, and nothing is judged by it
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FileRow } from '#contract/files.ts';
import { readConfig } from '../config.ts';
import { isInUse, openDatabase } from '../platform/db/connect.ts';
import { migrationsFor } from '../platform/db/migrations.ts';
import { eventually } from './eventually.ts';
import { clientInput } from './firm.ts';
import { newFolder } from './new-folder.ts';
import { expectOneEntryEach, expectSweptClean, onceAlone } from './nothing-half-done.ts';
import { CHEAP_HASHES, THROW_WHEN_TOLD } from './preloads.ts';
import { Program } from './program.ts';
import { CHOSEN_PASSWORD, signIn } from './sign-in.ts';
import { STARTS_MS, startServer } from './starts.ts';
import { Caller } from './test-app.ts';
import { openTestDatabase, SHARED_KINDS } from './test-database.ts';
import { FORM_TYPE, fieldParts, formBody } from './threats/form.ts';
import { answerOn, dial, requestHead } from './threats/wire.ts';

/** Each point of an upload with whether its row is committed by then. */
const POINTS = [
  ['staged', false],
  ['synced', false],
  ['renamed', false],
  ['folder-synced', false],
  ['before COMMIT', false],
  ['after COMMIT', true],
  ['before the answer', true],
] as const;

/**
 * The server with stores that are handed in, as tests of one process hand them in: it ends at the point that it is given once a
 * request asks for it. `server/main.ts` hands nothing in and reads no such header.
 */
const DYING = `
  import { buildApp } from './server/app.ts';
  import { configuredEncryption } from './server/platform/blobs/encryption/firm-keys.ts';
  import { openBlobStore, parseBlobUrl } from './server/platform/blobs/open-blob-store.ts';
  import { readConfig } from './server/config.ts';
  import { openContext } from './server/context.ts';
  import { openDatabase } from './server/platform/db/connect.ts';
  const [point] = process.argv.slice(1);
  let isArmed = false;
  const reached = (here) => {
    if (isArmed && here === point) process.kill(process.pid, 'SIGKILL');
  };
  const config = readConfig();
  const database = await openDatabase(config.databaseUrl);
  const place = parseBlobUrl(config.blobUrl);
  const blobs = await openBlobStore(place, { onStep: reached, encryption: configuredEncryption(config) });
  const transaction = async (work) => {
    let isUpload = false;
    const result = await database.transaction(async (tx) => {
      const done = await work(tx);
      isUpload = (await tx.selectFrom('files').where('original_name', '=', point).select('id').executeTakeFirst()) !== undefined;
      if (isUpload) reached('before COMMIT');
      return done;
    });
    if (isUpload) reached('after COMMIT');
    return result;
  };
  const context = await openContext(config, { database: { ...database, transaction }, blobs, jobsAlone: true });
  await context.makeFirstAdmin();
  const app = await buildApp(context, { logger: false });
  app.addHook('onRequest', async ({ headers }) => {
    isArmed = headers['x-end-there'] !== undefined;
  });
  app.addHook('onSend', async (_request, { statusCode }) => {
    if (statusCode === 201) reached('before the answer');
  });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  process.stdout.write('Coffer is serving on ' + origin + '\\nSecond factors\\n');
`;

describe.each(SHARED_KINDS)('a server on %s', (kind) => {
  it('that ends at any point of an upload has it whole or not at all, and once when it is sent again', {
    timeout: STARTS_MS,
  }, async () => {
    const folder = newFolder();
    const { database, url, drop } = await openTestDatabase(kind, join(folder, 'coffer.db'), { migrated: true });
    await database.close();
    onTestFinished(drop);
    const environment = { DATA_DIR: folder, DATABASE_URL: url ?? '', ADMIN_PASSWORD: CHOSEN_PASSWORD };
    const config = readConfig(environment);
    const start = (point: string) => {
      const program = new Program([...CHEAP_HASHES, '--input-type=module', '--eval', DYING, point], environment);
      onTestFinished(async () => {
        await program.end('SIGKILL');
      });
      return program;
    };
    const upload = (caller: Caller, name: string, clientId: number, headers: Record<string, string> = {}) =>
      caller.upload<FileRow>({
        name,
        bytes: `bytes of ${name}`,
        fields: { clientId, fileType: 'report' },
        headers: { 'idempotency-key': `upload-${name.replaceAll(' ', '-')}`, ...headers },
      });

    let program = start(POINTS[0][0]);
    const origin = await program.serving();
    const { token } = (await signIn(origin, 'admin', CHOSEN_PASSWORD)).caller;
    let admin = new Caller(origin, token);
    const { body: client } = await admin.post<{ id: number }>('/api/clients', clientInput('Harbor LLC'));
    for (const [nth, [point, isCommitted]] of POINTS.entries()) {
      await expect(upload(admin, point, client.id, { 'x-end-there': 'yes' })).rejects.toThrow();
      expect([point, await program.exit()]).toEqual([point, null]);
      await onceAlone(config, async (left, blobs) => {
        await expectSweptClean(config, left, blobs);
        await expectOneEntryEach(left);
        const rows = await left.reader.selectFrom('files').where('original_name', '=', point).select('id').execute();
        expect([point, rows.length]).toEqual([point, isCommitted ? 1 : 0]);
      });
      program = start(POINTS[nth + 1]?.[0] ?? 'none');
      admin = new Caller(await program.serving(), token);
      const again = await upload(admin, point, client.id);
      expect([point, again.status]).toEqual([point, 201]);
      const found = (await admin.get<FileRow[]>('/api/files?limit=100')).body.filter(
        (one) => one.originalName === point,
      );
      expect(found.map(({ id }) => id)).toEqual([again.body.id]);
      expect((await admin.get<string>(`/api/files/${again.body.id}/download`)).body).toBe(`bytes of ${point}`);
    }
  });
});

const MIGRATING = `
  import { openDatabase } from './server/platform/db/connect.ts';
  const database = await openDatabase(process.env.DATABASE_URL);
  process.stdout.write('begun\\n');
  await database.migrate();
  await database.close();
`;
const KILLS = 6;
/** A little more than the steps take. */
const MIGRATED_WITHIN_MS = 600;

describe.each(SHARED_KINDS)('a schema on %s', (kind) => {
  it('whose making is killed is there as a whole or not at all, and whole after the next start', {
    timeout: STARTS_MS,
  }, async () => {
    for (let nth = 0; nth < KILLS; nth += 1) {
      const made = await openTestDatabase(kind, join(newFolder(), 'coffer.db'));
      await made.database.close();
      onTestFinished(made.drop);
      const url = made.url ?? '';
      const program = new Program(['--input-type=module', '--eval', MIGRATING], { DATABASE_URL: url });
      await program.says('begun');
      await setTimeout(randomInt(MIGRATED_WITHIN_MS));
      await program.end('SIGKILL');
      await eventually(async () => expect(await isInUse(url)).toBe(false));
      const database = await openDatabase(url);
      const applied = async () => {
        const found = sql<{ name: string }>`select name from kysely_migration`.execute(database.reader);
        return (await found.catch(() => ({ rows: [] }))).rows.length;
      };
      const all = Object.keys(migrationsFor(kind)).length;
      expect([0, all]).toContain(await applied());
      await database.migrate();
      expect(await applied()).toBe(all);
      await database.close();
    }
  });
});

const strace = '/usr/bin/strace';
if (!existsSync(strace)) process.stdout.write(`The order of system calls is not tested: there is no ${strace}\n`);

it.skipIf(!existsSync(strace))(
  'an upload is answered once its bytes, its folder and its row are on the disk, in this order',
  {
    timeout: STARTS_MS,
  },
  async () => {
    const folder = newFolder();
    const calls = join(mkdtempSync(join(tmpdir(), 'coffer-calls-')), 'calls');
    onTestFinished(() => rmSync(calls, { force: true }));
    const traced = 'trace=fsync,fdatasync,rename,renameat,renameat2,write,writev';
    const server = startServer({ DATA_DIR: folder, ADMIN_PASSWORD: CHOSEN_PASSWORD }, CHEAP_HASHES, [
      ...[strace, '-D', '-f', '-y', '-qq', '-e', traced, '-o', calls],
    ]);
    const { caller: admin } = await signIn(await server.serving(), 'admin', CHOSEN_PASSWORD);
    const { body: client } = await admin.post<{ id: number }>('/api/clients', clientInput('Harbor LLC'));
    const before = readFileSync(calls, 'utf8').length;
    const fields = { clientId: client.id, fileType: 'report' };
    expect((await admin.upload({ name: 'traced.txt', bytes: 'traced', fields })).status).toBe(201);
    const wanted = [
      /\bfsync\(\d+<[^>]*\/blobs\/staging\/[0-9a-f]{32}>/,
      /\brename(at2?)?\([^)]*\/blobs\/staging\/[0-9a-f]{32}"[^)]*\/blobs\/[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{32}"/,
      /\bfsync\(\d+<[^>]*\/blobs\/[0-9a-f]{2}\/[0-9a-f]{2}>/,
      /\bf(data)?sync\(\d+<[^>]*\/coffer\.db-wal>/,
      /\bwritev?\(\d+<.*HTTP\/1\.1 201 /,
    ];
    await eventually(() => {
      const lines = readFileSync(calls, 'utf8').slice(before).split('\n');
      let from = 0;
      const places = wanted.map((call) => {
        const place = lines.findIndex((line, index) => index >= from && call.test(line));
        from = place;
        return place;
      });
      expect(places).not.toContain(-1);
      // The first of each is in its place too: nothing was renamed before it was synced.
      const first = (call: RegExp) => lines.findIndex((line) => call.test(line));
      expect(wanted.slice(0, 3).map(first)).toEqual(places.slice(0, 3));
    });
    expect(await server.end('SIGTERM')).toBe(0);
  },
);

const prlimit = '/usr/bin/prlimit';

it.skipIf(!existsSync(prlimit))(
  'with 256 files to open and four hundred connections a server lives on, and serves when they have gone',
  {
    timeout: STARTS_MS,
  },
  async () => {
    const environment = { DATA_DIR: newFolder(), ADMIN_PASSWORD: CHOSEN_PASSWORD, LOG_LEVEL: 'fatal' };
    const server = startServer(environment, CHEAP_HASHES, [prlimit, '--nofile=256:256']);
    const origin = await server.serving();
    const { caller: admin } = await signIn(origin, 'admin', CHOSEN_PASSWORD);
    const { body: client } = await admin.post<{ id: number }>('/api/clients', clientInput('Harbor LLC'));
    const { hostname, port } = new URL(origin);
    const sockets: Socket[] = Array.from({ length: 400 }, () =>
      connect({ host: hostname, port: Number(port) }).on('error', () => {}),
    );
    const openFiles = () => readdirSync(`/proc/${server.pid}/fd`).length;
    await eventually(() => expect(openFiles()).toBeGreaterThan(240));
    for (const socket of sockets) socket.destroy();
    await eventually(() => expect(openFiles()).toBeLessThan(150));
    const fields = { clientId: client.id, fileType: 'report' };
    const { status, body } = await admin.upload<FileRow>({ name: 'after.txt', bytes: 'after', fields });
    expect(status).toBe(201);
    expect((await admin.get<string>(`/api/files/${body.id}/download`)).body).toBe('after');
    expect(await server.end('SIGTERM')).toBe(0);
  },
);

it('what nobody catches is logged, what was begun is answered, and the server ends with 1', {
  timeout: STARTS_MS,
}, async () => {
  const folder = newFolder();
  const environment = { DATA_DIR: folder, ADMIN_PASSWORD: CHOSEN_PASSWORD };
  const server = startServer(environment, [...CHEAP_HASHES, ...THROW_WHEN_TOLD]);
  const origin = await server.serving();
  const { caller: admin } = await signIn(origin, 'admin', CHOSEN_PASSWORD);
  const { body: client } = await admin.post<{ id: number }>('/api/clients', clientInput('Harbor LLC'));
  const file = { name: 'file', fileName: 'begun.txt', content: Buffer.from('begun before the fault') };
  const form = formBody([...fieldParts({ clientId: client.id, fileType: 'report' }), file]);
  const socket = dial(origin);
  const answer = answerOn(socket);
  socket.write(
    requestHead('POST', '/api/files', {
      authorization: `Bearer ${admin.token}`,
      'content-type': FORM_TYPE,
      'content-length': `${form.length}`,
    }),
  );
  socket.write(form.subarray(0, form.length - 20));
  await eventually(() => expect(readdirSync(join(folder, 'blobs', 'staging'))).toHaveLength(1));
  server.signal('SIGWINCH');
  await eventually(() => expect(server.out).toContain('ending after a fault'));
  socket.write(form.subarray(form.length - 20));
  expect((await answer).status).toBe(201);
  expect(await server.exit()).toBe(1);
  const line = server.out.split('\n').find((one) => one.includes('ending after a fault')) ?? '';
  expect(JSON.parse(line)).toMatchObject({ level: 60, err: { message: 'nobody catches this' } });

  const next = startServer(environment, CHEAP_HASHES);
  const there = new Caller(await next.serving(), admin.token);
  const [row] = (await there.get<FileRow[]>('/api/files')).body;
  expect(row?.originalName).toBe('begun.txt');
  expect(await next.end('SIGTERM')).toBe(0);
});
