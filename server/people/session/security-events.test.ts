// The log of account events, with and without the Safeguards profile, on both engines.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SecurityEventRow } from '#contract/security-events.ts';
import type { LoginResponse } from '#contract/session.ts';
import { addUser, clientInput, type Firm, PASSWORD } from '../../testing/firm.ts';
import { refuseSecurityEvents } from '../../testing/refuse-events.ts';
import { Caller, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';

const YEAR_MS = 366 * 24 * 60 * 60_000;
const DEVICE = 'Security events test';

describe.each(DATABASE_KINDS)('security events on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  let people = 0;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, {}, { clock: 'standing' }));
  });
  afterAll(() => app.close());

  /** A person for this test alone, with the browser that they sign in with. */
  async function somebody() {
    people += 1;
    const username = `person${people}`;
    const { id } = await addUser(app, username, firm.roles.client, { clientIds: [firm.clients[0]] });
    return { id, username, signIn: (password = PASSWORD) => signIn(username, password) };
  }

  async function signIn(username: string, password: string) {
    const answer = await app.anonymous.fetch('/api/auth/login', {
      method: 'POST',
      body: JSON.stringify({ username, password }),
      headers: { 'content-type': 'application/json', 'user-agent': DEVICE },
    });
    const { token } = (await answer.json()) as LoginResponse;
    return new Caller(app.origin, token);
  }

  async function eventsOf(caller: Caller): Promise<SecurityEventRow[]> {
    const { status, headers, body } = await caller.get<SecurityEventRow[]>('/api/auth/events');
    const total = Number(headers.get('x-total-count'));
    expect([status, Math.min(total, 50)]).toEqual([200, body.length]);
    return body;
  }
  const kindsOf = async (caller: Caller) => (await eventsOf(caller)).map((event) => event.kind);
  const stored = () => app.database.reader.selectFrom('security_events').selectAll().orderBy('id').execute();

  it('F1: sign-ins, failed ones and sign-outs are one entry each, newest first', async () => {
    const { signIn: enter } = await somebody();
    await enter('not it');
    const first = await enter();
    await first.post('/api/auth/logout');
    const caller = await enter();
    const events = await eventsOf(caller);
    expect(events.map((event) => event.kind)).toEqual([
      'signed_in',
      'signed_out',
      'signed_in',
      'sign_in_failed',
      'signed_in',
      'access_changed',
    ]);
    expect(events[0]).toEqual({
      id: expect.any(Number),
      at: expect.any(String),
      times: 1,
      lastAt: events[0]?.at,
      kind: 'signed_in',
      actorName: null,
      address: '127.0.0.1',
      device: DEVICE,
      detail: null,
    });
    expect(events[3]).toMatchObject({ actorName: null, address: '127.0.0.1', device: DEVICE });
    expect(Math.abs(Date.parse(events[0]?.at ?? '') - app.now())).toBeLessThan(60_000);
  });

  it('F1: a changed password, and devices that were signed out', async () => {
    const { signIn: enter } = await somebody();
    const caller = await enter();
    await enter();
    const { body: devices } = await caller.get<{ id: number; current: boolean }[]>('/api/auth/sessions');
    await caller.delete(`/api/auth/sessions/${devices.find(({ current }) => !current)?.id}`);
    await caller.delete('/api/auth/sessions');
    const change = { currentPassword: PASSWORD, newPassword: 'another password' };
    await caller.post('/api/auth/password', { ...change, currentPassword: 'not it' });
    const { body } = await caller.post<LoginResponse>('/api/auth/password', change);
    const kinds = await kindsOf(new Caller(app.origin, body.token));
    expect(kinds.slice(0, 4)).toEqual(['password_changed', 'sign_in_failed', 'session_ended', 'session_ended']);
  });

  it('F1: what an Admin did is shown with the name and without the address', async () => {
    const { id, username, signIn: enter } = await somebody();
    const user = { username, fullName: 'Full Name', roleId: firm.roles.cpa, reportTypeIds: [firm.reportTypes[0]] };
    await app.admin.put(`/api/users/${id}`, { ...user, password: 'set by another' });
    const renamed = { ...user, username: username.toUpperCase() };
    await app.admin.put(`/api/users/${id}`, { ...renamed, password: '', email: 'another@example.com' });
    const capabilities = ['reports.upload', 'documents.upload'];
    await app.admin.put('/api/permissions', { roleId: firm.roles.cpa, capabilities });
    // Saved once more as they are, nobody hears of them.
    const again = { roleId: firm.roles.cpa, capabilities: capabilities.toReversed() };
    expect((await app.admin.put('/api/permissions', again)).status).toBe(200);
    const events = await eventsOf(await enter('set by another'));
    expect(events.slice(1, 5).map(({ kind: what, detail }) => [what, detail])).toEqual([
      ['access_changed', 'permissions of role CPA'],
      ['access_changed', `username ${renamed.username}, mail address`],
      ['access_changed', 'role CPA, clients, report types'],
      ['password_reset', null],
    ]);
    for (const event of events.slice(1, 5)) {
      expect(event).toMatchObject({ actorName: 'Administrator', address: null, device: null });
    }
    // The address is in the database all the same.
    const rows = (await stored()).filter((row) => row.user_id === id && row.kind === 'password_reset');
    expect(rows).toMatchObject([{ username, actor_name: 'Administrator', address: '127.0.0.1' }]);
  });

  it('F1: anyone who loses a client or a report type by its deletion gets an event, and a deleted account leaves one', async () => {
    const role = firm.roles.bookkeeper;
    const client = await app.admin.post<{ id: number }>('/api/clients', clientInput('Soon Gone LLC'));
    const type = await app.admin.post<{ id: number }>('/api/report-types', { name: 'Soon Gone' });
    const lists = { clientIds: [client.body.id, firm.clients[0]], reportTypeIds: [type.body.id] };
    const one = await addUser(app, 'loses both', role, lists);
    const other = await addUser(app, 'loses nothing', role, { clientIds: [firm.clients[0]] });
    await app.admin.delete(`/api/report-types/${type.body.id}`);
    await app.admin.delete(`/api/clients/${client.body.id}`);
    const changes = (await eventsOf(one.caller)).filter(({ kind: what }) => what === 'access_changed');
    expect(changes.slice(0, -1)).toMatchObject([
      { actorName: 'Administrator', detail: 'deletion of client Soon Gone LLC' },
      { actorName: 'Administrator', detail: 'deletion of report type Soon Gone' },
    ]);
    expect((await kindsOf(other.caller)).filter((what) => what === 'access_changed')).toHaveLength(1);
    await app.admin.delete(`/api/users/${other.id}`);
    expect((await stored()).filter((row) => row.user_id === other.id).at(-1)).toMatchObject({
      kind: 'access_changed',
      detail: 'account deleted',
      actor_name: 'Administrator',
      address: '127.0.0.1',
    });
  });

  it('F1: nothing of a change that was refused', async () => {
    const { id, username, signIn: enter } = await somebody();
    const caller = await enter();
    const before = await kindsOf(caller);
    await firm.viewers.cpa.put(`/api/users/${id}`, { username, fullName: 'x', roleId: firm.roles.cpa, password: '' });
    await app.admin.put(`/api/users/${id}`, {
      username: 'admin',
      fullName: 'x',
      roleId: firm.roles.cpa,
      password: 'long enough',
    });
    expect(await kindsOf(caller)).toEqual(before);
  });

  it('F1: an unknown name is not stored, and no password or token either', async () => {
    await signIn('my password in the wrong field', 'typed secret');
    const { signIn: enter } = await somebody();
    await enter('another typed secret');
    const caller = await enter();
    const rows = await stored();
    const text = JSON.stringify(rows);
    for (const secret of ['wrong field', 'typed secret', PASSWORD, caller.token ?? '']) {
      expect(text).not.toContain(secret);
    }
    expect(rows.filter((row) => row.kind === 'sign_in_failed' && row.user_id === null)).toMatchObject([
      { username: null, address: '127.0.0.1' },
    ]);
  });

  it('are shown to nobody else, and at most fifty without a limit', async () => {
    const one = await somebody();
    const other = await somebody();
    await app.database.transaction(async (tx) => {
      for (let nth = 0; nth < 60; nth += 1) {
        await tx
          .insertInto('security_events')
          .values({
            at: app.now(),
            kind: 'denied',
            user_id: one.id,
            username: one.username,
            actor_id: one.id,
            actor_name: 'x',
            address: '',
            user_agent: '',
            detail: `file ${nth}`,
          })
          .execute();
      }
    });
    expect(await eventsOf(await one.signIn())).toHaveLength(50);
    expect(await kindsOf(await other.signIn())).not.toContain('denied');
    expect((await app.anonymous.get('/api/auth/events')).status).toBe(401);
  });

  it('F2: of a sign-in that cannot be recorded open no session', async () => {
    const { signIn: enter } = await somebody();
    await refuseSecurityEvents(app.database, true);
    const before = (await app.database.reader.selectFrom('sessions').select('id').execute()).length;
    expect((await enter()).token).toBeUndefined();
    expect(await app.database.reader.selectFrom('sessions').select('id').execute()).toHaveLength(before);
    await refuseSecurityEvents(app.database, false);
    expect((await enter()).token).toBeDefined();
  });

  // The last one: it moves the clock past every session.
  it('stay when the account is deleted, and are deleted after two years', async () => {
    const { id } = await somebody();
    expect((await app.admin.delete(`/api/users/${id}`)).status).toBe(204);
    const of = async () => (await stored()).filter((row) => row.user_id === id);
    expect(await of()).not.toHaveLength(0);
    app.advance(YEAR_MS);
    await app.context.runMaintenance();
    expect(await of()).not.toHaveLength(0);
    app.advance(YEAR_MS);
    await app.context.runMaintenance();
    expect(await of()).toHaveLength(0);
  });
});
