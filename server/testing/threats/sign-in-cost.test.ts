// Rows A8, A17, A18 and G9 of the threat model: how passwords are hashed, whom a flood of sign-ins keeps waiting, and what a sign-in gives.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { LoginResponse } from '#contract/session.ts';
import { createPasswordHasher } from '../../people/auth/password-hasher.ts';
import { fingerprint } from '../../platform/secrets.ts';
import { breadth } from '../breadth.ts';
import { dump } from '../dump.ts';
import { eventually } from '../eventually.ts';
import { addUser, type Firm, PASSWORD } from '../firm.ts';
import { gatedPasswords } from '../gated-passwords.ts';
import { signInFrom } from '../sign-in.ts';
import { ADMIN_PASSWORD, Caller, startTestApp, type TestApp } from '../test-app.ts';
import { ANY_DATABASE_KIND } from '../test-database.ts';
import { startTestFirm } from '../test-firm.ts';
import { forgetTries } from '../tries.ts';
import { requestHead, sendBytesTo } from './wire.ts';

/** For what signs in hundreds of times, also on a machine that has other things to do. */
const SLOW_MS = 600_000;

const signIn = (app: TestApp, username: string, password: string) =>
  app.anonymous.post<LoginResponse & ErrorBody>('/api/auth/login', { username, password });

describe.each(ANY_DATABASE_KIND)('a sign-in on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, {}, { passwords: 'as configured' }));
  });
  afterAll(() => app.close());

  const hashOf = async (userId: number) => {
    const row = await app.database.reader
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    return row.password_hash;
  };

  it('A8: each sign-in gives tokens that nobody can guess, and no store holds one', {
    timeout: SLOW_MS,
  }, async () => {
    const own = await startTestApp(kind);
    const LANES = 4;
    const EACH = breadth(150, 250);
    try {
      const tokens: string[] = [];
      const cookies: string[] = [];
      const body = JSON.stringify({ username: own.config.adminUsername, password: ADMIN_PASSWORD });
      const lane = async () => {
        for (let nth = 0; nth < EACH; nth += 1) {
          const headers = { 'content-type': 'application/json' };
          const response = await own.anonymous.fetch('/api/auth/login', { method: 'POST', body, headers });
          const answer = (await response.json()) as LoginResponse;
          expect([response.status, answer]).toEqual([200, expect.objectContaining({ token: expect.any(String) })]);
          tokens.push(answer.token);
          cookies.push(/^coffer_files=([^;]*)/.exec(response.headers.getSetCookie()[0] ?? '')?.[1] ?? '');
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      const secrets = [...tokens, ...cookies];
      expect(secrets).toHaveLength(2 * LANES * EACH);
      expect(new Set(secrets).size).toBe(secrets.length);
      for (const secret of secrets) expect(secret).toMatch(/^[A-Za-z0-9_-]{43,}$/);
      // All 64 letters occur at every position but the last, which holds two bits fewer.
      const places = Array.from({ length: 42 }, (_, at) => new Set(secrets.map((secret) => secret[at])).size);
      expect(Math.min(...places)).toBe(64);

      const text = JSON.stringify(await dump(own.database));
      const files = kind === 'sqlite' ? ['coffer.db', 'coffer.db-wal'] : [];
      const raw = files.map((name) => readFileSync(join(own.config.dataDir, name), 'latin1')).join('');
      expect(secrets.filter((secret) => text.includes(secret) || raw.includes(secret))).toEqual([]);
      expect(text).toContain(fingerprint(tokens.at(-1) ?? ''));
      expect(text).toContain(fingerprint(cookies.at(-1) ?? ''));
    } finally {
      await own.close();
    }
  });

  it('A17: rehashes at sign-in a password hashed at another cost, and ends no session', async () => {
    const dearer = { PASSWORD_MEMORY_KIB: '24576', PASSWORD_PASSES: '3' };
    const own = await startTestApp(kind, dearer, { passwords: 'as configured' });
    try {
      const older = await createPasswordHasher().hash(ADMIN_PASSWORD);
      await own.database.transaction((tx) => tx.updateTable('users').set({ password_hash: older }).execute());
      const stored = async () =>
        (await own.database.reader.selectFrom('users').select('password_hash').executeTakeFirstOrThrow()).password_hash;
      expect((await signIn(own, 'admin', 'not it')).status).toBe(401);
      expect(await stored()).toBe(older);
      const answers = await Promise.all([1, 2, 3].map(() => signIn(own, 'admin', ADMIN_PASSWORD)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const renewed = await stored();
      expect(renewed).toMatch(/^\$argon2id\$v=19\$m=24576,t=3,p=1\$/);
      for (const { body } of answers) {
        expect((await new Caller(own.origin, body.token).get('/api/auth/me')).status).toBe(200);
      }
      expect((await own.admin.get('/api/auth/me')).status).toBe(200);
      // Once is enough.
      expect((await signIn(own, 'admin', ADMIN_PASSWORD)).status).toBe(200);
      expect(await stored()).toBe(renewed);
    } finally {
      await own.close();
    }
  });

  it('A17: stores Argon2id at the floor or above', async () => {
    const { id } = await addUser(app, 'hashed', firm.roles.client);
    const [, memoryKib, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$/.exec(await hashOf(id)) ?? [];
    expect(Number(memoryKib)).toBeGreaterThanOrEqual(19_456);
    expect(Number(passes)).toBeGreaterThanOrEqual(2);
    for (const cost of [
      { memoryKib: 19_455, passes: 2 },
      { memoryKib: 19_456, passes: 1 },
      { memoryKib: Number.NaN, passes: 2 },
    ]) {
      expect(() => createPasswordHasher(cost)).toThrow(/floor/);
    }
  });

  it('A18: a password of a megabyte is refused before it costs anything', async () => {
    const body = JSON.stringify({ username: 'clientA', password: 'x'.repeat(1_000_000) });
    expect((await app.anonymous.post('/api/auth/login', JSON.parse(body))).status).toBe(413);
    // Neither request ever ends: whoever answers has not waited for the password, let alone hashed it.
    const json = { 'content-type': 'application/json' };
    const announced = requestHead('POST', '/api/auth/login', { ...json, 'content-length': String(body.length) });
    expect((await sendBytesTo(app.origin, announced)).status).toBe(413);
    const chunked = requestHead('POST', '/api/auth/login', { ...json, 'transfer-encoding': 'chunked' });
    const chunk = body.slice(0, 50_000);
    const begun = `${chunked}${chunk.length.toString(16)}\r\n${chunk}\r\n`;
    expect((await sendBytesTo(app.origin, begun)).status).toBe(413);
  });
});

const PEOPLE = ['clientA', 'clientB', 'cpa', 'bookkeeper', 'listless'];

describe.each(ANY_DATABASE_KIND)('while passwords are being hashed on %s', (kind) => {
  const gate = gatedPasswords();
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, {}, { passwords: gate.passwords }));
  });
  beforeEach(() => forgetTries(app));
  afterEach(() => gate.open());
  afterAll(() => app.close());

  /** Sends `count` requests; `settled` resolves once so many of them are answered, and `statuses` once all are. */
  function sendAtOnce<Answered extends { readonly status: number }>(
    count: number,
    send: (nth: number) => Promise<Answered>,
  ) {
    const answered: Answered[] = [];
    const all = Array.from({ length: count }, async (_, nth) => {
      const answer = await send(nth);
      answered.push(answer);
      return answer;
    });
    return {
      answers: Promise.all(all),
      settled: (so: number) => eventually(() => expect(answered).toHaveLength(so)),
    };
  }
  const countsOf = (answers: readonly { readonly status: number }[]) => {
    const counts: Record<number, number> = {};
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };
  const signInFromThree = (nth: number) =>
    signInFrom(app.origin, PEOPLE[nth % PEOPLE.length] ?? '', PASSWORD, { from: `127.0.8.${1 + (nth % 3)}` });

  it('A18: three hundred sign-ins at once are all answered, and nobody else waits for them', async () => {
    gate.shut();
    const first = signInFrom(app.origin, 'cpa', PASSWORD);
    await eventually(() => expect(gate.waiting()).toBe(1));
    // From sixty addresses, so that it is the queue of all strangers that ends.
    const flood = sendAtOnce(299, (nth) =>
      signInFrom(app.origin, `nobody ${nth}`, 'not it', { from: `127.0.7.${1 + (nth % 60)}` }),
    );
    // One of them is being looked at, beside the first, and 64 wait; whoever finds no place is answered at once.
    await flood.settled(299 - 65);
    expect(gate.waiting()).toBe(2);
    for (const path of ['/healthz', '/api/clients', '/api/files', '/api/overview']) {
      expect([path, (await app.admin.get(path)).status]).toEqual([path, 200]);
    }
    expect((await app.admin.post('/api/report-types', { name: 'Made meanwhile' })).status).toBe(201);
    gate.open();
    expect((await first).status).toBe(200);
    const answers = await flood.answers;
    expect(countsOf(answers)).toEqual({ 401: 65, 503: 234 });
    const busy = answers.filter(({ status }) => status === 503);
    expect(new Set(busy.map(({ retryAfter }) => retryAfter))).toEqual(new Set([1]));
    expect((await signIn(app, 'clientB', PASSWORD)).status).toBe(200);
  });

  it('G9: creating accounts by the dozen keeps nobody from signing in', async () => {
    gate.shut();
    const creating = sendAtOnce(60, (nth) =>
      app.admin.post('/api/users', {
        username: `made in a rush ${nth}`,
        fullName: 'Somebody',
        roleId: firm.roles.client,
        password: PASSWORD,
      }),
    );
    // Three of one person are begun: one is being hashed and two wait for it; the other place is a sign-in's.
    await eventually(() => expect(app.context.admission.requests.waiting).toBe(60 - 3));
    await eventually(() => expect(gate.waiting()).toBe(1));
    const signingIn = sendAtOnce(15, signInFromThree);
    await eventually(() => expect(gate.waiting()).toBe(2));
    gate.open();
    expect(countsOf(await signingIn.answers)).toEqual({ 200: 15 });
    expect(countsOf(await creating.answers)).toEqual({ 201: 60 });
  });

  it('G9: a flood of names from one address keeps nobody elsewhere from signing in', async () => {
    gate.shut();
    const flood = sendAtOnce(60, (nth) => signInFrom(app.origin, `nobody ${nth}`, 'not it', { from: '127.0.9.1' }));
    // One is being looked at, and 16 places in the queue are this address's.
    await flood.settled(60 - 17);
    const others = sendAtOnce(15, signInFromThree);
    gate.open();
    expect(countsOf(await others.answers)).toEqual({ 200: 15 });
    expect(countsOf(await flood.answers)).toEqual({ 401: 17, 503: 43 });
  });
});
