// The built web over HTTP: each file in the form that was asked for, and the page with the firm's own names.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../app.ts';
import { askPlainly } from '../testing/plain-answer.ts';
import { NEVER_LATE_MS, startTestApp, type TestApp } from '../testing/test-app.ts';

const BROWSER = 'gzip, deflate, br, zstd';
const SCRIPT = '/assets/app-0000.js';
const SCRIPT_TEXT = 'export const one = 1;\n'.repeat(100);
const STYLES_TEXT = 'body { margin: 0 }\n'.repeat(100);
const ICON_TEXT = `<svg>${'<g/>'.repeat(500)}</svg>`;

describe('the built web', () => {
  let test: TestApp;
  let web: FastifyInstance;
  let folder: string;
  let origin: string;
  beforeAll(async () => {
    const settings = { PRODUCT_NAME: 'Ledger & Sons', SEARCH_INSIDE: 'off', PUBLIC_ORIGIN: 'http://files.example.com' };
    test = await startTestApp('sqlite', settings);
    folder = mkdtempSync(join(tmpdir(), 'coffer-web-'));
    mkdirSync(join(folder, 'assets'));
    const write = (name: string, text: string, forms: readonly ('br' | 'gz')[]) => {
      writeFileSync(join(folder, name), text);
      if (forms.includes('br')) writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text));
      if (forms.includes('gz')) writeFileSync(join(folder, `${name}.gz`), gzipSync(text));
    };
    write(SCRIPT, SCRIPT_TEXT, ['br', 'gz']);
    write('assets/app-0000.css', STYLES_TEXT, []);
    write('favicon.svg', ICON_TEXT, ['gz']);
    const names = ['product-name', 'search-inside', 'origin'];
    const metas = names.map((name) => `<meta name="${name}" content="x">`).join('');
    writeFileSync(join(folder, 'index.html'), `<!doctype html>${metas}<title>x</title>${'<p>Loading</p>'.repeat(100)}`);
    web = await buildApp(test.context, { webRoot: folder, lateLoopMs: NEVER_LATE_MS });
    await web.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${(web.server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await web.close();
    await test.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    askPlainly(origin + path, headers, { method });

  it.each([
    [BROWSER, 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, *', 'gzip'],
  ])('sends a script as it was compressed when it was built: %s', async (accepted, coding) => {
    const plain = await ask(SCRIPT);
    const sent = await ask(SCRIPT, { 'accept-encoding': accepted });
    expect([plain.headers['content-encoding'], sent.headers['content-encoding']]).toEqual([undefined, coding]);
    expect(sent.text).toBe(SCRIPT_TEXT);
    expect(sent.bytes).toEqual(coding === 'br' ? brotliCompressSync(SCRIPT_TEXT) : gzipSync(SCRIPT_TEXT));
    expect(sent.headers['content-length']).toBe(String(sent.bytes.length));
    expect(sent.headers['content-type']).toBe('application/javascript; charset=utf-8');
    for (const header of ['content-type', 'cache-control', 'vary', 'x-content-type-options']) {
      expect([header, sent.headers[header]]).toEqual([header, plain.headers[header]]);
    }
    expect(sent.headers.vary).toBe('accept-encoding');
    expect(sent.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const head = await ask(SCRIPT, { 'accept-encoding': accepted }, 'HEAD');
    expect([head.status, head.bytes.length, head.headers]).toEqual([
      200,
      0,
      { ...sent.headers, date: expect.any(String) },
    ]);
  });

  it.each(['', 'identity', 'gzip;q=0, br;q=0', 'identity;q=0, *;q=0', 'deflate', 'x'.repeat(1_000)])(
    'sends it as it is to %j',
    async (accepted) => {
      const { headers, text } = await ask(SCRIPT, { 'accept-encoding': accepted });
      expect([headers['content-encoding'], headers.vary, text]).toEqual([undefined, 'accept-encoding', SCRIPT_TEXT]);
    },
  );

  it('does without the forms that were not built', async () => {
    const styles = await ask('/assets/app-0000.css', { 'accept-encoding': BROWSER });
    expect([styles.status, styles.headers['content-encoding'], styles.text]).toEqual([200, undefined, STYLES_TEXT]);
    const icon = await ask('/favicon.svg', { 'accept-encoding': BROWSER });
    expect([icon.status, icon.headers['content-encoding'], icon.text]).toEqual([200, 'gzip', ICON_TEXT]);
    expect(icon.headers['content-type']).toBe('image/svg+xml');
    const only = await ask('/favicon.svg', { 'accept-encoding': 'br' });
    expect([only.status, only.headers['content-encoding'], only.text]).toEqual([200, undefined, ICON_TEXT]);
  });

  it('has a tag for each form, and answers it in that form alone with 304', async () => {
    const forms = [{}, { 'accept-encoding': 'gzip' }, { 'accept-encoding': 'br' }];
    const tags = await Promise.all(forms.map(async (form) => (await ask(SCRIPT, form)).headers.etag ?? ''));
    expect(new Set(tags).size).toBe(3);
    for (const form of forms) {
      for (const tag of tags) {
        const { status, headers, bytes } = await ask(SCRIPT, { ...form, 'if-none-match': tag });
        const known = tag === tags[forms.indexOf(form)];
        expect([tag, status]).toEqual([tag, known ? 304 : 200]);
        expect(headers.vary).toBe('accept-encoding');
        if (known) expect(bytes.length).toBe(0);
      }
    }
  });

  it('sends a range of the form that was asked for', async () => {
    const plain = await ask(SCRIPT, { range: 'bytes=7-11' });
    expect([plain.status, plain.text, plain.headers['content-range']]).toEqual([
      206,
      'const',
      `bytes 7-11/${SCRIPT_TEXT.length}`,
    ]);
    const compressed = brotliCompressSync(SCRIPT_TEXT);
    const part = await ask(SCRIPT, { range: 'bytes=0-9', 'accept-encoding': 'br' });
    expect([part.status, part.headers['content-encoding'], part.headers['content-range']]).toEqual([
      206,
      'br',
      `bytes 0-9/${compressed.length}`,
    ]);
    expect(part.bytes).toEqual(compressed.subarray(0, 10));
  });

  it.each([`${SCRIPT}.br`, `${SCRIPT}.gz`, '/favicon.svg.gz', '/index.html.br', '/index.html'])(
    'has no file at %s',
    async (path) => {
      expect((await ask(path, { 'accept-encoding': BROWSER })).status).toBe(404);
    },
  );

  it.each(['br', 'gzip'])('sends the page with the firm’s own names in %s', async (coding) => {
    const plain = await ask('/clients');
    const sent = await ask('/clients', { 'accept-encoding': coding });
    expect(plain.text).toContain('<title>Ledger &#38; Sons');
    expect(plain.text).toContain('<meta name="search-inside" content="off">');
    // Links that are handed out begin with it, wherever the page is open.
    expect(plain.text).toContain('<meta name="origin" content="http://files.example.com">');
    expect([plain.headers['content-encoding'], sent.headers['content-encoding']]).toEqual([undefined, coding]);
    expect(sent.text).toBe(plain.text);
    expect(sent.bytes.length).toBeLessThan(plain.bytes.length / 2);
    for (const { headers, bytes } of [plain, sent]) {
      expect([headers.vary, headers['content-length'], headers['content-type'], headers['cache-control']]).toEqual([
        'accept-encoding',
        String(bytes.length),
        'text/html; charset=utf-8',
        'no-cache',
      ]);
    }
    const head = await ask('/clients', { 'accept-encoding': coding }, 'HEAD');
    expect([head.bytes.length, head.headers['content-length']]).toEqual([0, String(sent.bytes.length)]);
  });

  it('answers what is not there in words, not in a form of it', async () => {
    const { status, text } = await ask('/assets/gone-0000.js', { 'accept-encoding': BROWSER });
    expect([status, JSON.parse(text).code]).toEqual([404, 'not_found']);
  });
});
