// Row H8 of the threat model, through the whole application: who waits while strangers keep the one place at which their bytes are parsed.
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { startTestApp, type TestApp } from '../test-app.ts';
import { DATABASE_KINDS } from '../test-database.ts';
import { dial, requestHead } from './wire.ts';

describe.each(DATABASE_KINDS)('bytes that wait for their turn on %s', (kind) => {
  const sockets: Socket[] = [];
  let app: TestApp;
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await app.close();
  });

  /** Takes the strangers' place until the returned function is called. */
  function holdStrangers(): () => void {
    const place = Promise.withResolvers<void>();
    const holder = Object.assign(new EventEmitter(), { destroyed: false });
    void app.context.admission.strangersPieces.run('held', holder, () => place.promise);
    return place.resolve;
  }

  /** A connection that stays, and the statuses that came on it. */
  function open(token: string | null) {
    const socket = dial(app.origin);
    sockets.push(socket);
    let text = '';
    socket.on('data', (piece: Buffer) => {
      text += piece.toString('latin1');
    });
    return {
      ask: () => {
        const headers = { authorization: `Bearer ${token}`, connection: 'keep-alive' };
        socket.write(requestHead('GET', '/api/auth/me', headers));
      },
      statuses: () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
    };
  }

  it('H8: whoever has been found on their connection is answered; a stranger, and a new connection, wait', async () => {
    app = await startTestApp(kind);
    const known = open(app.admin.token);
    const stranger = open('no-such-token');
    for (const one of [known, stranger]) one.ask();
    await eventually(() => expect([known.statuses(), stranger.statuses()]).toEqual([[200], [401]]));

    const letGo = holdStrangers();
    const fresh = open(app.admin.token);
    for (const one of [stranger, fresh, known]) one.ask();
    await eventually(() => expect(known.statuses()).toEqual([200, 200]));
    await eventually(() => expect(app.context.admission.strangersPieces.waiting).toBe(2));
    expect([stranger.statuses(), fresh.statuses()]).toEqual([[401], []]);
    letGo();
    await eventually(() => expect([stranger.statuses(), fresh.statuses()]).toEqual([[401, 401], [200]]));
  });

  it('H8: what a trusted proxy brings waits for nobody', async () => {
    app = await startTestApp(kind, { TRUST_PROXY: '127.0.0.1' });
    const letGo = holdStrangers();
    const proxied = open('no-such-token');
    proxied.ask();
    await eventually(() => expect(proxied.statuses()).toEqual([401]));
    letGo();
  });
});
