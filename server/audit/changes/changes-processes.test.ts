// Changes told by several servers on one PostgreSQL: whichever server somebody acts at, everybody hears of it at every other.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import type { FileRow } from '#contract/files.ts';
import { type Firm, makeFirm } from '../../testing/firm.ts';
import { Listener, readMessages, until } from '../../testing/listener.ts';
import { itInFull } from '../../testing/narrowed.ts';
import { onServer } from '../../testing/postgres-server.ts';
import { Program } from '../../testing/program.ts';
import { CHOSEN_PASSWORD, signIn } from '../../testing/sign-in.ts';
import { Caller } from '../../testing/test-app.ts';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.ts';

const CHEAP_HASHES = pathToFileURL(resolve(import.meta.dirname, '../../testing/cheap-hashes.ts')).href;
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

// The embedded PostgreSQL lives in one process.
describe.skipIf(inject('postgresUrl') === null)('changes at two servers', () => {
  let folder: string;
  let made: TestDatabase;
  let origins: readonly [string, string];
  let firm: Firm;
  let admin: Caller;
  const programs: Program[] = [];

  const start = () => {
    const program = new Program(['--import', CHEAP_HASHES, 'server/main.ts'], {
      DATA_DIR: folder,
      DATABASE_URL: made.url ?? '',
      ADMIN_PASSWORD: CHOSEN_PASSWORD,
      PORT: '0',
      LOG_LEVEL: 'warn',
    });
    programs.push(program);
    return program.serving();
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'coffer-changes-'));
    made = await openTestDatabase('postgres', '', { migrated: true });
    const [one, two] = await Promise.all([start(), start()]);
    origins = [one ?? '', two ?? ''];
    const login = async (username: string, password: string) => (await signIn(origins[0], username, password)).caller;
    admin = await login('admin', CHOSEN_PASSWORD);
    firm = await makeFirm({ admin, login });
  });
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.end('SIGKILL')));
    await made?.database.close();
    await made?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const at = (nth: 0 | 1, { token }: Caller) => new Caller(origins[nth], token);
  const upload = async (nth: 0 | 1) => {
    const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] };
    const { status, body } = await at(nth, admin).upload<FileRow>({ fields });
    expect(status).toBe(201);
    return body.id;
  };

  it('G25: are heard at the other one, by those who reach them; a stream goes on at either', async () => {
    const { clientA, clientB } = firm.viewers;
    const near = await Listener.open(at(0, clientA));
    const far = await Listener.open(at(0, clientB));
    const id = await upload(1);
    await until(() => near.newFileIds.includes(id));
    near.stop();
    const missed = await upload(0);
    const again = await Listener.open(at(1, clientA), near.messages.at(-1)?.id);
    await until(() => again.newFileIds.length > 0);
    expect(again.newFileIds).toEqual([missed]);
    expect(far.messages.map(({ event }) => event)).toEqual(['ready']);
    for (const listener of [again, far]) listener.stop();
  });

  it('are heard also after the connection that listens was lost', async () => {
    const listener = await Listener.open(at(0, firm.viewers.clientA));
    await onServer(
      made.url ?? '',
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'coffer-changes' and datname = current_database()`,
    );
    const ids = [await upload(1)];
    await until(() => listener.newFileIds.length === 1);
    ids.push(await upload(1));
    await until(() => listener.newFileIds.length === 2);
    expect(listener.newFileIds).toEqual(ids);
    listener.stop();
  });

  itInFull('wait for nobody who leaves: a server ends while it is listened to', async () => {
    const listener = await Listener.open(at(0, firm.viewers.clientA));
    await programs[0]?.end('SIGTERM');
    await until(() => listener.over);
    expect(programs[0]?.out).not.toContain('ending after a fault');
  });

  it('of a transaction that took longer are not skipped', async () => {
    const listener = await Listener.open(at(1, admin));
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: written, resolve: hasWritten } = Promise.withResolvers<void>();
    // It began first, and is committed last.
    const slow = made.database.transaction(async (tx) => {
      await tx.updateTable('roles').set({ reach: 'lists' }).where('id', '=', firm.roles.bookkeeper).execute();
      hasWritten();
      await held;
    });
    await Promise.race([written, slow]);
    const [begun] = listener.messages;
    await upload(1);
    // Whoever did not wait for it would tell the upload, and go on from there.
    const headers = { 'last-event-id': begun?.id ?? '' };
    const told = readMessages(await (await at(1, admin).fetch('/api/events', { headers })).text());
    expect(told).toMatchObject([{ event: 'ready' }]);
    expect(listener.messages).toEqual([begun]);
    release();
    await slow;
    const topics = () => listener.changes.flatMap(({ changed, ownChanged }) => [...changed, ...ownChanged]);
    await until(() => topics().includes('roles'));
    expect(topics()).toContain('files');
    listener.stop();
  });
});
