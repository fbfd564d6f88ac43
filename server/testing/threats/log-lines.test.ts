// Row H6 of the threat model: strangers fill no log, and whoever hangs up does not look like a fault.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MINUTE_MS } from '../../platform/clock.ts';
import { eventually } from '../eventually.ts';
import { addUser, type Firm } from '../firm.ts';
import type { Caller, TestApp } from '../test-app.ts';
import { ANY_DATABASE_KIND } from '../test-database.ts';
import { startTestFirm } from '../test-firm.ts';
import { dial, requestHead } from './wire.ts';

const ERROR = 50;
const INFO = 30;
const JSON_TYPE = { 'content-type': 'application/json' };

describe.each(ANY_DATABASE_KIND)('the log on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, { TRUST_PROXY: '127.0.0.1' }, { clock: 'standing' }));
  });
  afterAll(() => app.close());

  let networks = 0;
  /** An address of a network that nobody else in these tests has. */
  const newAddress = () => {
    networks += 1;
    return `192.0.2.${networks}`;
  };
  /** What is written from now on, of one address or network and without reads. */
  function watchLog(from: string) {
    const before = app.log.length;
    return () =>
      app.log
        .slice(before)
        .filter(({ level, address, network }) => Number(level) >= INFO && (address === from || network === from));
  }
  const faultsSince = (before: number) => app.log.slice(before).filter(({ level }) => Number(level) >= ERROR);
  const statusFrom = async (address: string, caller: Caller, path: string, init: RequestInit = {}) =>
    (await caller.fetch(path, { ...init, headers: { ...init.headers, 'x-forwarded-for': address } })).status;

  it.each(['end', 'resetAndDestroy'] as const)(
    'H6: a sign-in hung up in its body is one line and no fault (%s)',
    async (hangUp) => {
      const address = newAddress();
      const lines = watchLog(address);
      const before = app.log.length;
      const served = new Promise<void>((resolve) => app.app.server.once('request', () => resolve()));
      const socket = dial(app.origin);
      const head = requestHead('POST', '/api/auth/login', {
        ...JSON_TYPE,
        'content-length': '100',
        'x-forwarded-for': address,
      });
      socket.write(`${head}{"username":`);
      await served;
      socket[hangUp]();
      await eventually(() => expect(lines()).toHaveLength(1));
      expect(lines()).toMatchObject([{ level: INFO, method: 'POST', path: '/api/auth/login', left: true }]);
      expect(lines()[0]).not.toHaveProperty('err');
      expect(faultsSince(before)).toEqual([]);
      socket.destroy();
    },
  );

  it('H6: two hundred refusals of one network are a line at once, and one with their count after a minute', async () => {
    const address = newAddress();
    const lines = watchLog(address);
    const body = JSON.stringify({ username: 'nobody', password: 'wrong' });
    const signIn = () =>
      statusFrom(address, app.anonymous, '/api/auth/login', { method: 'POST', headers: JSON_TYPE, body });
    const statuses: number[] = [];
    for (let nth = 0; nth < 20; nth += 1) statuses.push(await signIn());
    for (let nth = 0; nth < 180; nth += 1) statuses.push(await statusFrom(address, app.anonymous, '/api/clients'));
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    await eventually(() => expect(lines()).toMatchObject([{ level: INFO, status: 401, path: '/api/auth/login' }]));
    app.advance(MINUTE_MS);
    const tooMany = statuses.filter((status) => status === 429).length;
    await eventually(() => expect(lines()).toHaveLength(2));
    expect(lines()[1]).toMatchObject({
      level: INFO,
      network: address,
      count: 199,
      byStatus: { 401: 199 - tooMany, 429: tooMany },
    });
    app.advance(MINUTE_MS);
    expect(lines()).toHaveLength(2);
  });

  it('H6: what a stranger reads is no line, and whoever asks for its headers alone adds none either', async () => {
    const address = newAddress();
    const lines = watchLog(address);
    for (const method of ['GET', 'HEAD']) {
      for (const path of ['/healthz', '/readyz']) {
        expect(await statusFrom(address, app.anonymous, path, { method })).toBe(200);
      }
    }
    // One that is told, after all of them.
    expect(await statusFrom(address, app.anonymous, '/api/clients', { method: 'GET' })).toBe(401);
    await eventually(() => expect(lines()).toMatchObject([{ status: 401, path: '/api/clients' }]));
  });

  it('H6: refusals of somebody signed in are a line each', async () => {
    const { caller } = await addUser(app, 'curious', firm.roles.client);
    const address = newAddress();
    const lines = watchLog(address);
    for (let nth = 0; nth < 5; nth += 1) expect(await statusFrom(address, caller, '/api/clients/999999')).toBe(404);
    await eventually(() => expect(lines()).toHaveLength(5));
    for (const line of lines()) expect(line).toMatchObject({ status: 404, userId: expect.any(Number) });
  });

  it('H6: a database that is lost while its sender waits is a fault', async () => {
    const before = app.log.length;
    const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    const lookup = vi.spyOn(app.context.sessions, 'byToken').mockRejectedValue(lost);
    try {
      expect((await app.admin.post('/api/clients', {})).status).toBe(503);
    } finally {
      lookup.mockRestore();
    }
    await eventually(() =>
      expect(faultsSince(before)).toMatchObject([
        { code: 'unavailable', err: { code: 'ECONNRESET' }, msg: 'request failed' },
        { status: 503, msg: 'request' },
      ]),
    );
  });
});
