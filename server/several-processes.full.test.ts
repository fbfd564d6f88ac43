// Two servers on one PostgreSQL and one blob store behind nginx, as docs/operations.md describes it: nobody notices that there are two.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// biome-ignore lint/style/noRestrictedImports: people pause between two acts, and some read slowly; nothing is judged by it
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { FileRow } from '#contract/files.ts';
import type { LoginResponse } from '#contract/session.ts';
import type { UserRow } from '#contract/users.ts';
import { breadth } from './testing/breadth.ts';
import { addRole, addUser, clientInput, type Firm, type FirmApp, makeFirm, PASSWORD } from './testing/firm.ts';
import { lastingPort } from './testing/lasting-port.ts';
import { findNginx, type RunningNginx, startNginx } from './testing/nginx.ts';
import { onServer } from './testing/postgres-server.ts';
import { CHEAP_HASHES } from './testing/preloads.ts';
import { Program } from './testing/program.ts';
import { CHOSEN_PASSWORD, signIn } from './testing/sign-in.ts';
import { sha256 } from './testing/stored.ts';
import { type Answer, Caller } from './testing/test-app.ts';
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts';
import { FORM_TYPE, fieldParts, formBody } from './testing/threats/form.ts';
import { dial, requestHead } from './testing/threats/wire.ts';

const MIB = 1024 * 1024;
/** Between what one person does and does next. */
const PAUSE_MS = 20;
const SOON = { timeout: 60_000, interval: 50 };
// Processes that start together beside the rest of the tests may take long.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const nginxPath = findNginx();
const whyNot =
  nginxPath === null
    ? 'no nginx is installed (apt-get install nginx-light)'
    : inject('postgresUrl') === null
      ? 'the embedded PostgreSQL lives in one process (TEST_DATABASE_URL names a server)'
      : null;
if (whyNot !== null) process.stdout.write(`The tests of several servers behind nginx are skipped: ${whyNot}\n`);

describe.skipIf(whyNot !== null)('two servers behind nginx', () => {
  let folder: string;
  let made: TestDatabase;
  let nginx: RunningNginx;
  let ports: [number, number];
  const programs: Program[] = [];
  /** Everybody’s way in, and each server by itself. */
  let portal: FirmApp;
  let firm: Firm;

  const directly = (nth: 0 | 1, { token }: Caller) => new Caller(`http://127.0.0.1:${ports[nth]}`, token);
  const everywhere = (caller: Caller) => [caller, directly(0, caller), directly(1, caller)];
  const statusesOf = async (callers: readonly Caller[], path: string) =>
    Promise.all(callers.map(async (caller) => (await caller.get(path)).status));

  /** A server on the one or the other port; resolves once it serves. */
  async function start(nth: 0 | 1): Promise<Program> {
    const program = new Program([...CHEAP_HASHES, 'server/main.ts'], {
      DATA_DIR: folder,
      DATABASE_URL: made.url ?? '',
      ADMIN_PASSWORD: CHOSEN_PASSWORD,
      PORT: String(ports[nth]),
      PUBLIC_ORIGIN: nginx.origin,
      TRUST_PROXY: '127.0.0.1',
      DRAIN_SECONDS: '2',
      LOG_LEVEL: 'warn',
    });
    programs[nth] = program;
    await program.serving();
    return program;
  }

  /** Resolves once nginx has had an answer from that server to something it was asked after now. */
  async function joins(nth: 0 | 1): Promise<void> {
    const asked = nginx.log().length;
    await vi.waitFor(async () => {
      await portal.admin.get('/api/auth/me');
      const since = nginx.log().slice(asked);
      expect(since.some(({ ports: [first], status }) => first === ports[nth] && status === 200)).toBe(true);
    }, SOON);
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'coffer-several-'));
    made = await openTestDatabase('postgres', '', { migrated: true });
    ports = [await lastingPort(), await lastingPort()];
    nginx = await startNginx(nginxPath ?? '', await lastingPort(), ports);
    await Promise.all([start(0), start(1)]);
    const login = async (username: string, password: string) => {
      const { status, caller } = await signIn(nginx.origin, username, password);
      if (status !== 200) throw new Error(`${username} cannot sign in: ${status}`);
      return caller;
    };
    portal = { admin: await login('admin', CHOSEN_PASSWORD), login };
    firm = await makeFirm(portal);
  });

  afterAll(async () => {
    await Promise.all(programs.map((program) => program.end('SIGKILL')));
    await nginx?.stop();
    await made?.database.close();
    await made?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('both answer, in turn, and what the one lacks of a page the other is asked for', async () => {
    const asked = nginx.log().length;
    for (let nth = 0; nth < 8; nth += 1) expect((await portal.admin.get('/api/clients')).status).toBe(200);
    // nginx writes a line of its log once it has answered.
    const portsOf = (lines: ReturnType<typeof nginx.log>) =>
      new Set(lines.flatMap(({ ports: asked }) => asked.slice(0, 1)));
    await vi.waitFor(() => expect(portsOf(nginx.log().slice(asked))).toEqual(new Set(ports)), SOON);
    expect((await portal.admin.get('/assets/of-another-version.js')).status).toBe(404);
    await vi.waitFor(() => expect(new Set(nginx.log().at(-1)?.ports)).toEqual(new Set(ports)), SOON);
  });

  describe('rights', () => {
    const editOf = async (id: number, changes: Record<string, unknown>) => {
      const { body } = await portal.admin.get<UserRow[]>('/api/users');
      const { username, fullName, roleId, clientIds, reportTypeIds } = body.find((row) => row.id === id) as UserRow;
      return { username, fullName, roleId, clientIds, reportTypeIds, password: '', ...changes };
    };
    const change = async (id: number, changes: Record<string, unknown>) => {
      const answer = await portal.admin.put(`/api/users/${id}`, await editOf(id, changes));
      expect(answer.status).toBe(200);
    };

    it('G21: given to a role, and taken from it, act on the next request at either server', async () => {
      const role = await addRole(portal, 'Keeper of users');
      const { caller } = await addUser(portal, 'keeper', role);
      const path = `/api/permissions/users/${firm.users.clientB}`;
      for (let round = 0; round < 3; round += 1) {
        expect(await statusesOf(everywhere(caller), path)).toEqual([404, 404, 404]);
        await portal.admin.put('/api/permissions', { roleId: role, capabilities: ['users.manage'] });
        expect(await statusesOf(everywhere(caller), path)).toEqual([200, 200, 200]);
        await portal.admin.put('/api/permissions', { roleId: role, capabilities: [] });
      }
    });

    it('G21: by access lists act on the next request at either server', async () => {
      const [c1, c2] = firm.clients;
      const { id, caller } = await addUser(portal, 'mover', firm.roles.client, {
        clientIds: [c1],
        reportTypeIds: [firm.reportTypes[0]],
      });
      const path = `/api/files/${firm.files.f2.id}/download`;
      for (let round = 0; round < 3; round += 1) {
        expect(await statusesOf(everywhere(caller), path)).toEqual([404, 404, 404]);
        await change(id, { clientIds: [c2] });
        expect(await statusesOf(everywhere(caller), path)).toEqual([200, 200, 200]);
        await change(id, { clientIds: [c1] });
      }
    });

    it('G21: of somebody deleted end everywhere with the next request', async () => {
      const { id, caller } = await addUser(portal, 'leaver', firm.roles.client);
      expect(await statusesOf(everywhere(caller), '/api/auth/me')).toEqual([200, 200, 200]);
      expect((await portal.admin.delete(`/api/users/${id}`)).status).toBe(204);
      expect(await statusesOf(everywhere(caller), '/api/auth/me')).toEqual([401, 401, 401]);
    });

    it('G21: of sessions end everywhere when the password is changed, and with a sign-out', async () => {
      const { caller } = await addUser(portal, 'changer', firm.roles.client);
      const other = await portal.login('changer', PASSWORD);
      const changed = await directly(0, caller).post<LoginResponse>('/api/auth/password', {
        currentPassword: PASSWORD,
        newPassword: 'another password',
      });
      expect(changed.status).toBe(200);
      expect(await statusesOf([...everywhere(other), ...everywhere(caller)], '/api/auth/me')).toEqual(
        Array(6).fill(401),
      );
      const still = new Caller(nginx.origin, changed.body.token);
      expect(await statusesOf(everywhere(still), '/api/auth/me')).toEqual([200, 200, 200]);
      expect((await signIn(directly(1, still).origin, 'changer', PASSWORD)).status).toBe(401);
      expect((await directly(1, still).post('/api/auth/logout')).status).toBe(204);
      expect(await statusesOf(everywhere(still), '/api/auth/me')).toEqual([401, 401, 401]);
    });

    it('D5: to open one file once, by a ticket, are used up at either server', async () => {
      const path = `/api/files/${firm.files.f1.id}`;
      for (const nth of [0, 1] as const) {
        const { body } = await directly(nth, portal.admin).post<{ ticket: string }>(`${path}/view-ticket`);
        const nobody = new Caller(nginx.origin, null);
        const open = `${path}?view=true&token=${body.ticket}`;
        expect((await directly(nth === 0 ? 1 : 0, nobody).get(open)).status).toBe(200);
        expect(await statusesOf(everywhere(nobody), open)).toEqual([401, 401, 401]);
      }
    });
  });

  it('A4: fifty wrong passwords at once, spread over both, are five guesses', async () => {
    await addUser(portal, 'guessed', firm.roles.client);
    const begunAt = Date.now();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => signIn(nginx.origin, 'guessed', 'not the password')),
    );
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    // After five, one more for each wait that is over: of a second, of two more, of four more.
    const overMeanwhile = Math.floor(Math.log2((Date.now() - begunAt) / 1_000 + 1));
    const judged = statuses.filter((status) => status === 401).length;
    expect(judged).toBeGreaterThanOrEqual(5);
    expect(judged).toBeLessThanOrEqual(5 + overMeanwhile);
    const asked = nginx.log().filter(({ path }) => path === '/api/auth/login');
    expect(new Set(asked.slice(-50).flatMap(({ ports: all }) => all))).toEqual(new Set(ports));
  });

  const place = () => ({ clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] });
  const send = (by: Caller, name: string, bytes: Uint8Array, key: string) =>
    by.upload<FileRow>({ name, bytes, fields: place(), headers: { 'idempotency-key': key } });
  const named = async (name: string) =>
    (await portal.admin.get<FileRow[]>(`/api/files?limit=1000&q=${encodeURIComponent(name)}`)).body;

  describe('an upload', () => {
    it('C10: that is sent to both at once, and repeated afterwards, is one file and one entry of the log', async () => {
      for (let round = 0; round < 5; round += 1) {
        const key = randomUUID();
        const name = `one-${round}.txt`;
        const bytes = randomBytes(20_000);
        const callers = everywhere(portal.admin);
        const answers = await Promise.all(callers.map((caller) => send(caller, name, bytes, key)));
        for (const caller of callers) answers.push(await send(caller, name, bytes, key));
        expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
        expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
        expect(await named(name)).toHaveLength(1);
        const { body: log } = await portal.admin.get<ActivityRow[]>(`/api/activity-logs?fileId=${answers[0]?.body.id}`);
        expect(log.filter(({ action }) => action === 'upload')).toHaveLength(1);
      }
    });

    it('of 100 MB passes, comes back as it was, and is kept nowhere on the way', async () => {
      const bytes = randomBytes(100 * MIB);
      const sent = await send(portal.admin, 'large.bin', bytes, randomUUID());
      expect([sent.status, sent.body.sha256]).toEqual([201, sha256(bytes)]);
      const response = await portal.admin.fetch(`/api/files/${sent.body.id}/download`);
      const digest = createHash('sha256');
      let isFirst = true;
      for await (const chunk of response.body ?? []) {
        digest.update(chunk as Uint8Array);
        // A slow reader's file is where a proxy that gathers would put it into a file of its own.
        if (isFirst) await setTimeout(500);
        isFirst = false;
      }
      expect(digest.digest('hex')).toBe(sha256(bytes));
      expect(nginx.complaints()).not.toContain('temporary file');
    });
  });

  it('A5: the log has a person’s own address, whatever the sender says it is', async () => {
    const { caller } = await addUser(portal, 'addressed', firm.roles.client);
    const body = JSON.stringify({ username: 'addressed', password: PASSWORD });
    const headers = {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'x-forwarded-for': '6.6.6.6',
    };
    const status = await new Promise((done, failed) => {
      request(`${nginx.origin}/api/auth/login`, { method: 'POST', localAddress: '127.0.0.2', headers }, (answer) => {
        answer.resume();
        done(answer.statusCode);
      })
        .once('error', failed)
        .end(body);
    });
    expect(status).toBe(200);
    const { body: devices } = await caller.get<{ address: string }[]>('/api/auth/sessions');
    expect(devices.map(({ address }) => address)).toEqual(['127.0.0.2', '127.0.0.1']);
  });

  /** An answer that was no success, or a connection that broke, and what it was to. */
  interface Failure {
    readonly what: string;
    readonly status: number | string;
  }

  /** What many people do through nginx at once, each one thing after another, until it is ended. */
  class Traffic {
    readonly failures: Failure[] = [];
    readonly uploads: { readonly name: string; readonly bytes: Uint8Array; readonly key: string; stored: boolean }[] =
      [];
    readonly types: string[] = [];
    readonly #working: Promise<void>[];
    answers = 0;
    #goesOn = true;

    constructor(label: string) {
      const { admin } = portal;
      const reads = ['/api/clients', '/api/files?limit=50', '/api/activity-logs?limit=50', '/api/overview'];
      const acts: readonly ((nth: number) => Promise<Answer>)[] = [
        ...reads.map((path) => () => admin.get(path)),
        () => admin.get(`/api/files/${firm.files.f1.id}/download`),
        (nth) => admin.put(`/api/clients/${firm.clients[2]}`, clientInput(`Edited ${label} ${nth}`)),
        (nth) => {
          const name = `${label} ${nth}`;
          this.types.push(name);
          return admin.post('/api/report-types', { name });
        },
        async (nth) => {
          const upload = { name: `${label}-${nth}.bin`, bytes: randomBytes(20_000), key: randomUUID(), stored: false };
          this.uploads.push(upload);
          const answer = await send(admin, upload.name, upload.bytes, upload.key);
          upload.stored = answer.status === 201;
          return answer;
        },
      ];
      this.#working = acts.map(async (act, who) => {
        for (let nth = 0; this.#goesOn; nth += 1) {
          const what = `${who < reads.length + 1 ? 'read' : 'write'} ${who}`;
          const status = await act(nth).then(
            (answer) => answer.status,
            (error: Error) => String(error.cause ?? error),
          );
          this.answers += 1;
          await setTimeout(PAUSE_MS);
          if (typeof status === 'string' || status >= 300) this.failures.push({ what, status });
        }
      });
    }

    /** Resolves once so many more were answered. */
    async goesOn(more: number): Promise<void> {
      const wanted = this.answers + more;
      await vi.waitFor(() => expect(this.answers).toBeGreaterThanOrEqual(wanted), SOON);
    }

    async end(): Promise<void> {
      this.#goesOn = false;
      await Promise.all(this.#working);
    }
  }

  /** Every upload that was answered is listed once, whole and byte for byte; nothing is listed that is not whole. */
  async function expectWhole(traffic: Traffic, label: string): Promise<void> {
    const listed = await named(`${label}-`);
    const stored = traffic.uploads.filter((upload) => upload.stored).map(({ name }) => name);
    expect(
      listed
        .map(({ originalName }) => originalName)
        .filter((name) => stored.includes(name))
        .sort(),
    ).toEqual(stored.sort());
    for (const { id, originalName } of listed) {
      const { bytes } = traffic.uploads.find(({ name }) => name === originalName) ?? { bytes: new Uint8Array() };
      const kept = await (await portal.admin.fetch(`/api/files/${id}/download`)).arrayBuffer();
      expect([originalName, sha256(new Uint8Array(kept))]).toEqual([originalName, sha256(bytes)]);
    }
  }

  it('G21: a server that is killed costs what it was just doing, and one in its place takes its share again', async () => {
    const traffic = new Traffic('killed');
    await traffic.goesOn(60);
    // Half a file is on its way to the one that will be killed.
    const body = formBody([...fieldParts(place()), { name: 'file', fileName: 'half.bin', content: randomBytes(MIB) }]);
    const half = dial(`http://127.0.0.1:${ports[0]}`);
    half.write(
      requestHead('POST', '/api/files', {
        authorization: `Bearer ${portal.admin.token}`,
        'content-type': FORM_TYPE,
        'content-length': String(body.length),
      }),
    );
    half.write(body.subarray(0, body.length / 2));
    await programs[0]?.end('SIGKILL');
    await traffic.goesOn(120);
    await start(0);
    await joins(0);
    await traffic.goesOn(60);
    await traffic.end();
    half.destroy();

    // Readers were answered by the other one; of those who wrote, each was held by it once at most.
    expect(traffic.failures.filter(({ what, status }) => what.startsWith('read') || status !== 502)).toEqual([]);
    expect(new Set(traffic.failures.map(({ what }) => what)).size).toBe(traffic.failures.length);
    await expectWhole(traffic, 'killed');
    expect(await named('half.bin')).toEqual([]);
    // What was not answered is sent again under its key, and is there once.
    for (const { name, bytes, key, stored } of traffic.uploads.filter((upload) => !upload.stored)) {
      expect([stored, (await send(portal.admin, name, bytes, key)).status]).toEqual([false, 201]);
      expect(await named(name)).toHaveLength(1);
    }
  });

  it('G21: scheduled work is done once, and goes on in the other server while one is gone', async () => {
    const { database } = made;
    const kinds = ['blobs', 'jobs', 'security-events', 'sign-ins', 'word-index'].map((name) => `maintenance.${name}`);
    /** By kind: how often it was done, and whether it waits for its next turn. */
    const scheduled = async () => {
      const jobs = database.reader.selectFrom('jobs').select(['kind', 'state']).where('kind', 'like', 'maintenance.%');
      const rows = await jobs.orderBy('state').execute();
      return kinds.map((kind) => `${kind}: ${rows.flatMap((row) => (row.kind === kind ? row.state : [])).join(' ')}`);
    };
    const bringForward = () => onServer(made.url ?? '', `update jobs set run_at = 1 where state = 'waiting'`);
    const after = (runs: number) => kinds.map((kind) => `${kind}: ${'done '.repeat(runs)}waiting`);
    await vi.waitFor(async () => expect(await scheduled()).toEqual(after(1)), SOON);
    await programs[0]?.end('SIGKILL');
    for (const runs of [2, 3]) {
      await bringForward();
      await vi.waitFor(async () => expect(await scheduled()).toEqual(after(runs)), SOON);
    }
    await start(0);
    await joins(0);
    await bringForward();
    await vi.waitFor(async () => expect(await scheduled()).toEqual(after(4)), SOON);
  });

  it('G21: a restart of one after the other costs nobody anything', async () => {
    const traffic = new Traffic('rolling');
    await traffic.goesOn(breadth(30, 60));
    for (const nth of [0, 1] as const) {
      expect([await programs[nth]?.end('SIGTERM'), programs[nth]?.err]).toEqual([0, '']);
      await traffic.goesOn(breadth(25, 50));
      await start(nth);
      await joins(nth);
    }
    await traffic.goesOn(breadth(30, 60));
    await traffic.end();
    expect(traffic.failures).toEqual([]);
    await expectWhole(traffic, 'rolling');
    const { body: types } = await portal.admin.get<{ name: string }[]>('/api/report-types');
    const made = types.map(({ name }) => name).filter((name) => name.startsWith('rolling '));
    expect(made.sort()).toEqual(traffic.types.sort());
  });

  it('G21: a newer version may add to the schema while these serve; after that no other of this version starts', async () => {
    const reads = ['/api/clients', '/api/users', '/api/roles', '/api/files', '/api/activity-logs', '/api/overview'];
    const ask = async () => {
      for (const path of [...reads, `/api/files/${firm.files.f1.id}/download`]) {
        expect([path, await statusesOf(everywhere(portal.admin), path)]).toEqual([path, [200, 200, 200]]);
      }
      for (const by of everywhere(portal.admin)) {
        const name = `newer-${randomUUID()}`;
        expect((await send(by, name, randomBytes(1_000), name)).status).toBe(201);
        expect((await by.post('/api/report-types', { name })).status).toBe(201);
        expect((await by.put(`/api/clients/${firm.clients[2]}`, clientInput(name))).status).toBe(200);
        expect((await signIn(by.origin, 'admin', CHOSEN_PASSWORD)).status).toBe(200);
      }
    };
    // What was prepared before the change is asked again after it.
    await ask();
    const tables = await made.database.reader.introspection.getTables();
    const added = tables
      .filter(({ schema }) => schema === 'public')
      .map(({ name }) => `alter table ${name} add column added_by_a_newer_version text`);
    const step = `insert into kysely_migration values ('0099-from-the-future', '2099-01-01T00:00:00.000Z')`;
    await onServer(made.url ?? '', ['begin', ...added, step, 'commit'].join('; '));
    await ask();
    await programs[0]?.end('SIGTERM');
    await expect(start(0)).rejects.toThrow(
      /It ended with 1: Coffer cannot start: The database was made by a newer Coffer/,
    );
    expect((await portal.admin.get('/api/clients')).status).toBe(200);
  });
});
