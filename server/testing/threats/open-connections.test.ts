// Row H9 of the threat model, through the whole application: who loses a connection where one site or one person opens them without end.
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../platform/clock.ts';
import { eventually } from '../eventually.ts';
import { addRole, addUser, clientInput } from '../firm.ts';
import { startTestApp, type TestApp } from '../test-app.ts';
import { DATABASE_KINDS } from '../test-database.ts';
import { dial, requestHead } from './wire.ts';

/** Of a site, and of a person: as docs/operations.md says. */
const PLACES = 500;

/** A connection that says nothing is closed for its silence after a quarter of a minute; here never. */
const PATIENT = { limits: { headersLookMs: HOUR_MS, bodyMs: HOUR_MS } };

describe.each(DATABASE_KINDS)('connections that are opened without end on %s', (kind) => {
  const sockets: Socket[] = [];
  let app: TestApp;
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await app.close();
  });

  /** A connection that stays, once the server has it. */
  async function open(token: string | null = 'no-such-token') {
    const socket = dial(app.origin);
    sockets.push(socket);
    let text = '';
    let isClosed = false;
    socket.on('data', (piece: Buffer) => {
      text += piece.toString('latin1');
    });
    for (const event of ['end', 'close']) {
      socket.once(event, () => {
        isClosed = true;
      });
    }
    await Promise.all([
      new Promise((resolve) => socket.once('connect', resolve)),
      new Promise((resolve) => app.app.server.once('connection', resolve)),
    ]);
    const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
    return {
      socket,
      statuses,
      isClosed: () => isClosed,
      async ask() {
        const before = statuses().length;
        const headers = { authorization: `Bearer ${token}`, connection: 'keep-alive' };
        socket.write(requestHead('GET', '/api/auth/me', headers));
        await eventually(() => expect(statuses()).toHaveLength(before + 1));
      },
    };
  }

  async function openMany(count: number, token?: string | null) {
    const many = [];
    for (let nth = 0; nth < count; nth += 1) many.push(await open(token));
    return many;
  }

  /** Sends the first half of a request; the returned function sends the second. */
  function begin(socket: Socket, path: string, json: unknown, token: string | null = null): () => void {
    const body = JSON.stringify(json);
    const headers = { 'content-type': 'application/json', 'content-length': `${body.length}` };
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
    socket.write(requestHead('POST', path, { ...headers, ...authorization }) + body.slice(0, 10));
    return () => void socket.write(body.slice(10));
  }

  const numbersClosed = (connections: readonly { isClosed(): boolean }[]) =>
    connections.flatMap(({ isClosed }, nth) => (isClosed() ? [nth] : []));

  it('H9: a site loses its own quietest; a person keeps theirs, and the newest is answered', async () => {
    app = await startTestApp(kind, {}, PATIENT);
    const person = await open(app.admin.token);
    await person.ask();
    const sender = await open();
    const finish = begin(sender.socket, '/api/auth/login', { username: 'nobody', password: 'a guess that is wrong' });
    await eventually(() => expect(app.context.admission.strangersPieces.waiting).toBe(0));
    const answered = await open();
    await answered.ask();

    const strangers = await openMany(PLACES);
    // Theirs, that of the one who sends and that of the one who was answered are two too many.
    await eventually(() => expect([answered.isClosed(), numbersClosed(strangers)]).toEqual([true, [0]]));
    const newest = strangers.at(-1);
    await newest?.ask();
    expect(newest?.statuses()).toEqual([401]);
    await person.ask();
    expect([person.statuses(), person.isClosed()]).toEqual([[200, 200], false]);
    finish();
    await eventually(() => expect(sender.statuses()).toEqual([401]));
  });

  it('H9: a connection is no longer its site’s once a session was found on it, and a person loses their own quietest', async () => {
    app = await startTestApp(kind, {}, PATIENT);
    const { strangersConnections, connectionsOfPeople } = app.context.admission;
    const { caller } = await addUser(app, 'anna', await addRole(app, 'Bookkeeper'));
    // Those of the requests above, whose answers have come.
    app.app.server.closeIdleConnections();
    await eventually(() => expect([strangersConnections.open, connectionsOfPeople.open]).toEqual([0, 0]));
    const another = await open(caller.token);
    await another.ask();
    const sender = await open(app.admin.token);
    const finish = begin(sender.socket, '/api/clients', clientInput('Harbor & Pine Bakery LLC'), app.admin.token);
    await eventually(() => expect([strangersConnections.open, connectionsOfPeople.open]).toEqual([0, 2]));
    const own = await openMany(PLACES - 1, app.admin.token);
    // The first two one after the other, the others as many at a time as may wait.
    await own[0]?.ask();
    await own[1]?.ask();
    for (let nth = 2; nth < own.length; nth += 20) await Promise.all(own.slice(nth, nth + 20).map((one) => one.ask()));
    expect([strangersConnections.open, connectionsOfPeople.open]).toEqual([0, PLACES + 1]);
    await own[0]?.ask();
    const newest = await open(app.admin.token);
    await newest.ask();
    expect(newest.statuses()).toEqual([200]);
    await eventually(() => expect(numbersClosed(own)).toEqual([1]));
    expect(another.isClosed()).toBe(false);
    finish();
    await eventually(() => expect(sender.statuses()).toEqual([201]));

    for (const socket of sockets.splice(0)) socket.destroy();
    await eventually(() => expect([strangersConnections.open, connectionsOfPeople.open]).toEqual([0, 0]));
  });

  it('H9: what a trusted proxy opens is not counted', async () => {
    app = await startTestApp(kind, { TRUST_PROXY: '127.0.0.1' }, PATIENT);
    const proxied = await openMany(PLACES + 2);
    expect(app.context.admission.strangersConnections.open).toBe(0);
    await proxied[0]?.ask();
    expect(proxied[0]?.statuses()).toEqual([401]);
    expect(numbersClosed(proxied)).toEqual([]);
  });
});
