// Readers that take nothing, and servers that give nothing: only the former are cut.
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { endQuietReader } from './quiet-readers.ts';

const LOOK_MS = 300;
/** Far more than the kernel buffers for a reader that reads nothing. */
const LARGE_BYTES = 64 * 1024 * 1024;

let app: FastifyInstance;
let socket: Socket;

beforeEach(async () => {
  app = Fastify({ forceCloseConnections: true, connectionTimeout: LOOK_MS });
  app.addHook('onRequest', (_request, reply, done) => {
    endQuietReader(reply);
    done();
  });
  app.get('/large', async () => Buffer.alloc(LARGE_BYTES));
  app.get<{ Querystring: { bytes: string } }>('/late', async ({ query }) => {
    await sleep(LOOK_MS * 6);
    return Buffer.alloc(Number(query.bytes));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  socket = connect({ host: '127.0.0.1', port: (app.server.address() as AddressInfo).port });
  socket.on('error', () => {});
  await eventually(async () => expect(await connections()).toBe(1));
});

afterEach(async () => {
  socket.destroy();
  await app.close();
});

const ask = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
const connections = () =>
  new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));
const cut = () => eventually(async () => expect(await connections()).toBe(0));

test('G10: one large answer of which nothing is taken is cut', async () => {
  let bytes = 0;
  socket.pause();
  socket.on('data', (chunk) => {
    bytes += chunk.length;
  });
  const closing = new Promise<boolean>((resolve) => socket.once('close', resolve));
  ask('/large');
  await cut();
  socket.resume();
  // With an error: a reset, and no end.
  expect(await closing).toBe(true);
  expect(bytes).toBeLessThan(LARGE_BYTES);
});

test('G10: a server that takes long cuts nobody', async () => {
  ask('/late?bytes=5');
  const [head] = await new Promise<Buffer[]>((resolve) => socket.once('data', (chunk) => resolve([chunk])));
  expect(String(head)).toMatch(/^HTTP\/1\.1 200 /);
});

test('G10: a reader that reads nothing is cut also when the answer came late', async () => {
  socket.pause();
  ask(`/late?bytes=${LARGE_BYTES}`);
  await sleep(LOOK_MS * 6);
  expect(await connections()).toBe(1);
  await cut();
});

test('G10: a reader that is slow and moves gets its answer whole', async () => {
  ask('/large');
  let bytes = 0;
  const startedMs = performance.now();
  const { promise: wholeOrCut, resolve } = Promise.withResolvers<void>();
  socket.once('close', () => resolve());
  socket.on('data', (chunk) => {
    bytes += chunk.length;
    if (bytes > LARGE_BYTES) resolve();
    // About 8 MB a second, so that the leaps in which a kernel shows it are within a few looks.
    const aheadMs = bytes / 8_000 - (performance.now() - startedMs);
    if (aheadMs > 50) {
      socket.pause();
      setTimeout(() => socket.resume(), aheadMs);
    }
  });
  await wholeOrCut;
  expect(bytes).toBeGreaterThan(LARGE_BYTES);
  expect(performance.now() - startedMs).toBeGreaterThan(LOOK_MS * 20);
}, 120_000);

test('a connection between two requests is left open', async () => {
  ask('/late?bytes=5');
  await new Promise((resolve) => socket.once('data', resolve));
  await sleep(LOOK_MS * 5);
  const next = new Promise<Buffer>((resolve) => socket.once('data', resolve));
  ask('/late?bytes=6');
  expect(String(await next)).toContain('content-length: 6');
});
