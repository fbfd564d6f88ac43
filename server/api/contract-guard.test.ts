// Whom the mounted routes let in: without a session nobody but at the sign-in, and a token in the address or a cookie for files alone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EndpointName } from '#contract/api.ts';
import { errorCatalogue } from '#contract/errors.ts';
import type { ViewTicket } from '#contract/file-opening.ts';
import { DAY_MS } from '../platform/clock.ts';
import { breadth } from '../testing/breadth.ts';
import { startContractFirm } from '../testing/contract/contract-firm.ts';
import { endpointNames, endpointOf, OPENS_FILES } from '../testing/contract/endpoints.ts';
import { addUser, type Firm, PASSWORD } from '../testing/firm.ts';
import { ADMIN_PASSWORD, Caller, type TestApp } from '../testing/test-app.ts';
import { ANY_DATABASE_KIND, DATABASE_KINDS } from '../testing/test-database.ts';

/** The only addresses that answer without a sign-in. */
const PUBLIC: readonly EndpointName[] = [
  'session.login',
  'session.second-factor',
  'session.second-factor-passkey',
  'session.invitation',
  'session.join',
  'session.forgotten',
  'digests.end-page',
  'digests.end',
];
const everyGuarded = endpointNames.filter((name) => !PUBLIC.includes(name));
/** Each engine finds sessions by statements of its own, and every address asks the same ones: on PostgreSQL a part of them is tried. */
const isAsked = breadth(
  (kind: (typeof DATABASE_KINDS)[number], name: EndpointName, nth: number) =>
    kind === 'sqlite' || nth % 6 === 0 || OPENS_FILES.includes(name),
  () => true,
);

/** Every method that reaches an endpoint: HEAD is answered wherever GET is. */
const methodsOf = (name: EndpointName) =>
  endpointOf(name).method === 'GET' ? ['GET', 'HEAD'] : [endpointOf(name).method];

describe.each(DATABASE_KINDS)('the mounted contract on %s', (kind) => {
  /** What no statement decides. */
  const anyEngine = ANY_DATABASE_KIND.filter((one) => one === kind);
  const guarded = everyGuarded.filter((name, nth) => isAsked(kind, name, nth));
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startContractFirm(kind));
  });
  afterAll(() => app.close());

  /** A well-formed request to `name`, on the first file, user, client … where the path names one. */
  function request(name: EndpointName, method: string, by: Caller, query = '', headers: Record<string, string> = {}) {
    const endpoint = endpointOf(name);
    const path = endpoint.path.replace('{id}', '1') + query;
    if (endpoint.upload) {
      const body = new FormData();
      body.append('clientId', String(firm.clients[0]));
      body.append('fileType', 'report');
      body.append('file', new Blob(['hello']), 'hello.txt');
      return by.fetch(path, { method, body, headers });
    }
    if (!endpoint.body) return by.fetch(path, { method, headers });
    return by.fetch(path, { method, body: '{}', headers: { 'content-type': 'application/json', ...headers } });
  }

  async function statusesFor(
    of: readonly EndpointName[],
    by: Caller,
    query = '',
    headers: Record<string, string> = {},
  ): Promise<Record<string, number>> {
    const statuses: Record<string, number> = {};
    for (const name of of) {
      for (const method of methodsOf(name)) {
        const response = await request(name, method, by, query, headers);
        const text = await response.text();
        statuses[`${method} ${name}`] = response.status;
        expect(response.headers.get('cache-control'), `${method} ${name}`).toContain('no-store');
        if (response.status === 401 && method !== 'HEAD') {
          expect(JSON.parse(text)).toEqual({
            message: errorCatalogue.unauthenticated.sentence,
            code: 'unauthenticated',
            requestId: expect.stringMatching(/./),
          });
        }
      }
    }
    return statuses;
  }

  const all401 = (of: readonly EndpointName[]) =>
    Object.fromEntries(of.flatMap((name) => methodsOf(name).map((method) => [`${method} ${name}`, 401])));

  /** The file cookie of a new sign-in of the Admin, as a browser would send it. */
  async function fileCookie(): Promise<string> {
    const credentials = JSON.stringify({ username: app.config.adminUsername, password: ADMIN_PASSWORD });
    const headers = { 'content-type': 'application/json' };
    const login = await app.anonymous.fetch('/api/auth/login', { method: 'POST', body: credentials, headers });
    const [written = ''] = login.headers.getSetCookie();
    expect(written).toMatch(/; HttpOnly/);
    expect(written).toMatch(/; SameSite=Strict/);
    return written.split(';', 1)[0] ?? '';
  }

  describe('the route guard', () => {
    it('B1: is open without a token for the sign-in alone', async () => {
      expect(await statusesFor(guarded, app.anonymous)).toEqual(all401(guarded));
      const { status, body } = await app.anonymous.post('/api/auth/login', { username: 'cpa', password: PASSWORD });
      expect({ status, body }).toEqual({ status: 200, body: expect.objectContaining({ token: expect.any(String) }) });
    });

    it.each([
      ['garbage', 'garbage'],
      ['43 characters of garbage', 'x'.repeat(43)],
      ['a longer text than any token', 'x'.repeat(5_000)],
    ])('B1: is shut for %s', async (_what, token) => {
      expect(await statusesFor(guarded, new Caller(app.origin, token))).toEqual(all401(guarded));
    });

    it('is closed for other ways to write a header', async () => {
      const token = app.admin.token ?? '';
      for (const authorization of [token, `Basic ${token}`, `Bearer  ${token}`, `Bearer ${token} x`, 'Bearer', '']) {
        const answer = await app.anonymous.fetch('/api/clients', { headers: { authorization } });
        expect({ authorization, status: answer.status }).toEqual({ authorization, status: 401 });
      }
    });

    it('is shut for a session that was ended', async () => {
      const ended = await app.login('cpa', PASSWORD);
      expect((await ended.get('/api/auth/me')).status).toBe(200);
      expect((await ended.post('/api/auth/logout')).status).toBe(204);
      expect(await statusesFor(guarded, ended)).toEqual(all401(guarded));
    });

    it('B1: is shut for a session that ran out', async () => {
      const idle = await app.login('cpa', PASSWORD);
      app.advance(8 * DAY_MS);
      try {
        expect(await statusesFor(guarded, idle)).toEqual(all401(guarded));
      } finally {
        app.advance(-8 * DAY_MS);
      }
      expect((await idle.get('/api/auth/me')).status).toBe(200);
    });

    it('is shut for a deleted account', async () => {
      const { id, caller } = await addUser(app, 'leaver', firm.roles.cpa);
      expect((await app.admin.delete(`/api/users/${id}`)).status).toBe(204);
      expect(await statusesFor(guarded, caller)).toEqual(all401(guarded));
    });
  });

  describe.each(anyEngine)('a token in the address on %s', () => {
    const FILE_OPEN = { 'GET files.open': 200, 'HEAD files.open': 200 };

    it('A14: opens a file in place and nothing else', async () => {
      const statuses = await statusesFor(guarded, app.anonymous, `?view=true&token=${app.admin.token}`);
      expect(statuses).toEqual({ ...all401(guarded), ...FILE_OPEN });
    });

    it.each(['', 'view=false&', 'view=1&', 'view=TRUE&', 'view=true&view=true&'])(
      'A14: opens nothing with "%s"',
      async (view) => {
        const statuses = await statusesFor(guarded, app.anonymous, `?${view}token=${app.admin.token}`);
        expect(statuses).toEqual(all401(guarded));
      },
    );

    it('may be a ticket for that one file', async () => {
      const { body } = await app.admin.post<ViewTicket>('/api/files/1/view-ticket');
      const other = body.url.replace('/api/files/1?', '/api/files/2?');
      expect((await app.anonymous.fetch(other)).status).toBe(401);
      expect(await statusesFor(guarded, new Caller(app.origin, body.ticket))).toEqual(all401(guarded));
      // Once: HEAD comes after GET here, and finds the ticket used.
      const statuses = await statusesFor(guarded, app.anonymous, `?view=true&token=${body.ticket}`);
      expect(statuses).toEqual({ ...all401(guarded), 'GET files.open': 200 });
    });

    it('A14: is in no line of the log, and neither is the cookie', async () => {
      const { body } = await app.admin.post<ViewTicket>('/api/files/1/view-ticket');
      await app.anonymous.fetch(body.url).then((response) => response.text());
      await app.anonymous.fetch(`/api/files/1?view=true&token=${app.admin.token}`).then((response) => response.text());
      const cookie = await fileCookie();
      await app.anonymous.fetch('/api/files/1/view', { headers: { cookie } }).then((response) => response.text());
      // Refusals and faults have more detail.
      await app.anonymous.fetch(`/api/clients?token=${app.admin.token}`, { headers: { cookie } });
      await app.admin.fetch(`/api/clients/999999?token=${app.admin.token}`, { headers: { cookie } });
      const lines = JSON.stringify(app.log);
      expect(lines).toContain('/api/files/1');
      expect(lines).toContain('/api/clients/999999');
      for (const secret of [body.ticket, app.admin.token, cookie.slice(cookie.indexOf('=') + 1)]) {
        expect(lines).not.toContain(secret);
      }
    });
  });

  it('A15: the cookie of the sign-in opens files by GET and HEAD and does nothing else', async () => {
    const cookie = await fileCookie();
    const opened = OPENS_FILES.flatMap((name) => methodsOf(name).map((method) => [`${method} ${name}`, 200]));
    const statuses = await statusesFor(guarded, app.anonymous, '', { cookie });
    expect(statuses).toEqual({ ...all401(guarded), ...Object.fromEntries(opened) });
    const value = cookie.slice(cookie.indexOf('=') + 1);
    expect(await statusesFor(guarded, new Caller(app.origin, value))).toEqual(all401(guarded));
  });

  it('A15: the token as bearer is let in at every address', async () => {
    const { caller } = await addUser(app, 'everywhere', firm.roles.bookkeeper);
    const last: EndpointName = 'session.logout';
    for (const name of [...guarded.filter((each) => each !== last), last]) {
      for (const method of methodsOf(name)) {
        const { status } = await request(name, method, caller);
        expect(`${method} ${name} ${status}`).not.toMatch(/401$/);
      }
    }
    expect((await caller.get('/api/auth/me')).status).toBe(401);
  });
});
