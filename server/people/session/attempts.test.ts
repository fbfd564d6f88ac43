// Guessing at passwords over HTTP, on both engines: what is counted, for whom, for how long, and by how many processes.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refuse } from '#contract/errors.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { cheapPasswords } from '../../testing/cheap-passwords.ts';
import { type Firm, PASSWORD } from '../../testing/firm.ts';
import { itOnAny } from '../../testing/narrowed.ts';
import { startSecondServer } from '../../testing/second-server.ts';
import { type LoginOutcome, signInFrom } from '../../testing/sign-in.ts';
import { ADMIN_PASSWORD, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { ANY_DATABASE_KIND, DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import { inTurn } from '../../testing/tries.ts';
import type { PasswordHasher } from '../auth/password-hasher.ts';
import { resetPassword, resetSecondFactor } from '../auth/reset-password.ts';

const statuses = (answers: readonly Pick<LoginOutcome, 'status'>[]) => answers.map(({ status }) => status);
const FIVE_WRONG = [401, 401, 401, 401, 401];

describe.each(DATABASE_KINDS)('guessing on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeEach(async () => {
    ({ app, firm } = await startTestFirm(kind, {}, { clock: 'standing' }));
  });
  afterEach(() => app.close());

  const wrong = (username: string, from?: string) =>
    signInFrom(app.origin, username, 'not it', from === undefined ? {} : { from });
  const right = (username: string, from?: string) =>
    signInFrom(app.origin, username, PASSWORD, from === undefined ? {} : { from });

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

  itOnAny(kind)('A3: doubles the wait with each failure, up to a quarter of an hour', async () => {
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

  itOnAny(kind)('A3: clears the failures once the right password comes', async () => {
    await inTurn(4, () => wrong('clientA'));
    expect((await right('clientA')).status).toBe(200);
    expect(statuses(await inTurn(5, () => wrong('clientA')))).toEqual(FIVE_WRONG);
  });

  it('A4: looks at five of fifty guesses at once, in two processes', async () => {
    const other = await startSecondServer(app);
    try {
      const origins = [app.origin, other.origin];
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, nth) => signInFrom(origins[nth % 2] ?? '', 'clientA', 'not it')),
      );
      expect(new Set(statuses(answers))).toEqual(new Set([401, 429]));
      expect(statuses(answers).filter((status) => status === 401)).toHaveLength(5);
    } finally {
      await other.close();
    }
  });

  it('A18: does not count tries refused because too many waited: a flood from elsewhere locks nobody out', async () => {
    const cheap = cheapPasswords();
    let full = false;
    const passwords: PasswordHasher = {
      ...cheap,
      verify: async (password, stored) => {
        if (full) throw refuse('busy');
        return cheap.verify(password, stored);
      },
    };
    const own = await startTestApp(kind, {}, { passwords, clock: 'standing' });
    try {
      const tried = (password: string) => signInFrom(own.origin, 'admin', password);
      expect(statuses(await inTurn(3, () => tried('not it')))).toEqual([401, 401, 401]);
      full = true;
      expect(statuses(await inTurn(10, () => tried(ADMIN_PASSWORD)))).toEqual(Array(10).fill(503));
      const change = { currentPassword: ADMIN_PASSWORD, newPassword: 'another password' };
      const changes = await inTurn(10, () => own.admin.post('/api/auth/password', change));
      expect(changes.map(({ status }) => status)).toEqual(Array(10).fill(503));
      full = false;
      // Earlier failures still count, and nothing else.
      expect(statuses(await inTurn(2, () => tried('not it')))).toEqual([401, 401]);
      expect((await tried(ADMIN_PASSWORD)).status).toBe(429);
      own.advance(1_000);
      expect((await tried(ADMIN_PASSWORD)).status).toBe(200);
    } finally {
      await own.close();
    }
  });

  itOnAny(kind)('A5: trusts no forwarding header unless configured', async () => {
    const answers = await inTurn(20, (nth) =>
      signInFrom(app.origin, 'clientA', 'not it', { headers: { 'x-forwarded-for': `10.0.0.${nth}` } }),
    );
    expect(statuses(answers)).toEqual([...FIVE_WRONG, ...Array(15).fill(429)]);
  });

  it('A6: counts wrong passwords at the change of one’s own password too', async () => {
    const { clientA } = firm.viewers;
    const change = (currentPassword: string) =>
      clientA.post('/api/auth/password', { currentPassword, newPassword: 'another password' });
    expect(statuses(await inTurn(5, () => change('not it')))).toEqual([400, 400, 400, 400, 400]);
    expect((await change(PASSWORD)).status).toBe(429);
    expect((await right('clientA')).status).toBe(429);
    app.advance(1_000);
    expect((await change(PASSWORD)).status).toBe(200);
  });

  itOnAny(kind)('answers an existing and an unknown name the same', async () => {
    const refusalOf = async (username: string) =>
      (await inTurn(7, () => wrong(username))).map(({ status, retryAfter, body }) => ({
        status,
        retryAfter,
        body: body.replace(/"requestId":"[^"]*"/, ''),
      }));
    expect(await refusalOf('clientA')).toEqual(await refusalOf('nobody here'));
  });

  it('stores no name that was tried, and deletes counts that no longer matter', async () => {
    await wrong('my secret in the wrong field');
    const kept = () => app.database.reader.selectFrom('attempts').selectAll().execute();
    expect(JSON.stringify(await kept())).not.toContain('secret');
    expect(await kept()).toHaveLength(3);
    app.advance(60 * 60_000);
    await app.context.runMaintenance();
    expect(await kept()).toHaveLength(0);
  });
});

describe.each(DATABASE_KINDS)('who is locked out by the guesses of others, on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeEach(async () => {
    ({ app, firm } = await startTestFirm(kind, {}, { clock: 'standing' }));
  });
  afterEach(() => app.close());
  const wrong = (username: string, from = '127.0.0.1') => signInFrom(app.origin, username, 'not it', { from });
  const right = (username: string, from = '127.0.0.1') => signInFrom(app.origin, username, PASSWORD, { from });
  /** Five from each of ten addresses where nobody has signed in: all that are judged in an hour. */
  const fillUser = (username: string) => inTurn(50, (nth) => wrong(username, `127.0.1.${1 + Math.floor(nth / 5)}`));
  const fillAddress = (from: string) => inTurn(100, (nth) => wrong(`nobody ${nth}`, from));
  const summaryOf = ({ status, retryAfter, body }: LoginOutcome) => {
    const { message, code } = JSON.parse(body);
    return { status, retryAfter, message, code };
  };
  const lockedOut = (minutes: number, retryAfter: number) => ({
    status: 429,
    retryAfter,
    code: 'locked_out',
    message: `Too many attempts. Please try again in ${minutes} minutes, or ask your firm to set a new password for you.`,
  });

  itOnAny(kind)('A3: stops guesses at one user from many addresses at fifty an hour', async () => {
    const answers = await inTurn(52, (nth) => wrong('clientA', `127.0.1.${1 + (nth % 13)}`));
    expect(statuses(answers).filter((status) => status === 401)).toHaveLength(50);
    const refused = await right('clientA', '127.0.2.1');
    expect(refused.status).toBe(429);
    expect(refused.retryAfter).toBeGreaterThan(3_000);
    app.advance(60 * 60_000);
    expect((await right('clientA', '127.0.2.1')).status).toBe(200);
  });

  itOnAny(kind)('A3: stops one address that tries many names at a hundred an hour', async () => {
    const answers = await inTurn(102, (nth) => wrong(`nobody ${nth}`, '127.0.3.1'));
    expect(statuses(answers).filter((status) => status === 401)).toHaveLength(100);
    expect((await right('clientA', '127.0.3.1')).status).toBe(429);
    expect((await right('clientA')).status).toBe(200);
  });

  it('G6: fifty wrong tries from ten addresses lock nobody out at a known network, and elsewhere say whom to ask', async () => {
    expect(new Set(statuses(await fillUser('clientA')))).toEqual(new Set([401]));
    expect(summaryOf(await right('clientA', '127.0.2.1'))).toEqual(lockedOut(60, 3_600));
    app.advance(41 * 60_000 - 500);
    expect(summaryOf(await right('clientA', '127.0.2.1'))).toEqual(lockedOut(20, 1_141));
    expect((await right('clientA')).status).toBe(200);
    expect((await wrong('clientA')).status).toBe(401);
  });

  itOnAny(kind)(
    'G6: a hundred invented names do not lock out people known there, and treat all others the same',
    async () => {
      expect((await right('clientA', '127.0.3.1')).status).toBe(200);
      expect(new Set(statuses(await fillAddress('127.0.3.1')))).toEqual(new Set([401]));
      expect((await right('clientA', '127.0.3.1')).status).toBe(200);
      expect(summaryOf(await right('clientB', '127.0.3.1'))).toEqual(lockedOut(60, 3_600));
      expect(summaryOf(await wrong('nobody here', '127.0.3.1'))).toEqual(lockedOut(60, 3_600));
    },
  );

  itOnAny(kind)(
    'G6: guesses from a known network still wait, count for everybody else there, and are fifty an hour at most',
    async () => {
      const here = '127.0.3.1';
      expect((await right('clientA', here)).status).toBe(200);
      const pastFive = await inTurn(6, () => wrong('clientA', here));
      expect(statuses(pastFive)).toEqual([...FIVE_WRONG, 429]);
      expect(summaryOf(pastFive.at(-1) as LoginOutcome)).toEqual({
        status: 429,
        retryAfter: 1,
        code: 'too_many',
        message: 'Too many attempts. Please wait a moment and try again.',
      });
      // Each sign-in of the person forgives the wait, and not the hour's count.
      for (let round = 1; round < 10; round += 1) {
        app.advance(1_000);
        expect((await right('clientA', here)).status).toBe(200);
        expect(statuses(await inTurn(5, () => wrong('clientA', here)))).toEqual(FIVE_WRONG);
      }
      app.advance(1_000);
      expect(summaryOf(await right('clientA', here))).toMatchObject({ status: 429, code: 'locked_out' });
      // The fifty are those of that address: the person elsewhere is as free as before.
      expect((await right('clientA')).status).toBe(200);
      const others = await inTurn(51, (nth) => wrong(`nobody ${nth}`, here));
      expect(statuses(others)).toEqual([...Array(50).fill(401), 429]);
    },
  );

  itOnAny(kind)('G6: the network is what counts, an IPv6 /64 as one; a neighbouring one does not count', async () => {
    const own = await startTestApp(kind, { TRUST_PROXY: '127.0.0.1' }, { clock: 'standing' });
    const from = (address: string, username: string, password: string) =>
      signInFrom(own.origin, username, password, { headers: { 'x-forwarded-for': address } });
    try {
      expect((await from('2001:db8:1:2::5', 'admin', ADMIN_PASSWORD)).status).toBe(200);
      await inTurn(50, (nth) => from(`10.0.0.${Math.floor(nth / 5)}`, 'admin', 'not it'));
      expect((await from('2001:db8:1:3::5', 'admin', ADMIN_PASSWORD)).status).toBe(429);
      expect((await from('2001:db8:1:2:ffff::9', 'admin', ADMIN_PASSWORD)).status).toBe(200);
    } finally {
      await own.close();
    }
  });

  itOnAny(kind)(
    'G6: only what opens a session makes an address known: not the password without its second factor',
    async () => {
      const own = await startTestApp(kind, { SAFEGUARDS: 'on' }, { clock: 'standing' });
      try {
        expect((await signInFrom(own.origin, 'admin', ADMIN_PASSWORD, { from: '127.0.2.1' })).status).toBe(200);
        await inTurn(50, (nth) =>
          signInFrom(own.origin, 'admin', 'not it', { from: `127.0.1.${1 + Math.floor(nth / 5)}` }),
        );
        const from = (address: string) => signInFrom(own.origin, 'admin', ADMIN_PASSWORD, { from: address });
        expect((await from('127.0.2.1')).status).toBe(429);
        // The second factor was shown from here.
        expect((await from('127.0.0.1')).status).toBe(200);
      } finally {
        await own.close();
      }
    },
  );

  itOnAny(kind)('G6: is forgotten after ninety days, with the user, and beyond the newest fifty', async () => {
    const known = () => app.database.reader.selectFrom('known_networks').select(['user_id', 'network']).execute();
    const ofClientA = async () => (await known()).filter((row) => row.user_id === firm.users.clientA);
    app.advance(1_000);
    for (let nth = 1; nth <= 50; nth += 1) {
      app.advance(1_000);
      expect((await right('clientA', `127.0.6.${nth}`)).status).toBe(200);
    }
    const kept = (await ofClientA()).map(({ network }) => network);
    expect(kept).toHaveLength(50);
    expect(kept).not.toContain('127.0.0.1');
    app.advance(80 * DAY_MS);
    expect((await right('clientA')).status).toBe(200);
    app.advance(10 * DAY_MS);
    await fillUser('clientA');
    expect((await right('clientA', '127.0.6.50')).status).toBe(429);
    expect((await right('clientA')).status).toBe(200);
    await app.context.runMaintenance();
    expect(await known()).toEqual([{ user_id: firm.users.clientA, network: '127.0.0.1' }]);
    const admin = await app.login('admin', ADMIN_PASSWORD);
    expect((await admin.delete(`/api/users/${firm.users.clientA}`)).status).toBe(204);
    expect(await ofClientA()).toEqual([]);
  });

  it('G6: holds in another process too', async () => {
    const other = await startSecondServer(app);
    try {
      const { origin } = other;
      expect((await signInFrom(origin, 'clientA', PASSWORD, { from: '127.0.2.1' })).status).toBe(200);
      await fillUser('clientA');
      expect((await signInFrom(origin, 'clientA', PASSWORD, { from: '127.0.2.2' })).status).toBe(429);
      expect((await right('clientA', '127.0.2.1')).status).toBe(200);
    } finally {
      await other.close();
    }
  });

  describe.each(ANY_DATABASE_KIND.filter((one) => one === kind))('after a reset on %s', () => {
    const somewhere = '127.0.2.1';
    beforeEach(async () => {
      await fillUser('clientA');
      await fillAddress(somewhere);
      await inTurn(6, () => wrong('clientA'));
      expect((await right('clientA', somewhere)).status).toBe(429);
      expect((await right('clientA')).status).toBe(429);
    });
    const isFree = async (password: string) => {
      // So long a process remembers a lockout that it has seen.
      app.advance(1_000);
      for (const from of [somewhere, '127.0.0.1', '127.0.1.1']) {
        expect([from, (await signInFrom(app.origin, 'clientA', password, { from })).status]).toEqual([from, 200]);
      }
    };

    it('G6: a new password set by an Admin lets the person in within a second, from anywhere', async () => {
      const { clientA } = firm.users;
      const person = { username: 'clientA', fullName: 'Full clientA', roleId: firm.roles.client };
      const edit = (more: object) => app.admin.put(`/api/users/${clientA}`, { ...person, ...more });
      expect((await edit({ fullName: 'Other Name' })).status).toBe(200);
      expect((await right('clientA', somewhere)).status).toBe(429);
      expect((await edit({ password: 'set by the Admin' })).status).toBe(200);
      await isFree('set by the Admin');
    });

    itOnAny(kind)('G6: so does the operator’s new password', async () => {
      const passwordHash = await cheapPasswords().hash('set by the operator');
      const { database } = app;
      expect(
        await resetPassword(database, app.context.services.outbox, {
          username: 'CLIENTA',
          passwordHash,
          at: app.now(),
        }),
      ).toBe(true);
      await isFree('set by the operator');
    });

    itOnAny(kind)('G6: so does the operator’s reset of the second factor', async () => {
      expect(
        await resetSecondFactor(app.database, app.context.services.outbox, { username: 'clientA', at: app.now() }),
      ).toBe(true);
      await isFree(PASSWORD);
    });

    itOnAny(kind)('G6: it clears nobody else’s counts', async () => {
      await fillUser('clientB');
      expect(
        await resetSecondFactor(app.database, app.context.services.outbox, { username: 'clientA', at: app.now() }),
      ).toBe(true);
      expect((await right('clientB', somewhere)).status).toBe(429);
    });
  });
});

it('A5: believes the last address that a trusted proxy did not add itself', async () => {
  const app = await startTestApp('sqlite', { TRUST_PROXY: '127.0.0.1' }, { clock: 'standing' });
  const through = (chain: string, password: string) =>
    signInFrom(app.origin, 'admin', password, { headers: { 'x-forwarded-for': chain } });
  await inTurn(5, (nth) => through(`6.6.6.${nth}, 9.9.9.9`, 'not it'));
  expect((await through('6.6.6.6, 9.9.9.9', 'correct horse')).status).toBe(429);
  expect((await through('6.6.6.6, 9.9.9.8', 'correct horse')).status).toBe(200);
  const events = await app.database.reader.selectFrom('security_events').select(['kind', 'address', 'times']).execute();
  expect(events.at(-1)).toEqual({ kind: 'signed_in', address: '9.9.9.8', times: 1 });
  expect(events).toContainEqual({ kind: 'sign_in_failed', address: '9.9.9.9', times: 5 });
  await app.close();
});
