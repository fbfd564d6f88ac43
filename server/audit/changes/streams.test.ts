// How much the streams of a process take: of a listener who does not read one message waits, and no more than so many are open.
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

it('G26: a process has two thousand streams, whoever listens, and one that ends makes room', async () => {
  const { context, database, now } = app;
  const { id } = await database.reader.selectFrom('sessions').select('id').executeTakeFirstOrThrow();
  const viewer = await context.sessions.bySession(id);
  if (viewer === null) throw new Error('The session is over');
  const faults: unknown[] = [];
  const streams = new Streams({
    feed: openChangeFeed(database),
    now,
    clock: new HandClock(),
    beatEveryMs: BEAT_MS,
    tellEveryMs: WIRE_LIMITS.tellEveryMs,
    onFault: (error) => faults.push(error),
  });
  const principal = {
    read: () => Promise.reject(new Error('Nobody is told anything here')),
    change: () => Promise.reject(new Error('Nothing is changed here')),
  };
  /** Of somebody else each, in a session of their own. */
  const open = (nth: number) => {
    const credential = { kind: 'session', sessionId: nth, endsAt: Number.MAX_SAFE_INTEGER } as const;
    return streams.open({ ...viewer, id: nth, credential }, principal, undefined);
  };
  const first = await open(1);
  for (let nth = 2; nth <= 2_000; nth += 1) await open(nth);
  await expect(open(2_001)).rejects.toMatchObject({ code: 'busy' });
  first.destroy();
  await eventually(() => open(2_001));
  await expect(open(2_002)).rejects.toMatchObject({ code: 'busy' });
  await streams.end();
  expect(faults).toEqual([]);
});
