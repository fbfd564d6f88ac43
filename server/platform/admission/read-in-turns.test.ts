// Row H8 of the threat model: whose bytes are parsed when, and that none is lost, doubled or read without bound on its way.
import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { requestHead } from '../../testing/threats/wire.ts';
import { answerInOrder, SENT_AHEAD_MAX } from './connections.ts';
import { FairTurns, type Share } from './fair-turns.ts';
import { networkOf, sitePrefixOf } from './network.ts';
import { readInTurns, STRANGERS_PIECE_BYTES } from './read-in-turns.ts';

const KIB = 1024;
const SHORTEST = 'GET / HTTP/1.1\r\nhost:a\r\n\r\n';
const PERSON = 7;

const opened: Socket[] = [];
let server: Server;
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server whose strangers wait while `hold` holds their one place. Requests to `/person` find a session. */
async function serve(handle: Handler = (_request, response) => void response.end('done;'), share: Partial<Share> = {}) {
  const strangersPieces = new FairTurns({ atOnce: 1, atOnceOfOne: 1, waitingOfOne: 500, waiting: 500, ...share });
  const piecesOfPeople = new FairTurns({ atOnce: 500, atOnceOfOne: 1, waitingOfOne: 500, waiting: 500 });
  server = createServer();
  const notePerson = readInTurns(server, { strangersPieces, piecesOfPeople }, (address) =>
    address === '127.0.9.9' ? null : sitePrefixOf(networkOf(address)),
  );
  const accepted: Socket[] = [];
  server.on('connection', (socket) => accepted.push(socket));
  const parsed: string[] = [];
  server.on('request', (request, response) => {
    if (request.url === '/person') notePerson(request.socket, PERSON);
    handle(request, response);
  });
  answerInOrder(server);
  server.prependListener('request', (request) => parsed.push(request.url ?? ''));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    parsed,
    strangersPieces,
    /** Takes the strangers' place; returns what gives it back. */
    hold(): () => void {
      const place = Promise.withResolvers<void>();
      void strangersPieces.run('held', Object.assign(new EventEmitter(), { destroyed: false }), () => place.promise);
      return place.resolve;
    },
    async open(localAddress = '127.0.0.1') {
      const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
      opened.push(socket.on('error', () => {}));
      let text = '';
      socket.on('data', (piece: Buffer) => {
        text += piece.toString('latin1');
      });
      await new Promise<void>((done) => socket.once('connect', done));
      const find = () => accepted.find(({ remotePort }) => remotePort === socket.localPort);
      await eventually(() => expect(find()).toBeDefined());
      return { socket, served: find() as Socket, answers: () => text.split('done;').length - 1 };
    },
  };
}

const isClosed = (socket: Socket) => new Promise<void>((done) => socket.once('close', () => done()));

const get = (path: string, headers: Record<string, string> = {}) =>
  requestHead('GET', path, { connection: 'keep-alive', ...headers });

describe('whose turn it is', () => {
  it('H8: a person waits for no stranger where their connection has carried a request of theirs', async () => {
    const { open, hold, strangersPieces } = await serve();
    const person = await open();
    person.socket.write(get('/person'));
    await eventually(() => expect(person.answers()).toBe(1));
    const letGo = hold();
    const stranger = await open();
    stranger.socket.write(get('/'));
    await eventually(() => expect(strangersPieces.waiting).toBe(1));
    person.socket.write(get('/other'));
    await eventually(() => expect(person.answers()).toBe(2));
    expect(stranger.answers()).toBe(0);
    letGo();
    await eventually(() => expect(stranger.answers()).toBe(1));
  });

  it('H8: strangers are served by site in turns, however many connections one has', async () => {
    const { open, hold, strangersPieces, parsed } = await serve();
    const letGo = hold();
    for (let nth = 1; nth <= 20; nth += 1) {
      (await open('127.0.9.1')).socket.write(get(`/many-${nth}`));
      await eventually(() => expect(strangersPieces.waiting).toBe(nth));
    }
    (await open('127.0.9.2')).socket.write(get('/one'));
    await eventually(() => expect(strangersPieces.waiting).toBe(21));
    letGo();
    await eventually(() => expect(parsed).toHaveLength(21));
    expect(parsed.slice(0, 2).sort()).toEqual(['/many-1', '/one']);
  });

  it('H8: what many connections bring at once is not parsed in one turn of the event loop', async () => {
    const { open, parsed } = await serve();
    const strangers = await Promise.all(Array.from({ length: 40 }, () => open()));
    let turns = 0;
    const turnsWithRequests = new Set<number>();
    server.prependListener('request', () => turnsWithRequests.add(turns));
    const count = () => {
      turns += 1;
      if (parsed.length < strangers.length) setImmediate(count);
    };
    setImmediate(count);
    for (const [nth, { socket }] of strangers.entries()) socket.write(get(`/${nth}`));
    await eventually(() => expect(parsed).toHaveLength(strangers.length));
    // One before this count's own place in the turn and one after it.
    expect(turnsWithRequests.size).toBeGreaterThanOrEqual(strangers.length / 2);
  });

  it('H8: a trusted proxy waits for nobody, and whoever else comes does', async () => {
    const { open, hold, strangersPieces } = await serve();
    const letGo = hold();
    const proxy = await open('127.0.9.9');
    proxy.socket.write(get('/'));
    await eventually(() => expect(proxy.answers()).toBe(1));
    const other = await open('127.0.9.8');
    other.socket.write(get('/'));
    await eventually(() => expect(strangersPieces.waiting).toBe(1));
    expect(other.answers()).toBe(0);
    letGo();
    await eventually(() => expect(other.answers()).toBe(1));
  });
});

describe('what is refused', () => {
  it('H8: of a connection that is closed nothing more is parsed', async () => {
    const { open, parsed } = await serve((_request, response) => void setImmediate(() => response.end('done;')));
    const { socket } = await open();
    const closed = isClosed(socket);
    socket.on('end', () => socket.destroy());
    socket.write(SHORTEST.repeat(10_000));
    await closed;
    expect(parsed.length).toBeGreaterThan(SENT_AHEAD_MAX);
    expect(parsed.length).toBeLessThan(SENT_AHEAD_MAX + (2 * STRANGERS_PIECE_BYTES) / SHORTEST.length);
  });

  it('H8: a connection that finds no place to wait is closed, and those that wait are served', async () => {
    const { open, hold, strangersPieces } = await serve(undefined, { waitingOfOne: 2 });
    const letGo = hold();
    const waiting = [await open(), await open()];
    for (const [nth, { socket }] of waiting.entries()) {
      socket.write(get('/'));
      await eventually(() => expect(strangersPieces.waiting).toBe(nth + 1));
    }
    const third = await open();
    const closed = isClosed(third.served);
    third.socket.write(get('/'));
    await closed;
    const elsewhere = await open('127.0.9.2');
    elsewhere.socket.write(get('/'));
    await eventually(() => expect(strangersPieces.waiting).toBe(3));
    letGo();
    for (const one of [...waiting, elsewhere]) await eventually(() => expect(one.answers()).toBe(1));
  });

  it('H8: whoever leaves while they wait leaves nothing behind', async () => {
    const { open, hold, strangersPieces, parsed } = await serve();
    const letGo = hold();
    const { socket } = await open();
    socket.write(get('/left'));
    await eventually(() => expect(strangersPieces.waiting).toBe(1));
    socket.resetAndDestroy();
    await eventually(() => expect(strangersPieces.waiting).toBe(0));
    const stays = await open();
    stays.socket.write(get('/stays'));
    letGo();
    await eventually(() => expect(stays.answers()).toBe(1));
    expect(parsed).toEqual(['/stays']);
  });

  it('H8: a connection that waits is not read on', async () => {
    const { open, hold, strangersPieces } = await serve();
    const letGo = hold();
    const { socket, served } = await open();
    socket.write(requestHead('POST', '/', { 'content-length': `${8 * KIB * KIB}` }));
    socket.write(Buffer.alloc(8 * KIB * KIB));
    await eventually(() => expect(strangersPieces.waiting).toBe(1));
    // Others are served in the meantime, so that whatever could have been read was.
    const proxy = await open('127.0.9.9');
    for (let nth = 1; nth <= 50; nth += 1) {
      proxy.socket.write(get('/'));
      await eventually(() => expect(proxy.answers()).toBe(nth));
    }
    expect(served.bytesRead).toBeLessThanOrEqual(3 * 64 * KIB);
    letGo();
    await eventually(() => expect(served.bytesRead).toBeGreaterThan(8 * KIB * KIB));
  });
});

describe('what arrives', () => {
  /** Answers with the length and the sum of the body's bytes. */
  const weigh: Handler = (request, response) => {
    let bytes = 0;
    let sum = 0;
    request.on('data', (piece: Buffer) => {
      bytes += piece.length;
      for (const byte of piece) sum += byte;
    });
    request.on('end', () => response.end(`${request.url} ${bytes} ${sum} done;`));
  };

  it.each(['/stranger', '/person'])('H8: is whole and in order, of %s', async (path) => {
    const { open } = await serve(weigh);
    const { socket, answers } = await open();
    let text = '';
    socket.on('data', (piece: Buffer) => {
      text += piece.toString('latin1');
    });
    const body = Buffer.from(Array.from({ length: 3 * KIB * KIB }, (_, nth) => (nth * 31) % 251));
    const sum = body.reduce((total, byte) => total + byte, 0);
    for (const nth of [1, 2, 3]) {
      socket.write(
        requestHead('POST', `${path}?${nth}`, { 'content-length': `${body.length}`, connection: 'keep-alive' }),
      );
      socket.write(body);
    }
    await eventually(() => expect(answers()).toBe(3));
    expect([...text.matchAll(/\?(\d) (\d+) (\d+) done;/g)].map((answer) => answer.slice(1).map(Number))).toEqual(
      [1, 2, 3].map((nth) => [nth, body.length, sum]),
    );
  });

  it('H8: waits for a reader who is slow with an answer, and is then answered whole', async () => {
    const long = 'x'.repeat(4 * KIB * KIB);
    const { open, parsed } = await serve((_request, response) => void response.end(`${long}done;`));
    const { socket, answers } = await open();
    socket.pause();
    // Each head is almost a piece of its own.
    for (const nth of [1, 2, 3]) socket.write(get(`/${nth}`, { 'x-long': 'y'.repeat(STRANGERS_PIECE_BYTES - 200) }));
    await eventually(() => expect(parsed.length).toBeGreaterThan(0));
    socket.resume();
    await eventually(() => expect(answers()).toBe(3));
    expect(parsed).toEqual(['/1', '/2', '/3']);
  });

  it('H8: is parsed before the end that came after it, and the end lets the connection go', async () => {
    const { open, parsed, hold, strangersPieces } = await serve((request) => void request.resume());
    const letGo = hold();
    const { socket, served } = await open();
    const closed = isClosed(served);
    socket.end(get('/last'));
    socket.on('end', () => socket.destroy());
    await eventually(() => expect(strangersPieces.waiting).toBe(1));
    expect(served.destroyed).toBe(false);
    letGo();
    await closed;
    expect(parsed).toEqual(['/last']);
  });
});
