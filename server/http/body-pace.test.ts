// How slowly a JSON body may arrive, over real connections; the pace of uploads is held in receive-upload.test.ts.
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countSteps } from '../testing/loop-time.ts';
import { answerError } from './answer-errors.ts';
import { limitBodies } from './body-pace.ts';

/** Sixty times faster than in earnest. */
const WINDOW_MS = 300;

let app: FastifyInstance;
let socket: Socket;
let limitMs: number;

beforeEach(async () => {
  limitMs = WINDOW_MS;
  app = Fastify({ forceCloseConnections: true });
  app.setErrorHandler(answerError);
  await app.register(multipart);
  app.addHook('preParsing', (...hook) => limitBodies(limitMs)(...hook));
  app.post('/json', async (request) => ({ got: JSON.stringify(request.body).length }));
  app.post('/form', async (request) => {
    let faults = 0;
    request.raw.on('error', () => {
      faults += 1;
    });
    request.raw.resume();
    await sleep(WINDOW_MS * 2);
    return { faults };
  });
  app.get('/unread', async () => 'read nothing');
  await app.listen({ port: 0, host: '127.0.0.1' });
  socket = connect({ host: '127.0.0.1', port: (app.server.address() as AddressInfo).port });
  socket.on('error', () => {});
});

afterEach(async () => {
  socket.destroy();
  await app.close();
});

const closed = () => new Promise<void>((resolve) => socket.once('close', () => resolve()));
const answered = () => new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())));
const begin = (line: string, more: string) =>
  socket.write(`${line} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n${more}`);

/** Sends a character every tenth of a second, until the connection ends. */
function trickle(): void {
  const timer = setInterval(() => socket.write(' '), 100);
  socket.once('close', () => clearInterval(timer));
}

test.each([
  ['of a known length', 'content-length: 900000\r\n\r\n{'],
  ['of no known length', 'transfer-encoding: chunked\r\n\r\n1\r\n{\r\n'],
])('fault 12: a JSON body %s that stops is refused, and its connection closed', async (_what, start) => {
  begin('POST /json', start);
  const windows = countSteps(WINDOW_MS);
  const answer = await answered();
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toContain('"code":"too_slow"');
  expect(windows()).toBeLessThan(5);
  await closed();
});

test('fault 12: a JSON body that trickles is refused', async () => {
  begin('POST /json', 'content-length: 900000\r\n\r\n{');
  trickle();
  expect(await answered()).toMatch(/^HTTP\/1\.1 408 /);
});

test('fault 12: a body that nobody reads does not hold its connection', async () => {
  begin('GET /unread', 'content-length: 900000\r\n\r\n');
  expect(await answered()).toMatch(/^HTTP\/1\.1 200 /);
  trickle();
  await closed();
});

test('a form is left to its own receiver', async () => {
  socket.write(
    'POST /form HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 900000\r\n\r\n--b',
  );
  trickle();
  expect(await answered()).toMatch(/^HTTP\/1\.1 200 .*"faults":0\}$/s);
});

test('fault 12: a body at a bearable pace is read to its end', async () => {
  limitMs = 60_000;
  const body = JSON.stringify({ text: 'x'.repeat(9_000) });
  begin('POST /json', `content-length: ${body.length}\r\n\r\n`);
  const answer = answered();
  for (let at = 0; at < body.length; at += 1_000) {
    socket.write(body.slice(at, at + 1_000));
    await sleep(100);
  }
  expect(await answer).toContain(`"got":${body.length}`);
});

test('G1: a JSON body that goes on for longer than its limit is refused, however quickly it arrives', async () => {
  begin('POST /json', 'transfer-encoding: chunked\r\n\r\n');
  const piece = ' '.repeat(2_000);
  const timer = setInterval(() => socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`), 20);
  socket.once('close', () => clearInterval(timer));
  const answer = await answered();
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toContain('"code":"too_slow"');
  await closed();
});
