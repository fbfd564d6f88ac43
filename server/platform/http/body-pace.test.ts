// How slowly a body may arrive, over real connections and by a clock moved by hand; uploads have more in receive-upload.test.ts.
import { type AddressInfo, connect, type Socket } from 'node:net';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refuse } from '#contract/errors.ts';
import { answerError } from '../../api/answer-errors.ts';
import { eventually } from '../../testing/eventually.ts';
import { HandClock } from '../../testing/hand-clock.ts';
import { systemClock } from '../clock.ts';
import { limitBodies, watchPace } from './body-pace.ts';

const LIMIT_MS = 20_000;

let app: FastifyInstance;
/** Both ends of the one connection. */
let socket: Socket;
let served: Socket;
let answer: string;
let sentBytes: number;

async function serve(register: (app: FastifyInstance) => void): Promise<void> {
  app = Fastify({ forceCloseConnections: true });
  app.setErrorHandler(answerError);
  await app.register(multipart);
  register(app);
  const accepted = new Promise<Socket>((resolve) => app.server.once('connection', resolve));
  await app.listen({ port: 0, host: '127.0.0.1' });
  socket = connect({ host: '127.0.0.1', port: (app.server.address() as AddressInfo).port });
  socket.on('error', () => {});
  served = await accepted;
  answer = '';
  sentBytes = 0;
  socket.on('data', (chunk) => {
    answer += chunk;
  });
}

afterEach(async () => {
  socket.destroy();
  await app.close();
});

/** Sends bytes and waits until the server has them. */
async function send(text: string): Promise<void> {
  sentBytes += text.length;
  socket.write(text);
  await eventually(() => expect(served.bytesRead).toBe(sentBytes));
}
const begin = (line: string, more: string, type = 'application/json') =>
  send(`${line} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: ${type}\r\n${more}`);

const answered = (start: RegExp) => eventually(() => expect(answer).toMatch(start));
const closed = () => eventually(() => expect(served.destroyed).toBe(true));
async function refused(): Promise<void> {
  await answered(/^HTTP\/1\.1 408 .*"code":"too_slow"/s);
  await closed();
}

describe('the limit for a body', () => {
  let clock: HandClock;
  let faults: number;
  let answerForm: () => void;

  beforeEach(async () => {
    clock = new HandClock();
    faults = 0;
    await serve((app) => {
      app.addHook('preParsing', limitBodies(LIMIT_MS, clock));
      app.post('/json', async (request) => ({ got: JSON.stringify(request.body).length }));
      app.post('/form', async (request) => {
        request.raw.on('error', () => {
          faults += 1;
        });
        request.raw.resume();
        await new Promise<void>((resolve) => {
          answerForm = resolve;
        });
        return { faults };
      });
      app.get('/unread', async () => 'read nothing');
    });
  });

  /** The limit of the one request is known to run. */
  const limited = () => eventually(() => expect(clock.waiting).toBe(1));

  /** Sends `piece` again and again, until the limit is a moment away. */
  async function trickle(piece: string): Promise<void> {
    for (let nth = 0; nth < 10; nth += 1) {
      await send(piece);
      clock.advance(LIMIT_MS / 10 - 1);
    }
    clock.advance(9);
  }

  test.each([
    ['of a known length', 'content-length: 900000\r\n\r\n{'],
    ['of no known length', 'transfer-encoding: chunked\r\n\r\n1\r\n{\r\n'],
  ])('fault 12: a JSON body %s that stops is refused, and its connection closed', async (_what, start) => {
    await begin('POST /json', start);
    await limited();
    clock.advance(LIMIT_MS - 1);
    expect(clock.waiting).toBe(1);
    clock.advance(1);
    await refused();
  });

  test('fault 12: a JSON body that trickles is refused', async () => {
    await begin('POST /json', 'content-length: 900000\r\n\r\n{');
    await limited();
    await trickle(' ');
    expect([clock.waiting, answer]).toEqual([1, '']);
    clock.advance(1);
    await refused();
  });

  test('fault 12: a body that nobody reads does not hold its connection', async () => {
    // So short that its rest would be let pass.
    await begin('GET /unread', 'content-length: 400000\r\n\r\n');
    await answered(/^HTTP\/1\.1 200 /);
    await trickle(' ');
    expect([clock.waiting, served.destroyed]).toEqual([1, false]);
    clock.advance(1);
    expect(served.destroyed).toBe(true);
  });

  test.each([
    ['that nobody reads', 'GET /unread', 400_000, 200],
    ['that is too long', 'POST /json', 2_000_000, 413],
  ])('H3: a body %s is forgotten when its sender hangs up', async (_what, line, bytes, status) => {
    await begin(line, `content-length: ${bytes}\r\n\r\n`);
    await answered(new RegExp(`^HTTP/1\\.1 ${status} `));
    socket.destroy();
    await eventually(() => expect([served.destroyed, clock.waiting]).toEqual([true, 0]));
  });

  test('a form is left to its own receiver', async () => {
    const type = 'multipart/form-data; boundary=b';
    await begin('POST /form', 'content-length: 900000\r\n\r\n--b', type);
    await eventually(() => expect(answerForm).toBeTypeOf('function'));
    await trickle(' ');
    clock.advance(LIMIT_MS);
    answerForm();
    await answered(/^HTTP\/1\.1 200 .*"faults":0\}$/s);
  });

  test('fault 12: a body at a bearable pace is read to its end', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(9_000) });
    await begin('POST /json', `content-length: ${body.length}\r\n\r\n`);
    await limited();
    for (let at = 0; at < body.length; at += 1_000) {
      clock.advance(LIMIT_MS / 10 - 1);
      await send(body.slice(at, at + 1_000));
    }
    await answered(new RegExp(`"got":${body.length}`));
    expect(clock.waiting).toBe(0);
  });

  test('G1: a JSON body that goes on for longer than its limit is refused, however quickly it arrives', async () => {
    await begin('POST /json', 'transfer-encoding: chunked\r\n\r\n');
    await limited();
    await trickle(`7d0\r\n${' '.repeat(2_000)}\r\n`);
    expect([clock.waiting, answer]).toEqual([1, '']);
    clock.advance(1);
    await refused();
  });
});

test.each([
  ['that is awaited', 'POST /json'],
  ['that nobody reads', 'GET /unread'],
])('H3: a body %s is not waited for where its sender hung up while the head was looked at', async (_what, line) => {
  const clock = new HandClock();
  const looked = Promise.withResolvers<void>();
  const refusals: unknown[] = [];
  let handled = 0;
  await serve((app) => {
    app.addHook('onRequest', () => looked.promise);
    app.addHook('preParsing', limitBodies(LIMIT_MS, clock));
    app.addHook('onError', async (_request, _reply, error) => void refusals.push(error));
    const handle = async () => {
      handled += 1;
    };
    app.post('/json', handle);
    app.get('/unread', handle);
  });
  await begin(line, 'content-length: 400000\r\n\r\n');
  socket.resetAndDestroy();
  await closed();
  looked.resolve();
  await eventually(() => expect(refusals).toMatchObject([{ code: 'busy' }]));
  expect([clock.waiting, handled]).toEqual([0, 0]);
});

test('fault 12: by the clock of the system, bodies are ended as well', async () => {
  await serve((app) => {
    app.addHook('preParsing', limitBodies(300, systemClock));
    app.post('/json', async () => 'never');
  });
  await begin('POST /json', 'content-length: 900000\r\n\r\n{');
  await refused();
});

test('fault 12: by the clock of the system, uploads are watched as well', async () => {
  await serve((app) => {
    app.post('/form', async ({ raw }) => {
      raw.resume();
      await new Promise<void>((resolve) => watchPace(raw, { windowMs: 300, minBytes: 1_000 }, systemClock, resolve));
      throw refuse('too_slow');
    });
  });
  await begin('POST /form', 'content-length: 900000\r\n\r\n--b', 'multipart/form-data; boundary=b');
  await refused();
});
