// Downloads and views over real connections: headers, ranges, and faults that must never look like a complete file.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, open, readdir, rm, truncate } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import { INLINE_CONTENT_TYPES } from '#contract/file-kinds.ts';
import { breadth } from '../../testing/breadth.ts';
import { eventually } from '../../testing/eventually.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { openBlobStore } from '../blobs/open-blob-store.ts';
import type { Disposition } from './content-disposition.ts';
import { FaultLog } from './log-lines.ts';
import { type StoredFile, sendBytes } from './send-bytes.ts';

const MIB = 1024 * 1024;

let root: string;
let blobs: BlobStore;
let app: FastifyInstance;
let port: number;
let file: StoredFile;
/** What the server's log has of errors. */
let faults: unknown[] = [];

const small = randomBytes(100_001);
const large = randomBytes(6 * MIB + 3);

async function store(bytes: Buffer, contentType = 'application/pdf', originalName = 'report.pdf'): Promise<StoredFile> {
  const staged = await blobs.stage(Readable.from([bytes]), { maxBytes: 64 * MIB });
  const storageKey = await staged.publish();
  return { storageKey, sizeBytes: staged.sizeBytes, sha256: staged.sha256, contentType, originalName };
}

const pathOf = ({ storageKey: key }: StoredFile) => join(root, key.slice(0, 2), key.slice(2, 4), key);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'coffer-send-'));
  blobs = await openBlobStore({ kind: 'disk', root }, { minFreeBytes: 0 });
  app = Fastify({
    forceCloseConnections: true,
    logger: { level: 'error', stream: { write: (line: string) => void faults.push(JSON.parse(line)) } },
    logController: new FaultLog(),
  });
  app.setErrorHandler((error: Error, _request, reply) => {
    const code = error instanceof Refusal ? error.code : 'internal';
    reply.code(error instanceof Refusal ? error.status : 500).send({ code });
  });
  const handler = (disposition: Disposition) => ({
    method: ['GET', 'HEAD'],
    handler: (request: Parameters<typeof sendBytes>[0], reply: Parameters<typeof sendBytes>[1]) =>
      sendBytes(request, reply, { blobs, file, disposition }),
  });
  app.route({ url: '/download', ...handler('attachment') });
  app.route({ url: '/view', ...handler('inline') });
  // Fastify makes the HEAD of this one itself.
  app.get('/plain', (request, reply) => sendBytes(request, reply, { blobs, file, disposition: 'attachment' }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});

afterAll(async () => {
  await app.close();
  await rm(root, { recursive: true, force: true });
});

beforeEach(async () => {
  faults = [];
  file = await store(small);
});

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  body: Buffer;
}

/** Rejects when the body ends before its announced length. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: '127.0.0.1', path, method, headers }, (response) => {
      const { statusCode: status, headers: answered, rawHeaders } = response;
      buffer(response).then((body) => resolve({ status, headers: answered, rawHeaders, body }), reject);
    });
    request.on('error', reject).end();
  });
}

describe('a download', () => {
  test('has the bytes and exactly the headers that keep them harmless', async () => {
    const { status, headers, body } = await get('/download');
    expect(status).toBe(200);
    expect(body.equals(small)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(small.length),
      'content-disposition': 'attachment; filename=report.pdf',
      'accept-ranges': 'bytes',
      etag: `"${createHash('sha256').update(small).digest('hex')}"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  });

  test.each([0, 1, 512 * 1024, 512 * 1024 + 1])('of %i bytes is whole', async (size) => {
    const bytes = randomBytes(size);
    file = await store(bytes);
    const { status, headers, body } = await get('/download');
    expect([status, headers['content-length'], body.equals(bytes)]).toEqual([200, String(size), true]);
  });

  test('of a large file is whole', async () => {
    file = await store(large);
    const { headers, body } = await get('/download');
    expect(headers['content-length']).toBe(String(large.length));
    expect(body.equals(large)).toBe(true);
  });

  test('has a name that cannot begin another header', async () => {
    file = { ...file, originalName: 'a"b\r\nX-Y: 1.pdf' };
    const { status, headers } = await get('/download');
    expect(status).toBe(200);
    expect(headers['x-y']).toBeUndefined();
    file = { ...file, originalName: '日本.pdf' };
    expect((await get('/download')).headers['content-disposition']).toContain(
      "filename*=UTF-8''%E6%97%A5%E6%9C%AC.pdf",
    );
  });

  test.each(['/download', '/view', '/plain'])(
    'asked for by HEAD at %s has the same headers and no body',
    async (path) => {
      for (const bytes of [small, large]) {
        file = await store(bytes);
        const whole = await get(path);
        const head = await get(path, { range: 'bytes=0-9' }, 'HEAD');
        const { date: _whole, ...expected } = whole.headers;
        const { date: _head, ...answered } = head.headers;
        expect(answered).toEqual(expected);
        expect([head.status, head.body.length]).toEqual([200, 0]);
      }
    },
  );
});

describe('a view', () => {
  test.each(INLINE_CONTENT_TYPES.filter((type) => type !== 'application/pdf'))(
    'of %s is shown in a sandbox',
    async (type) => {
      file = await store(small, type, 'picture');
      const { headers } = await get('/view');
      expect(headers['content-disposition']).toBe('inline; filename=picture');
      expect(headers['content-type']?.split(';')[0]).toBe(type);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*; sandbox$/);
    },
  );

  test.each([
    ['utf-8', Buffer.from('Muñoz')],
    ['windows-1252', Buffer.from('Muñoz', 'latin1')],
    ['windows-1252', Buffer.concat([Buffer.from('Muñoz', 'latin1'), Buffer.alloc(MIB, 'x')])],
    ['utf-16le', Buffer.from('\ufeffMuñoz', 'utf16le')],
    ['utf-16be', Buffer.from('\ufeffMuñoz', 'utf16le').swap16()],
  ])('of a text says that it is written in %s, in whole, in part and by HEAD', async (charset, bytes) => {
    file = await store(bytes, 'text/plain', 'notes.txt');
    const answers = [await get('/view'), await get('/view', { range: 'bytes=0-1' }), await get('/view', {}, 'HEAD')];
    expect(answers.map(({ status }) => status)).toEqual([200, 206, 200]);
    expect(answers[0]?.body.equals(bytes)).toBe(true);
    for (const { headers } of answers) expect(headers['content-type']).toBe(`text/plain; charset=${charset}`);
  });

  test('of an empty text says that it is UTF-8', async () => {
    file = await store(Buffer.alloc(0), 'text/plain', 'notes.txt');
    for (const method of ['GET', 'HEAD']) {
      expect((await get('/view', {}, method)).headers['content-type']).toBe('text/plain; charset=utf-8');
    }
  });

  test('of a PDF is shown without a script source, and without the sandbox that stops PDF viewers', async () => {
    const { headers } = await get('/view');
    expect(headers['content-disposition']).toBe('inline; filename=report.pdf');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';/);
    expect(headers['content-security-policy']).not.toMatch(/sandbox|script-src/);
  });

  test.each([
    'text/html',
    'image/svg+xml',
    'application/xml',
    'text/csv',
    'application/zip',
    'application/octet-stream',
    'TEXT/HTML',
  ])('of %s is a download of bytes', async (type) => {
    file = await store(small, type, 'page.html');
    for (const path of ['/view', '/download']) {
      const { headers } = await get(path);
      expect(headers['content-disposition']).toBe('attachment; filename=page.html');
      expect(headers['content-type']).toBe('application/octet-stream');
      expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox");
    }
  });
});

describe('a range', () => {
  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=-1', small.length - 1, small.length - 1],
    ['bytes=100-', 100, small.length - 1],
    ['bytes=0-999999999', 0, small.length - 1],
    [`bytes=${small.length - 1}-`, small.length - 1, small.length - 1],
  ])('%s is that part', async (range, start, end) => {
    const { status, headers, body } = await get('/download', { range });
    expect(status).toBe(206);
    expect(headers['content-range']).toBe(`bytes ${start}-${end}/${small.length}`);
    expect(headers['content-length']).toBe(String(end - start + 1));
    expect(body.equals(small.subarray(start, end + 1))).toBe(true);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'private, no-store' });
  });

  test.each([`bytes=${small.length}-`, 'bytes=-0', 'bytes=999999999-'])('%s lies outside', async (range) => {
    const { status, headers, body } = await get('/download', { range });
    expect([status, headers['content-range']]).toEqual([416, `bytes */${small.length}`]);
    expect(JSON.parse(String(body))).toEqual({ code: 'range_not_satisfiable' });
    expect(headers['content-disposition']).toBeUndefined();
  });

  test.each(['bytes=0-1,5-6', `bytes=${Array(100).fill('0-0').join(',')}`, 'bytes=5-1', 'lines=1-2', 'nonsense'])(
    '%s is answered with the whole file',
    async (range) => {
      const { status, headers, body } = await get('/download', { range });
      expect([status, headers['content-range'], body.length]).toEqual([200, undefined, small.length]);
    },
  );

  test('is answered with the whole file when If-Range names another one', async () => {
    const range = 'bytes=0-9';
    const etag = `"${file.sha256}"`;
    expect((await get('/download', { range, 'if-range': etag })).status).toBe(206);
    for (const other of ['"other"', `W/${etag}`, 'Wed, 21 Oct 2015 07:28:00 GMT']) {
      expect((await get('/download', { range, 'if-range': other })).status).toBe(200);
    }
  });

  test('is its slice, hundreds of times over', async () => {
    file = await store(large);
    for (let round = 0; round < breadth(250, 1000); round++) {
      const start = Math.floor(Math.random() * large.length);
      const maxBytes = round % 20 === 0 ? large.length : 20_000;
      const end = Math.min(large.length - 1, start + Math.floor(Math.random() * maxBytes));
      const { status, body } = await get('/download', { range: `bytes=${start}-${end}` });
      expect(status).toBe(206);
      expect(body.equals(large.subarray(start, end + 1)), `${start}-${end}`).toBe(true);
    }
  });
});

describe('a damaged file', () => {
  test('that is missing, shortened or changed is refused before its first byte', async () => {
    const flipped = Buffer.from(small);
    flipped[5000] = (flipped[5000] ?? 0) ^ 1;
    const handle = await open(pathOf(file), 'w');
    await handle.writeFile(flipped);
    await handle.close();
    expect((await get('/download')).status).toBe(500);
    await truncate(pathOf(file), small.length - 1);
    for (const method of ['GET', 'HEAD']) expect((await get('/download', {}, method)).status).toBe(500);
    expect((await get('/download', { range: 'bytes=0-9' })).status).toBe(500);
    await rm(pathOf(file));
    const { status, headers, body } = await get('/download');
    expect([status, JSON.parse(String(body))]).toEqual([500, { code: 'integrity' }]);
    expect(headers['content-disposition']).toBeUndefined();
    expect(headers['content-length']).toBe(String(body.length));
  });

  test('that is large and changed in one byte never ends as a complete body', async () => {
    file = await store(large);
    const handle = await open(pathOf(file), 'r+');
    await handle.write(Buffer.from([(large[large.length >> 1] ?? 0) ^ 1]), 0, 1, large.length >> 1);
    await handle.close();
    await expect(get('/download')).rejects.toThrow(/aborted|hang up|ECONNRESET/);
    expect(faults).toMatchObject([{ msg: 'an answer broke off', err: { code: 'integrity' } }]);
  });

  test('that is shortened while it is sent never ends as a complete body', async () => {
    const huge = randomBytes(24 * MIB);
    file = await store(huge);
    const answered = new Promise<Buffer>((resolve, reject) => {
      const request = httpRequest({ port, host: '127.0.0.1', path: '/download' }, async (response) => {
        // Nothing is read until the file is shorter than what was announced.
        await truncate(pathOf(file), huge.length - MIB);
        buffer(response).then(resolve, reject);
      });
      request.on('error', reject).end();
    });
    await expect(answered).rejects.toThrow(/aborted|hang up|ECONNRESET/);
  });
});

describe('a reader that disconnects', () => {
  test('halfway leaves no file open', async () => {
    const openFiles = async () => (await readdir('/proc/self/fd')).length;
    file = await store(randomBytes(24 * MIB));
    const before = await openFiles();
    for (let round = 0; round < 5; round++) {
      await new Promise<void>((resolve) => {
        const request = httpRequest({ port, host: '127.0.0.1', path: '/download', agent: false }, (response) => {
          response.once('data', () => request.destroy());
          response.on('error', () => {});
          response.once('close', () => resolve());
        });
        request.on('error', () => {}).end();
      });
    }
    await eventually(async () => expect(await openFiles()).toBeLessThanOrEqual(before));
    // It was not the server that failed.
    expect(faults).toEqual([]);
  });
});
