// Readers that take nothing, and servers that give nothing: only the former are cut.
import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { HandClock } from '../../testing/hand-clock.ts';
import { silenceIsCut } from '../../testing/threats/wire.ts';
import { type Clock, systemClock } from '../clock.ts';
import { endQuietReader } from './quiet-readers.ts';

/** Far more than the kernel buffers for a reader that reads nothing. */
const LARGE_BYTES = 64 * 1024 * 1024;
/** So much that the kernel asks for more once it was read. */
const PIECE_BYTES = 3 * 1024 * 1024;

/** A connection of the server with Node's own notes of it: what its timer calls, and how much of a large piece has not left. */
type Served = Socket & { _onTimeout(): void; readonly _handle: { readonly writeQueueSize: number } | null };

let app: FastifyInstance;
/** Both ends of one connection. */
let socket: Socket;
let served: Served;
let receivedBytes: number;
let takesUntilBytes: number;
/** What lets an answer of `/late` begin, of each that was asked for. */
const late: (() => void)[] = [];

async function serve(lookMs: number, clock: Clock): Promise<void> {
  late.length = 0;
  app = Fastify({ forceCloseConnections: true, connectionTimeout: lookMs });
  app.addHook('onRequest', (_request, reply, done) => {
    endQuietReader(reply, clock);
    done();
  });
  app.get('/large', async () => Buffer.alloc(LARGE_BYTES));
  app.get<{ Querystring: { bytes: string } }>('/late', async ({ query }) => {
    await new Promise<void>((resolve) => late.push(resolve));
    return Buffer.alloc(Number(query.bytes));
  });
  const accepted = new Promise<Socket>((resolve) => app.server.once('connection', resolve));
  await app.listen({ port: 0, host: '127.0.0.1' });
  socket = connect({ host: '127.0.0.1', port: Number(new URL(origin()).port) });
  socket.on('error', () => {});
  receivedBytes = 0;
  takesUntilBytes = Number.POSITIVE_INFINITY;
  socket.on('data', (chunk) => {
    receivedBytes += chunk.length;
    if (receivedBytes >= takesUntilBytes) socket.pause();
  });
  served = (await accepted) as Served;
}

afterEach(async () => {
  socket.destroy();
  await app.close();
});

const origin = () => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
const ask = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
const answered = () => new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))));

describe('a connection that is looked at', () => {
  const LOOK_MS = 30_000;
  let clock: HandClock;
  beforeEach(() => {
    clock = new HandClock();
    return serve(LOOK_MS, clock);
  });

  /** What Node does when it has seen nothing happen from one look to the next. */
  function look(): void {
    clock.advance(LOOK_MS);
    served._onTimeout();
  }
  /** Asked while bytes wait, Node has seen some of them leave first; at the second look from then on the connection is cut. */
  function expectCut(): void {
    for (let nth = 0; nth < 2; nth += 1) {
      look();
      expect(served.destroyed).toBe(false);
    }
    look();
    expect(served.destroyed).toBe(true);
  }
  const isSending = () => eventually(() => expect(served.writableLength).toBeGreaterThan(0));

  /** Takes so many bytes, and then no more. */
  async function take(bytes: number): Promise<void> {
    takesUntilBytes = receivedBytes + bytes;
    socket.resume();
    await eventually(() => expect(receivedBytes).toBeGreaterThanOrEqual(takesUntilBytes));
  }

  test('G10: is cut where nothing of one large answer is taken', async () => {
    socket.pause();
    const closing = new Promise<boolean>((resolve) => socket.once('close', resolve));
    ask('/large');
    await isSending();
    expectCut();
    socket.resume();
    // With an error: a reset, and no end.
    expect(await closing).toBe(true);
    expect(receivedBytes).toBeLessThan(LARGE_BYTES);
  });

  test('G10: is left open while it is the server that takes long', async () => {
    const answer = answered();
    ask('/late?bytes=5');
    await eventually(() => expect(late).toHaveLength(1));
    for (let nth = 0; nth < 6; nth += 1) look();
    expect(served.destroyed).toBe(false);
    late.pop()?.();
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('G10: is cut where the answer came late and nothing of it is taken', async () => {
    socket.pause();
    ask(`/late?bytes=${LARGE_BYTES}`);
    await eventually(() => expect(late).toHaveLength(1));
    for (let nth = 0; nth < 6; nth += 1) look();
    expect(served.destroyed).toBe(false);
    late.pop()?.();
    await isSending();
    expectCut();
  });

  test('G10: is left open where a slow reader moves, which gets its answer whole', async () => {
    const waitingBytes = () => served._handle?.writeQueueSize;
    ask('/large');
    await isSending();
    let looks = 0;
    while (receivedBytes < 0.75 * LARGE_BYTES) {
      const before = waitingBytes();
      await take(PIECE_BYTES);
      await eventually(() => expect(waitingBytes()).toBeLessThan(before ?? 0));
      // Node sees the movement at the first one, so that the second finds nothing new.
      for (let nth = 0; nth < 2; nth += 1) look();
      looks += 2;
      expect(served.destroyed).toBe(false);
    }
    expect(looks).toBeGreaterThan(20);
    await take(LARGE_BYTES - receivedBytes + 1);
    expect(served.destroyed).toBe(false);
  });
});

test('G10: by the clock of the system, whoever takes nothing is cut as well', async () => {
  await serve(1_000, systemClock);
  socket.pause();
  ask('/large');
  await eventually(() => expect(served.destroyed).toBe(true));
});

test('a connection between two requests is left open', async () => {
  await serve(300, systemClock);
  for (const bytes of [5, 6]) {
    const answer = answered();
    ask(`/late?bytes=${bytes}`);
    await eventually(() => expect(late).toHaveLength(1));
    late.pop()?.();
    expect(await answer).toContain(`content-length: ${bytes}`);
    for (let nth = 0; nth < 2; nth += 1) await silenceIsCut(origin());
    expect(served.destroyed).toBe(false);
  }
});
