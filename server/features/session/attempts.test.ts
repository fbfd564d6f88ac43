// Guessing at passwords over HTTP, on both engines: what is counted, for whom, for how long, and by how many processes.
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { refuse } from '#contract/errors.ts';
import { buildApp } from '../../app.ts';
import { openContext } from '../../context.ts';
import { createPasswordHasher, type PasswordHasher } from '../../password-hasher.ts';
import { type Firm, makeFirm, PASSWORD } from '../../testing/firm.ts';
import { ADMIN_PASSWORD, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS, openTestDatabase } from '../../testing/test-database.ts';

interface Told {
  readonly status: number;
  readonly retryAfter: number;
  readonly body: string;
}

/** A sign-in from one of this machine's loopback addresses. */
function signIn(
  origin: string,
  username: string,
  password: string,
  { from = '127.0.0.1', headers = {} }: { from?: string; headers?: Record<string, string> } = {},
): Promise<Told> {
  const body = JSON.stringify({ username, password });
  return new Promise((resolve, reject) => {
    const asked = httpRequest(
      `${origin}/api/auth/login`,
      {
        method: 'POST',
        localAddress: from,
        agent: false,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
      },
      async (answer) => {
        const text = Buffer.concat(await answer.toArray()).toString();
        resolve({ status: answer.statusCode ?? 0, retryAfter: Number(answer.headers['retry-after']), body: text });
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

async function inTurn<Result>(count: number, work: (nth: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let nth = 0; nth < count; nth += 1) results.push(await work(nth));
  return results;
}

const statuses = (answers: readonly Told[]) => answers.map(({ status }) => status);
const FIVE_WRONG = [401, 401, 401, 401, 401];

describe.each(DATABASE_KINDS)('guessing on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeEach(async () => {
    app = await startTestApp(kind);
    firm = await makeFirm(app);
    // Time passes by `advance` alone: a busy machine would let a wait of a second go by.
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
    return app.close();
  });

  const wrong = (username: string, from?: string) =>
    signIn(app.origin, username, 'not it', from === undefined ? {} : { from });
  const right = (username: string, from?: string) =>
    signIn(app.origin, username, PASSWORD, from === undefined ? {} : { from });

  it('A3: makes an address wait after five failures at one user, and nobody else', async () => {
    expect(statuses(await inTurn(5, () => wrong('clientA')))).toEqual(FIVE_WRONG);
    const refused = await right('clientA');
    expect(refused.status).toBe(429);
    expect(refused.retryAfter).toBe(1);
    expect(JSON.parse(refused.body)).toMatchObject({
      code: 'too_many',
      message: 'Too many attempts. Please wait a moment and try again.',
    });
    // No hostile lockout: the person elsewhere, and other people here, sign in.
    expect((await right('clientA', '127.0.0.2')).status).toBe(200);
    expect((await right('clientB')).status).toBe(200);
    app.advance(1_000);
    expect((await right('clientA')).status).toBe(200);
  });

  it('A3: doubles the wait with each failure, up to a quarter of an hour', async () => {
    await inTurn(5, () => wrong('clientA'));
    const waits: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      const { status, retryAfter } = await wrong('clientA');
      expect(status).toBe(429);
      waits.push(retryAfter);
      app.advance(retryAfter * 1_000);
      expect((await wrong('clientA')).status).toBe(401);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  });

  it('A3: forgives what failed once the right password comes', async () => {
    await inTurn(4, () => wrong('clientA'));
    expect((await right('clientA')).status).toBe(200);
    expect(statuses(await inTurn(5, () => wrong('clientA')))).toEqual(FIVE_WRONG);
  });

  it('A3: stops guesses at one user from many addresses at fifty an hour', async () => {
    const answers = await inTurn(52, (nth) => wrong('clientA', `127.0.1.${1 + (nth % 13)}`));
    expect(statuses(answers).filter((status) => status === 401)).toHaveLength(50);
    const refused = await right('clientA', '127.0.2.1');
    expect(refused.status).toBe(429);
    expect(refused.retryAfter).toBeGreaterThan(3_000);
    app.advance(60 * 60_000);
    expect((await right('clientA', '127.0.2.1')).status).toBe(200);
  });

  it('A3: stops one address that tries many names at a hundred an hour', async () => {
    const answers = await inTurn(102, (nth) => wrong(`nobody ${nth}`, '127.0.3.1'));
    expect(statuses(answers).filter((status) => status === 401)).toHaveLength(100);
    expect((await right('clientA', '127.0.3.1')).status).toBe(429);
    expect((await right('clientA')).status).toBe(200);
  });

  it('A4: looks at five of fifty guesses at once, in two processes', async () => {
    const second = kind === 'sqlite' ? await openTestDatabase(kind, join(app.config.dataDir, 'coffer.db')) : app;
    const context = await openContext(app.config, { database: second.database });
    const other = await buildApp(context);
    try {
      await other.listen({ port: 0, host: '127.0.0.1' });
      const origins = [app.origin, `http://127.0.0.1:${(other.server.address() as AddressInfo).port}`];
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, nth) => signIn(origins[nth % 2] ?? '', 'clientA', 'not it')),
      );
      expect(new Set(statuses(answers))).toEqual(new Set([401, 429]));
      expect(statuses(answers).filter((status) => status === 401)).toHaveLength(5);
    } finally {
      await other.close();
      if (kind === 'sqlite') await context.close();
    }
  });

  it('A18: takes back what was refused because too many waited: a flood from elsewhere locks nobody out', async () => {
    const real = createPasswordHasher();
    let full = false;
    const passwords: PasswordHasher = {
      ...real,
      verify: async (password, stored) => {
        if (full) throw refuse('busy');
        return real.verify(password, stored);
      },
    };
    const own = await startTestApp(kind, {}, { passwords });
    try {
      const tried = (password: string) => signIn(own.origin, 'admin', password);
      expect(statuses(await inTurn(3, () => tried('not it')))).toEqual([401, 401, 401]);
      full = true;
      expect(statuses(await inTurn(10, () => tried(ADMIN_PASSWORD)))).toEqual(Array(10).fill(503));
      const change = { currentPassword: ADMIN_PASSWORD, newPassword: 'another password' };
      const changes = await inTurn(10, () => own.admin.post('/api/auth/password', change));
      expect(changes.map(({ status }) => status)).toEqual(Array(10).fill(503));
      full = false;
      // What failed before is still counted, and nothing else.
      expect(statuses(await inTurn(2, () => tried('not it')))).toEqual([401, 401]);
      expect((await tried(ADMIN_PASSWORD)).status).toBe(429);
      own.advance(1_000);
      expect((await tried(ADMIN_PASSWORD)).status).toBe(200);
    } finally {
      await own.close();
    }
  });

  it('A5: believes no forwarding header unless told whose', async () => {
    const answers = await inTurn(20, (nth) =>
      signIn(app.origin, 'clientA', 'not it', { headers: { 'x-forwarded-for': `10.0.0.${nth}` } }),
    );
    expect(statuses(answers)).toEqual([...FIVE_WRONG, ...Array(15).fill(429)]);
  });

  it('A6: counts wrong passwords at the change of one’s own password too', async () => {
    const { clientA } = firm.viewers;
    const change = (currentPassword: string) =>
      clientA.post('/api/auth/password', { currentPassword, newPassword: 'another password' });
    expect(statuses((await inTurn(5, () => change('not it'))) as never)).toEqual([400, 400, 400, 400, 400]);
    expect((await change(PASSWORD)).status).toBe(429);
    expect((await right('clientA')).status).toBe(429);
    app.advance(1_000);
    expect((await change(PASSWORD)).status).toBe(200);
  });

  it('tells a name that is there and one that is not apart by nothing', async () => {
    const told = async (username: string) =>
      (await inTurn(7, () => wrong(username))).map(({ status, retryAfter, body }) => ({
        status,
        retryAfter,
        body: body.replace(/"requestId":"[^"]*"/, ''),
      }));
    expect(await told('clientA')).toEqual(await told('nobody here'));
  });

  it('keeps no name that was tried, and forgets what no longer matters', async () => {
    await wrong('my secret in the wrong field');
    const kept = () => app.database.reader.selectFrom('attempts').selectAll().execute();
    expect(JSON.stringify(await kept())).not.toContain('secret');
    expect(await kept()).toHaveLength(3);
    app.advance(60 * 60_000);
    await app.context.tidy();
    expect(await kept()).toHaveLength(0);
  });
});

it('A5: believes the last address that a trusted proxy did not add itself', async () => {
  const app = await startTestApp('sqlite', { TRUST_PROXY: '127.0.0.1' });
  const through = (chain: string, password: string) =>
    signIn(app.origin, 'admin', password, { headers: { 'x-forwarded-for': chain } });
  await inTurn(5, (nth) => through(`6.6.6.${nth}, 9.9.9.9`, 'not it'));
  expect((await through('6.6.6.6, 9.9.9.9', 'correct horse')).status).toBe(429);
  expect((await through('6.6.6.6, 9.9.9.8', 'correct horse')).status).toBe(200);
  const told = await app.database.reader.selectFrom('security_events').select(['kind', 'address', 'times']).execute();
  expect(told.at(-1)).toEqual({ kind: 'signed_in', address: '9.9.9.8', times: 1 });
  expect(told).toContainEqual({ kind: 'sign_in_failed', address: '9.9.9.9', times: 5 });
  await app.close();
});
