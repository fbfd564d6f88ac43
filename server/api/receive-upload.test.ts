// Uploads as browsers, scripts and attackers send them, over real connections to a real disk.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Refusal, refuse } from '#contract/errors.ts';
import { NO_FILE_CHOSEN, UploadFields } from '#contract/files.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { BlobStep } from '../platform/blobs/byte-store.ts';
import { openBlobStore } from '../platform/blobs/open-blob-store.ts';
import { SLOWEST_BODY } from '../platform/http/body-pace.ts';
import { endUnreadBody } from '../platform/http/unread-body.ts';
import { eventually } from '../testing/eventually.ts';
import { HandClock } from '../testing/hand-clock.ts';
import { sha256 } from '../testing/stored.ts';
import { multipartOptions, receiveUpload } from './receive-upload.ts';

const MAX_BYTES = 3 * 1024 * 1024;
const BOUNDARY = 'coffer-boundary';

let root: string;
let blobs: BlobStore;
let app: FastifyInstance;
let port: number;
let clock: HandClock;
/** The newest upload, as the server has it. */
let arriving: IncomingMessage;
let failAt: { step: BlobStep; code: string } | undefined;
let served: Socket[] = [];
const bytesRead = () => served.reduce((sum, socket) => sum + socket.bytesRead, 0);
const sockets = new Set<Socket>();

beforeEach(async () => {
  failAt = undefined;
  clock = new HandClock();
  served = [];
  root = await mkdtemp(join(tmpdir(), 'coffer-upload-'));
  blobs = await openBlobStore(
    { kind: 'disk', root },
    {
      minFreeBytes: 0,
      onStep: (step) => {
        if (step === failAt?.step) throw Object.assign(new Error('injected'), { code: failAt.code });
      },
    },
  );
  app = Fastify({ forceCloseConnections: true });
  await app.register(multipart, multipartOptions);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    endUnreadBody(request, reply);
    const unsupported = error.statusCode === 415;
    const refusal = error instanceof Refusal ? error : refuse(unsupported ? 'unsupported_type' : 'internal');
    reply.code(refusal.status).send({ code: refusal.code, message: refusal.message, fields: refusal.fields });
  });
  app.post('/upload', async (request, reply) => {
    arriving = request.raw;
    const { fields, originalName, staged } = await receiveUpload(request, reply, { blobs, maxBytes: MAX_BYTES, clock });
    const parsed = UploadFields.safeParse(fields);
    const storageKey = await staged.publish();
    return reply.code(201).send({
      fields: { ...fields },
      valid: parsed.success,
      originalName,
      sizeBytes: staged.sizeBytes,
      sha256: staged.sha256,
      storageKey,
    });
  });
  app.post(
    '/refused',
    { onRequest: async () => Promise.reject(new Refusal('unauthenticated', 'no')) },
    async () => 'never',
  );
  app.get('/alive', async () => 'alive');
  app.server.on('connection', (socket) => served.push(socket));
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await app.close();
  await rm(root, { recursive: true, force: true });
});

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

const nothingKept = async () => expect(await filesUnder('.')).toEqual([]);

interface Part {
  name?: string;
  fileName?: string;
  type?: string;
  bytes: Buffer | string;
}

const field = (name: string, bytes: string): Part => ({ name, bytes });
const file = (bytes: Buffer | string, fileName = 'report.pdf'): Part => ({
  name: 'file',
  fileName,
  type: 'application/pdf',
  bytes,
});

function encode(parts: readonly Part[], end = `--${BOUNDARY}--\r\n`): Buffer {
  const pieces = parts.flatMap(({ name, fileName, type, bytes }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data`,
    name === undefined ? '' : `; name="${name}"`,
    fileName === undefined ? '' : `; filename="${fileName}"`,
    `\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n`,
    bytes,
    '\r\n',
  ]);
  return Buffer.concat([...pieces, end].map((piece) => Buffer.from(piece)));
}

interface Answer {
  status: number;
  body: { code?: string; message?: string; fields?: Record<string, string> } & Record<string, unknown>;
}

async function post(body: Buffer | string | FormData, headers: Record<string, string> = {}): Promise<Answer> {
  const type = body instanceof FormData ? {} : { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const sent = typeof body === 'string' || body instanceof FormData ? body : new Uint8Array(body);
  const response = await fetch(`http://127.0.0.1:${port}/upload`, {
    method: 'POST',
    headers: { ...type, ...headers },
    body: sent,
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const client = field('clientId', '1');
const kind = field('fileType', 'report');

describe('an upload', () => {
  test.each([
    ['after its fields', (part: Part) => [client, kind, part]],
    ['before its fields', (part: Part) => [part, client, kind]],
    ['between its fields', (part: Part) => [client, part, kind]],
  ])('arrives whole with the file %s', async (_where, order) => {
    const bytes = randomBytes(2 * 1024 * 1024 + 17);
    const { status, body } = await post(encode(order(file(bytes))));
    expect(status).toBe(201);
    expect(body).toMatchObject({
      fields: { clientId: '1', fileType: 'report' },
      valid: true,
      originalName: 'report.pdf',
      sizeBytes: bytes.length,
      sha256: sha256(bytes),
    });
    expect(await filesUnder('.')).toEqual([body['storageKey']]);
  });

  test.each(['日本.pdf', 'a"b.pdf', 'Müller – 2024 (final).pdf', "it's 100%.txt", '😀.png'])(
    'named %s by a browser keeps its name',
    async (name) => {
      const form = new FormData();
      form.append('clientId', 'ü');
      form.append('file', new File([new Uint8Array([1, 2, 3])], name));
      const { status, body } = await post(form);
      expect([status, body['originalName']]).toEqual([201, name]);
      expect(body).toMatchObject({ fields: { clientId: 'ü' } });
    },
  );

  test.each([
    ['a%22b.pdf', 'a"b.pdf'],
    ['a\\"b.pdf', 'a"b.pdf'],
    ['../../x.pdf', 'x.pdf'],
    ['..\\\\x.pdf', 'x.pdf'],
    ['a%0D%0AX-Y: 1.pdf', 'aX-Y: 1.pdf'],
    ['CON.pdf', '_CON.pdf'],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(176)}.pdf`],
  ])('named %s on the wire is stored under a clean name', async (sent, kept) => {
    const { status, body } = await post(encode([file('x', sent)]));
    expect([status, body['originalName']]).toEqual([201, kept]);
  });

  test('of exactly the limit is taken, of one byte more refused, also without a length', async () => {
    expect((await post(encode([file(randomBytes(MAX_BYTES))]))).status).toBe(201);
    const over = encode([file(randomBytes(MAX_BYTES + 1))]);
    expect(await post(over)).toMatchObject({ status: 413, body: { code: 'file_too_large' } });

    const chunked = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: '/upload' });
    chunked.setHeader('content-type', `multipart/form-data; boundary=${BOUNDARY}`);
    const answered = new Promise<number | undefined>((resolve, reject) => {
      chunked.on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      chunked.on('error', reject);
    });
    for (let at = 0; at < over.length; at += 65_536) chunked.write(over.subarray(at, at + 65_536));
    chunked.end();
    expect(await answered).toBe(413);
    expect(await filesUnder('.')).toHaveLength(1);
  });

  test('announced as far too large is refused before it is read', async () => {
    const socket = await open(`content-length: ${MAX_BYTES * 10}`, encode([file('x')], ''));
    expect(await statusOf(socket)).toBe(413);
    expect(bytesRead()).toBeLessThan(1024 * 1024);
  });

  test('with its digest is taken, with another one refused', async () => {
    const bytes = randomBytes(1000);
    const body = encode([file(bytes)]);
    expect((await post(body, { 'x-content-sha256': sha256(bytes).toUpperCase() })).status).toBe(201);
    expect(await post(body, { 'x-content-sha256': sha256(randomBytes(8)) })).toMatchObject({
      status: 400,
      body: { code: 'checksum_mismatch' },
    });
    expect(await post(body, { 'x-content-sha256': 'abc' })).toMatchObject({ status: 400, body: { code: 'invalid' } });
    expect(await filesUnder('.')).toHaveLength(1);
  });

  test('to a full disk is refused, and the next one works', async () => {
    failAt = { step: 'staged', code: 'ENOSPC' };
    expect(await post(encode([file('x')]))).toMatchObject({ status: 507, body: { code: 'storage_full' } });
    await nothingKept();
    failAt = undefined;
    expect((await post(encode([file('x')]))).status).toBe(201);
  });

  test('that grows far beyond the limit, and one the disk fails in the middle of, are distinguished from a broken form', async () => {
    const over = encode([file(randomBytes(MAX_BYTES + 900_000))]);
    expect(await post(over)).toMatchObject({ status: 413, body: { code: 'file_too_large' } });
    const disk = blobs;
    for (const [code, status] of [
      ['EIO', 500],
      ['ENOSPC', 507],
    ] as const) {
      blobs = Object.assign(Object.create(disk) as BlobStore, {
        ensureRoom: async () => {},
        stage: async (source: Readable) => {
          for await (const _chunk of source) throw code === 'EIO' ? new Error(code) : refuse('storage_full');
        },
      });
      expect((await post(encode([file(randomBytes(2_000_000))]))).status, code).toBe(status);
    }
    await nothingKept();
  });

  test('to a failing disk is a fault of ours, not of the sender', async () => {
    failAt = { step: 'staged', code: 'EIO' };
    expect(await post(encode([file('x')]))).toMatchObject({ status: 500, body: { code: 'internal' } });
    await nothingKept();
  });
});

describe('a form', () => {
  const twentyFields = Array.from({ length: 20 }, (_, index) => field(`f${index}`, 'x'));

  test.each([
    ['without a file', [client, kind], { file: NO_FILE_CHOSEN }],
    ['without anything', [], { file: NO_FILE_CHOSEN }],
    [
      'with a file input left empty',
      [client, { ...file('', ''), type: 'application/octet-stream' }],
      { file: NO_FILE_CHOSEN },
    ],
    ['with an empty file', [client, file('')], { file: 'The file is empty' }],
    ['with two files', [file('one'), client, file('two')], undefined],
    ['with its file under another name', [{ ...file('x'), name: 'upload' }], undefined],
    ['with a field sent twice', [client, file('x'), client], { clientId: 'Was sent more than once' }],
    ['with too many fields', [file('x'), ...twentyFields], undefined],
    ['with too many fields first', [...twentyFields, file('x')], undefined],
    ['with a field too long', [field('clientId', 'x'.repeat(2049)), file('x')], { clientId: 'Is too long' }],
    ['with a field name too long', [field('x'.repeat(101), 'x'), file('x')], undefined],
    ['with a field without a name', [{ bytes: 'x' }, file('x')], undefined],
    [
      'with JSON for a field',
      [{ ...field('clientId', '{"a":1}'), type: 'application/json' }],
      { clientId: 'Must be text' },
    ],
    ['with __proto__', [file('x'), field('__proto__', 'x')], undefined],
    ['with constructor', [field('constructor', 'x'), file('x')], undefined],
    ['with a file named __proto__', [{ ...file('x'), name: '__proto__' }, file('x')], undefined],
  ])('%s is refused and nothing is kept', async (_what, parts: Part[], fields) => {
    const answer = await post(encode(parts));
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid', ...(fields ? { fields } : {}) } });
    expect(answer.body.message).not.toBe('');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    await nothingKept();
    expect(await (await fetch(`http://127.0.0.1:${port}/alive`)).text()).toBe('alive');
  });

  test('of 1,000 fields is refused', async () => {
    const parts = Array.from({ length: 1000 }, (_, index) => field(`f${index}`, 'x'));
    expect((await post(encode([...parts, file('x')]))).status).toBe(400);
    await nothingKept();
  });

  test.each([
    ['without its last boundary', encode([client, file(randomBytes(100_000))], '')],
    ['cut within the file', encode([client, file(randomBytes(100_000))]).subarray(0, 50_000)],
    ['cut within a field', encode([file('x'), field('clientId', 'x'.repeat(500))]).subarray(0, -300)],
    ['cut within a part header', encode([file('x'), client]).subarray(0, -60)],
    ['with half a last boundary', encode([client, file('x')], `--${BOUNDARY}`)],
    ['that is no form at all', Buffer.from('hello')],
    ['that is empty', Buffer.alloc(0)],
  ])('%s is refused and nothing is kept', async (_what, body) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { code: 'invalid' } });
    await nothingKept();
  });

  test('without a boundary is refused', async () => {
    expect((await post('x', { 'content-type': 'multipart/form-data' })).status).toBe(400);
  });

  test.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'application/pdf'])(
    'as %s is not accepted',
    async (type) => {
      const response = await post(type === 'application/json' ? '{}' : 'x', { 'content-type': type });
      expect(response.status).toBe(415);
    },
  );
});

/** A POST of which `body` was sent so far. */
async function open(lengthHeader: string, body: Buffer, path = '/upload', stubborn = false): Promise<Socket> {
  // Stubborn: keeps sending after the server has said that it is done.
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: stubborn });
  sockets.add(socket);
  socket.on('error', () => {});
  const type = `content-type: multipart/form-data; boundary=${BOUNDARY}`;
  socket.write(`POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${type}\r\n${lengthHeader}\r\n\r\n`);
  await new Promise<void>((resolve) => socket.write(body, () => resolve()));
  return socket;
}

async function statusOf(socket: Socket): Promise<number> {
  const [head] = (await new Promise<Buffer[]>((resolve) => socket.once('data', (chunk) => resolve([chunk])))) ?? [];
  return Number(/^HTTP\/1\.1 (\d+)/.exec(String(head))?.[1]);
}

describe('a sender that disconnects', () => {
  const whole = encode([client, file(randomBytes(1024 * 1024)), kind]);

  test.each([
    ['half way', 0.5],
    ['at the last byte', 1 - 1 / whole.length],
    ['between two parts', 1 - 60 / whole.length],
  ])('%s leaves nothing behind', async (_when, share) => {
    const openFiles = async () => (await readdir('/proc/self/fd')).length;
    const before = await openFiles();
    const socket = await open(`content-length: ${whole.length}`, whole.subarray(0, Math.floor(whole.length * share)));
    await eventually(async () => expect(await filesUnder('staging')).toHaveLength(1));
    socket.destroy();
    await eventually(nothingKept);
    await eventually(async () => expect(await openFiles()).toBeLessThanOrEqual(before));
  });
});

describe('a refused body that is still arriving', () => {
  test.each([
    ['/upload', 400],
    ['/refused', 401],
  ])('at %s is not read to its end, and its connection is closed', async (path, expected) => {
    const start = encode([{ ...file('x'), name: 'other' }], '');
    const socket = await open('content-length: 3000000', start, path, true);
    const status = statusOf(socket);
    const filler = Buffer.alloc(64 * 1024);
    let sent = 0;
    const pump = () => {
      while (sent < 3_000_000 - start.length && !socket.destroyed) {
        sent += filler.length;
        if (!socket.write(filler)) {
          socket.once('drain', pump);
          return;
        }
      }
    };
    pump();
    expect(await status).toBe(expected);
    await eventually(() => expect(served.every((connection) => connection.destroyed)).toBe(true));
    expect(bytesRead()).toBeLessThan(1024 * 1024);
  });

  test('is closed when its length is unknown, and never when there is no body at all', async () => {
    const socket = await open('transfer-encoding: chunked', Buffer.from('4\r\nabcd\r\n'), '/refused');
    expect(await statusOf(socket)).toBe(401);
    await new Promise((resolve) => socket.once('close', resolve));
    const response = await fetch(`http://127.0.0.1:${port}/refused`, { method: 'POST' });
    expect([response.status, response.headers.get('connection')]).toEqual([401, 'keep-alive']);
  });

  test('with a short remainder keeps its connection', async () => {
    const body = encode([{ ...file(randomBytes(100_000)), name: 'other' }]);
    const socket = await open(`content-length: ${body.length}`, body.subarray(0, 50_000));
    expect(await statusOf(socket)).toBe(400);
    socket.write(body.subarray(50_000));
    await eventually(() => expect(arriving.complete).toBe(true));
    const answer = text(socket);
    socket.write('GET /alive HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n');
    expect(await answer).toContain('alive');
  });
});

describe('a body that arrives slowly', () => {
  const isWatched = () => eventually(() => expect(clock.waiting).toBe(1));

  /** The server has all that was sent, and waits for more. */
  const awaited = (socket: Socket) =>
    eventually(() => {
      expect(bytesRead()).toBe(socket.bytesWritten);
      expect([arriving.readableLength, arriving.isPaused()]).toEqual([0, false]);
    });

  /** Lets the clock run, sending `piece` six times a window; answers whether the upload is still waited for then. */
  async function trickle(socket: Socket, piece: string, windows: number): Promise<boolean> {
    await isWatched();
    for (let step = 0; step < 6 * windows && clock.waiting > 0; step += 1) {
      socket.write(piece);
      await awaited(socket);
      clock.advance(SLOWEST_BODY.windowMs / 6);
    }
    return clock.waiting > 0;
  }

  const nothingIsLeft = async () => {
    await eventually(nothingKept);
    await eventually(() => expect(served.every((connection) => connection.destroyed)).toBe(true));
  };

  test.each([
    ['within its file', encode([client, file('x')], '').subarray(0, -2)],
    ['within a field', encode([file('x'), client], '').subarray(0, -2)],
    ['within the head of a part', Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; `)],
  ])('fault 12: is ended %s, and nothing of it is kept', async (_where, start) => {
    const socket = await open(`content-length: ${MAX_BYTES}`, start);
    const status = statusOf(socket);
    expect(await trickle(socket, 'x', 1)).toBe(false);
    expect(clock.nowMs()).toBe(SLOWEST_BODY.windowMs);
    expect(await status).toBe(408);
    await nothingIsLeft();
  });

  test('fault 12: is ended when it turns slow after a quick beginning', async () => {
    const socket = await open(`content-length: ${MAX_BYTES}`, encode([client, file(randomBytes(1_000_000))], ''));
    const status = statusOf(socket);
    expect(await trickle(socket, 'x', 1)).toBe(true);
    expect(await trickle(socket, 'x', 1)).toBe(false);
    expect(await status).toBe(408);
  });

  test.each([
    ['', 'content-length: 100000', encode([client], '')],
    [', without a length too', 'transfer-encoding: chunked', Buffer.from('')],
  ])('fault 12: is ended when it stops altogether%s', async (_how, length, start) => {
    const socket = await open(length, start);
    const status = statusOf(socket);
    await isWatched();
    await awaited(socket);
    clock.advance(SLOWEST_BODY.windowMs - 1);
    expect(clock.waiting).toBe(1);
    clock.advance(1);
    expect(await status).toBe(408);
  });

  test('G1: is ended when the extensions of its chunks arrive quickly and its bytes do not', async () => {
    const start = encode([client, file('x')], '').subarray(0, -2);
    const socket = await open('transfer-encoding: chunked', Buffer.from(`${start.length.toString(16)}\r\n`));
    const status = statusOf(socket);
    socket.write(start);
    socket.write('\r\n');
    const piece = `1;${'x'.repeat(8_000)}\r\nx\r\n`.repeat(8);
    expect(6 * piece.length).toBeGreaterThan(SLOWEST_BODY.minBytes);
    expect(await trickle(socket, piece, 1)).toBe(false);
    expect(await status).toBe(408);
    await eventually(nothingKept);
  });

  test('fault 12: is taken at the pace of a slow line, for many windows', async () => {
    const body = encode([client, file(randomBytes(1_500_000))]);
    const pieceBytes = SLOWEST_BODY.minBytes / 6;
    const socket = await open(`content-length: ${body.length}`, body.subarray(0, pieceBytes));
    const status = statusOf(socket);
    await isWatched();
    for (let at = pieceBytes; at < body.length; at += pieceBytes) {
      await awaited(socket);
      clock.advance(SLOWEST_BODY.windowMs / 6);
      socket.write(body.subarray(at, at + pieceBytes));
    }
    expect(await status).toBe(201);
    expect(clock.nowMs()).toBeGreaterThan(5 * SLOWEST_BODY.windowMs);
  });

  test('fault 12: is not blamed on its sender when it is the disk that is slow', async () => {
    const disk = blobs;
    const { promise: isReady, resolve: getReady } = Promise.withResolvers<void>();
    blobs = Object.assign(Object.create(disk) as BlobStore, {
      ensureRoom: async () => {},
      stage: async (source: Readable, options: Parameters<BlobStore['stage']>[1]) => {
        await isReady;
        return disk.stage(source, options);
      },
    });
    const bytes = randomBytes(1_000_000);
    const answer = post(encode([client, file(bytes)]));
    await isWatched();
    await eventually(() => expect(arriving.isPaused() || arriving.readableLength > 0).toBe(true));
    clock.advance(4 * SLOWEST_BODY.windowMs);
    expect(clock.waiting).toBe(1);
    getReady();
    expect(await answer).toMatchObject({ status: 201, body: { sha256: sha256(bytes) } });
  });
});
