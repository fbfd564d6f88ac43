// What a connection may send ahead of its answers: the order, the place of a body, and what never begins.
import type { AddressInfo, Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { dial, requestHead } from '../../testing/threats/wire.ts';
import { answerInOrder, SENT_AHEAD_MAX } from './connections.ts';

const sockets: Socket[] = [];
let app: FastifyInstance;
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

/** Answers what is sent, in the order of `begun`; while `held` nothing is answered. */
async function serve() {
  app = Fastify({ forceCloseConnections: true });
  answerInOrder(app.server);
  const begun: string[] = [];
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  let atOnce = 0;
  let mostAtOnce = 0;
  app.addHook('onRequest', async (request) => {
    begun.push(request.url);
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    await gate.promise;
    atOnce -= 1;
  });
  app.get('/:nth', async (request) => `answer ${(request.params as { nth: string }).nth};`);
  app.post('/:nth', async (request) => `answer ${JSON.stringify(request.body)};`);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const served = new Promise<Socket>((accepted) => app.server.once('connection', accepted));
  const socket = dial(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
  sockets.push(socket);
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return {
    socket,
    /** The server's end of it. */
    served,
    begun,
    answers: () => [...text.matchAll(/answer (.*?);/g)].map(([, answer]) => answer),
    mostAtOnce: () => mostAtOnce,
    hold: () => {
      gate = Promise.withResolvers();
    },
    letGo: () => gate.resolve(),
  };
}

const numbers = (count: number) => Array.from({ length: count }, (_, nth) => `${nth}`);
const ahead = (count: number) =>
  numbers(count)
    .map((nth) => requestHead('GET', `/${nth}`, { connection: 'keep-alive' }))
    .join('');

function post(path: string, body: string): string {
  const headers = { 'content-type': 'application/json', 'content-length': `${body.length}` };
  return requestHead('POST', path, headers) + body;
}

describe('requests sent ahead of their answers', () => {
  it('are answered in order, one at a time, and the connection lives on', async () => {
    const { socket, answers, mostAtOnce } = await serve();
    socket.write(ahead(SENT_AHEAD_MAX));
    await eventually(() => expect(answers()).toEqual(numbers(SENT_AHEAD_MAX)));
    expect(mostAtOnce()).toBe(1);
    socket.write(ahead(3));
    await eventually(() => expect(answers()).toHaveLength(SENT_AHEAD_MAX + 3));
  });

  it('keep their bodies, also one that comes later', async () => {
    const { socket, answers, hold, letGo, begun } = await serve();
    hold();
    const last = post('/third', '{"nth":3}');
    socket.write(post('/first', '{"nth":1}') + post('/second', '{"nth":2}') + last.slice(0, -5));
    await eventually(() => expect(begun).toEqual(['/first']));
    letGo();
    await eventually(() => expect(answers()).toEqual(['{"nth":1}', '{"nth":2}']));
    socket.write(last.slice(-5));
    await eventually(() => expect(answers()).toHaveLength(3));
  });

  it('never begin once the connection is closed', async () => {
    const { socket, served, hold, letGo, begun } = await serve();
    hold();
    const closed = served.then((end) => new Promise<void>((done) => end.once('close', () => done())));
    socket.write(ahead(50));
    await eventually(() => expect(begun).toEqual(['/0']));
    socket.destroy();
    await closed;
    letGo();
    // A request on another connection comes after whatever this one could still have begun.
    const { port } = app.server.address() as AddressInfo;
    expect(await (await fetch(`http://127.0.0.1:${port}/other`)).text()).toBe('answer other;');
    expect(begun).toEqual(['/0', '/other']);
  });

  it('close the connection where there are too many', async () => {
    const { socket, hold, letGo, begun } = await serve();
    hold();
    const closed = new Promise((done) => socket.once('close', done).once('end', done));
    socket.write(ahead(SENT_AHEAD_MAX + 2));
    await closed;
    letGo();
    expect(begun).toEqual(['/0']);
  });

  it('close it too where all that came in one piece could be answered at once', async () => {
    const { socket, begun } = await serve();
    const closed = new Promise((done) => socket.once('close', done).once('end', done));
    // Node lets promises go on between two bodies of one piece.
    socket.write(
      numbers(SENT_AHEAD_MAX + 2)
        .map((nth) => post(`/${nth}`, nth))
        .join(''),
    );
    await closed;
    expect(begun).toEqual(['/0']);
  });
});
