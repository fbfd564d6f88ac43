// When a running transfer is cut, and when it is left alone: a real answer, with control over the checks of the right.
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { abortOnRevocation } from './abort-on-revocation.ts';

/** From one look to the next, and a moment. */
const A_LOOK_MS = 3_001;

describe('a running transfer', () => {
  let app: FastifyInstance;
  let content: Readable;
  let looks: number;
  let holds: () => Promise<boolean>;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    looks = 0;
    content = new Readable({ read() {} });
    content.push('first ');
    app = Fastify();
    app.get('/', (_request, reply) => {
      abortOnRevocation(reply, () => {
        looks += 1;
        return holds();
      });
      return reply.send(content);
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await app.close();
  });

  async function begin(): Promise<Response> {
    return fetch(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/`);
  }
  const finish = () => {
    content.push('last');
    content.push(null);
  };
  const away = () => Promise.reject(new Error('the database is away'));

  it('continues while the right holds, and is not checked any more once it is sent', async () => {
    holds = async () => true;
    const response = await begin();
    for (let nth = 0; nth < 5; nth += 1) await vi.advanceTimersByTimeAsync(A_LOOK_MS);
    expect(looks).toBe(5);
    finish();
    expect(await response.text()).toBe('first last');
    await vi.advanceTimersByTimeAsync(10 * A_LOOK_MS);
    expect(looks).toBe(5);
  });

  it('is cut at the first check that finds the right gone', async () => {
    holds = async () => looks < 3;
    const reading = (await begin()).text();
    const cut = expect(reading).rejects.toThrow(/terminated/);
    for (let nth = 0; nth < 3; nth += 1) await vi.advanceTimersByTimeAsync(A_LOOK_MS);
    await cut;
    expect([looks, content.destroyed]).toEqual([3, true]);
  });

  it('outlives a database that is away for a moment', async () => {
    holds = () => (looks % 3 === 0 ? Promise.resolve(true) : away());
    const response = await begin();
    for (let nth = 0; nth < 8; nth += 1) await vi.advanceTimersByTimeAsync(A_LOOK_MS);
    expect(looks).toBe(8);
    finish();
    expect(await response.text()).toBe('first last');
  });

  it('is cut when the right can no longer be checked', async () => {
    holds = away;
    const reading = (await begin()).text();
    const cut = expect(reading).rejects.toThrow(/terminated/);
    for (let nth = 0; nth < 3; nth += 1) await vi.advanceTimersByTimeAsync(A_LOOK_MS);
    await cut;
    expect(looks).toBe(3);
  });
});
