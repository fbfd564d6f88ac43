// A listener who does not read: what waits for them is one message, however much happens meanwhile.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WIRE_LIMITS } from '../../platform/http/wire-limits.ts';
import { eventually } from '../../testing/eventually.ts';
import { HandClock } from '../../testing/hand-clock.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { openChangeFeed } from '../change-feed.ts';
import { Streams } from './streams.ts';

const BEAT_MS = 20_000;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp('sqlite');
});
afterAll(() => app.close());

it('G26: a listener who does not read is asked nothing for and kept one message, and hears the rest once they read', async () => {
  const { context, database, now } = app;
  const { id } = await database.reader.selectFrom('sessions').select('id').executeTakeFirstOrThrow();
  let asked = 0;
  const principal = {
    read: async () => {
      asked += 1;
      const viewer = await context.sessions.bySession(id);
      if (viewer === null) throw new Error('The session is over');
      return context.scopes.read(viewer);
    },
    change: () => Promise.reject(new Error('Nothing is changed here')),
  };
  const { viewer } = await principal.read();
  const faults: unknown[] = [];
  const clock = new HandClock();
  const streams = new Streams({
    feed: openChangeFeed(database),
    now,
    clock,
    beatEveryMs: BEAT_MS,
    tellEveryMs: WIRE_LIMITS.tellEveryMs,
    onFault: (error) => faults.push(error),
  });
  const stream = await streams.open(viewer, principal, undefined);
  const waiting = stream.readableLength;
  expect(waiting).toBeGreaterThan(0);
  const before = asked;
  for (let nth = 0; nth < 30; nth += 1) {
    await app.admin.post('/api/report-types', { name: `Type ${nth}` });
    clock.advance(BEAT_MS);
  }
  // Only its session was looked at, once a beat.
  await eventually(() => expect(asked).toBe(before + 30));
  expect(stream.readableLength).toBe(waiting);
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await eventually(() => {
    clock.advance(1_000);
    expect(text).toContain('"ownChanged":["reportTypes"');
  });
  expect(text.match(/event: change/g)).toHaveLength(1);
  // A beat that is under way when the stream ends says nothing after its end.
  clock.advance(BEAT_MS);
  await streams.end();
  await eventually(() => expect(stream.readableEnded).toBe(true));
  expect(faults).toEqual([]);
});
