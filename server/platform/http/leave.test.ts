// How connections end when the server does: answers whole, kept connections let go, readers sent elsewhere before the port is shut.
import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { HandClock } from '../../testing/hand-clock.ts';
import { answerOn, dial, requestHead } from '../../testing/threats/wire.ts';
import { type Clock, systemClock } from '../clock.ts';
import { leaveInOrder } from './leave.ts';

/** More than the kernel takes of an answer that nobody reads. */
const LARGE_BYTES = 20_000_000;
const DRAIN_MS = 30_000;

const sockets: Socket[] = [];
let app: FastifyInstance;
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

/** As buildApp sets it up, with an answer that is large and one that waits until it is let go. */
async function serve(
  drainMs: number,
  clock: Clock = systemClock,
): Promise<{ origin: string; letGo: () => void; waiting: () => number }> {
  app = Fastify({ forceCloseConnections: 'idle', return503OnClosing: false });
  leaveInOrder(app, drainMs, clock);
  const { promise, resolve } = Promise.withResolvers<void>();
  let waiting = 0;
  app.get('/large', async () => Buffer.alloc(LARGE_BYTES, 'x'));
  app.get('/slow', async () => {
    waiting += 1;
    await promise;
    return 'at last';
  });
  app.get('/read', async () => 'read');
  app.post('/write', async () => 'written');
  await app.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return { origin, letGo: resolve, waiting: () => waiting };
}

function open(origin: string): Socket {
  const socket = dial(origin);
  sockets.push(socket);
  return socket;
}

/** How many bytes arrive on a socket that nobody has read yet. */
async function readToItsEnd(socket: Socket): Promise<number> {
  let bytes = 0;
  for await (const chunk of socket) bytes += (chunk as Buffer).length;
  return bytes;
}

describe('a server that ends', () => {
  it('sends an answer to its last byte to a reader who has taken little of it', async () => {
    const { origin } = await serve(0);
    const socket = open(origin);
    socket.write(requestHead('GET', '/large'));
    await new Promise((begun) => socket.once('readable', begun));
    const closed = app.close();
    await eventually(() => expect(app.server.listening).toBe(false));
    expect(await readToItsEnd(socket)).toBeGreaterThan(LARGE_BYTES);
    await closed;
  });

  it('answers what it was asked before, and then keeps no connection', async () => {
    const { origin, letGo, waiting } = await serve(0);
    const socket = open(origin);
    const answer = answerOn(socket);
    socket.write(requestHead('GET', '/slow', { connection: 'keep-alive' }));
    await eventually(() => expect(waiting()).toBe(1));
    const closed = app.close();
    await eventually(() => expect(app.server.listening).toBe(false));
    letGo();
    expect(await answer).toMatchObject({ status: 200, body: 'at last' });
    await closed;
  });

  it('does not wait for a connection on which nothing was ever asked', async () => {
    const { origin } = await serve(0);
    const socket = open(origin);
    await new Promise((done) => socket.once('connect', done));
    await eventually(async () => expect(await connectionsOf(app)).toBe(1));
    await app.close();
  });

  it('turns readers away without an answer while it drains, serves whoever writes, and then listens no more', async () => {
    const clock = new HandClock();
    const { origin } = await serve(DRAIN_MS, clock);
    const kept = open(origin);
    const first = answerOn(kept);
    kept.write(requestHead('GET', '/read'));
    expect((await first).body).toBe('read');
    const closed = app.close();
    let isClosed = false;
    void closed.then(() => {
      isClosed = true;
    });
    await eventually(async () => {
      const reader = open(origin);
      reader.write(requestHead('GET', '/read'));
      expect(await readToItsEnd(reader)).toBe(0);
    });
    const second = answerOn(kept);
    kept.write(requestHead('POST', '/write'));
    const written = await second;
    expect([written.status, written.headers.get('connection')]).toEqual([200, 'close']);
    const writer = open(origin);
    const third = answerOn(writer);
    writer.write(requestHead('POST', '/write'));
    expect((await third).body).toBe('written');
    clock.advance(DRAIN_MS - 1);
    expect([clock.waiting, app.server.listening, isClosed]).toEqual([1, true, false]);
    clock.advance(1);
    await closed;
    const late = connect({ port: Number(new URL(origin).port), host: '127.0.0.1' });
    await expect(new Promise((_, refused) => late.once('error', refused))).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });
});

const connectionsOf = (one: FastifyInstance) =>
  new Promise<number>((done) => one.server.getConnections((_, count) => done(count)));
