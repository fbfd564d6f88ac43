// Rights that end during a request: between its headers and its body, and between its authorization and its act.
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { UserRow } from '#contract/users.ts';
import { eventually } from '../eventually.ts';
import { addRole, addUser, clientInput, type Firm, PASSWORD } from '../firm.ts';
import { gatedPasswords } from '../gated-passwords.ts';
import { someoneWaits } from '../someone-waits.ts';
import { storedPaths } from '../stored.ts';
import { type Caller, startTestApp, type TestApp } from '../test-app.ts';
import { DATABASE_KINDS } from '../test-database.ts';
import { startTestFirm } from '../test-firm.ts';
import { insertTestRequest } from '../test-request.ts';
import { dial, requestHead } from './wire.ts';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

interface Begun {
  /** Sends the body and answers the status and the error's code. */
  finish(): Promise<[status: number, code: string | undefined]>;
}

/** Sends the head of a request alone; resolves once the server has taken it and waits for the body. */
async function begin(
  by: Caller,
  method: string,
  path: string,
  body: string,
  { type = 'application/json', chunked = false }: { type?: string; chunked?: boolean } = {},
): Promise<Begun> {
  const socket = dial(by.origin);
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const ended = new Promise<void>((resolve) => socket.once('end', resolve).once('close', () => resolve()));
  socket.write(
    requestHead(method, path, {
      authorization: `Bearer ${by.token}`,
      'content-type': type,
      ...(chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(Buffer.byteLength(body)) }),
      expect: '100-continue',
      connection: 'close',
    }),
  );
  await eventually(() => expect(text).toBe(CONTINUE));
  // Node sends this before the hooks check who it is; any later answer was requested later.
  await by.get('/api/auth/me');
  return {
    async finish() {
      socket.write(chunked ? `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n` : body);
      await ended;
      socket.destroy();
      const answer = text.slice(CONTINUE.length);
      const isJson = /^content-type: application\/json/im.test(answer.slice(0, answer.indexOf('\r\n\r\n')));
      const json = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1);
      const code = isJson ? (JSON.parse(json) as Partial<ErrorBody>).code : undefined;
      return [Number(answer.split(' ')[1]), code];
    },
  };
}

describe.each(DATABASE_KINDS)('rights that end on the way on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  let next = 0;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  async function anotherAdmin() {
    next += 1;
    const username = `leaving${next}`;
    return { username, ...(await addUser(app, username, firm.roles.admin)) };
  }

  const editOf = async (id: number, changes: Record<string, unknown>) => {
    const { body } = await app.admin.get<UserRow[]>('/api/users');
    const { username, fullName, roleId, clientIds, reportTypeIds } = body.find((row) => row.id === id) as UserRow;
    return { username, fullName, roleId, clientIds, reportTypeIds, password: '', ...changes };
  };

  const done = async (answer: Promise<{ status: number }>) => expect((await answer).status).toBeLessThan(300);

  const endings: Record<string, { end: (id: number, caller: Caller) => Promise<void>; answer: [number, string] }> = {
    'was deleted': {
      end: (id) => done(app.admin.delete(`/api/users/${id}`)),
      answer: [401, 'unauthenticated'],
    },
    'was given another role': {
      end: async (id) => done(app.admin.put(`/api/users/${id}`, await editOf(id, { roleId: firm.roles.bookkeeper }))),
      answer: [403, 'forbidden'],
    },
    'got another password': {
      end: async (id) => done(app.admin.put(`/api/users/${id}`, await editOf(id, { password: 'another password' }))),
      answer: [401, 'unauthenticated'],
    },
    'signed out': {
      end: (_id, caller) => done(caller.post('/api/auth/logout')),
      answer: [401, 'unauthenticated'],
    },
    'changed the own password, which renews the token': {
      end: (_id, caller) =>
        done(caller.post('/api/auth/password', { currentPassword: PASSWORD, newPassword: 'another password' })),
      answer: [401, 'unauthenticated'],
    },
  };

  describe.each(Object.entries(endings))('of an Admin who %s', (_what, { end, answer }) => {
    it.each([false, true])('G1: makes no user, chunked: %s', async (chunked) => {
      const { id, caller } = await anotherAdmin();
      const username = `smuggled${next}`;
      const body = { username, password: PASSWORD, fullName: 'Smuggled', roleId: firm.roles.admin };
      const begun = await begin(caller, 'POST', '/api/users', JSON.stringify(body), { chunked });
      await end(id, caller);
      expect(await begun.finish()).toEqual(answer);
      const users = await app.database.reader.selectFrom('users').select('username').execute();
      expect(users.map((user) => user.username)).not.toContain(username);
    });

    it('G1: deletes and grants nothing', async () => {
      const { id, caller } = await anotherAdmin();
      const { body: client } = await app.admin.post<{ id: number }>('/api/clients', clientInput('Kept Bakery LLC'));
      const roleId = await addRole(app, `Ungranted ${next}`);
      const grant = JSON.stringify({ roleId, capabilities: ['users.manage'], reach: 'all' });
      const begun = [
        await begin(caller, 'DELETE', `/api/clients/${client.id}`, '{}'),
        await begin(caller, 'PUT', '/api/permissions', grant),
        await begin(caller, 'POST', '/api/roles', JSON.stringify({ name: `Smuggled role ${next}` })),
      ];
      await end(id, caller);
      for (const request of begun) expect(await request.finish()).toEqual(answer);
      expect((await app.admin.get(`/api/clients/${client.id}`)).status).toBe(200);
      const held = await app.database.reader.selectFrom('role_capabilities').selectAll().execute();
      expect(held.filter((row) => row.role_id === roleId)).toEqual([]);
      const roles = await app.database.reader.selectFrom('roles').select('name').execute();
      expect(roles.map(({ name }) => name)).not.toContain(`Smuggled role ${next}`);
    });
  });

  it('G1: an archive holds nothing of a client that was removed meanwhile', async () => {
    const lists = { clientIds: [firm.clients[1]], reportTypeIds: [firm.reportTypes[0]] };
    const { id, caller } = await addUser(app, 'archivist', firm.roles.cpa, lists);
    const body = JSON.stringify({ ids: [firm.files.f2.id] });
    const kept = await begin(caller, 'POST', '/api/files/archive', body);
    expect((await kept.finish())[0]).toBe(200);
    const lost = await begin(caller, 'POST', '/api/files/archive', body);
    await done(app.admin.put(`/api/users/${id}`, await editOf(id, { clientIds: [] })));
    expect(await lost.finish()).toEqual([404, 'not_found']);
  });

  it('G1: a file for an item of a request is not kept where the client left the list, or the request was closed, meanwhile', async () => {
    const [clientId] = firm.clients;
    const { id, caller } = await addUser(app, 'answerer', firm.roles.client, { clientIds: [clientId] });
    const request = await insertTestRequest(app, { clientId });
    const body =
      '--late\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nanswer\r\n--late--\r\n';
    const type = 'multipart/form-data; boundary=late';
    const send = () => begin(caller, 'POST', `/api/request-items/${request.itemIds[0]}/files`, body, { type });
    const before = storedPaths(app);
    const late = await send();
    await done(app.admin.post(`/api/requests/${request.id}/close`));
    expect(await late.finish()).toEqual([409, 'request_closed']);
    await done(app.admin.post(`/api/requests/${request.id}/reopen`));
    const lost = await send();
    await done(app.admin.put(`/api/users/${id}`, await editOf(id, { clientIds: [] })));
    expect(await lost.finish()).toEqual([404, 'not_found']);
    expect(storedPaths(app)).toEqual(before);
    const sent = await app.database.reader.selectFrom('request_item_files').selectAll().execute();
    expect(sent).toEqual([]);
  });

  it('G1: no right changes between the judgement of an act and its commit', async () => {
    const { id, caller } = await anotherAdmin();
    const viewer = await app.context.sessions.byToken(caller.token ?? '');
    if (viewer === null) throw new Error('Signed in a moment ago');
    const { promise: released, resolve: commit } = Promise.withResolvers<void>();
    const { promise: judged, resolve: judge } = Promise.withResolvers<void>();
    const order: string[] = [];
    const edit = await editOf(id, { roleId: firm.roles.bookkeeper });
    const act = app.context.scopes.change(viewer, 'clients.create', async (scope) => {
      scope.authorize('clients.create');
      judge();
      await released;
      order.push('act');
    });
    await judged;
    const transactions = vi.spyOn(app.database, 'transaction');
    const demoted = app.admin.put(`/api/users/${id}`, edit).then(({ status }) => order.push(`demoted ${status}`));
    try {
      // It has asked for its turn, and has not got it.
      await eventually(() => expect(transactions).toHaveBeenCalled());
      if (kind === 'postgres' && inject('postgresUrl') !== null) await someoneWaits(app);
    } finally {
      commit();
    }
    await Promise.all([act, demoted]);
    expect(order).toEqual(['act', 'demoted 200']);
  });

  it('G1: an upload sent again is refused after a sign-out meanwhile', async () => {
    const { caller } = await anotherAdmin();
    const boundary = 'late';
    const field = (name: string, value: unknown) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const body = [
      field('clientId', firm.clients[0]),
      field('fileType', 'company_document'),
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nonce\r\n--${boundary}--\r\n`,
    ].join('');
    const type = `multipart/form-data; boundary=${boundary}`;
    expect(await (await begin(caller, 'POST', '/api/files', body, { type })).finish()).toEqual([201, undefined]);
    const before = storedPaths(app);
    const again = await begin(caller, 'POST', '/api/files', body, { type });
    await done(caller.post('/api/auth/logout'));
    expect(await again.finish()).toEqual([401, 'unauthenticated']);
    expect(storedPaths(app)).toEqual(before);
  });
});

describe.each(DATABASE_KINDS)('rights that end between judgement and act on %s', (kind) => {
  it('G1: are missed in the transaction', async () => {
    const gate = gatedPasswords();
    const app = await startTestApp(kind, {}, { passwords: gate.passwords });
    try {
      const roles = await app.admin.get<{ id: number; systemKey: string | null }[]>('/api/roles');
      const adminRole = roles.body.find(({ systemKey }) => systemKey === 'admin')?.id ?? 0;
      const plainRole = await addRole(app, 'Plain');
      const leaving = await addUser(app, 'leaving', adminRole);
      gate.shut();
      const body = { username: 'smuggled', password: PASSWORD, fullName: 'Smuggled', roleId: adminRole };
      const creation = leaving.caller.post<ErrorBody>('/api/users', body);
      await eventually(() => expect(gate.waiting()).toBe(1));
      const demoted = { username: 'leaving', fullName: 'Leaving', roleId: plainRole };
      await app.admin.put(`/api/users/${leaving.id}`, demoted);
      gate.open();
      const answer = await creation;
      expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
    } finally {
      await app.close();
    }
  });
});
