// Signing in and out over HTTP, on both engines: what opens a session, and what it tells of the person.
import { describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { ViewTicket } from '#contract/file-opening.ts';
import type { FileRow } from '#contract/files.ts';
import type { LoginResponse, SessionUser } from '#contract/session.ts';
import type { UserRow } from '#contract/users.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { dump } from '../../testing/dump.ts';
import { type Firm, PASSWORD } from '../../testing/firm.ts';
import { NEW_PASSWORD, sessionFirm } from '../../testing/session-firm.ts';
import { ADMIN_PASSWORD, Caller, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';

describe.each(DATABASE_KINDS)('sessions on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  const { newPerson, signIn, cookieOf, cookiePair, statusOf, openFileBy } = sessionFirm(kind, (met) => {
    ({ app, firm } = met);
  });

  it('keeps preferences with the person: the same on every device, nobody else\u2019s, and gone with the account', async () => {
    const { id, username, caller } = await newPerson();
    const stranger = await newPerson();
    const preferencesOf = async (by: Caller) => (await by.get<SessionUser>('/api/auth/me')).body.preferences;
    const none = { chosenClientId: null, density: 'comfortable', hiddenColumns: [] };
    expect(await preferencesOf(caller)).toEqual(none);

    const hidden = { table: 'Uploaded Files', columns: ['period', 'client'] };
    const kept = await caller.put('/api/auth/preferences', { hiddenColumns: [hidden], density: 'compact' });
    expect([kept.status, kept.body]).toEqual([200, { ...none, density: 'compact', hiddenColumns: [hidden] }]);
    // What a change does not name stays, tables too.
    const other = { table: 'Clients', columns: ['phone'] };
    await caller.put('/api/auth/preferences', { chosenClientId: firm.clients[0], hiddenColumns: [other] });
    const all = { chosenClientId: firm.clients[0], density: 'compact', hiddenColumns: [hidden, other] };
    expect(await preferencesOf(await app.login(username, PASSWORD))).toEqual(all);
    expect(
      (await app.anonymous.post<LoginResponse>('/api/auth/login', { username, password: PASSWORD })).body.user,
    ).toMatchObject({ preferences: all });
    expect(await preferencesOf(stranger.caller)).toEqual(none);
    expect((await app.anonymous.put('/api/auth/preferences', { density: 'compact' })).status).toBe(401);

    await caller.put('/api/auth/preferences', { chosenClientId: null, hiddenColumns: [{ ...hidden, columns: [] }] });
    expect(await preferencesOf(caller)).toEqual({ ...none, density: 'compact', hiddenColumns: [other] });

    expect((await app.admin.delete(`/api/users/${id}`)).status).toBe(204);
    const rows = await app.database.reader.selectFrom('preferences').select('user_id').execute();
    expect(rows.filter(({ user_id }) => user_id === id)).toEqual([]);
  });

  it('keeps every one of several changes at once, and refuses what is too much or nothing', async () => {
    const { caller } = await newPerson();
    const tables = Array.from({ length: 8 }, (_, n) => ({ table: `Table ${n}`, columns: ['one'] }));
    const answers = await Promise.all(
      tables.map((hidden) => caller.put('/api/auth/preferences', { hiddenColumns: [hidden] })),
    );
    expect(answers.map(({ status }) => status)).toEqual(tables.map(() => 200));
    const kept = async () => (await caller.get<SessionUser>('/api/auth/me')).body.preferences.hiddenColumns;
    expect((await kept()).map(({ table }) => table).sort()).toEqual(tables.map(({ table }) => table));

    const many = Array.from({ length: 40 }, (_, n) => ({ table: `Other ${n}`, columns: ['one'] }));
    await caller.put('/api/auth/preferences', { hiddenColumns: many });
    // Those chosen last.
    expect(await kept()).toEqual(many);
    for (const body of [
      {},
      { density: 'tiny' },
      { chosenClientId: 0 },
      { colour: 'red' },
      { hiddenColumns: [...many, { table: 'One more', columns: [] }] },
      { hiddenColumns: [{ table: '', columns: [] }] },
      { hiddenColumns: [{ table: 'T', columns: Array.from({ length: 31 }, (_, n) => `c${n}`) }] },
    ]) {
      expect((await caller.put<ErrorBody>('/api/auth/preferences', body)).body.code, JSON.stringify(body)).toBe(
        'invalid',
      );
    }
    expect(await kept()).toEqual(many);
  });

  it('answers a login with a token and the user, without a password', async () => {
    const { body, status } = await app.anonymous.post<LoginResponse>('/api/auth/login', {
      username: 'cpa',
      password: PASSWORD,
    });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['token', 'user']);
    expect(body.token).toMatch(/^[A-Za-z0-9_-]{43,}$/);
    expect(body.user).toEqual({
      id: firm.users.cpa,
      username: 'cpa',
      fullName: 'Full cpa',
      roleId: firm.roles.cpa,
      roleName: 'CPA',
      role: { id: firm.roles.cpa, name: 'CPA' },
      roleKey: 'cpa',
      look: null,
      reach: 'lists',
      clientIds: [firm.clients[0], firm.clients[2]],
      allClients: false,
      reportTypeIds: [firm.reportTypes[0], firm.reportTypes[1]],
      commonRouting: true,
      mustChangePassword: false,
      capabilities: expect.any(Array),
      preferences: { chosenClientId: null, density: 'comfortable', hiddenColumns: [] },
      session: { idleMaxMs: 7 * DAY_MS, endsAt: expect.any(String) },
    });
    expect([...body.user.capabilities].sort()).toEqual([
      'activity.read-clients',
      'batches.manage',
      'batches.release',
      'documents.upload',
      'files.delete',
      'reports.upload',
      'requests.manage',
    ]);
    const me = await new Caller(app.origin, body.token).get<SessionUser>('/api/auth/me');
    expect(me.body).toEqual(body.user);
  });

  it.each([
    ['admin', false],
    ['cpa', true],
    ['clientA', true],
    ['bookkeeper', false],
  ])('says whether %s shares the dashboard home', async (username, commonRouting) => {
    const password = username === 'admin' ? ADMIN_PASSWORD : PASSWORD;
    const me = await (await app.login(username, password)).get<SessionUser>('/api/auth/me');
    expect(me.body.commonRouting).toBe(commonRouting);
  });

  it('takes the user name in any case and the password exactly', async () => {
    const { username } = await newPerson();
    expect((await signIn(username.toUpperCase(), PASSWORD)).status).toBe(200);
    expect((await signIn(` ${username} `, PASSWORD)).status).toBe(200);
    for (const wrong of [PASSWORD.toUpperCase(), `${PASSWORD} `, PASSWORD.slice(0, -1)]) {
      expect((await signIn(username, wrong)).status).toBe(401);
    }
  });

  it('A1: answers an unknown user and a wrong password alike', async () => {
    const { username } = await newPerson();
    const unknown = await signIn('nobody.here', 'wrong password');
    const wrong = await signIn(username, 'wrong password');
    const [first, second] = (await Promise.all([unknown.json(), wrong.json()])) as [ErrorBody, ErrorBody];
    expect([unknown.status, wrong.status]).toEqual([401, 401]);
    expect(first).toEqual({
      message: 'Invalid username or password',
      code: 'bad_credentials',
      requestId: expect.any(String),
    });
    expect({ ...first, requestId: '' }).toEqual({ ...second, requestId: '' });
    expect([...unknown.headers.keys()]).toEqual([...wrong.headers.keys()]);
    expect(cookieOf(wrong)).toBe('');
  });

  it('has no account with a password everybody knows', async () => {
    for (const password of ['admin', 'password', '']) expect((await signIn('admin', password)).status).not.toBe(200);
  });

  it('sets a cookie that scripts cannot read and other sites cannot send, for as long as the session may last', async () => {
    const { username } = await newPerson();
    const response = await signIn(username, PASSWORD);
    const [pair = '', ...flags] = cookieOf(response).split('; ');
    expect(pair).toMatch(/^coffer_files=[A-Za-z0-9_-]{43,}$/);
    expect(flags.sort()).toEqual(['HttpOnly', `Max-Age=${30 * 24 * 3600}`, 'Path=/api/files', 'SameSite=Strict']);
    const { token } = (await response.json()) as LoginResponse;
    expect(pair).not.toContain(token);
    expect(await openFileBy(pair)).toBe(200);
  });

  it('A15: neither secret works as the other, also right after it was used where it works', async () => {
    const { username } = await newPerson();
    const response = await signIn(username, PASSWORD);
    const { token } = (await response.json()) as LoginResponse;
    const cookie = cookiePair(response).replace('coffer_files=', '');
    const byCookie = (secret: string) =>
      app.anonymous.fetch(`/api/files/${firm.files.f1.id}/download`, {
        method: 'HEAD',
        headers: { cookie: `coffer_files=${secret}` },
      });
    const byToken = (secret: string) => statusOf(new Caller(app.origin, secret));
    for (let round = 0; round < 3; round += 1) {
      expect([(await byCookie(cookie)).status, await byToken(cookie)]).toEqual([200, 401]);
      expect([await byToken(token), (await byCookie(token)).status]).toEqual([200, 401]);
    }
  });

  it('A9: logout ends the session, by token and by cookie', async () => {
    const { username, caller: elsewhere } = await newPerson();
    const response = await signIn(username, PASSWORD);
    const caller = new Caller(app.origin, ((await response.json()) as LoginResponse).token);
    const cookie = cookiePair(response);
    expect([await statusOf(caller), await openFileBy(cookie)]).toEqual([200, 200]);

    const logout = await caller.fetch('/api/auth/logout', { method: 'POST' });
    expect(logout.status).toBe(204);
    expect(await logout.text()).toBe('');
    expect(cookieOf(logout)).toMatch(/^coffer_files=;.*(Max-Age=0|Expires=Thu, 01 Jan 1970)/);
    expect([await statusOf(caller), await openFileBy(cookie)]).toEqual([401, 401]);
    expect((await caller.post('/api/auth/logout')).status).toBe(401);
    // Only this device.
    expect(await statusOf(elsewhere)).toBe(200);
  });

  it('A7: gives a token and a cookie of its own to every login, whatever was presented', async () => {
    const { username } = await newPerson();
    const before = await signIn(username, PASSWORD);
    const [first, firstCookie] = [((await before.json()) as LoginResponse).token, cookiePair(before)];
    const presented = { authorization: `Bearer ${first}`, cookie: firstCookie };
    const after = await signIn(username, PASSWORD, presented);
    const [second, secondCookie] = [((await after.json()) as LoginResponse).token, cookiePair(after)];
    expect([second === first, secondCookie === firstCookie]).toEqual([false, false]);

    // A token or cookie made up by somebody else is not accepted either.
    const chosen = 'x'.repeat(43);
    const fixed = await signIn(username, PASSWORD, {
      authorization: `Bearer ${chosen}`,
      cookie: `coffer_files=${chosen}`,
    });
    expect(((await fixed.json()) as LoginResponse).token).not.toBe(chosen);
    expect(cookiePair(fixed)).not.toContain(chosen);
    expect(await statusOf(new Caller(app.origin, chosen))).toBe(401);
    expect(await openFileBy(`coffer_files=${chosen}`)).toBe(401);

    // Each keeps its own session, and only that.
    const [older, newer] = [new Caller(app.origin, first), new Caller(app.origin, second)];
    expect([await statusOf(older), await statusOf(newer)]).toEqual([200, 200]);
    expect((await older.post('/api/auth/logout')).status).toBe(204);
    expect([await statusOf(older), await openFileBy(firstCookie)]).toEqual([401, 401]);
    expect([await statusOf(newer), await openFileBy(secondCookie)]).toEqual([200, 200]);
  });

  it('accepts only whole tokens, only as bearer', async () => {
    const { caller } = await newPerson();
    const token = caller.token ?? '';
    const changed = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`;
    const wrong = ['', 'Bearer', 'Bearer ', `Basic ${token}`, token, `Bearer ${token} x`, `Bearer ${changed}`];
    for (const authorization of [...wrong, `Bearer ${token}${token}`, `Bearer ${'x'.repeat(5_000)}`]) {
      const { status } = await app.anonymous.fetch('/api/auth/me', { headers: { authorization } });
      expect([authorization.slice(0, 60), status]).toEqual([authorization.slice(0, 60), 401]);
    }
    expect((await app.anonymous.fetch(`/api/auth/me?token=${token}`)).status).toBe(401);
  });

  it('reads rights at each request', async () => {
    const { id, username, caller } = await newPerson();
    const user = { username, fullName: 'Same Person', roleId: firm.roles.cpa };
    expect((await caller.get<FileRow[]>('/api/files')).body.length).toBeGreaterThan(0);
    await app.admin.put(`/api/users/${id}`, { ...user, clientIds: [] });
    expect((await caller.get<FileRow[]>('/api/files')).body).toEqual([]);
    await app.admin.put(`/api/users/${id}`, { ...user, roleId: firm.roles.admin });
    const { body } = await caller.get<SessionUser>('/api/auth/me');
    expect(body).toMatchObject({ roleName: 'Admin', reach: 'all', commonRouting: false });
  });

  it('stores no secret that opens anything', async () => {
    const { username, caller } = await newPerson();
    const login = await signIn(username, PASSWORD);
    const { token } = (await login.json()) as LoginResponse;
    const ticket = await caller.post<ViewTicket>(`/api/files/${firm.files.f1.id}/view-ticket`);
    const cookie = cookiePair(login).split('=')[1] ?? '';
    const text = JSON.stringify(await dump(app.database));
    for (const secret of [token, caller.token ?? '', cookie, ticket.body.ticket, PASSWORD, ADMIN_PASSWORD]) {
      expect(secret.length).toBeGreaterThan(10);
      expect(text).not.toContain(secret);
    }
    const users = await app.database.reader.selectFrom('users').select('password_hash').execute();
    for (const { password_hash: hash } of users) {
      const [, memoryKib, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$[^$]{22,}\$[^$]{43,}$/.exec(hash) ?? [];
      expect(Number(memoryKib)).toBeGreaterThanOrEqual(19_456);
      expect(Number(passes)).toBeGreaterThanOrEqual(2);
    }
    // A salt for every account, though the password is the same.
    expect(new Set(users.map((user) => user.password_hash)).size).toBe(users.length);
  });

  it('says no password and no hash in any answer or log line', async () => {
    const { id, username, caller } = await newPerson();
    const ticket = await caller.post<ViewTicket>(`/api/files/${firm.files.f1.id}/view-ticket`);
    await app.anonymous.fetch(ticket.body.url);
    await app.anonymous.fetch(`/api/files/${firm.files.f1.id}?view=true&token=${caller.token}&t=1`);
    await signIn(username, 'mistyped secret');
    const put = await app.admin.put<UserRow>(`/api/users/${id}`, {
      username,
      fullName: 'Same Person',
      roleId: firm.roles.cpa,
      password: NEW_PASSWORD,
    });
    expect(put.status).toBe(200);
    const paths = ['users', 'roles', 'clients', 'activity-logs', 'overview', 'permissions', 'auth/me', 'auth/sessions'];
    const answers = await Promise.all(paths.map((path) => app.admin.get(`/api/${path}`)));
    const { token: _token, ...login } = (await (await signIn(username, NEW_PASSWORD)).json()) as LoginResponse;
    for (const body of [...answers.map((answer) => answer.body), put.body, login]) {
      const text = JSON.stringify(body);
      expect(text.replaceAll('"mustChangePassword":false', '')).not.toMatch(
        /"[^"]*(password|hash|secret|token)[^"]*":|argon2/i,
      );
      for (const password of [PASSWORD, NEW_PASSWORD, ADMIN_PASSWORD]) expect(text).not.toContain(password);
    }
    const log = JSON.stringify(app.log);
    expect(log).toContain('/api/auth/login');
    const secrets = [PASSWORD, NEW_PASSWORD, ADMIN_PASSWORD, 'mistyped secret', ticket.body.ticket, caller.token ?? ''];
    for (const secret of secrets) expect(log).not.toContain(secret);
    expect(log).not.toMatch(/argon2|Bearer|coffer_files/);
  });
});

it('marks the cookie Secure where the public origin is https', async () => {
  const app = await startTestApp('sqlite', { PUBLIC_ORIGIN: 'https://files.example.com' });
  try {
    const response = await app.anonymous.fetch('/api/auth/login', {
      method: 'POST',
      body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
      headers: { 'content-type': 'application/json' },
    });
    expect(response.headers.getSetCookie()[0]?.split('; ')).toContain('Secure');
  } finally {
    await app.close();
  }
});
