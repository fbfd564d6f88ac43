// When a running transfer is cut, and when it is left alone: a real answer, with control over the checks of the right.
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../platform/clock.ts';
import { eventually } from '../testing/eventually.ts';
import { HandClock } from '../testing/hand-clock.ts';
import { abortOnRevocation } from './abort-on-revocation.ts';

/** From one look to the next. */
const A_LOOK_MS = 3_000;

describe('a running transfer', () => {
  let app: FastifyInstance;
  let hand: HandClock;
  let clock: Clock;
  let content: Readable;
  let looks: number;
  let holds: () => Promise<boolean>;
  beforeEach(async () => {
    hand = new HandClock();
    clock = hand;
    looks = 0;
    content = new Readable({ read() {} });
    content.push('first ');
    app = Fastify();
    app.get('/', (_request, reply) => {
      abortOnRevocation(reply, clock, () => {
        looks += 1;
        return holds();
      });
      return reply.send(content);
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(async () => {
    await app.close();
  });

  async function begin(): Promise<Response> {
    return fetch(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/`);
  }
  /** Lets the time of so many looks pass, each once the one before has its answer. */
  async function look(times: number): Promise<void> {
    for (let nth = 0; nth < times; nth += 1) {
      await eventually(() => expect(hand.waiting).toBe(1));
      hand.advance(A_LOOK_MS);
    }
  }
  const finish = () => {
    content.push('last');
    content.push(null);
  };
  const away = () => Promise.reject(new Error('the database is away'));

  it('continues while the right holds, and is not checked any more once it is sent', async () => {
    holds = async () => true;
    const response = await begin();
    await look(5);
    await eventually(() => expect([looks, hand.waiting]).toEqual([5, 1]));
    finish();
    expect(await response.text()).toBe('first last');
    await eventually(() => expect(hand.waiting).toBe(0));
    hand.advance(10 * A_LOOK_MS);
    expect(looks).toBe(5);
  });

  it('is cut at the first check that finds the right gone', async () => {
    holds = async () => looks < 3;
    const reading = (await begin()).text();
    const cut = expect(reading).rejects.toThrow(/terminated/);
    await look(3);
    await cut;
    expect(looks).toBe(3);
    await eventually(() => expect(content.destroyed).toBe(true));
  });

  it('outlives a database that is away for a moment', async () => {
    holds = () => (looks % 3 === 0 ? Promise.resolve(true) : away());
    const response = await begin();
    await look(8);
    expect(looks).toBe(8);
    finish();
    expect(await response.text()).toBe('first last');
  });

  it('is cut when the right can no longer be checked', async () => {
    holds = away;
    const reading = (await begin()).text();
    const cut = expect(reading).rejects.toThrow(/terminated/);
    await look(3);
    await cut;
    expect(looks).toBe(3);
  });

  it('is cut by the clock of the system as well', async () => {
    clock = systemClock;
    holds = async () => false;
    await expect((await begin()).text()).rejects.toThrow(/terminated/);
  });
});
