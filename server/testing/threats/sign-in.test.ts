// Rows A1 to A28 of the threat model that no suite of a feature proves: who gets in, with what, and for how long. What it costs is in
// `sign-in-cost.test.ts`.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { ViewTicket } from '#contract/file-opening.ts';
import type { FileRow } from '#contract/files.ts';
import type { LoginResponse } from '#contract/session.ts';
import type { PasswordHasher } from '../../people/auth/password-hasher.ts';
import { breadth } from '../breadth.ts';
import { cheapPasswords } from '../cheap-passwords.ts';
import { eventually } from '../eventually.ts';
import { addUser, type Firm, PASSWORD } from '../firm.ts';
import { storedPaths } from '../stored.ts';
import { type Caller, startTestApp, type TestApp } from '../test-app.ts';
import { DATABASE_KINDS } from '../test-database.ts';
import { compileCache } from '../test-environment.ts';
import { startTestFirm } from '../test-firm.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const MIB = 1024 * 1024;

const signIn = (app: TestApp, username: string, password: string) =>
  app.anonymous.post<LoginResponse & ErrorBody>('/api/auth/login', { username, password });

describe.each(DATABASE_KINDS)('signing in on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, {}, { clock: 'standing' }));
  });
  afterAll(() => app.close());

  const hashOf = async (userId: number) => {
    const row = await app.database.reader
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    return row.password_hash;
  };

  describe('a download under way', () => {
    const SIZE_BYTES = 48 * MIB;
    let file: FileRow;
    /** The server's side of the connections, by the port of the other side. */
    const served = new Map<number | undefined, Socket>();
    beforeAll(async () => {
      app.app.server.on('connection', (socket) => served.set(socket.remotePort, socket));
      const fields = { clientId: firm.clients[2], fileType: 'company_document' };
      file = (await app.admin.upload<FileRow>({ name: 'long.bin', bytes: new Uint8Array(SIZE_BYTES), fields })).body;
      expect(file.size).toBe(SIZE_BYTES);
    });

    const newReader = (username: string) => addUser(app, username, firm.roles.client, { clientIds: [firm.clients[2]] });

    /** A moment less than ten seconds. */
    const SOON_MS = 9_999;

    /** Reads a little, and the rest when it is told to, so that the answer is under way for as long as it is let. */
    function beginToRead(by: Caller, path: string, json?: unknown) {
      const received = { status: 0, bytes: 0, complete: false };
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      let answer: IncomingMessage | undefined;
      let atServer: Socket | undefined;
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const headers: Record<string, string> = { 'content-type': 'application/json' };
      if (by.token !== null) headers.authorization = `Bearer ${by.token}`;
      const method = json === undefined ? 'GET' : 'POST';
      const asked = httpRequest(app.origin + path, { method, headers, agent: false }, (came) => {
        answer = came;
        atServer = served.get(came.socket.localPort);
        received.status = came.statusCode ?? 0;
        came.on('data', (chunk: Buffer) => {
          received.bytes += chunk.length;
        });
        came.once('data', () => {
          came.pause();
          begin();
        });
        came.on('error', () => {});
        came.on('close', () => {
          received.complete = came.complete;
          end();
        });
      });
      asked.on('error', () => end());
      asked.end(json === undefined ? undefined : JSON.stringify(json));
      return {
        received,
        begun,
        ended,
        isCut: () => atServer?.destroyed,
        goOn: () => answer?.resume(),
        stop: () => asked.destroy(),
      };
    }

    it('A11: ends with the client taken from its reader’s list, however it was opened', async () => {
      const person = await newReader('narrowed');
      const { body: ticket } = await person.caller.post<ViewTicket>(`/api/files/${file.id}/view-ticket`);
      const readings = [
        beginToRead(person.caller, `/api/files/${file.id}`),
        beginToRead(app.anonymous, ticket.url),
        beginToRead(person.caller, '/api/files/archive', { ids: [file.id] }),
      ];
      await Promise.all(readings.map(({ begun }) => begun));
      const narrowed = { username: 'narrowed', fullName: 'Narrowed', roleId: firm.roles.client, clientIds: [] };
      expect((await app.admin.put(`/api/users/${person.id}`, narrowed)).status).toBe(200);
      app.advance(SOON_MS);
      await eventually(() => expect(readings.map(({ isCut }) => isCut())).toEqual([true, true, true]));
      for (const { goOn } of readings) goOn();
      await Promise.all(readings.map(({ ended }) => ended));
      for (const { received } of readings) expect(received).toMatchObject({ status: 200, complete: false });
      expect((await person.caller.get('/api/auth/me')).status).toBe(200);
    });

    it('A11: ends within ten seconds of its reader’s deletion, who is answered 401 from the next call on', async () => {
      const person = await newReader('leaver');
      const path = `/api/files/${file.id}/download`;
      const reading = beginToRead(person.caller, path);
      const unharmed = beginToRead(app.admin, path);
      await Promise.all([reading.begun, unharmed.begun]);
      expect((await app.admin.delete(`/api/users/${person.id}`)).status).toBe(204);
      expect((await person.caller.get('/api/auth/me')).status).toBe(401);
      const rest = await person.caller.fetch(path, { headers: { range: `bytes=${MIB}-` } });
      expect(rest.status).toBe(401);
      app.advance(SOON_MS);
      await eventually(() => expect(reading.isCut()).toBe(true));
      reading.goOn();
      await reading.ended;
      expect(reading.received).toMatchObject({ status: 200, complete: false });
      expect(reading.received.bytes).toBeLessThan(SIZE_BYTES);
      // Nobody else's download is affected.
      const before = unharmed.received.bytes;
      unharmed.goOn();
      await eventually(() => expect(unharmed.received.bytes).toBeGreaterThan(before));
      unharmed.stop();
    });
  });

  describe('an upload judged by the rights of the moment it ends', () => {
    /** Sends an upload whose last bytes wait for `meanwhile`; its status, or 0 where the connection was cut. */
    async function uploadAround(by: Caller, meanwhile: () => Promise<unknown>): Promise<number> {
      const { promise, resolve: answered } = Promise.withResolvers<number>();
      const boundary = 'between-parts';
      const field = (name: string, value: string | number) =>
        `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
      const headers = {
        authorization: `Bearer ${by.token}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
      };
      const asked = httpRequest(`${app.origin}/api/files`, { method: 'POST', headers, agent: false }, (answer) => {
        answer.resume();
        answered(answer.statusCode ?? 0);
      });
      asked.on('error', () => answered(0));
      asked.write(field('clientId', firm.clients[0]) + field('fileType', 'company_document'));
      asked.write(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="slow.txt"\r\n\r\nfirst`);
      // The server has begun to store the bytes.
      await eventually(() => expect(storedPaths(app).length).toBeGreaterThan(before.blobs.length));
      await meanwhile();
      asked.end(` and last\r\n--${boundary}--\r\n`);
      return promise;
    }

    const lists = () => ({ clientIds: [firm.clients[0]], reportTypeIds: [] });
    const fileIds = async () => (await app.admin.get<FileRow[]>('/api/files')).body.map(({ id }) => id);
    let before: { blobs: string[]; files: number[] };
    let sender: { id: number; caller: Caller };
    let senders = 0;
    beforeEach(async () => {
      senders += 1;
      sender = await addUser(app, `sender${senders}`, firm.roles.client, lists());
      before = { blobs: storedPaths(app), files: await fileIds() };
    });
    const edit = (changes: Record<string, unknown>) => {
      const user = { username: `sender${senders}`, fullName: 'Sender', roleId: firm.roles.client, ...lists() };
      return app.admin.put(`/api/users/${sender.id}`, { ...user, ...changes });
    };

    it.each<[what: string, status: number, meanwhile: () => Promise<{ status: number }>]>([
      ['the client was taken away', 403, () => edit({ clientIds: [] })],
      ['the role was changed', 403, () => edit({ roleId: firm.roles.bookkeeper })],
      ['the sender has signed out', 401, () => sender.caller.post('/api/auth/logout')],
      ['the sender is deleted', 401, () => app.admin.delete(`/api/users/${sender.id}`)],
    ])('A12: stores nothing where %s', async (_what, status, meanwhile) => {
      const done = async () => expect([200, 204]).toContain((await meanwhile()).status);
      const answered = await uploadAround(sender.caller, done);
      expect([answered, await fileIds()]).toEqual([status, before.files]);
      expect(storedPaths(app)).toEqual(before.blobs);
    });

    it('A12: is stored where nothing has changed', async () => {
      expect(await uploadAround(sender.caller, async () => {})).toBe(201);
      expect(await fileIds()).toHaveLength(before.files.length + 1);
    });
  });

  it('A16: a password is taken exactly, from 6 to 128 characters', async () => {
    const create = (username: string, password: string) => {
      const person = { username, fullName: 'Somebody', roleId: firm.roles.client, password };
      return app.admin.post<ErrorBody>('/api/users', person);
    };
    const short = await create('short', '12345');
    expect([short.status, short.body.message]).toEqual([400, 'Password must be at least 6 characters']);
    const long = await create('long', 'x'.repeat(129));
    expect([long.status, long.body.message]).toEqual([400, 'Password must be at most 128 characters']);
    expect((await create('shortest', '123456')).status).toBe(201);
    expect((await create('longest', `${'x'.repeat(127)}\u{1F511}`)).status).toBe(201);
    expect((await signIn(app, 'longest', `${'x'.repeat(127)}\u{1F511}`)).status).toBe(200);

    // Nothing is cut off, folded or trimmed, and no byte ends it.
    for (const [username, right, ...wrong] of [
      ['eighty', 'a'.repeat(80), 'a'.repeat(79), 'a'.repeat(81), 'A'.repeat(80)],
      ['spaced', ' trailing ', 'trailing', ' trailing', 'trailing '],
      ['zeroed', 'before\u0000after', 'before', 'before\u0000other'],
      ['accent', 'caf\u00e9 cr\u00e8me', 'cafe\u0301 cre\u0300me'],
    ] as const) {
      expect((await create(username, right)).status).toBe(201);
      for (const other of wrong) expect([other, (await signIn(app, username, other)).status]).toEqual([other, 401]);
      expect([right, (await signIn(app, username, right)).status]).toEqual([right, 200]);
    }
  });

  it('A10: a sign-in that was running when the password changed opens nothing with the old one', async () => {
    const cheap = cheapPasswords();
    const gate = { verified: () => {}, go: Promise.resolve() };
    const passwords: PasswordHasher = {
      ...cheap,
      async verify(password, stored) {
        const right = await cheap.verify(password, stored);
        gate.verified();
        await gate.go;
        return right;
      },
    };
    const own = await startTestApp(kind, {}, { passwords });
    try {
      const { body: roles } = await own.admin.get<{ id: number; systemKey: string | null }[]>('/api/roles');
      const roleId = roles.find(({ systemKey }) => systemKey === 'cpa')?.id ?? 0;
      const { id, caller } = await addUser(own, 'hasty', roleId);
      const reset = (password: string) =>
        own.admin.put(`/api/users/${id}`, { username: 'hasty', fullName: 'Hasty', roleId, password });

      /** Starts `act`, lets an Admin set a password while its own is verified but not yet acted on, and answers both. */
      async function overtaken<Result>(act: () => Promise<Result>, password: string): Promise<Result> {
        const { promise: verified, resolve: reached } = Promise.withResolvers<void>();
        const { promise: go, resolve: release } = Promise.withResolvers<void>();
        Object.assign(gate, { verified: reached, go });
        const acted = act();
        await verified;
        expect((await reset(password)).status).toBe(200);
        release();
        return acted;
      }

      const answer = await overtaken(() => signIn(own, 'hasty', PASSWORD), 'set by the Admin');
      expect([answer.status, answer.body.code]).toEqual([401, 'bad_credentials']);
      expect((await caller.get('/api/auth/me')).status).toBe(401);

      const current = await own.login('hasty', 'set by the Admin');
      const change = { currentPassword: 'set by the Admin', newPassword: 'my own choice' };
      const changed = await overtaken(() => current.post('/api/auth/password', change), 'set once more');
      expect(changed.status).not.toBe(200);
      expect((await signIn(own, 'hasty', 'my own choice')).status).toBe(401);
      expect((await signIn(own, 'hasty', 'set once more')).status).toBe(200);
    } finally {
      await own.close();
    }
  });

  it('A19: users cannot be sorted or found by secrets', async () => {
    for (const query of ['sort=password', 'sort=-password', 'sort=password_hash', 'password=a', 'passwordHash=a']) {
      const { status, body } = await app.admin.get(`/api/users?${query}`);
      expect([query, status]).toEqual([query, 400]);
      expect(JSON.stringify(body)).not.toMatch(/argon2|clientA/);
    }
    for (const q of ['argon2', 'argon2id', PASSWORD, (await hashOf(firm.users.clientA)).slice(-20)]) {
      const { body } = await app.admin.get(`/api/users?q=${encodeURIComponent(q)}`);
      expect([q, body]).toEqual([q, []]);
    }
  });
});

const FAULTS: readonly (readonly [string, string, string])[] = [
  ['A17', 'PASSWORD_MEMORY_KIB', '19455'],
  ['A5', 'TRUST_PROXY', 'true'],
  ['A17', 'PASSWORD_PASSES', '1'],
  ['A5', 'TRUST_PROXY', '1'],
];
it.each(breadth(FAULTS.slice(0, 2), FAULTS))('%s: does not start with %s=%s', async (_row, name, value) => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-floor-'));
  try {
    const environment = { ...compileCache(), DATA_DIR: folder, PORT: '0', [name]: value };
    const ended = await new Promise<{ code: unknown; stderr: string }>((done) => {
      execFile(process.execPath, ['server/main.ts'], { cwd: ROOT, env: environment }, (error, _stdout, stderr) =>
        done({ code: error?.code ?? 0, stderr }),
      );
    });
    expect(ended).toEqual({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`^Coffer cannot start: ${name}: [^\\n]+\\n$`)),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
