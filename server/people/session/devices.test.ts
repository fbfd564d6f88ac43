// The devices somebody is signed in on, on both engines: listed to their owner, ended by whom and by what, and at most twenty.
import { beforeEach, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { ViewTicket } from '#contract/file-opening.ts';
import type { SecurityEventRow } from '#contract/security-events.ts';
import { type LoginResponse, OPEN_SESSIONS_MAX, type SessionRow } from '#contract/session.ts';
import { type Firm, PASSWORD } from '../../testing/firm.ts';
import { NEW_PASSWORD, sessionFirm } from '../../testing/session-firm.ts';
import { ADMIN_PASSWORD, Caller, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';

describe.each(DATABASE_KINDS)('devices on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  const { newPerson, signIn, cookiePair, statusOf, openFileBy } = sessionFirm(kind, (met) => {
    ({ app, firm } = met);
  });
  let person: Awaited<ReturnType<typeof newPerson>>;
  let here: Caller;
  let there: Caller;
  const rowsOf = async (caller: Caller) => (await caller.get<SessionRow[]>('/api/auth/sessions')).body;

  beforeEach(async () => {
    person = await newPerson();
    const first = (await (
      await signIn(person.username, PASSWORD, { 'user-agent': 'Here/1.0' })
    ).json()) as LoginResponse;
    const second = (await (
      await signIn(person.username, PASSWORD, { 'user-agent': 'There/1.0' })
    ).json()) as LoginResponse;
    here = new Caller(app.origin, first.token);
    there = new Caller(app.origin, second.token);
  });

  it('are listed to their owner, with this one marked', async () => {
    const { body, headers } = await here.get<SessionRow[]>('/api/auth/sessions');
    expect(headers.get('x-total-count')).toBe('3');
    expect(body).toHaveLength(3);
    const current = body.filter((row) => row.current);
    expect(current).toEqual([
      {
        id: expect.any(Number),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        lastSeenAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        userAgent: 'Here/1.0',
        address: '127.0.0.1',
        current: true,
      },
    ]);
    expect(body.filter((row) => row.userAgent === 'There/1.0')).toHaveLength(1);
    expect(JSON.stringify(body)).not.toContain(here.token);
  });

  it('can be ended one by one', async () => {
    const id = (await rowsOf(here)).find((row) => row.userAgent === 'There/1.0')?.id;
    expect((await here.delete(`/api/auth/sessions/${id}`)).status).toBe(204);
    expect([await statusOf(there), await statusOf(here)]).toEqual([401, 200]);
    expect((await here.delete(`/api/auth/sessions/${id}`)).status).toBe(404);
    expect(await rowsOf(here)).toHaveLength(2);
  });

  it('of another person cannot be ended, not even by an Admin, and looks like a missing one', async () => {
    const id = (await rowsOf(here)).find((row) => row.current)?.id;
    for (const other of [firm.viewers.cpa, app.admin]) {
      const refused = await other.delete(`/api/auth/sessions/${id}`);
      const missing = await other.delete('/api/auth/sessions/999999');
      expect(refused.status).toBe(404);
      expect({ ...refused.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
    }
    expect(await statusOf(here)).toBe(200);
  });

  it('can all be ended but this one', async () => {
    expect((await here.delete('/api/auth/sessions')).status).toBe(204);
    expect([await statusOf(here), await statusOf(there), await statusOf(person.caller)]).toEqual([200, 401, 401]);
    expect(await rowsOf(here)).toMatchObject([{ current: true }]);
    expect(await statusOf(firm.viewers.cpa)).toBe(200);
    // Where there is no other one, nothing has happened.
    expect((await here.delete('/api/auth/sessions')).status).toBe(204);
    const { body: events } = await here.get<SecurityEventRow[]>('/api/auth/events');
    const ended = events.filter((event) => event.kind === 'session_ended');
    expect(ended.map(({ times, detail }) => [times, detail])).toEqual([[1, '2 other sessions']]);
  });

  it('A10: end when the password changes, and this one gets new secrets', async () => {
    const login = await signIn(person.username, PASSWORD);
    const caller = new Caller(app.origin, ((await login.json()) as LoginResponse).token);
    const response = await caller.fetch('/api/auth/password', {
      method: 'POST',
      body: JSON.stringify({ currentPassword: PASSWORD, newPassword: NEW_PASSWORD }),
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(200);
    const { token, user } = (await response.json()) as LoginResponse;
    expect(user).toMatchObject({ id: person.id, username: person.username });
    const renewed = new Caller(app.origin, token);
    expect(await statusOf(renewed)).toBe(200);
    for (const old of [caller, here, there, person.caller]) expect(await statusOf(old)).toBe(401);
    expect([await openFileBy(cookiePair(login)), await openFileBy(cookiePair(response))]).toEqual([401, 200]);
    expect(await rowsOf(renewed)).toMatchObject([{ current: true }]);
    expect((await signIn(person.username, PASSWORD)).status).toBe(401);
    expect((await signIn(person.username, NEW_PASSWORD)).status).toBe(200);
  });

  it('stay as they are when the current password is wrong or the new one too short', async () => {
    const wrong = await here.post<ErrorBody>('/api/auth/password', {
      currentPassword: 'not this',
      newPassword: NEW_PASSWORD,
    });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'wrong_password']);
    const short = await here.post<ErrorBody>('/api/auth/password', {
      currentPassword: PASSWORD,
      newPassword: '12345',
    });
    expect([short.status, short.body.fields]).toEqual([400, { newPassword: 'Password must be at least 6 characters' }]);
    for (const caller of [here, there, person.caller]) expect(await statusOf(caller)).toBe(200);
    expect((await signIn(person.username, PASSWORD)).status).toBe(200);
  });

  it('end but for one where two sign out everywhere else at the same moment, in two processes', async () => {
    // One process would let a person end one session after the other.
    const { sessions } = app.context;
    const viewerOf = async (caller: Caller) => {
      const viewer = await sessions.byToken(caller.token ?? '');
      if (viewer === null) throw new Error('signed out');
      return viewer;
    };
    const viewers = await Promise.all([here, there].map(viewerOf));
    const origin = { address: '127.0.0.1', userAgent: 'Browser/1.0' };
    await Promise.allSettled(viewers.map((viewer) => sessions.endOthers(viewer, origin)));
    expect((await Promise.all([here, there, person.caller].map(statusOf))).toSorted()).toEqual([200, 401, 401]);
  });

  it('A10: end when an Admin sets a new password, and not when it is left blank', async () => {
    const { id, username } = person;
    const user = { username, fullName: 'Same Person', roleId: firm.roles.cpa, clientIds: [firm.clients[0]] };
    for (const password of ['', null, undefined]) {
      expect((await app.admin.put(`/api/users/${id}`, { ...user, password })).status).toBe(200);
    }
    expect([await statusOf(here), await statusOf(there)]).toEqual([200, 200]);
    expect((await signIn(username, PASSWORD)).status).toBe(200);

    expect((await app.admin.put(`/api/users/${id}`, { ...user, password: NEW_PASSWORD })).status).toBe(200);
    expect([await statusOf(here), await statusOf(there), await statusOf(app.admin)]).toEqual([401, 401, 200]);
    expect((await signIn(username, PASSWORD)).status).toBe(401);
    expect((await signIn(username, NEW_PASSWORD)).status).toBe(200);
  });

  it('end when the user is deleted, with the tickets of the session', async () => {
    const ticket = await here.post<ViewTicket>(`/api/files/${firm.files.f1.id}/view-ticket`);
    expect((await app.admin.delete(`/api/users/${person.id}`)).status).toBe(204);
    for (const caller of [here, there, person.caller]) expect(await statusOf(caller)).toBe(401);
    expect((await app.anonymous.fetch(ticket.body.url)).status).toBe(401);
    expect((await signIn(person.username, PASSWORD)).status).toBe(401);
  });

  describe('more than twenty of one person', () => {
    const SCRIPT = { 'user-agent': 'Script/1.0' };
    const signInAs = async (headers: Record<string, string>) => {
      const response = await signIn(person.username, PASSWORD, headers);
      return new Caller(app.origin, ((await response.json()) as LoginResponse).token);
    };
    const eventsOf = async (caller: Caller) =>
      (await caller.get<SecurityEventRow[]>('/api/auth/events?limit=100')).body.filter(
        ({ kind }) => kind === 'session_ended',
      );

    it('H5: end the least recently used of the device that signs in again and again, and nobody else’s', async () => {
      const scripts: Caller[] = [];
      for (let nth = 0; nth < 40; nth += 1) {
        app.advance(1_000);
        scripts.push(await signInAs(SCRIPT));
      }
      const [newest = here] = scripts.slice(-1);
      const rows = await rowsOf(newest);
      expect(rows).toHaveLength(OPEN_SESSIONS_MAX);
      for (const caller of [here, there, person.caller, firm.viewers.cpa, app.admin]) {
        expect(await statusOf(caller)).toBe(200);
      }
      // Three others leave room for seventeen of the script.
      const statuses = await Promise.all(scripts.map(statusOf));
      expect(statuses).toEqual([...Array(23).fill(401), ...Array(17).fill(200)]);
      const [latest, ...before] = await eventsOf(newest);
      expect(before).toHaveLength(22);
      expect(latest).toMatchObject({
        device: 'Script/1.0',
        actorName: null,
        detail: '1 session to make room: at most 20 stay open',
      });
      expect(await eventsOf(firm.viewers.cpa)).toEqual([]);
    });

    it('H5: end the least recently used of all where the device is a new one', async () => {
      for (let nth = 0; nth < OPEN_SESSIONS_MAX - 3; nth += 1) {
        app.advance(10 * 60_000);
        await signInAs({ 'user-agent': `Browser/${nth}` });
        // Used again, and so no longer among the oldest.
        if (nth === 5) expect(await statusOf(there)).toBe(200);
      }
      expect(await rowsOf(there)).toHaveLength(OPEN_SESSIONS_MAX);
      await signInAs({ 'user-agent': 'New/1.0' });
      await signInAs({ 'user-agent': 'New/2.0' });
      expect([await statusOf(person.caller), await statusOf(here), await statusOf(there)]).toEqual([401, 401, 200]);
      expect(await rowsOf(there)).toHaveLength(OPEN_SESSIONS_MAX);
    });

    it('H5: stay twenty where many sign in at the same moment', async () => {
      for (let nth = 0; nth < OPEN_SESSIONS_MAX - 4; nth += 1) await signInAs(SCRIPT);
      expect(await rowsOf(here)).toHaveLength(OPEN_SESSIONS_MAX - 1);
      await Promise.all(Array.from({ length: 8 }, (_, nth) => signInAs({ 'user-agent': `Browser/${nth}` })));
      const left = await app.database.reader
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', person.id)
        .execute();
      expect(left).toHaveLength(OPEN_SESSIONS_MAX);
    });

    it('H5: stay twenty where there were more before', async () => {
      const at = app.now();
      const kept = (nth: number) => ({
        user_id: person.id,
        token_hash: `token ${person.id} ${nth}`,
        cookie_hash: `cookie ${person.id} ${nth}`,
        created_at: at,
        last_seen_at: at,
        user_agent: 'Kept/1.0',
        address: '127.0.0.1',
      });
      await app.database.transaction((tx) =>
        tx
          .insertInto('sessions')
          .values(Array.from({ length: 22 }, (_, nth) => kept(nth)))
          .execute(),
      );
      const newest = await signInAs(SCRIPT);
      expect(await rowsOf(newest)).toHaveLength(OPEN_SESSIONS_MAX);
      expect((await eventsOf(newest)).map(({ detail }) => detail)).toEqual([
        '6 sessions to make room: at most 20 stay open',
      ]);
    });
  });
});

it.each(DATABASE_KINDS)('H5: a browser at another address is another device on %s', async (kind) => {
  const app = await startTestApp(kind, { TRUST_PROXY: '127.0.0.1' }, { clock: 'standing' });
  const signInFrom = async (address: string) => {
    const answer = await app.anonymous.fetch('/api/auth/login', {
      method: 'POST',
      body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
      headers: { 'content-type': 'application/json', 'user-agent': 'Browser/1.0', 'x-forwarded-for': address },
    });
    return new Caller(app.origin, ((await answer.json()) as LoginResponse).token);
  };
  try {
    const here = await signInFrom('192.0.2.1');
    for (let nth = 0; nth < OPEN_SESSIONS_MAX; nth += 1) {
      app.advance(1_000);
      await signInFrom('198.51.100.1');
    }
    const { body } = await here.get<SessionRow[]>('/api/auth/sessions');
    expect(body).toHaveLength(OPEN_SESSIONS_MAX);
  } finally {
    await app.close();
  }
});
