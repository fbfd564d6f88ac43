// Threats to downloads, views and the web's own files (rows D of docs/trust.md), through the real server.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ViewTicket } from '#contract/file-opening.ts';
import type { FileRow } from '#contract/files.ts';
import { MINUTE_MS } from '../../platform/clock.ts';
import { breadth } from '../breadth.ts';
import { type Firm, PASSWORD } from '../firm.ts';
import { sha256 } from '../stored.ts';
import { Caller, startTestApp, type TestApp } from '../test-app.ts';
import { ANY_DATABASE_KIND } from '../test-database.ts';
import { startTestFirm } from '../test-firm.ts';
import { PAGE_MARK, SECRET_MARK, serveWithWeb, type WebApp } from './web-root.ts';
import { requestHead, sendBytesTo } from './wire.ts';

const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');

describe.each(ANY_DATABASE_KIND)('serving on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, {}, { clock: 'standing' }));
  });
  afterAll(() => app.close());

  async function store(bytes: Uint8Array | string, name: string): Promise<FileRow> {
    const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] };
    const { status, body } = await app.admin.upload<FileRow>({ bytes, name, fields });
    expect(status).toBe(201);
    return body;
  }

  it('D1: a download has exactly the headers that keep it harmless, and its length', async () => {
    const bytes = randomBytes(70_000);
    const { id } = await store(bytes, 'Register.bin');
    const response = await app.admin.fetch(`/api/files/${id}/download`);
    const headers = Object.fromEntries(response.headers);
    expect(headers).toEqual({
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      connection: 'keep-alive',
      'content-disposition': 'attachment; filename=Register.bin',
      'content-length': '70000',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': 'application/octet-stream',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      date: expect.any(String),
      etag: `"${sha256(bytes)}"`,
      'keep-alive': expect.any(String),
      'origin-agent-cluster': '?1',
      'permissions-policy': expect.any(String),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-dns-prefetch-control': 'off',
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    const head = await app.admin.fetch(`/api/files/${id}/download`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '70000']);

    // Documents made for one answer have the same headers.
    const ids = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ids: [id] }),
    };
    for (const [path, init] of [
      ['/api/files/export', {}],
      ['/api/activity-logs/export', {}],
      ['/api/files/archive', ids],
    ] as const) {
      const made = await app.admin.fetch(path, init);
      await made.arrayBuffer();
      expect([path, made.status, Object.fromEntries(made.headers)]).toEqual([
        path,
        200,
        expect.objectContaining({
          'cache-control': 'private, no-store',
          'content-disposition': expect.stringMatching(/^attachment; filename=/),
          'content-security-policy': "default-src 'none'; sandbox",
          'cross-origin-resource-policy': 'same-origin',
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
        }),
      ]);
    }
  });

  it('D2: only six harmless types are shown, whatever the row says', async () => {
    const shown = async (id: number) => {
      const seen = new Set<string>();
      for (const how of ['/view', '?view=true']) {
        const { headers } = await app.admin.fetch(`/api/files/${id}${how}`);
        const kept = headers.get('content-disposition')?.split(';')[0];
        seen.add(`${kept} ${headers.get('content-type')} ${headers.get('content-security-policy')?.split(';')[0]}`);
      }
      expect(seen.size).toBe(1);
      return [...seen][0];
    };
    const saved = "attachment application/octet-stream default-src 'none'";
    const office = Buffer.concat([Buffer.from('504b0304140000000000', 'hex'), Buffer.alloc(40)]);
    for (const [name, bytes] of [
      ['feed.xml', '<?xml version="1.0"?><a/>'],
      ['Employees.csv', 'name,wages\nJane,1\n'],
      ['Letter.docx', office],
      ['Page.html', '<!doctype html><p>hello'],
      ['Logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ] as const) {
      expect([name, await shown((await store(bytes, name)).id)]).toEqual([name, saved]);
    }
    expect(await shown((await store(PDF, 'Real.pdf')).id)).toBe("inline application/pdf default-src 'none'");

    const { id } = await store('<!doctype html><p>hello', 'forced.pdf');
    const forced = [
      'text/html',
      'image/svg+xml',
      'text/css',
      'text/javascript',
      'application/xhtml+xml',
      'TEXT/HTML',
      '',
    ];
    for (const type of [...forced, 'application/pdf; x=1', 'text/html\r\nX-Y: 1']) {
      await app.database.transaction((tx) => sql`update files set content_type = ${type} where id = ${id}`.execute(tx));
      expect([type, await shown(id)]).toEqual([type, saved]);
    }
  });

  it('D4: a name cannot begin another header, and is otherwise unchanged', async () => {
    const dispositionOf = async (name: string) => {
      const { id } = await store(PDF, 'named.pdf');
      // Past the cleaning at upload, as an older version or another program may have stored it.
      await app.database.transaction((tx) =>
        sql`update files set original_name = ${name} where id = ${id}`.execute(tx),
      );
      const path = `/api/files/${id}/download`;
      const head = requestHead('GET', path, { authorization: `Bearer ${app.admin.token}`, connection: 'close' });
      const { headers, text } = await sendBytesTo(app.origin, head);
      expect(headers.has('x-y')).toBe(false);
      expect(text.split('\r\n\r\n')[0]).not.toMatch(/^x-y/im);
      return headers.get('content-disposition');
    };
    expect(await dispositionOf('a"b\r\nX-Y: 1.pdf')).toMatch(/^attachment; filename="a\\"b {1,2}X-Y: 1\.pdf"$/);
    expect(await dispositionOf('日本.pdf')).toContain("filename*=UTF-8''%E6%97%A5%E6%9C%AC.pdf");
    expect(await dispositionOf('a\nX-Y: 1\r.pdf')).toMatch(/^attachment; filename="a X-Y: 1 \.pdf"$/);
    expect(await dispositionOf('a\u2028X-Y: 1.pdf')).toMatch(/^attachment; filename=/);
    expect(await dispositionOf('lone \ud800 half.pdf')).toMatch(/^attachment; filename=/);
    expect(await dispositionOf('"; filename="evil.html')).toMatch(
      /^attachment; filename="\\"; filename=\\"evil\.html"$/,
    );
  });

  describe('a view ticket', () => {
    const ticketOf = async (id: number, by: Caller = app.admin) =>
      (await by.post<ViewTicket>(`/api/files/${id}/view-ticket`)).body;
    const open = async (url: string, headers: Record<string, string> = {}) => {
      const response = await app.anonymous.fetch(url, { headers });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    const status = async (url: string, headers: Record<string, string> = {}) => (await open(url, headers)).status;
    const RANGE = { range: 'bytes=0-3' };

    /** The token of a new session, and the cookie that opens files with it. */
    async function signIn(username: string, password: string): Promise<{ by: Caller; cookie: string }> {
      const response = await app.anonymous.fetch('/api/auth/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password }),
      });
      const { token } = (await response.json()) as { token: string };
      return { by: new Caller(app.origin, token), cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
    }

    it('D5: is 256 bits for one file and one opening', async () => {
      const { f1, f3 } = firm.files;
      const { ticket, url } = await ticketOf(f1.id);
      expect(Buffer.from(ticket, 'base64url')).toHaveLength(32);
      expect(await status(url.replace(`/files/${f1.id}?`, `/files/${f3.id}?`))).toBe(401);
      expect(await status(`/api/files?token=${ticket}`)).toBe(401);
      expect(await status(`/api/files/${f1.id}/download?view=true&token=${ticket}`)).toBe(401);
      const first = await open(url);
      expect([first.status, first.text]).toEqual([200, 'bytes of f1.txt']);
      expect(first.headers.get('referrer-policy')).toBe('no-referrer');
      expect(first.headers.get('cache-control')).toBe('private, no-store');
      expect(await status(url)).toBe(401);
    });

    const RANGES = [
      'bytes=0-3',
      'bytes=0-',
      'bytes=4-',
      'bytes=-3',
      'bytes=3-1',
      'bytes=0-0,2-3',
      'items=0-1',
      'x',
      '0',
    ];

    it('G12: opens nothing without the cookie once it is used, whatever range is asked for', async () => {
      const { f1 } = firm.files;
      for (const first of [{}, ...RANGES.map((range) => ({ range }))]) {
        const { url } = await ticketOf(f1.id);
        expect([200, 206]).toContain(await status(url, first));
        const later = await Promise.all([status(url), ...RANGES.map((range) => status(url, { range }))]);
        expect([first, new Set(later)]).toEqual([first, new Set([401])]);
      }
    });

    it('G12: is followed by ranges that the cookie of the session opens, and no longer than the session', async () => {
      const { by, cookie } = await signIn('cpa', PASSWORD);
      const { f1 } = firm.files;
      const { url } = await ticketOf(f1.id, by);
      expect(await status(url, { range: 'bytes=0-3' })).toBe(206);
      const second = await open(url, { range: 'bytes=4-', cookie });
      expect([second.status, second.text]).toEqual([206, 's of f1.txt']);
      app.advance(11 * MINUTE_MS);
      expect(await status(url, { range: 'bytes=0-3', cookie })).toBe(206);
      // A cookie of somebody else opens what that person reaches, and nothing of the ticket's owner.
      const { f3 } = firm.files;
      const other = await ticketOf(f3.id, by);
      expect(await status(other.url)).toBe(200);
      const stranger = await signIn('clientB', PASSWORD);
      expect(await status(other.url, { range: 'bytes=0-3', cookie: stranger.cookie })).toBe(404);
      expect((await by.post('/api/auth/logout')).status).toBe(204);
      expect(await status(url, { range: 'bytes=4-', cookie })).toBe(401);
    });

    it('G12: works once where several requests ask for parts at once', async () => {
      const { url } = await ticketOf(firm.files.f1.id);
      const statuses = await Promise.all([status(url), ...RANGES.map((range) => status(url, { range }))]);
      expect(statuses.filter((code) => code !== 401)).toHaveLength(1);
    });

    it('G12: is not used up by HEAD, which sends none of the file', async () => {
      const { url } = await ticketOf(firm.files.f1.id);
      const head = async () => (await app.anonymous.fetch(url, { method: 'HEAD' })).status;
      expect([await head(), await head()]).toEqual([200, 200]);
      expect((await open(url)).text).toBe('bytes of f1.txt');
      expect([await head(), await status(url)]).toEqual([401, 401]);
      const { url: late } = await ticketOf(firm.files.f1.id);
      app.advance(61_000);
      expect((await app.anonymous.fetch(late, { method: 'HEAD' })).status).toBe(401);
    });

    it('G12: a range that is none is another access in the log; a later part of the file continues the one before', async () => {
      const { id } = await store('a file for the log', 'ranged.txt');
      const read = async (headers: Record<string, string>) => {
        const answer = await app.admin.fetch(`/api/files/${id}/download`, { headers });
        return (await answer.text()).length;
      };
      const entries = async () =>
        (await app.admin.get<unknown[]>(`/api/activity-logs?fileId=${id}&action=download`)).body.length;
      expect([await read({}), await entries()]).toEqual([18, 1]);
      expect([await read({ range: 'bytes=5-' }), await entries()]).toEqual([13, 1]);
      expect([await read({ range: 'bytes=-4' }), await entries()]).toEqual([4, 1]);
      // Answered with the whole file, whatever its beginning looks like.
      expect([await read({ range: 'bytes=5-3' }), await entries()]).toEqual([18, 2]);
      expect([await read({ range: 'bytes=5-9,12-13' }), await entries()]).toEqual([18, 3]);
      expect([await read({ range: 'bytes=5-', 'if-range': '"another"' }), await entries()]).toEqual([18, 4]);
    });

    it('D5: is opened once, also by two requests at once', async () => {
      const { url } = await ticketOf(firm.files.f1.id);
      const statuses = await Promise.all(Array.from({ length: 8 }, () => status(url)));
      expect(statuses.sort()).toEqual([200, 401, 401, 401, 401, 401, 401, 401]);
    });

    it('D5: is over after a minute without use', async () => {
      const { url } = await ticketOf(firm.files.f1.id);
      app.advance(61_000);
      expect(await status(url)).toBe(401);
      expect(await status(url, RANGE)).toBe(401);
      const { url: timely } = await ticketOf(firm.files.f1.id);
      app.advance(59_000);
      expect(await status(timely)).toBe(200);
    });

    it('D5: opens no more than its owner may: nothing after a sign-out, a deletion or the loss of the client', async () => {
      const lists = { clientIds: [firm.clients[0]], reportTypeIds: [firm.reportTypes[0]] };
      const person = (username: string) => ({
        username,
        password: 'ticket holder',
        fullName: `Full ${username}`,
        roleId: firm.roles.cpa,
      });
      const { body: user } = await app.admin.post<{ id: number }>('/api/users', { ...person('holder'), ...lists });
      const { by, cookie } = await signIn('holder', 'ticket holder');
      const { f1 } = firm.files;

      const opened = await ticketOf(f1.id, by);
      expect(await status(opened.url)).toBe(200);
      const waiting = await ticketOf(f1.id, by);
      const change = (more: object) =>
        app.admin.put(`/api/users/${user.id}`, { ...person('holder'), password: '', ...more });
      expect((await change({ ...lists, clientIds: [] })).status).toBe(200);
      expect(await status(waiting.url)).toBe(404);
      expect(await status(opened.url, { ...RANGE, cookie })).toBe(404);
      expect((await change(lists)).status).toBe(200);
      expect(await status(opened.url, { ...RANGE, cookie })).toBe(206);

      const left = await ticketOf(f1.id, by);
      expect((await by.post('/api/auth/logout')).status).toBe(204);
      expect(await status(left.url)).toBe(401);
      expect(await status(opened.url, { ...RANGE, cookie })).toBe(401);
      const again = await app.login('holder', 'ticket holder');
      const last = await ticketOf(f1.id, again);
      expect((await app.admin.delete(`/api/users/${user.id}`)).status).toBe(204);
      expect(await status(last.url)).toBe(401);
    });
  });

  it('D6: a range is the slice it names, in hundreds of cases, and never more', async () => {
    const bytes = randomBytes(200_003);
    const size = bytes.length;
    const { id } = await store(bytes, 'ranged.bin');
    const ask = async (range: string) => {
      const response = await app.admin.fetch(`/api/files/${id}/download`, { headers: { range } });
      return {
        status: response.status,
        said: response.headers.get('content-range'),
        body: Buffer.from(await response.arrayBuffer()),
      };
    };
    const slice = (start: number, end: number) => ({
      status: 206,
      said: `bytes ${start}-${end}/${size}`,
      body: bytes.subarray(start, end + 1),
    });
    expect(await ask('bytes=0-0')).toEqual(slice(0, 0));
    expect(await ask('bytes=-1')).toEqual(slice(size - 1, size - 1));
    expect(await ask(`bytes=${size - 1}-`)).toEqual(slice(size - 1, size - 1));
    for (const outside of [`bytes=${size}-`, 'bytes=-0', 'bytes=999999999999-']) {
      expect([outside, await ask(outside)]).toMatchObject([outside, { status: 416, said: `bytes */${size}` }]);
    }
    const many = await ask(`bytes=${Array.from({ length: 100 }, (_, nth) => `${nth}-${nth}`).join(',')}`);
    expect([200, 416]).toContain(many.status);
    if (many.status === 200) expect(many.body.equals(bytes)).toBe(true);

    const random = (below: number) => Math.floor(Math.random() * below);
    for (let round = 0; round < breadth(20, 100); round += 1) {
      const ranges = Array.from({ length: 10 }, () => {
        const start = random(size);
        // Beyond the end too, where the answer ends with the file.
        const end = start + random(size);
        const open = random(4);
        if (open === 0) return { range: `bytes=${start}-`, start, end: size - 1 };
        if (open === 1) return { range: `bytes=-${size - start}`, start, end: size - 1 };
        return { range: `bytes=${start}-${end}`, start, end: Math.min(end, size - 1) };
      });
      const answers = await Promise.all(ranges.map(({ range }) => ask(range)));
      ranges.forEach(({ range, start, end }, nth) => {
        const answer = answers[nth];
        expect([range, answer?.status, answer?.said]).toEqual([range, 206, `bytes ${start}-${end}/${size}`]);
        expect(answer?.body.equals(bytes.subarray(start, end + 1))).toBe(true);
      });
    }
  }, 300_000);
});

describe('the web files', () => {
  let app: TestApp;
  let web: WebApp;
  beforeAll(async () => {
    app = await startTestApp('sqlite');
    web = await serveWithWeb(app);
  });
  afterAll(async () => {
    await web.close();
    await app.close();
  });

  it('D8: no address leads out of the web’s folder, or to hidden files in it', async () => {
    const outside = [
      '/..%2fsecret.txt',
      '/..%2f..%2fetc/passwd',
      '/%2e%2e/secret.txt',
      '/%2e%2e%2fsecret.txt',
      '/../secret.txt',
      '/../../../../../../../../etc/passwd',
      '/assets/../../secret.txt',
      '/assets/..%2f..%2fsecret.txt',
      '/assets/%2e%2e/%2e%2e/secret.txt',
      '//etc/passwd',
      '//secret.txt',
      '/..%5csecret.txt',
      '/..\\secret.txt',
      '/%c0%ae%c0%ae/secret.txt',
      '/%252e%252e/secret.txt',
      '/..;/secret.txt',
      '/assets/app-0000.js%00.txt',
      '/coffer.db',
      '/.env',
      '/.git/config',
      '/%2egit/config',
      '/assets/../.env',
      '/assets/.%2e/.git/config',
      '/index.html/../../secret.txt',
    ];
    for (const path of outside) {
      for (const method of ['GET', 'HEAD']) {
        const { status, body } = await sendBytesTo(
          web.origin,
          requestHead(method, path, { connection: 'close' }),
        ).catch(() => ({ status: 400, body: '' }));
        const isPage = status === 200 && (method === 'HEAD' || body.includes(PAGE_MARK));
        expect([path, isPage || [400, 403, 404].includes(status)]).toEqual([path, true]);
        expect([path, body.includes(SECRET_MARK), body.includes('root:')]).toEqual([path, false, false]);
      }
    }
    const visitor = new Caller(web.origin, null);
    expect((await visitor.get('/assets/app-0000.js')).body).toBe('export {};');
    expect((await visitor.get('/clients')).body).toContain(PAGE_MARK);
    for (const path of ['/api/none', '/api', '/api/', '/uploads/x', '/storage/x', '/blobs/ab/cd', '/uploads']) {
      const { status, body } = await visitor.get(path);
      expect([path, status, body]).toEqual([path, 404, expect.objectContaining({ code: 'not_found' })]);
    }
  });
});
