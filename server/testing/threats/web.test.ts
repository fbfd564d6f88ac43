// Attacks on web applications: injection, foreign sites, broken requests, talkative answers (rows E of docs/trust.md).
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { api, type EndpointName } from '#contract/api.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { isPublic } from '#contract/policy.ts';
import { matchesSearch } from '#contract/search.ts';
import { bodyLimitOf } from '../../api/body-limit.ts';
import { dump } from '../dump.ts';
import { clientInput, type Firm, PASSWORD } from '../firm.ts';
import { itOnAny } from '../narrowed.ts';
import { ADMIN_PASSWORD, Caller, type TestApp } from '../test-app.ts';
import { DATABASE_KINDS } from '../test-database.ts';
import { startTestFirm } from '../test-firm.ts';
import { FORM_TYPE, fieldParts, formBody } from './form.ts';
import { longInputs } from './long-inputs.ts';
import { serveWithWeb, type WebApp } from './web-root.ts';
import { requestHead, sendBytesTo } from './wire.ts';

const EVIL = 'evil.example';
const JSON_TYPE = { 'content-type': 'application/json' };

/** Row E3, and `worker-src` for the one that reads PDFs. */
const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'connect-src': "'self'",
  'font-src': "'self'",
  'worker-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};

const policyIn = (headers: Headers) =>
  Object.fromEntries(
    (headers.get('content-security-policy') ?? '').split(';').map((directive) => {
      const [name = '', ...values] = directive.trim().split(' ');
      return [name, values.join(' ')];
    }),
  );

const endpoints = (Object.keys(api) as EndpointName[]).map((name) => ({ name, ...api[name] }));
const addressOf = (path: string) => path.replace('{id}', '1');

describe.each(DATABASE_KINDS)('the web on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  let web: WebApp;
  let visitor: Caller;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
    web = await serveWithWeb(app);
    visitor = new Caller(web.origin, null);
  });
  afterAll(async () => {
    await web.close();
    await app.close();
  });

  it('E1: text that would be SQL is stored as it is, and changes nothing else', async () => {
    const before = await dump(app.database);
    const texts = [
      "' OR 1=1--",
      "'; DROP TABLE users; --",
      '"; DROP TABLE files; --',
      "Robert'); DELETE FROM clients;--",
      '%',
      '_',
      '%%%___',
      '\\',
      "\\' OR 1=1--",
      '$1',
      '?1 :id @x',
      "x' UNION SELECT password_hash FROM users--",
      '/* */ 0x27 --',
      'a\u0000b',
      '\u0000',
    ];
    const made: string[] = [];
    let stored = 0;
    for (const [nth, text] of texts.entries()) {
      // Every text field there is, each with the text at its front, so that the least lengths are met.
      const long = `${text} text`;
      const rows: [path: string, input: Record<string, unknown>, fields: string[]][] = [
        [
          '/api/clients',
          clientInput(long, { address: long, stateId: `${text} ${nth}` }),
          ['name', 'address', 'stateId'],
        ],
        ['/api/roles', { name: `${long} ${nth}` }, ['name']],
        ['/api/report-types', { name: `${long} ${nth}` }, ['name']],
        [
          '/api/users',
          { username: `${text}${nth}xyz`, fullName: long, password: long, roleId: firm.roles.client },
          ['username', 'fullName'],
        ],
      ];
      for (const [path, input, fields] of rows) {
        const { status, body } = await app.admin.post<Record<string, unknown> & { id: number }>(path, input);
        expect([text, path, [201, 400].includes(status)]).toEqual([text, path, true]);
        if (status !== 201) continue;
        stored += 1;
        made.push(`${path}/${body.id}`);
        for (const field of fields) expect([text, field, body[field]]).toEqual([text, field, input[field]]);
      }
      for (const list of ['clients', 'users', 'roles', 'report-types', 'files', 'activity-logs', 'overview']) {
        const { status, body } = await app.admin.get<object[]>(`/api/${list}?q=${encodeURIComponent(text)}`);
        expect([list, text, [200, 400].includes(status)]).toEqual([list, text, true]);
        // A search for the text finds what holds its words, or the text itself where it has none, and not everything.
        if (status === 200 && Array.isArray(body)) {
          for (const row of body) {
            const texts = Object.values(row).map((value) =>
              typeof value === 'string' ? value : JSON.stringify(value),
            );
            expect([list, text, matchesSearch(text, texts)]).toEqual([list, text, true]);
          }
        }
      }
      const id = encodeURIComponent(text === '' ? 'x' : `1${text}`);
      for (const path of [`/api/clients/${id}`, `/api/files/${id}/facts`, `/api/files/${id}/download`]) {
        expect([path, [400, 404].includes((await app.admin.get(path)).status)]).toEqual([path, true]);
      }
      const login = await app.anonymous.post('/api/auth/login', { username: `admin${text}`, password: text });
      expect([text, [400, 401, 429].includes(login.status)]).toEqual([text, true]);
    }
    expect(stored).toBeGreaterThan(4 * 10);
    for (const row of made) expect((await app.admin.delete(row)).status).toBe(204);
    const after = await dump(app.database);
    for (const table of ['users', 'roles', 'clients', 'report_types', 'files', 'user_clients', 'user_report_types']) {
      expect(before[table]?.length, table).toBeGreaterThan(0);
      expect([table, after[table]]).toEqual([table, before[table]]);
    }
  }, 300_000);

  itOnAny(kind)('E3: every page and every error carries the strict policy', async () => {
    for (const path of ['/', '/clients', '/login', '/none.png', '/api/none', '/api/clients', '/api/%', '/healthz']) {
      const { headers } = await visitor.get(path);
      expect([path, policyIn(headers)]).toEqual([path, POLICY]);
    }
    const { headers } = await new Caller(web.origin, app.admin.token).get('/api/docs');
    expect(policyIn(headers)['default-src']).toBe("'none'");
  });

  it('E4: the cookie changes nothing, from any site; text that poses as JSON is refused', async () => {
    const login = await app.anonymous.fetch('/api/auth/login', {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({ username: app.config.adminUsername, password: ADMIN_PASSWORD }),
    });
    const cookie = login.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ');
    expect(cookie).not.toBe('');
    const before = await dump(app.database);
    for (const { name, method, path, action } of endpoints) {
      if (method === 'GET' || isPublic(action)) continue;
      for (const [site, origin] of [
        ['same-origin', web.origin],
        ['cross-site', `https://${EVIL}`],
        ['none', 'null'],
      ] as const) {
        const { status } = await app.anonymous.fetch(addressOf(path), {
          method,
          headers: { ...JSON_TYPE, cookie, origin, 'sec-fetch-site': site },
          body: '{}',
        });
        expect([name, site, status]).toEqual([name, site, 401]);
      }
    }
    expect(await dump(app.database)).toEqual(before);
    // What a form of another site can send, with and without a credential of its own.
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const post = (path: string, headers: Record<string, string> = {}) =>
        app.anonymous.fetch(path, { method: 'POST', headers: { 'content-type': type, ...headers }, body: '{"a":1}' });
      expect([type, (await post('/api/auth/login')).status]).toEqual([type, 415]);
      expect([type, (await post('/api/clients', { cookie })).status]).toEqual([type, 401]);
      const authorization = `Bearer ${app.admin.token}`;
      expect([type, (await post('/api/clients', { authorization })).status]).toEqual([type, 415]);
    }
  });

  itOnAny(kind)('E5: no other origin learns anything, with or without a preflight', async () => {
    for (const origin of [`https://${EVIL}`, 'null', web.origin]) {
      for (const { path, method } of endpoints.slice()) {
        const asked = {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization',
        };
        const preflight = await visitor.fetch(addressOf(path), { method: 'OPTIONS', headers: asked });
        expect(preflight.status).toBe(404);
        const answer = method === 'GET' ? await visitor.fetch(addressOf(path), { headers: { origin } }) : preflight;
        for (const { headers } of [preflight, answer]) {
          expect([...headers.keys()].filter((key) => key.startsWith('access-control-'))).toEqual([]);
        }
      }
    }
    const known = await app.admin.fetch('/api/clients', { headers: { origin: `https://${EVIL}` } });
    expect([...known.headers.keys()].filter((key) => key.startsWith('access-control-'))).toEqual([]);
  });

  itOnAny(kind)('E6: a foreign Host is repeated nowhere', async () => {
    const signed = { authorization: `Bearer ${app.admin.token}` };
    const foreign = { host: EVIL, 'x-forwarded-host': EVIL, 'x-forwarded-proto': EVIL, forwarded: `host=${EVIL}` };
    const ticket = `/api/files/${firm.files.f1.id}/view-ticket`;
    const fixed = await serveWithWeb(app, { publicOrigin: 'https://files.example.com' });
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/login'],
      ['GET', '/assets'],
      ['GET', '/api/none'],
      ['GET', '/api/auth/me'],
      ['GET', '/api/openapi.json'],
      ['GET', '/api/docs'],
      ['GET', `/api/files/${firm.files.f1.id}/view`],
      ['POST', ticket],
      ['POST', '/api/auth/login'],
    ] as const) {
      const head = requestHead(method, path, { ...signed, ...foreign, connection: 'close' });
      for (const { origin } of [web, fixed]) {
        const { text, status } = await sendBytesTo(origin, head);
        expect([path, status < 500, text.includes(EVIL)]).toEqual([path, true, false]);
      }
    }
    await fixed.close();
  });

  itOnAny(kind)('E9: inherited keys are refused wherever they come from', async () => {
    const good = JSON.stringify(clientInput('Larch Street Dental')).slice(0, -1);
    for (const key of ['__proto__', 'constructor', 'prototype', 'toString']) {
      for (const value of ['{"polluted":1}', '{"prototype":{"polluted":1}}', '1']) {
        const body = `${good},${JSON.stringify(key)}:${value}}`;
        const answer = await app.admin.fetch('/api/clients', { method: 'POST', headers: JSON_TYPE, body });
        expect([key, answer.status]).toEqual([key, 400]);
      }
      for (const query of [`${key}=1`, `${key}[polluted]=1`, `${key}.polluted=1`, `constructor.prototype.polluted=1`]) {
        expect([query, (await app.admin.get(`/api/clients?${query}`)).status]).toEqual([query, 400]);
      }
      const fields = fieldParts({ clientId: firm.clients[0], fileType: 'report', [`${key}`]: 'x' });
      if (key === '__proto__') fields.push({ name: key, content: 'x' });
      const form = formBody([...fields, { name: 'file', fileName: 'x.txt', content: 'x' }]);
      const answer = await app.admin.fetch('/api/files', {
        method: 'POST',
        headers: { 'content-type': FORM_TYPE },
        body: new Uint8Array(form),
      });
      expect([key, answer.status]).toEqual([key, 400]);
    }
    const head = requestHead('GET', '/healthz', { ['__proto__']: 'x', constructor: 'x' }).replace(
      '\r\n\r\n',
      '\r\n__proto__: x\r\nhasOwnProperty: x\r\n\r\n',
    );
    expect((await sendBytesTo(app.origin, head)).status).toBe(200);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  itOnAny(kind)('E10: long and deep input is refused before anything looks for a pattern in it', async () => {
    for (const [what, { tried, plain }] of Object.entries(longInputs(app))) {
      expect([what, (await tried()).status, (await plain()).status]).toEqual([what, 400, 400]);
    }
    const post = (body: string) => app.admin.fetch('/api/clients', { method: 'POST', headers: JSON_TYPE, body });
    expect((await post('['.repeat(8_000) + ']'.repeat(8_000))).status).toBe(400);
    expect((await post(`{"name":${'['.repeat(8_000)}${']'.repeat(8_000)}}`)).status).toBe(400);
    expect((await post(`{"name":${'{"a":'.repeat(2_500)}1${'}'.repeat(2_500)}}`)).status).toBe(400);
    const padded = (size: number) => `{"name":"${'x'.repeat(size - 11)}"}`;
    const limit = bodyLimitOf(api['clients.create']);
    expect((await post(padded(limit))).status).toBe(400);
    expect((await post(padded(limit + 1))).status).toBe(413);
    const { status, body } = await sendBytesTo(app.origin, requestHead('GET', '/healthz', { x: 'x'.repeat(17_000) }));
    expect([status, (JSON.parse(body) as ErrorBody).code]).toEqual([431, 'headers_too_large']);
  });

  itOnAny(kind)('E11: a line of the log is one object, whatever a stranger writes into it', async () => {
    const hostile = [
      'x\r\n{"level":30,"msg":"forged"}',
      'x\u2028forged',
      'x\u001b[2J\u001b[31m',
      'x\u009b31m',
      'x\u202egnp',
    ];
    const from = web.lines.length;
    const admin = new Caller(web.origin, app.admin.token);
    for (const text of hostile) {
      await visitor.post('/api/auth/login', { username: text, password: text });
      await visitor.get(`/${encodeURIComponent(text)}`);
      await admin.get(`/api/clients?q=${encodeURIComponent(text)}`);
      await admin.send('DELETE', `/api/clients/${encodeURIComponent(text)}`);
      const raw = text.replace(/[\r\n ]/g, '');
      const head = requestHead('POST', `/api/${raw}`, { 'user-agent': raw, referer: raw, connection: 'close' });
      await sendBytesTo(web.origin, head).catch(() => undefined);
      await sendBytesTo(web.origin, Buffer.from(head, 'latin1')).catch(() => undefined);
      // As the message of a fault, where it is written in full.
      const fault = vi.spyOn(app.context.services.blobs, 'read').mockRejectedValueOnce(new Error(text));
      expect((await admin.get(`/api/files/${firm.files.f1.id}/download`)).status).toBe(500);
      fault.mockRestore();
    }
    const lines = web.lines.slice(from);
    expect(lines.length).toBeGreaterThan(hostile.length * 3);
    for (const line of lines) {
      expect(line.endsWith('\n')).toBe(true);
      expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\u2028\u2029\p{Bidi_Control}]/u);
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number), time: expect.any(Number) });
      expect(JSON.parse(line)).not.toMatchObject({ msg: 'forged' });
    }
    // The escaped text is still there.
    expect(lines.some((line) => JSON.parse(line).err?.message === 'x\u2028forged')).toBe(true);
  });

  it('E12: no cell of an export begins as a formula', async () => {
    const names = ['=1+1.txt', '+1.txt', '-1.txt', '@SUM(A1).txt', '=HYPERLINK("https evil","x").txt'];
    const { body: client } = await app.admin.post<{ id: number }>('/api/clients', clientInput('=2+3 Bakery'));
    const fields = { clientId: client.id, fileType: 'report' };
    for (const name of names) expect((await app.admin.upload({ name, fields })).status).toBe(201);
    const { body: tabbed } = await app.admin.upload<{ id: number }>({ name: 'tabbed.txt', fields });
    await app.database.transaction((tx) =>
      sql`update files set original_name = ${'\t=1+1.txt'} where id = ${tabbed.id}`.execute(tx),
    );
    const exports = ['/api/files/export', '/api/activity-logs/export'];
    for (const path of exports) {
      const text = await (await app.admin.fetch(path)).text();
      for (const name of names) expect(text).toContain(`'${name.replaceAll('"', '""')}`);
      // Where a cell begins: at the start of a line or after a comma, within quotes or not.
      expect(text.slice(1)).not.toMatch(/(?:^|,)"?[=+\-@\t\0](?!\d+(?:,|$))/m);
    }
    expect(await (await app.admin.fetch('/api/files/export')).text()).toContain("'\t'=1+1.txt");
    expect((await app.admin.delete(`/api/clients/${client.id}`)).status).toBe(204);
  });

  it('E13: a server fault says only that there was one', async () => {
    const secret = 'select * from users where password = $1 at /srv/coffer/server/db/scope.ts:12:3 v24.21.0';
    const faults: [string, () => { mockRestore(): void }, () => Promise<Response>][] = [
      [
        'a store',
        () => vi.spyOn(app.context.services.blobs, 'read').mockRejectedValue(new Error(secret)),
        () => app.admin.fetch(`/api/files/${firm.files.f1.id}/download`),
      ],
      [
        'the hasher',
        () => vi.spyOn(app.context.services.passwords, 'verify').mockRejectedValue(new TypeError(secret)),
        () =>
          app.anonymous.fetch('/api/auth/login', {
            method: 'POST',
            headers: JSON_TYPE,
            body: JSON.stringify({ username: 'cpa', password: PASSWORD }),
          }),
      ],
      [
        'the log of accesses',
        () =>
          vi
            .spyOn(app.context.services.accessLog, 'record')
            .mockRejectedValue(Object.assign(new Error(secret), { code: 'EIO', statusCode: 599 })),
        () => app.admin.fetch(`/api/files/${firm.files.f1.id}/view`),
      ],
    ];
    for (const [what, inject, call] of faults) {
      const fault = inject();
      try {
        const response = await call();
        const text = await response.text();
        expect([what, response.status, JSON.parse(text)]).toEqual([
          what,
          500,
          { message: 'Internal Server Error', code: 'internal', requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
        ]);
        expect(response.headers.get('content-disposition')).toBeNull();
        for (const word of ['select', 'scope.ts', 'v24', 'Error:', '/srv']) expect(text).not.toContain(word);
      } finally {
        fault.mockRestore();
      }
    }
    for (const path of ['/', '/api/clients', '/healthz']) {
      const { status, text } = await sendBytesTo(
        web.origin,
        requestHead('TRACE', path, { x: 'canary', connection: 'close' }),
      );
      expect([path, status, text.includes('canary')]).toEqual([path, 404, false]);
    }
  });

  itOnAny(kind)(
    'E15: every answer of every route carries the protecting headers, and none names the server',
    async () => {
      const admin = new Caller(web.origin, app.admin.token);
      const expectGuarded = (what: string, headers: Headers) => {
        const said = Object.fromEntries(headers);
        expect([what, said]).toEqual([
          what,
          expect.objectContaining({
            'x-content-type-options': 'nosniff',
            'content-security-policy': expect.stringContaining("default-src 'none'"),
            'cross-origin-opener-policy': 'same-origin',
            'cross-origin-resource-policy': 'same-origin',
            'referrer-policy': 'no-referrer',
            'permissions-policy': expect.stringContaining('camera=()'),
          }),
        ]);
        expect([what, 'server' in said, 'x-powered-by' in said]).toEqual([what, false, false]);
      };
      const seen = new Set<number>();
      const look = async (what: string, answer: Promise<Response>) => {
        const response = await answer;
        await response.arrayBuffer();
        seen.add(response.status);
        expectGuarded(`${what} ${response.status}`, response.headers);
        return response;
      };
      for (const { name, method, path } of endpoints) {
        await look(name, visitor.fetch(addressOf(path), { method }));
        // These sign the caller out.
        if (name.startsWith('session.') && method !== 'GET') continue;
        await look(name, firm.viewers.listless.fetch(addressOf(path), { method }));
        if (method === 'GET') {
          await look(name, admin.fetch(addressOf(path)));
          await look(name, admin.fetch(addressOf(path), { method: 'HEAD' }));
        }
        await look(name, admin.fetch(`${path.replace('{id}', '999999')}?__proto__=1`, { method }));
      }
      const page = await look('page', visitor.fetch('/'));
      expect(page.status).toBe(200);
      const asset = await look('asset', visitor.fetch('/assets/app-0000.js'));
      // By hand, because a conditional fetch disables the caches.
      const condition = { 'if-none-match': asset.headers.get('etag') ?? '', connection: 'close' };
      const unchanged = await sendBytesTo(web.origin, requestHead('GET', '/assets/app-0000.js', condition));
      expectGuarded('unchanged', unchanged.headers);
      seen.add(unchanged.status);
      expect(unchanged.status).toBe(304);
      for (const path of [
        '/healthz',
        '/readyz',
        '/none.js',
        '/api/none',
        '/%',
        '/api/clients/%',
        `/api/clients/${'1'.repeat(300)}`,
      ]) {
        await look(path, visitor.fetch(path));
      }
      await look('range', admin.fetch(`/api/files/${firm.files.f1.id}/download`, { headers: { range: 'bytes=999-' } }));
      await look('part', admin.fetch(`/api/files/${firm.files.f1.id}/download`, { headers: { range: 'bytes=0-1' } }));
      const fault = vi.spyOn(app.context.services.blobs, 'read').mockRejectedValueOnce(new Error('broken'));
      await look('fault', admin.fetch(`/api/files/${firm.files.f1.id}/download`));
      fault.mockRestore();
      for (const status of [200, 206, 304, 400, 401, 403, 404, 416, 500]) expect([...seen]).toContain(status);

      for (const [what, bytes] of [
        ['no HTTP', 'hello\r\n\r\n'],
        ['a broken header', 'GET / HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n'],
        ['two lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'],
        [
          'length and chunks',
          'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
        ],
        ['no host', 'GET / HTTP/1.1\r\n\r\n'],
        ['too long a header', requestHead('GET', '/', { x: 'x'.repeat(17_000) })],
      ] as const) {
        const { status, headers } = await sendBytesTo(web.origin, bytes);
        expect([what, status >= 400 && status < 500]).toEqual([what, true]);
        // Node refuses this one by itself, before any code of ours.
        if (what !== 'no host') expectGuarded(what, headers);
      }

      const plain = await visitor.get('/');
      expect(plain.headers.has('strict-transport-security')).toBe(false);
      const secure = await serveWithWeb(app, { publicOrigin: 'https://files.example.com' });
      try {
        for (const path of ['/', '/api/none', '/api/clients', '/healthz']) {
          const { headers } = await new Caller(secure.origin, null).get(path);
          expect([path, headers.get('strict-transport-security')]).toEqual([
            path,
            'max-age=31536000; includeSubDomains',
          ]);
        }
      } finally {
        await secure.close();
      }
    },
  );
});
