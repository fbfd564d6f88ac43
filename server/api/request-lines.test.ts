// What is written of a flood of refusals, minute by minute.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ErrorCode, refuse } from '#contract/errors.ts';
import type { Viewer } from '../people/access/viewer.ts';
import { MINUTE_MS } from '../platform/clock.ts';
import { FaultLog } from '../platform/http/log-lines.ts';
import { eventually } from '../testing/eventually.ts';
import { HandClock } from '../testing/hand-clock.ts';
import { dial, requestHead } from '../testing/threats/wire.ts';
import { answerError } from './answer-errors.ts';
import { writeRequestLines } from './request-lines.ts';

const HERE = '192.0.2.1';
const THERE = '192.0.2.2';
const MORE_THAN_SENT_AT_ONCE = Buffer.alloc(20_000_000);

let clock: HandClock;
let app: FastifyInstance;
let lines: Record<string, unknown>[];
beforeEach(() => {
  clock = new HandClock();
  lines = [];
  app = Fastify({
    logger: { level: 'info', stream: { write: (line: string) => void lines.push(JSON.parse(line)) } },
    logController: new FaultLog(),
  });
  writeRequestLines(app, clock);
  app.setErrorHandler(answerError);
  app.decorateRequest('viewer', null);
  app.addHook('onRequest', async (request) => {
    if (request.headers['x-person'] !== undefined) request.viewer = { id: 7 } as Viewer;
    if (request.headers['x-nowhere'] !== undefined) Object.assign(request.raw.socket, { remoteAddress: undefined });
  });
  app.post<{ Params: { code: ErrorCode | 'none' } }>('/:code', async ({ params: { code } }) => {
    if (code !== 'none') throw refuse(code as 'busy');
    return 'served';
  });
});
afterEach(() => app.close());

async function ask(code: ErrorCode | 'none', remoteAddress: string, times = 1, headers: Record<string, string> = {}) {
  for (let nth = 0; nth < times; nth += 1) {
    await app.inject({ method: 'POST', url: `/${code}?ticket=secret`, remoteAddress, headers });
  }
}

/** The lines since the last call. */
function written() {
  return lines.splice(0).map(({ msg, status, address, network, count, byStatus, userId }) => {
    if (msg === 'refused again') return { network, count, byStatus };
    return { msg, status, ...(userId === undefined ? { address } : { userId }) };
  });
}
const atOnce = (status: number, address: string) => ({ msg: 'request', status, address });
const countedOf = (network: string, count: number, byStatus: Record<string, number>) => ({ network, count, byStatus });

describe('the refusals of strangers', () => {
  it('are written at once the first time, and counted by status until the minute is over', async () => {
    await ask('unauthenticated', HERE, 3);
    await ask('too_many', HERE, 2);
    await ask('busy', HERE);
    expect(written()).toEqual([atOnce(401, HERE)]);
    clock.advance(MINUTE_MS - 1);
    expect(written()).toEqual([]);
    clock.advance(1);
    expect(written()).toEqual([countedOf(HERE, 5, { 401: 2, 429: 2, 503: 1 })]);
  });

  it('are one line a minute while they go on, and none in a minute without', async () => {
    await ask('unauthenticated', HERE, 2);
    clock.advance(MINUTE_MS);
    await ask('unauthenticated', HERE, 2);
    clock.advance(MINUTE_MS);
    expect(written()).toEqual([atOnce(401, HERE), countedOf(HERE, 1, { 401: 1 }), countedOf(HERE, 2, { 401: 2 })]);
    clock.advance(10 * MINUTE_MS);
    expect(written()).toEqual([]);
    expect(clock.waiting).toBe(0);
  });

  it('are written at once again after a quiet minute', async () => {
    await ask('unauthenticated', HERE);
    clock.advance(MINUTE_MS);
    await ask('forbidden', HERE);
    expect(written()).toEqual([atOnce(401, HERE), atOnce(403, HERE)]);
  });

  it('are counted by network, one of IPv6 being a /64', async () => {
    await ask('unauthenticated', HERE, 2);
    await ask('unauthenticated', THERE, 3);
    await ask('unauthenticated', '2001:db8::1');
    await ask('unauthenticated', '2001:db8::2');
    expect(written()).toEqual([atOnce(401, HERE), atOnce(401, THERE), atOnce(401, '2001:db8::1')]);
    clock.advance(MINUTE_MS);
    expect(written()).toEqual([
      countedOf(HERE, 1, { 401: 1 }),
      countedOf(THERE, 2, { 401: 2 }),
      countedOf('2001:db8:0:0', 1, { 401: 1 }),
    ]);
  });

  it('are counted as of one network beyond a thousand', async () => {
    for (let nth = 0; nth < 1_000; nth += 1) await ask('unauthenticated', `10.0.${nth >> 8}.${nth & 255}`);
    expect(written()).toHaveLength(1_000);
    await ask('unauthenticated', HERE);
    await ask('unauthenticated', HERE);
    await ask('too_many', THERE);
    await ask('unauthenticated', '10.0.0.0');
    expect(written()).toEqual([atOnce(401, HERE)]);
    clock.advance(MINUTE_MS);
    expect(written()).toEqual([
      countedOf('10.0.0.0', 1, { 401: 1 }),
      countedOf('further networks', 2, { 401: 1, 429: 1 }),
    ]);
  });

  it('are counted as of an unknown network where there is no address', async () => {
    await ask('unauthenticated', HERE, 2, { 'x-nowhere': 'yes' });
    clock.advance(MINUTE_MS);
    expect(written().slice(1)).toEqual([countedOf('unknown', 1, { 401: 1 })]);
  });

  it('lose no count when the server ends', async () => {
    await ask('unauthenticated', HERE, 3);
    await ask('unauthenticated', THERE);
    await app.close();
    expect(written()).toEqual([atOnce(401, HERE), atOnce(401, THERE), countedOf(HERE, 2, { 401: 2 })]);
    expect(clock.waiting).toBe(0);
  });
});

describe('every other request', () => {
  it('is one line: refusals of somebody signed in, faults and what was done', async () => {
    const person = { 'x-person': '7' };
    await ask('forbidden', HERE, 3, person);
    await ask('busy', HERE, 2, person);
    await ask('none', HERE, 2);
    await ask('unavailable', HERE, 2);
    lines = lines.filter(({ msg }) => msg !== 'request failed');
    expect(written()).toEqual([
      ...Array.from({ length: 3 }, () => ({ msg: 'request', status: 403, userId: 7 })),
      ...Array.from({ length: 2 }, () => ({ msg: 'request', status: 503, userId: 7 })),
      ...Array.from({ length: 2 }, () => atOnce(200, HERE)),
      ...Array.from({ length: 2 }, () => atOnce(503, HERE)),
    ]);
    expect(clock.waiting).toBe(0);
  });

  it('is told as left where its reader hung up, and not where the server did', async () => {
    let over = 0;
    app.get<{ Params: { how: 'cut' | 'waits' } }>('/:how', async ({ params: { how } }, reply) => {
      reply.hijack();
      reply.raw.once('close', () => {
        over += 1;
      });
      reply.raw.write(MORE_THAN_SENT_AT_ONCE);
      if (how === 'cut') setImmediate(() => reply.raw.socket?.resetAndDestroy());
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    lines.length = 0;
    const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
    for (const [path, headers] of [['/cut'], ['/waits'], ['/waits'], ['/waits', { 'x-person': '7' }]] as const) {
      const socket = dial(origin);
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.write(requestHead('GET', path, headers));
      await once(socket, 'data');
      if (path === '/waits') socket.resetAndDestroy();
      await closed;
    }
    const ofReader = { level: 30, path: '/waits', left: true, address: '127.0.0.1' };
    await eventually(() => expect(over).toBe(4));
    expect(lines).toMatchObject([ofReader]);
    // Strangers who hang up are counted like those who are refused.
    clock.advance(MINUTE_MS);
    expect(lines).toMatchObject([ofReader, countedOf('127.0.0.1', 1, { left: 1 })]);
  });

  it('is told without its query', async () => {
    await ask('none', HERE);
    await ask('unauthenticated', HERE);
    expect(lines.map(({ path }) => path)).toEqual(['/none', '/unauthenticated']);
  });
});
