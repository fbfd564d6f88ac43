// What the firm shows of itself: told to anybody before sign-in, changed by who decides for the firm, and worth nothing as markup, styles or bytes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FirmSettings } from '#contract/firm-settings.ts';
import { buildApp } from '../../app.ts';
import type { Firm } from '../../testing/firm.ts';
import { NEVER_LATE_MS, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';

const SETTINGS = '/api/firm-settings';
const LOGO = '/firm-logo.png';
const PAGE = `<!doctype html><title>x</title>${[
  'product-name',
  'shades',
  'welcome',
  'logo',
  'firm-address',
  'firm-phone',
]
  .map((name) => `<meta name="${name}" content="x" />`)
  .join('')}<p>end</p>`;

const UNSET = { name: '', accent: '', address: '', phone: '', welcome: '', logo: null };

/** A picture of one colour with a border, as a browser would send it. */
function picture(width: number, height: number): Buffer {
  const png = new PNG({ width, height });
  for (let at = 0; at < png.data.length; at += 4) png.data.set([at % 251, 90, 80, 255], at);
  return PNG.sync.write(png);
}

/** Length, name, content and checksum. */
function chunk(name: string, content: Buffer, checksum?: number): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(checksum ?? crc32(named));
  return Buffer.concat([length, named, sum]);
}

const SIGNATURE = picture(1, 1).subarray(0, 8);
const END = chunk('IEND', Buffer.alloc(0));

function header(width: number, height: number, { interlaced = false } = {}): Buffer {
  const content = Buffer.alloc(13);
  content.writeUInt32BE(width);
  content.writeUInt32BE(height, 4);
  content.set([8, 6, 0, 0, interlaced ? 1 : 0], 8);
  return chunk('IHDR', content);
}

/** With another chunk before its pixels. */
const withChunk = (png: Buffer, extra: Buffer) => Buffer.concat([png.subarray(0, 33), extra, png.subarray(33)]);

const MARKER = '<script>alert("foreign")</script>';
const BOMB = deflateSync(Buffer.alloc(64 * 1024 * 1024), { level: 9 });

/** One of 8 x 8 pixels with these packed bytes for them. */
const withPixels = (packed: Buffer) => Buffer.concat([SIGNATURE, header(8, 8), chunk('IDAT', packed), END]);

/** What no firm may have as its logo, with what is said about it. */
const REFUSED: readonly (readonly [what: string, bytes: () => Buffer, said: RegExp])[] = [
  ['a drawing', () => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`), /no PNG/],
  ['a page', () => Buffer.from(`<!doctype html>${MARKER}${' '.repeat(100)}`), /no PNG/],
  ['a JPEG', () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(100)]), /no PNG/],
  [
    'a line of pixels',
    () => Buffer.concat([SIGNATURE, header(20_000, 1), chunk('IDAT', deflateSync(Buffer.alloc(80_001))), END]),
    /at most 512 x 128/,
  ],
  ['one too high', () => picture(10, 129), /at most 512 x 128/],
  ['no pixel at all', () => Buffer.concat([SIGNATURE, header(0, 0), END]), /damaged/],
  ['a bomb', () => Buffer.concat([SIGNATURE, header(8, 8), chunk('IDAT', BOMB), END]), /damaged/],
  [
    'a bomb with all its pixels interlaced',
    () => Buffer.concat([SIGNATURE, header(8, 8, { interlaced: true }), chunk('IDAT', BOMB), END]),
    /interlaced/,
  ],
  [
    'a wrong checksum',
    () => Buffer.concat([SIGNATURE, header(1, 1), chunk('IDAT', deflateSync(Buffer.alloc(5)), 1), END]),
    /damaged/,
  ],
  ['no pixels', () => Buffer.concat([SIGNATURE, header(8, 8), END]), /damaged/],
  ['an empty block of pixels', () => withPixels(Buffer.alloc(0)), /damaged/],
  ['fewer pixels than it says', () => withPixels(deflateSync(Buffer.alloc(33))), /damaged/],
  ['a cut block of pixels', () => withPixels(deflateSync(Buffer.alloc(8 * 33)).subarray(0, 6)), /damaged/],
  ['more pixels than it says', () => withPixels(deflateSync(Buffer.alloc(9 * 33))), /damaged/],
  ['a cut one', () => picture(64, 64).subarray(0, 80), /damaged/],
  ['a page behind it', () => Buffer.concat([picture(8, 8), Buffer.from(MARKER)]), /damaged/],
  ['more than 256 KB', () => withChunk(picture(8, 8), chunk('tEXt', Buffer.alloc(256 * 1024, 0x20))), /at most 256 KB/],
];

describe.each(DATABASE_KINDS)('what the firm shows of itself on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  let web: Awaited<ReturnType<typeof buildApp>>;
  let folder: string;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, { PRODUCT_NAME: 'Server Portal' }));
    folder = mkdtempSync(join(tmpdir(), 'coffer-face-'));
    writeFileSync(join(folder, 'index.html'), PAGE);
    web = await buildApp(app.context, { webRoot: folder, lateLoopMs: NEVER_LATE_MS });
  });
  afterEach(() => set(UNSET));
  afterAll(async () => {
    await web.close();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const set = (change: unknown, by = app.admin) => by.put<FirmSettings & ErrorBody>(SETTINGS, change);
  const held = async () => (await app.admin.get<FirmSettings>(SETTINGS)).body;
  const page = async () => (await web.inject({ url: '/login', headers: { 'accept-encoding': 'identity' } })).body;
  const told = async (name: string) => new RegExp(`<meta name="${name}" content="([^"]*)"`).exec(await page())?.[1];
  const logo = (query = '', headers = {}) => web.inject({ url: `${LOGO}${query}`, headers });
  const entries = async (limit: number) =>
    (await app.admin.get<ActivityRow[]>(`/api/activity-logs?action=update&limit=${limit}`)).body.map(
      ({ details }) => details,
    );

  it('is that of the server until the firm says otherwise, and again when it says nothing', async () => {
    expect(await held()).toMatchObject({ ...UNSET, nameOfServer: 'Server Portal' });
    expect([await told('product-name'), await told('shades'), await told('welcome'), await told('logo')]).toEqual([
      'Server Portal',
      '',
      '',
      '',
    ]);
    const { status, body } = await set({
      name: '  Harbor & Pine Payroll ',
      accent: '#0B5D4E',
      address: ' 12 Harbor Street \r\nDayton, OH 45402\n',
      phone: '(937)-555-0100',
      welcome: 'Welcome.\n\nYear-end forms are here.',
    });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        name: 'Harbor & Pine Payroll',
        accent: '#0b5d4e',
        address: '12 Harbor Street\nDayton, OH 45402',
        phone: '(937)-555-0100',
        welcome: 'Welcome.\n\nYear-end forms are here.',
      }),
    ]);
    expect(await page()).toContain('<title>Harbor &#38; Pine Payroll</title>');
    expect([await told('shades'), await told('welcome')]).toEqual([
      expect.stringMatching(/#0b5d4e/),
      'Welcome.\n\nYear-end forms are here.',
    ]);
    expect(await entries(5)).toEqual([
      'Set the welcome text: Welcome.  Year-end forms are here.',
      'Set the phone of the firm: (937)-555-0100',
      'Set the address of the firm: 12 Harbor Street, Dayton, OH 45402',
      'Set the color of the firm: #0b5d4e',
      'Set the name of the firm: Harbor & Pine Payroll',
    ]);
    await set({ name: ' ' });
    expect(await told('product-name')).toBe('Server Portal');
    expect(await held()).toMatchObject({ name: '', accent: '#0b5d4e' });
  });

  it('has a logo that browsers keep until it is another one', async () => {
    expect((await logo()).statusCode).toBe(404);
    const first = picture(200, 50);
    const { body } = await set({ logo: first.toString('base64') });
    const { id, width, height } = body.logo ?? { id: '', width: 0, height: 0 };
    expect([width, height, await told('logo')]).toEqual([200, 50, `${id} 200 50`]);
    const named = await logo(`?v=${id}`);
    expect([
      named.statusCode,
      named.headers['content-type'],
      named.headers['cache-control'],
      named.headers.etag,
    ]).toEqual([200, 'image/png', 'public, max-age=31536000, immutable', `"${id}"`]);
    expect(named.headers['x-content-type-options']).toBe('nosniff');
    expect(PNG.sync.read(named.rawPayload).data).toEqual(PNG.sync.read(first).data);
    const again = await logo('?v=old', { 'if-none-match': `"x", "${id}"` });
    expect([again.statusCode, again.headers['cache-control'], again.body]).toEqual([304, 'public, no-cache', '']);
    // The same picture is no change, another one is.
    await set({ logo: first.toString('base64') });
    const { body: other } = await set({ logo: picture(20, 20).toString('base64') });
    expect(other.logo?.id).not.toBe(id);
    expect((await logo('', { 'if-none-match': `"${id}"` })).statusCode).toBe(200);
    expect(await entries(3)).toEqual([
      'Set the logo of the firm',
      'Set the logo of the firm',
      expect.not.stringContaining('logo of the firm'),
    ]);
    await set({ logo: null });
    expect([(await logo()).statusCode, await told('logo'), (await held()).logo]).toEqual([404, '', null]);
  });

  it('G95: a logo is drawn anew, and keeps no byte of what was sent', async () => {
    const before = picture(16, 16);
    for (const extra of [
      chunk('tEXt', Buffer.from(`Comment\0${MARKER}`)),
      chunk('eXIf', Buffer.from(MARKER)),
      chunk('acTL', Buffer.alloc(8)),
    ]) {
      expect((await set({ logo: withChunk(before, extra).toString('base64') })).status).toBe(200);
      const { rawPayload } = await logo();
      expect(rawPayload.includes('foreign')).toBe(false);
      expect(PNG.sync.read(rawPayload).data).toEqual(PNG.sync.read(before).data);
      await set({ logo: null });
    }
  });

  it.each(REFUSED)('G95: a logo is no %s', async (_what, bytes, said) => {
    const { status, body } = await set({ logo: bytes().toString('base64') });
    expect([status, body.fields]).toEqual([400, { logo: expect.stringMatching(said) }]);
    expect((await held()).logo).toBeNull();
  });

  it.each(['', 'not base64!', 'data:image/png;base64,AAAA', 7, { length: 1 }])('G95: nor %j', async (sent) => {
    const { status, body } = await set({ logo: sent });
    expect([status, Object.keys(body.fields ?? {})]).toEqual([400, ['logo']]);
  });

  it('G96: a colour is six digits that can be seen, and no other style', async () => {
    for (const accent of [
      'red',
      '#fff',
      '#12345',
      'url(//example.com)',
      '#123456;}*{display:none',
      '#0b5d4e"',
      7,
      null,
    ]) {
      const { status, body } = await set({ accent });
      expect([accent, status, Object.keys(body.fields ?? {})]).toEqual([accent, 400, ['accent']]);
    }
    const { body } = await set({ accent: '#ffe600' });
    const near = /(#[0-9a-f]{6}) would do/.exec(body.fields?.['accent'] ?? '')?.[1];
    expect(body.fields?.['accent']).toMatch(/too light to be seen on a white page/);
    expect((await set({ accent: near })).status).toBe(200);
  });

  it('G96: words of the firm are text on the page, whatever they are', async () => {
    const hostile = `"/></title><script>alert(1)</script><meta http-equiv='refresh' content='0;url=//example.com'>\n</style><style>*{}`;
    expect((await set({ welcome: hostile, address: hostile })).status).toBe(200);
    const shown = await page();
    expect([...shown.matchAll(/<\/?([a-z]+)/g)].map(([, tag]) => tag)).toEqual(
      [...PAGE.matchAll(/<\/?([a-z]+)/g)].map(([, tag]) => tag),
    );
    expect(shown).not.toContain("http-equiv='");
    expect((await held()).welcome).toBe(hostile);
  });

  it('G97: its name is the title of the page, and no markup', async () => {
    const name = `</title><script src='//example.com'>"`;
    expect((await set({ name })).status).toBe(200);
    expect(await page()).toContain('<title>&#60;/title&#62;&#60;script src=&#39;//example.com&#39;&#62;&#34;</title>');
    expect(await told('product-name')).toBe('&#60;/title&#62;&#60;script src=&#39;//example.com&#39;&#62;&#34;');
  });

  it.each([
    ['welcome', 'x'.repeat(501), /at most 500 characters/],
    ['welcome', 'x\n'.repeat(13), /at most 12 lines/],
    ['welcome', 'one\ntwo\u202e', /control characters/],
    ['address', 'a\nb\nc\nd\ne', /at most 4 lines/],
    ['address', 'x\u0000', /control characters/],
    ['phone', '937-555-0100', /format/],
    ['name', 'x'.repeat(61), /at most 60 characters/],
    ['name', 'two\nlines', /control characters/],
    ['name', 'Harbor\u200b', /invisible characters/],
  ])('%s is not %j', async (field, value, said) => {
    const { status, body } = await set({ [field]: value });
    expect([status, body.fields]).toEqual([400, { [field]: expect.stringMatching(said) }]);
    expect(await held()).toMatchObject(UNSET);
  });

  it('G98: is changed by nobody who does not decide for the firm', async () => {
    for (const [viewer, caller] of Object.entries(firm.viewers)) {
      if (viewer === 'admin2') continue;
      const change = { name: 'Mine', logo: picture(4, 4).toString('base64') };
      expect([viewer, (await set(change, caller)).status]).toEqual([viewer, 403]);
    }
    expect((await set({ accent: '#0b5d4e' }, app.anonymous)).status).toBe(401);
    expect(await held()).toMatchObject(UNSET);
    expect((await set({ name: 'Ours' }, firm.viewers.admin2)).status).toBe(200);
  });

  it('G98: a change of somebody else is not overwritten unseen, and four eyes are no change of it', async () => {
    const save = async (name: string, version: string) => {
      const headers = { 'content-type': 'application/json', 'if-match': `"${version}"` };
      const answer = await app.admin.fetch(SETTINGS, { method: 'PUT', headers, body: JSON.stringify({ name }) });
      return { status: answer.status, body: (await answer.json()) as FirmSettings & ErrorBody };
    };
    const { version } = await held();
    await set({ fourEyes: true });
    await set({ fourEyes: false });
    expect((await held()).version).toBe(version);
    await set({ welcome: 'Hello' }, firm.viewers.admin2);
    const refused = await save('Mine', version);
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      412,
      'changed_meanwhile',
      expect.stringContaining('changed by Full admin2'),
    ]);
    const { version: now } = await held();
    expect((await save('Mine', now)).body).toMatchObject({ name: 'Mine', welcome: 'Hello' });
  });
});
