// What leaves compressed, for whom, and what never does: over HTTP, on both engines.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ViewTicket } from '#contract/file-opening.ts';
import type { LoginResponse } from '#contract/session.ts';
import { clientInput, type Firm, PASSWORD } from '../../testing/firm.ts';
import { askPlainly, type PlainAnswer } from '../../testing/plain-answer.ts';
import { Caller, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import { codingFor } from './compress.ts';

const BROWSER = 'gzip, deflate, br, zstd';
/** So many that their list is longer than what is compressed at once, and their ids longer than what is not compressed at all. */
const CLIENTS = 200;

describe('what a header asks for', () => {
  it.each([
    [BROWSER, 'br'],
    ['gzip, deflate', 'gzip'],
    ['br', 'br'],
    ['BR', 'br'],
    ['*', 'br'],
    ['gzip;q=0.5, br;q=0.2', 'gzip'],
    ['gzip ; q=1.0 , br ; q=1.000', 'br'],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=0.8, identity;q=0.5', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['br;q=2, gzip', 'gzip'],
    ['br;q=, gzip', 'gzip'],
    ['br;level=9, gzip', 'gzip'],
    [',,gzip,', 'gzip'],
  ])('%j is answered in %s', (header, coding) => {
    expect(codingFor(header)).toBe(coding);
  });

  it.each([
    undefined,
    '',
    'identity',
    'zstd, deflate',
    'gzip;q=0, br;q=0.000',
    'gzip;q=0, *;q=0',
    'identity;q=0, *;q=0',
    'identity, gzip;q=0.5',
    'brotli',
    'gzip\u00a0x',
    ';q=1',
    'br,'.repeat(100),
  ])('%j is answered plainly', (header) => {
    expect(codingFor(header)).toBeNull();
  });
});

describe.each(DATABASE_KINDS)('answers on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
    for (let nth = 0; nth < CLIENTS; nth += 1) {
      await app.admin.post('/api/clients', clientInput(`Company ${nth}`, { stateId: `ME-${nth}` }));
    }
  });
  afterAll(() => app.close());

  const ask = (by: Caller, path: string, accepted?: string, method = 'GET', json?: unknown): Promise<PlainAnswer> =>
    askPlainly(
      app.origin + path,
      {
        authorization: `Bearer ${by.token}`,
        ...(accepted === undefined ? {} : { 'accept-encoding': accepted }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      { method, ...(json === undefined ? {} : { body: JSON.stringify(json) }) },
    );

  describe.each([
    ['a page of a list', '/api/clients?limit=20'],
    ['a long list', '/api/clients'],
    ['the list of files', '/api/files'],
    ['what stands above all lists', '/api/overview'],
    ['the description', '/api/openapi.json'],
    ['the description as a page', '/api/docs'],
  ])('%s', (_what, path) => {
    it.each(['br', 'gzip'])('arrives in %s, smaller and the same', async (coding) => {
      const plain = await ask(app.admin, path);
      const sent = await ask(app.admin, path, coding);
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(sent.headers['content-encoding']).toBe(coding);
      expect(sent.text).toBe(plain.text);
      expect(sent.bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(sent.headers['content-length']).toBe(String(sent.bytes.length));
      for (const header of ['content-type', 'x-total-count', 'cache-control', 'content-security-policy']) {
        expect([header, sent.headers[header]]).toEqual([header, plain.headers[header]]);
      }
      // A cache that holds the one must not answer it to whoever asked for the other.
      expect([plain.headers.vary, sent.headers.vary]).toEqual(['accept-encoding', 'accept-encoding']);
    });

    it('has the same headers without its bytes', async () => {
      const sent = await ask(app.admin, path, BROWSER);
      const head = await ask(app.admin, path, BROWSER, 'HEAD');
      expect(head.bytes.length).toBe(0);
      for (const header of ['content-encoding', 'content-length', 'vary', 'x-total-count']) {
        expect([header, head.headers[header]]).toEqual([header, sent.headers[header]]);
      }
    });

    it.each(['identity', 'gzip;q=0, *;q=0', 'identity;q=0, *;q=0', 'x', 'br,'.repeat(100)])(
      'is plain for %s',
      async (accepted) => {
        const { status, headers, bytes } = await ask(app.admin, path, accepted);
        expect([status, headers['content-encoding']]).toEqual([200, undefined]);
        expect(headers['content-length']).toBe(String(bytes.length));
      },
    );
  });

  it('that are short leave as they are', async () => {
    const { headers, text } = await ask(app.admin, '/api/clients?limit=1', BROWSER);
    expect(JSON.parse(text)).toHaveLength(1);
    expect(headers['content-encoding']).toBeUndefined();
  });

  it('that refuse say the same, also where the endpoint compresses', async () => {
    const answer = await ask(firm.viewers.clientA, '/api/clients?limit=0', BROWSER);
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([400, 'invalid']);
  });

  it('go to others as they would plainly: a client reads its own company and no other', async () => {
    const { text } = await ask(firm.viewers.clientA, '/api/clients', BROWSER);
    expect(JSON.parse(text).map(({ id }: { id: number }) => id)).toEqual([firm.clients[0]]);
  });

  it.each(['/api/files/export', '/api/activity-logs/export'])('as a spreadsheet: %s', async (path) => {
    const plain = await ask(app.admin, path);
    for (const coding of ['br', 'gzip']) {
      const sent = await ask(app.admin, path, coding);
      expect(sent.headers['content-encoding']).toBe(coding);
      expect(sent.headers['content-disposition']).toBe(plain.headers['content-disposition']);
      expect(sent.headers['content-length']).toBeUndefined();
      expect(sent.text).toBe(plain.text);
    }
    const head = await ask(app.admin, path, BROWSER, 'HEAD');
    expect([head.status, head.headers['content-encoding'], head.bytes.length]).toEqual([200, 'br', 0]);
  });

  it('with bytes of files leave as they were stored, whole, in part and as a ZIP', async () => {
    const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] };
    const { body } = await app.admin.upload<{ id: number }>({ name: 'long.txt', bytes: 'text '.repeat(4_000), fields });
    const whole = await ask(app.admin, `/api/files/${body.id}/download`, BROWSER);
    expect([whole.headers['content-encoding'], whole.bytes.length]).toEqual([undefined, 20_000]);
    const part = await askPlainly(`${app.origin}/api/files/${body.id}/download`, {
      authorization: `Bearer ${app.admin.token}`,
      'accept-encoding': BROWSER,
      range: 'bytes=5-8',
    });
    expect([part.status, part.headers['content-encoding'], part.text]).toEqual([206, undefined, 'text']);
    const zip = await ask(app.admin, '/api/files/archive', BROWSER, 'POST', { ids: [body.id] });
    expect([zip.status, zip.headers['content-encoding']]).toEqual([200, undefined]);
    expect(zip.bytes.subarray(0, 2).toString()).toBe('PK');
  });

  it('E16: that open something never leave compressed, however long: a sign-in, a new password, a ticket', async () => {
    const username = 'manyclients';
    const clients = (await app.admin.get<{ id: number }[]>('/api/clients')).body.map(({ id }) => id);
    // All their clients are in the answer.
    await app.admin.post('/api/users', {
      username,
      password: PASSWORD,
      fullName: 'Many Clients '.repeat(7).trim(),
      roleId: firm.roles.cpa,
      clientIds: clients,
      reportTypeIds: firm.reportTypes,
    });
    const asBrowser = { 'accept-encoding': BROWSER, 'content-type': 'application/json' };
    const login = await askPlainly(`${app.origin}/api/auth/login`, asBrowser, {
      method: 'POST',
      body: JSON.stringify({ username, password: PASSWORD }),
    });
    const caller = new Caller(app.origin, (JSON.parse(login.text) as LoginResponse).token);
    const passwords = { currentPassword: PASSWORD, newPassword: PASSWORD };
    const changed = await ask(caller, '/api/auth/password', BROWSER, 'POST', passwords);
    const now = new Caller(app.origin, (JSON.parse(changed.text) as LoginResponse).token);
    const ticket = await ask(now, `/api/files/${firm.files.f1.id}/view-ticket`, BROWSER, 'POST');
    expect((JSON.parse(ticket.text) as ViewTicket).ticket).toMatch(/\S/);
    for (const { status, headers } of [login, changed, ticket]) {
      expect(status).toBeLessThan(300);
      expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined]);
    }
    // The same without a token is long enough to be compressed.
    const me = await ask(now, '/api/auth/me', BROWSER);
    expect([me.status, me.headers['content-encoding']]).toEqual([200, 'br']);
    expect(JSON.parse(me.text)).toEqual((JSON.parse(changed.text) as LoginResponse).user);
  });
});
