// Second factors over HTTP with SAFEGUARDS=on, on both engines: what the password alone opens, what a code opens, and that it works once.
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Secret } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { Enrolled, Factors } from '#contract/factors.ts';
import type { SecurityEventRow } from '#contract/security-events.ts';
import {
  type Challenge,
  type LoginAnswer,
  type LoginResponse,
  OPEN_SESSIONS_MAX,
  type SessionRow,
  type SessionUser,
} from '#contract/session.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/clock.ts';
import { CodeApp, STEP_MS } from '../../testing/authenticator.ts';
import { dump } from '../../testing/dump.ts';
import { addRole, addUser, type Firm, makeFirm, PASSWORD } from '../../testing/firm.ts';
import { itOnAny } from '../../testing/narrowed.ts';
import { ADMIN_PASSWORD, type Answer, Caller, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { inTurn } from '../../testing/tries.ts';

const STEP_UP_MS = 5 * MINUTE_MS;
const NO_CODE = '000000';

const codesOf = (answers: readonly Answer<unknown>[]) => answers.map(({ body }) => (body as ErrorBody | null)?.code);
const statusesOf = (answers: readonly Answer<unknown>[]) => answers.map(({ status }) => status);

describe.each(DATABASE_KINDS)('second factors on %s', (kind) => {
  let app: TestApp;
  beforeEach(async () => {
    app = await startTestApp(kind, { SAFEGUARDS: 'on' }, { clock: 'standing' });
  });
  afterEach(() => app.close());

  async function begin(username = 'admin', password = ADMIN_PASSWORD): Promise<Challenge> {
    const { body } = await app.anonymous.post<LoginAnswer>('/api/auth/login', { username, password });
    if (!('challenge' in body)) throw new Error(`No challenge: ${JSON.stringify(body)}`);
    return body.challenge;
  }

  const finish = (challenge: Challenge, factor: Record<string, unknown>) =>
    app.anonymous.post<LoginResponse>('/api/auth/second-factor', { challenge: challenge.token, factor });
  const byCode = (challenge: Challenge, code: string) => finish(challenge, { method: 'totp', code });
  const byRecovery = (challenge: Challenge, code: string) => finish(challenge, { method: 'recovery', code });

  /** The admin's next code: the clock moves on, because sign-in used the one before. */
  function nextCode(username = 'admin'): string {
    app.advance(2 * STEP_MS);
    const code = app.codeApps.get(username)?.freshCode();
    if (!code) throw new Error('No code is left');
    return code;
  }

  async function newCodes(caller = app.admin): Promise<string[]> {
    const { body } = await caller.post<{ recoveryCodes: string[] }>('/api/auth/factors/recovery-codes');
    return body.recoveryCodes;
  }

  const eventsOf = async (caller: Caller) => (await caller.get<SecurityEventRow[]>('/api/auth/events')).body;
  const kindsOf = async (caller: Caller) => (await eventsOf(caller)).map((event) => event.kind);

  async function aClient(): Promise<{ id: number; caller: Caller }> {
    const { body } = await app.admin.get<{ id: number; systemKey: string | null }[]>('/api/roles');
    return addUser(app, 'client', body.find((role) => role.systemKey === 'client')?.id ?? 0);
  }

  describe('a sign-in', () => {
    it('A24: opens nothing before the second factor', async () => {
      const login = await app.anonymous.fetch('/api/auth/login', {
        method: 'POST',
        body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
        headers: { 'content-type': 'application/json' },
      });
      expect(login.headers.getSetCookie()).toEqual([]);
      const { challenge, ...more } = (await login.json()) as { challenge: Challenge };
      expect(more).toEqual({});
      expect(challenge).toEqual({
        token: expect.stringMatching(/^[A-Za-z0-9_-]{43,}$/),
        methods: ['totp', 'recovery'],
        enrols: false,
        expiresAt: expect.any(String),
      });
      const half = new Caller(app.origin, challenge.token);
      for (const path of ['/api/auth/me', '/api/clients', '/api/users', '/api/auth/factors', '/api/auth/events']) {
        expect([path, (await half.get(path)).status]).toEqual([path, 401]);
      }
      for (const path of ['totp', 'totp/confirm', 'passkeys/options', 'recovery-codes']) {
        expect([path, (await half.post(`/api/auth/factors/${path}`, {})).status]).toEqual([path, 401]);
      }
      expect((await half.post('/api/auth/reauth', { factor: { method: 'totp', code: NO_CODE } })).status).toBe(401);
      expect(
        (await app.anonymous.fetch('/api/files/1', { headers: { cookie: `coffer_files=${challenge.token}` } })).status,
      ).toBe(401);
      const opened = await app.anonymous.fetch('/api/auth/second-factor', {
        method: 'POST',
        body: JSON.stringify({ challenge: challenge.token, factor: { method: 'totp', code: nextCode() } }),
        headers: { 'content-type': 'application/json' },
      });
      expect(opened.status).toBe(200);
      // The browser keeps the cookie no longer than the session may last.
      expect(opened.headers.getSetCookie()[0]?.split('; ')).toContain(`Max-Age=${12 * 3600}`);
      const { token } = (await opened.json()) as LoginResponse;
      expect((await new Caller(app.origin, token).get('/api/auth/me')).status).toBe(200);
    });

    it('A24: that must set up a factor first reaches nothing else', async () => {
      const { body } = await app.admin.get<{ id: number }[]>('/api/roles');
      const user = { username: 'newcomer', password: PASSWORD, fullName: 'New Comer', roleId: body[1]?.id };
      expect((await app.admin.post('/api/users', user)).status).toBe(201);
      const challenge = await begin('newcomer', PASSWORD);
      expect(challenge).toMatchObject({ methods: [], enrols: true });
      expect(Date.parse(challenge.expiresAt) - app.now()).toBeGreaterThan(14 * MINUTE_MS);
      const half = new Caller(app.origin, challenge.token);
      for (const path of ['/api/auth/me', '/api/clients', '/api/auth/factors']) {
        expect([path, (await half.get(path)).status]).toEqual([path, 401]);
      }
      expect((await half.post('/api/auth/factors/recovery-codes')).status).toBe(401);
      expect(codesOf([await byCode(challenge, NO_CODE)])).toEqual(['wrong_code']);

      const { body: setup } = await half.post<{ secret: string; url: string }>('/api/auth/factors/totp');
      expect(setup.secret).toMatch(/^[A-Z2-7]{32}$/);
      expect(setup.url).toMatch(/^otpauth:\/\/totp\/Coffer:newcomer\?.*secret=[A-Z2-7]{32}/);
      expect(codesOf([await half.post('/api/auth/factors/totp/confirm', { code: NO_CODE })])).toEqual(['wrong_code']);
      const caller = await app.login('newcomer', PASSWORD);
      expect((await caller.get<SessionUser>('/api/auth/me')).body.username).toBe('newcomer');
      expect((await caller.get<Factors>('/api/auth/factors')).body).toEqual({
        totp: true,
        passkeys: [],
        recoveryCodesLeft: 10,
      });
      // Other sign-ins that were setting up a first factor are over.
      expect((await half.post('/api/auth/factors/totp')).status).toBe(401);
      expect((await begin('newcomer', PASSWORD)).enrols).toBe(false);
    });

    it('A24: is over after five minutes, and when the password is changed', async () => {
      const late = await begin();
      app.advance(STEP_UP_MS);
      expect(codesOf([await byCode(late, nextCode())])).toEqual(['challenge_over']);
      app.advance(2 * STEP_MS);
      const caller = await app.login('admin', ADMIN_PASSWORD);
      const waiting = await begin();
      const change = { currentPassword: ADMIN_PASSWORD, newPassword: 'another long one' };
      expect((await caller.post('/api/auth/password', change)).status).toBe(200);
      expect(codesOf([await byCode(waiting, nextCode())])).toEqual(['challenge_over']);
    });

    it('leaves twenty sessions open, also where several are finished at the same moment', async () => {
      const sessionsOf = async () => (await app.admin.get<SessionRow[]>('/api/auth/sessions')).body;
      const codes = await newCodes();
      // Used again before each, so that it is not the one that ends.
      await inTurn(OPEN_SESSIONS_MAX - 2, () => app.login('admin', ADMIN_PASSWORD).then(sessionsOf));
      expect(await sessionsOf()).toHaveLength(OPEN_SESSIONS_MAX - 1);
      const challenges = await inTurn(4, () => begin());
      const answers = await Promise.all(challenges.map((challenge, nth) => byRecovery(challenge, codes[nth] ?? '')));
      expect(statusesOf(answers)).toEqual([200, 200, 200, 200]);
      expect(await sessionsOf()).toHaveLength(OPEN_SESSIONS_MAX);
      const details = (await eventsOf(app.admin)).filter((event) => event.kind === 'session_ended');
      expect(details.map((event) => event.detail)).toEqual(
        Array(3).fill('1 session to make room: at most 20 stay open'),
      );
    });

    it('A22: takes a code once, however many requests send it at the same time', async () => {
      const challenges = await inTurn(4, () => begin());
      const code = nextCode();
      const answers = await Promise.all([...challenges, ...challenges].map((challenge) => byCode(challenge, code)));
      expect(statusesOf(answers).filter((status) => status === 200)).toHaveLength(1);
      app.advance(1_000);
      expect(codesOf([await byCode(await begin(), code)])).toEqual(['wrong_code']);
    });

    it('A22: takes codes of the step before and after, and none that is older than the newest taken', async () => {
      const codeApp = app.codeApps.get('admin');
      // To the start of a step, so that no other starts meanwhile.
      app.advance(11 * STEP_MS - (app.now() % STEP_MS));
      const [before = '', now = '', after = '', far = ''] = [-1, 0, 1, 3].map((steps) =>
        codeApp?.code(steps * STEP_MS),
      );
      expect(codesOf([await byCode(await begin(), far)])).toEqual(['wrong_code']);
      expect((await byCode(await begin(), before)).status).toBe(200);
      expect((await byCode(await begin(), after)).status).toBe(200);
      expect(codesOf([await byCode(await begin(), now)])).toEqual(['wrong_code']);
    });

    it('A23: dies after five wrong codes, for good', async () => {
      const challenge = await begin();
      const wrong: Answer<unknown>[] = [];
      for (let nth = 0; nth < 5; nth += 1) {
        wrong.push(await byCode(challenge, NO_CODE));
        app.advance(MINUTE_MS / 2);
      }
      expect(codesOf(wrong)).toEqual(Array(5).fill('wrong_code'));
      app.advance(MINUTE_MS);
      expect(codesOf([await byCode(challenge, nextCode())])).toEqual(['challenge_over']);
      app.advance(15 * MINUTE_MS);
      expect((await byCode(await begin(), nextCode())).status).toBe(200);
    });

    it('A23: looks at five codes, however many come at the same time from many addresses', async () => {
      const { token } = await begin();
      const body = JSON.stringify({ challenge: token, factor: { method: 'totp', code: NO_CODE } });
      const guess = async (nth: number) => {
        const asked = httpRequest(`${app.origin}/api/auth/second-factor`, {
          method: 'POST',
          localAddress: `127.0.4.${nth + 1}`,
          agent: false,
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        });
        asked.end(body);
        const [answer] = (await once(asked, 'response')) as [IncomingMessage];
        return (JSON.parse(Buffer.concat(await answer.toArray()).toString()) as ErrorBody).code;
      };
      const codes = await Promise.all(Array.from({ length: 12 }, (_, nth) => guess(nth)));
      expect(codes.sort()).toEqual([...Array(7).fill('challenge_over'), ...Array(5).fill('wrong_code')]);
      expect(codesOf([await byCode({ ...(await begin()), token }, nextCode())])).toEqual(['challenge_over']);
    });

    it('A6: counts wrong codes where it counts wrong passwords, and a right password clears none', async () => {
      const kept = await begin();
      const wrong = await inTurn(5, async () => byCode(await begin(), NO_CODE));
      expect(codesOf([...wrong, await byCode(kept, NO_CODE)])).toEqual([...Array(5).fill('wrong_code'), 'too_many']);
    });

    it('A6: counts wrong codes of every kind: from paper, at the confirmation and at the setting up', async () => {
      const paper = await begin();
      const onPaper = await inTurn(4, () => byRecovery(paper, 'ABCD-EFGH-JKMN-PQRS'));
      const reauth = () => app.admin.post('/api/auth/reauth', { factor: { method: 'totp', code: NO_CODE } });
      expect(codesOf([...onPaper, await reauth()])).toEqual(Array(5).fill('wrong_code'));
      const refused = [
        await reauth(),
        await byRecovery(paper, 'ABCD-EFGH-JKMN-PQRS'),
        await app.admin.post('/api/auth/factors/totp/confirm', { code: NO_CODE }),
        await app.admin.post('/api/auth/password', { currentPassword: 'x', newPassword: 'another long one' }),
        await app.anonymous.post('/api/auth/login', { username: 'admin', password: ADMIN_PASSWORD }),
      ];
      expect(statusesOf(refused)).toEqual(Array(5).fill(429));
      expect(refused[0]?.headers.get('retry-after')).toBe('1');
    });
  });

  describe('recovery codes', () => {
    it('A25: are ten, of eighty bits, and each works once', async () => {
      const codes = await newCodes();
      expect(codes).toHaveLength(10);
      expect(new Set(codes).size).toBe(10);
      for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
      const [first = '', second = ''] = codes;
      expect((await byRecovery(await begin(), first)).status).toBe(200);
      expect(codesOf([await byRecovery(await begin(), first)])).toEqual(['wrong_code']);
      // As people write them down.
      expect((await byRecovery(await begin(), second.toLowerCase().replaceAll('-', ' '))).status).toBe(200);
      expect((await app.admin.get<Factors>('/api/auth/factors')).body.recoveryCodesLeft).toBe(8);
      expect(await kindsOf(app.admin)).toEqual(expect.arrayContaining(['recovery_code_used', 'recovery_codes_made']));
    });

    it('A25: used twice at once open one session', async () => {
      const [code = ''] = await newCodes();
      const challenges = [await begin(), await begin()];
      const answers = await Promise.all(challenges.map((challenge) => byRecovery(challenge, code)));
      expect(statusesOf(answers).sort()).toEqual([200, 401]);
    });

    it('A25: are worth nothing once there is a new set', async () => {
      const [old = ''] = await newCodes();
      const [young = ''] = await newCodes();
      expect(codesOf([await byRecovery(await begin(), old)])).toEqual(['wrong_code']);
      expect((await byRecovery(await begin(), young)).status).toBe(200);
    });

    itOnAny(kind)('of one person are nothing to another', async () => {
      await aClient();
      const [code = ''] = await newCodes();
      expect(codesOf([await byRecovery(await begin('client', PASSWORD), code)])).toEqual(['wrong_code']);
    });
  });

  describe('a session', () => {
    it('A13: ends after thirty minutes without use', async () => {
      for (const idleMs of [29 * MINUTE_MS, 20 * MINUTE_MS, 29 * MINUTE_MS]) {
        app.advance(idleMs);
        expect((await app.admin.get('/api/auth/me')).status).toBe(200);
      }
      app.advance(30 * MINUTE_MS);
      expect((await app.admin.get('/api/auth/me')).status).toBe(401);
    });

    it('A13: ends after twelve hours of use, and says so beforehand', async () => {
      const { body } = await app.admin.get<SessionUser>('/api/auth/me');
      expect(body.session.idleMaxMs).toBe(30 * MINUTE_MS);
      expect(Date.parse(body.session.endsAt) - app.now()).toBeLessThanOrEqual(12 * HOUR_MS);
      expect(Date.parse(body.session.endsAt) - app.now()).toBeGreaterThan(12 * HOUR_MS - MINUTE_MS);
      for (let nth = 0; nth < 28; nth += 1) {
        app.advance(25 * MINUTE_MS);
        expect([nth, (await app.admin.get('/api/auth/me')).status]).toEqual([nth, 200]);
      }
      app.advance(25 * MINUTE_MS);
      expect((await app.admin.get('/api/auth/me')).status).toBe(401);
    });

    it('A13: that was opened by the password alone is worth nothing once the profile is on', async () => {
      await app.database.transaction((tx) => tx.updateTable('sessions').set({ stepped_up_at: null }).execute());
      expect((await app.admin.get('/api/auth/me')).status).toBe(401);
    });
  });

  describe('an unattended session', () => {
    let firm: Firm;
    const unused = { role: 0, reportType: 0 };
    beforeEach(async () => {
      firm = await makeFirm(app);
      unused.role = await addRole(app, 'Unused');
      unused.reportType = (await app.admin.post<{ id: number }>('/api/report-types', { name: 'Unused' })).body.id;
      app.advance(STEP_UP_MS);
    });

    const user = (more: Record<string, unknown>) => ({
      username: 'somebody',
      fullName: 'Some Body',
      password: '',
      clientIds: [firm.clients[0]],
      reportTypeIds: [firm.reportTypes[0]],
      ...more,
    });
    /** Everything that asks for the second factor again, and its answer once that was shown. */
    const guarded: Record<string, [status: number, call: () => Promise<Answer<unknown>>]> = {
      'setting up an app': [200, () => app.admin.post('/api/auth/factors/totp')],
      'new recovery codes': [200, () => app.admin.post('/api/auth/factors/recovery-codes')],
      'removing a factor': [409, () => app.admin.delete('/api/auth/factors/totp')],
      'removing a passkey': [404, () => app.admin.delete('/api/auth/factors/passkeys/1')],
      'confirming an app': [401, () => app.admin.post('/api/auth/factors/totp/confirm', { code: NO_CODE })],
      'options for a passkey': [409, () => app.admin.post('/api/auth/factors/passkeys/options')],
      'making an Admin': [
        201,
        () => app.admin.post('/api/users', user({ roleId: firm.roles.admin, password: 'a long password' })),
      ],
      'giving the Admin role': [
        200,
        () =>
          app.admin.put(
            `/api/users/${firm.users.bookkeeper}`,
            user({ username: 'bookkeeper', roleId: firm.roles.admin }),
          ),
      ],
      'changing an Admin': [
        200,
        () => app.admin.put(`/api/users/${firm.users.admin2}`, user({ username: 'admin2', roleId: firm.roles.admin })),
      ],
      'setting a password': [
        200,
        () =>
          app.admin.put(
            `/api/users/${firm.users.clientA}`,
            user({ username: 'clientA', roleId: firm.roles.client, password: 'a long password' }),
          ),
      ],
      'making anybody': [
        201,
        () =>
          app.admin.post(
            '/api/users',
            user({ username: 'anybody', roleId: firm.roles.bookkeeper, password: 'a long password' }),
          ),
      ],
      'giving a client': [
        200,
        () =>
          app.admin.put(
            `/api/users/${firm.users.clientA}`,
            user({ username: 'clientA', roleId: firm.roles.client, clientIds: firm.clients.slice(0, 2) }),
          ),
      ],
      'deleting the other Admin': [204, () => app.admin.delete(`/api/users/${firm.users.admin2}`)],
      'renaming a role': [200, () => app.admin.put(`/api/roles/${firm.roles.bookkeeper}`, { name: 'Books' })],
      'deleting a role': [204, () => app.admin.delete(`/api/roles/${unused.role}`)],
      'deleting a report type': [204, () => app.admin.delete(`/api/report-types/${unused.reportType}`)],
      'deleting a file': [204, () => app.admin.delete(`/api/files/${firm.files.f5.id}`)],
      'deleting a client with its files': [204, () => app.admin.delete(`/api/clients/${firm.clients[2]}`)],
      'reading the log whole': [200, () => app.admin.get('/api/activity-logs')],
      'reading deep in the log': [200, () => app.admin.get('/api/activity-logs?limit=10&offset=200')],
      'changing permissions': [
        200,
        () => app.admin.put('/api/permissions', { roleId: firm.roles.bookkeeper, capabilities: ['activity.read'] }),
      ],
      'resetting a second factor': [204, () => app.admin.delete(`/api/users/${firm.users.clientB}/second-factor`)],
      'exporting the log': [200, () => app.admin.get('/api/activity-logs/export')],
      'changing the password': [
        200,
        () =>
          app.admin.post('/api/auth/password', { currentPassword: ADMIN_PASSWORD, newPassword: 'another long one' }),
      ],
    };

    it('A27: asks for the second factor again, for exactly these, and for nothing else', async () => {
      const before = await dump(app.database);
      for (const [what, [, call]] of Object.entries(guarded)) {
        const { status, body } = await call();
        expect([what, status, (body as ErrorBody).code]).toEqual([what, 403, 'reauth_required']);
      }
      const { sessions: _was, ...rest } = await dump(app.database);
      const { sessions: _is, ...same } = before;
      expect(rest).toEqual(same);
      expect((await app.admin.get('/api/users')).status).toBe(200);
      expect((await app.admin.get('/api/activity-logs?limit=100')).status).toBe(200);
      const fields = { clientId: firm.clients[0], fileType: 'company_document' };
      expect((await app.admin.upload({ fields })).status).toBe(201);

      const code = nextCode();
      const reauth = (given: string) => app.admin.post('/api/auth/reauth', { factor: { method: 'totp', code: given } });
      expect(codesOf([await reauth(NO_CODE)])).toEqual(['wrong_code']);
      expect((await reauth(code)).status).toBe(204);
      // The code has been used; the session has not ended over it.
      expect(codesOf([await reauth(code)])).toEqual(['wrong_code']);
      for (const [what, [wanted, call]] of Object.entries(guarded)) {
        expect([what, (await call()).status]).toEqual([what, wanted]);
      }
    });

    itOnAny(kind)('A27: is asked again after five minutes, and by a recovery code too', async () => {
      await app.admin.post('/api/auth/reauth', { factor: { method: 'totp', code: nextCode() } });
      const [paper = ''] = await newCodes();
      app.advance(STEP_UP_MS);
      const again = () => app.admin.post('/api/auth/factors/recovery-codes');
      expect(codesOf([await again()])).toEqual(['reauth_required']);
      const factor = { method: 'recovery', code: paper };
      expect((await app.admin.post('/api/auth/reauth', { factor })).status).toBe(204);
      expect((await again()).status).toBe(200);
    });
  });

  it('the last factor stays, and a new app takes the place of the old one', async () => {
    expect(codesOf([await app.admin.delete('/api/auth/factors/totp')])).toEqual(['last_factor']);
    // Nor does it go by the way of those who have lost theirs.
    const { id } = (await app.admin.get<{ id: number }>('/api/auth/me')).body;
    expect(codesOf([await app.admin.delete(`/api/users/${id}/second-factor`)])).toEqual(['forbidden']);
    const old = app.codeApps.get('admin');
    const { body } = await app.admin.post<{ secret: string }>('/api/auth/factors/totp');
    // The old one works until the new one has shown a code.
    app.advance(2 * STEP_MS);
    expect((await byCode(await begin(), old?.freshCode() ?? '')).status).toBe(200);
    const young = new CodeApp(body.secret, app.now);
    const confirmed = await app.admin.post<Enrolled>('/api/auth/factors/totp/confirm', { code: young.freshCode() });
    expect(confirmed).toMatchObject({ status: 200, body: { recoveryCodes: null, session: null } });
    app.advance(2 * STEP_MS);
    expect(codesOf([await byCode(await begin(), old?.freshCode() ?? '')])).toEqual(['wrong_code']);
    expect((await byCode(await begin(), young.freshCode() ?? '')).status).toBe(200);
  });

  itOnAny(kind)('a secret that waits is forgotten after a quarter of an hour', async () => {
    await app.admin.post('/api/auth/factors/totp');
    app.advance(15 * MINUTE_MS);
    await app.admin.post('/api/auth/reauth', { factor: { method: 'totp', code: nextCode() } });
    const late = await app.admin.post('/api/auth/factors/totp/confirm', { code: NO_CODE });
    expect(late).toMatchObject({ status: 409, body: { code: 'set_up_over' } });
  });

  it('an Admin resets somebody, who is signed out and sets up again', async () => {
    const { id, caller } = await aClient();
    const waiting = await begin('client', PASSWORD);
    expect((await caller.delete(`/api/users/${id}/second-factor`)).status).toBe(403);
    expect((await app.admin.delete(`/api/users/${id}/second-factor`)).status).toBe(204);
    expect((await caller.get('/api/auth/me')).status).toBe(401);
    expect(codesOf([await byCode(waiting, nextCode('client'))])).toEqual(['challenge_over']);
    expect(await begin('client', PASSWORD)).toMatchObject({ enrols: true, methods: [] });
    const back = await app.login('client', PASSWORD);
    const [event] = (await eventsOf(back)).filter(({ kind: what }) => what === 'second_factor_reset');
    expect(event).toMatchObject({ actorName: 'Administrator', address: null, device: null });
    expect((await app.admin.delete('/api/users/999999/second-factor')).status).toBe(404);
  });

  it('F6: a dump holds no token, no secret of an app and no recovery code, and the key is in a file next to it', async () => {
    const { body: setup } = await app.admin.post<{ secret: string }>('/api/auth/factors/totp');
    const codes = await newCodes();
    const { token } = await begin();
    const text = JSON.stringify(await dump(app.database));
    const bytes = Buffer.from(Secret.fromBase32(setup.secret).bytes);
    const secrets = [
      app.admin.token ?? '',
      token,
      setup.secret,
      ...['hex', 'base64', 'base64url'].map((form) => bytes.toString(form as 'hex')),
      ...codes,
      ...codes.map((code) => code.replaceAll('-', '')),
    ];
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(text).toContain('v1.');
    const { secretsKeyFile } = app.config;
    expect(existsSync(secretsKeyFile)).toBe(true);
    expect(statSync(secretsKeyFile).mode & 0o777).toBe(0o600);
    const key = readFileSync(secretsKeyFile);
    expect(key).toHaveLength(32);
    for (const form of ['hex', 'base64', 'base64url'] as const) expect(text).not.toContain(key.toString(form));
    const logged = JSON.stringify(app.log);
    for (const secret of secrets) expect(logged).not.toContain(secret);
  });

  itOnAny(kind)('A16: passwords have eight characters and are none that is tried first', async () => {
    const { body } = await app.admin.get<{ id: number }[]>('/api/roles');
    const make = (password: string) =>
      app.admin.post<ErrorBody>('/api/users', { username: 'p.1', password, fullName: 'P', roleId: body[1]?.id });
    const short = await make('seven77');
    expect(short).toMatchObject({
      status: 400,
      body: { fields: { password: 'Password must be at least 8 characters' } },
    });
    for (const password of ['passwordpassword', 'Password123!', 'QWERTYUIOP', 'aaaaaaaaaaaa', 'abcabcabcabc']) {
      const { status, body: refusal } = await make(password);
      expect([password, status, refusal.fields?.password]).toEqual([
        password,
        400,
        expect.stringMatching(/tried first/),
      ]);
    }
    const change = (newPassword: string) =>
      app.admin.post<ErrorBody>('/api/auth/password', { currentPassword: ADMIN_PASSWORD, newPassword });
    expect((await change('passwordpassword')).body.fields).toHaveProperty('newPassword');
    const { id, caller } = await aClient();
    const update = { username: 'client', fullName: 'C', roleId: body[1]?.id, password: 'letmein123' };
    expect((await app.admin.put<ErrorBody>(`/api/users/${id}`, update)).body.fields).toHaveProperty('password');
    expect((await caller.get('/api/auth/me')).status).toBe(200);
    expect((await make('mill road 12')).status).toBe(201);
  });
});
