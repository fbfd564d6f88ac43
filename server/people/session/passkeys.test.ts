// Passkeys over HTTP with SAFEGUARDS=on, on both engines, by an authenticator in software.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type {
  Enrolled,
  Factors,
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '#contract/factors.ts';
import type { SecurityEventRow } from '#contract/security-events.ts';
import type { Challenge, LoginAnswer, LoginResponse } from '#contract/session.ts';
import { MINUTE_MS } from '../../platform/clock.ts';
import { SoftPasskey } from '../../testing/authenticator.ts';
import { addUser, PASSWORD } from '../../testing/firm.ts';
import { ADMIN_PASSWORD, type Answer, Caller, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { checkAssertion, checkAttestation } from '../auth/passkeys.ts';

const codeOf = ({ body }: Answer<unknown>) => (body as ErrorBody | null)?.code;

describe.each(DATABASE_KINDS)('passkeys on %s', (kind) => {
  let app: TestApp;
  /** Passkeys are bound to a name, so this is the same server by its name. */
  let origin: string;
  let anybody: Caller;
  let clientRole: number;
  let people = 0;
  beforeAll(async () => {
    app = await startTestApp(kind, { SAFEGUARDS: 'on' }, { clock: 'standing' });
    origin = app.origin.replace('127.0.0.1', 'localhost');
    anybody = new Caller(origin, null);
    const { body } = await app.admin.get<{ id: number; systemKey: string | null }[]>('/api/roles');
    clientRole = body.find((role) => role.systemKey === 'client')?.id ?? 0;
  });
  afterAll(() => app.close());

  /** A person for this test alone, with an app and a passkey. */
  async function somebody(): Promise<{ username: string; caller: Caller; passkey: SoftPasskey }> {
    people += 1;
    const username = `person${people}`;
    // Creating a person takes a sign-in, and the tests move the clock.
    const admin = await app.login('admin', ADMIN_PASSWORD);
    const { caller: here } = await addUser({ ...app, admin }, username, clientRole);
    const caller = new Caller(origin, here.token);
    const passkey = new SoftPasskey(origin);
    const added = await add(caller, passkey);
    expect(added).toMatchObject({ status: 200, body: { recoveryCodes: null, session: null } });
    return { username, caller, passkey };
  }

  async function add(caller: Caller, passkey: SoftPasskey, name = 'Office key', overrides = {}) {
    const { body } = await caller.post<PasskeyCreationOptions>('/api/auth/factors/passkeys/options');
    return caller.post<Enrolled>('/api/auth/factors/passkeys', {
      name,
      response: passkey.attest(body.challenge, overrides),
    });
  }

  async function begin(username: string): Promise<Challenge> {
    const { body } = await anybody.post<LoginAnswer>('/api/auth/login', { username, password: PASSWORD });
    if (!('challenge' in body)) throw new Error(`No challenge: ${JSON.stringify(body)}`);
    return body.challenge;
  }

  async function ask({ token }: Challenge): Promise<PasskeyRequestOptions> {
    const { body } = await anybody.post<PasskeyRequestOptions>('/api/auth/second-factor/passkey', { challenge: token });
    return body;
  }

  const finish = ({ token }: Challenge, response: PasskeyAssertion) =>
    anybody.post<LoginResponse>('/api/auth/second-factor', {
      challenge: token,
      factor: { method: 'passkey', response },
    });

  async function signIn(username: string, passkey: SoftPasskey, overrides = {}) {
    const challenge = await begin(username);
    return finish(challenge, passkey.assert((await ask(challenge)).challenge, overrides));
  }

  it('A26: finish sign-ins repeatedly', async () => {
    const { username, passkey } = await somebody();
    expect((await begin(username)).methods).toEqual(['totp', 'passkey', 'recovery']);
    const options = await ask(await begin(username));
    expect(options).toEqual({
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43,}$/),
      timeout: 5 * MINUTE_MS,
      rpId: 'localhost',
      allowCredentials: [{ id: passkey.id.toString('base64url'), type: 'public-key', transports: ['internal'] }],
      userVerification: 'preferred',
    });
    for (let nth = 0; nth < 2; nth += 1) {
      const { status, body } = await signIn(username, passkey);
      expect(status).toBe(200);
      expect((await new Caller(origin, body.token).get('/api/auth/me')).status).toBe(200);
    }
  });

  it('A26: of an authenticator that does not count work too', async () => {
    const { username, passkey } = await somebody();
    for (let nth = 0; nth < 2; nth += 1) {
      const challenge = await begin(username);
      const { challenge: asked } = await ask(challenge);
      expect((await finish(challenge, passkey.assert(asked, { counter: 0 }))).status).toBe(200);
    }
  });

  it('A26: of another site, for an earlier challenge, or with a counter that went back are refused and recorded', async () => {
    const { username, caller, passkey } = await somebody();
    const first = await begin(username);
    const { challenge: asked } = await ask(first);
    expect((await finish(first, passkey.assert(asked))).status).toBe(200);

    const stranger = new SoftPasskey(origin);
    const tries: Record<string, () => Promise<Answer<unknown>>> = {
      'another origin': () => signIn(username, passkey, { origin: 'https://coffer.evil.example' }),
      'another rp': () => signIn(username, passkey, { rpId: 'evil.example' }),
      'a question answered before': async () => finish(await begin(username), passkey.assert(asked)),
      'a question never asked': async () => finish(await begin(username), passkey.assert('A'.repeat(43))),
      'a lower counter': () => signIn(username, passkey, { counter: 1 }),
      'nobody there': () => signIn(username, passkey, { present: false }),
      'a passkey nobody set up': () => signIn(username, stranger),
    };
    const refused: Record<string, Answer<unknown>> = {};
    for (const [what, work] of Object.entries(tries)) {
      refused[what] = await work();
      // Past the waits that wrong tries cause.
      app.advance(MINUTE_MS / 2);
    }
    for (const [what, answer] of Object.entries(refused)) {
      expect([what, answer.status, codeOf(answer)]).toEqual([what, 401, 'wrong_code']);
    }
    const { body: events } = await caller.get<SecurityEventRow[]>('/api/auth/events');
    const failed = events.filter((event) => event.kind === 'second_factor_failed');
    expect(failed).toMatchObject([{ times: Object.keys(refused).length, detail: 'passkey', actorName: null }]);
    expect((await signIn(username, passkey)).status).toBe(200);
  });

  it('A26: answer the same challenge once, also at the same time', async () => {
    const { username, passkey } = await somebody();
    const challenges = [await begin(username), await begin(username)] as const;
    const { challenge: asked } = await ask(challenges[0]);
    const answers = await Promise.all(challenges.map((challenge) => finish(challenge, passkey.assert(asked))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('can be asked for any number of challenges, and only the newest are stored', async () => {
    const { username, passkey } = await somebody();
    const challenge = await begin(username);
    const before = await app.database.reader.selectFrom('passkey_challenges').select('user_id').execute();
    const questions: string[] = [];
    for (let nth = 0; nth < 15; nth += 1) {
      questions.push((await ask(challenge)).challenge);
      app.advance(1);
    }
    const kept = await app.database.reader.selectFrom('passkey_challenges').select('user_id').execute();
    expect(kept.length - before.length).toBe(10);
    expect(codeOf(await finish(challenge, passkey.assert(questions[0] ?? '')))).toBe('wrong_code');
    expect((await finish(challenge, passkey.assert(questions[14] ?? ''))).status).toBe(200);
  });

  it('A26: of another person open nothing', async () => {
    const one = await somebody();
    const other = await somebody();
    expect(codeOf(await signIn(one.username, other.passkey))).toBe('wrong_code');
    // Nor is one taken over by another account.
    expect(codeOf(await add(one.caller, other.passkey))).toBe('wrong_code');
  });

  it('A26: must answer within five minutes', async () => {
    const { username, passkey } = await somebody();
    const { challenge: asked } = await ask(await begin(username));
    app.advance(5 * MINUTE_MS);
    expect(codeOf(await finish(await begin(username), passkey.assert(asked)))).toBe('wrong_code');
  });

  it('A26: for another site are not set up', async () => {
    const { caller } = await somebody();
    const allOverrides = [{ origin: 'https://coffer.evil.example' }, { rpId: 'evil.example' }];
    for (const overrides of allOverrides)
      expect(codeOf(await add(caller, new SoftPasskey(origin), 'x', overrides))).toBe('wrong_code');
    const { body } = await caller.post<PasskeyCreationOptions>('/api/auth/factors/passkeys/options');
    const answer = () => ({ name: 'x', response: new SoftPasskey(origin).attest(body.challenge) });
    expect((await caller.post('/api/auth/factors/passkeys', answer())).status).toBe(200);
    expect(codeOf(await caller.post('/api/auth/factors/passkeys', answer()))).toBe('wrong_code');
    // A challenge for a sign-in cannot set up a passkey.
    const { challenge } = (await caller.post<PasskeyRequestOptions>('/api/auth/reauth/passkey')).body;
    const response = new SoftPasskey(origin).attest(challenge);
    expect(codeOf(await caller.post('/api/auth/factors/passkeys', { name: 'x', response }))).toBe('wrong_code');
  });

  it('A27: confirm that it is oneself, by a question of this session alone', async () => {
    const { username, caller, passkey } = await somebody();
    app.advance(5 * MINUTE_MS);
    const codes = () => caller.post('/api/auth/factors/recovery-codes');
    expect(codeOf(await codes())).toBe('reauth_required');
    const reauth = (response: PasskeyAssertion) =>
      caller.post('/api/auth/reauth', { factor: { method: 'passkey', response } });
    const forSignIn = await ask(await begin(username));
    expect(codeOf(await reauth(passkey.assert(forSignIn.challenge)))).toBe('wrong_code');
    const { body } = await caller.post<PasskeyRequestOptions>('/api/auth/reauth/passkey');
    expect((await reauth(passkey.assert(body.challenge))).status).toBe(204);
    const [event] = (await caller.get<SecurityEventRow[]>('/api/auth/events')).body;
    expect(event).toMatchObject({ kind: 'stepped_up', detail: 'passkey: Office key', actorName: null });
    expect((await codes()).status).toBe(200);
  });

  it('can be the first factor, and the only one', async () => {
    people += 1;
    const username = `person${people}`;
    const user = { username, password: PASSWORD, fullName: 'Full Name', roleId: clientRole };
    const admin = await app.login('admin', 'correct horse');
    expect((await admin.post('/api/users', user)).status).toBe(201);
    const challenge = await begin(username);
    const passkey = new SoftPasskey(origin);
    const { status, body } = await add(new Caller(origin, challenge.token), passkey, 'My phone');
    expect(status).toBe(200);
    expect(body.recoveryCodes).toHaveLength(10);
    const caller = new Caller(origin, body.session?.token ?? '');
    const { body: factors } = await caller.get<Factors>('/api/auth/factors');
    expect(factors).toEqual({
      totp: false,
      passkeys: [{ id: expect.any(Number), name: 'My phone', createdAt: expect.any(String), lastUsedAt: null }],
      recoveryCodesLeft: 10,
    });
    expect((await begin(username)).methods).toEqual(['passkey', 'recovery']);
    const id = factors.passkeys[0]?.id;
    expect(codeOf(await caller.delete(`/api/auth/factors/passkeys/${id}`))).toBe('last_factor');
    expect((await add(caller, new SoftPasskey(origin), 'Spare')).status).toBe(200);
    expect((await caller.delete(`/api/auth/factors/passkeys/${id}`)).status).toBe(204);
    expect((await caller.delete(`/api/auth/factors/passkeys/${id}`)).status).toBe(404);
    expect(codeOf(await signIn(username, passkey))).toBe('wrong_code');
    const { body: events } = await caller.get<SecurityEventRow[]>('/api/auth/events');
    expect(events.map(({ kind: what, detail }) => [what, detail])).toEqual([
      ['second_factor_failed', 'passkey'],
      ['denied', `remove passkey ${id}`],
      ['second_factor_removed', 'passkey: My phone'],
      ['second_factor_added', 'passkey: Spare'],
      ['signed_in', 'passkey: My phone'],
      ['recovery_codes_made', null],
      ['second_factor_added', 'passkey: My phone'],
      ['access_changed', 'added as Client'],
    ]);
  });

  it('of another person are not there to be removed', async () => {
    const one = await somebody();
    const other = await somebody();
    const { body } = await other.caller.get<Factors>('/api/auth/factors');
    expect((await one.caller.delete(`/api/auth/factors/passkeys/${body.passkeys[0]?.id}`)).status).toBe(404);
  });

  it('do not work at an address in numbers, and say so', async () => {
    const { username, caller } = await somebody();
    const byNumber = new Caller(app.origin, caller.token);
    expect(codeOf(await byNumber.post('/api/auth/factors/passkeys/options'))).toBe('passkey_address');
    const { token } = await begin(username);
    expect(codeOf(await app.anonymous.post('/api/auth/second-factor/passkey', { challenge: token }))).toBe(
      'passkey_address',
    );
  });
});

it('A26: are bound to PUBLIC_ORIGIN where there is one, whatever the request says', async () => {
  const origin = 'https://files.example.com';
  const app = await startTestApp('sqlite', { SAFEGUARDS: 'on', PUBLIC_ORIGIN: origin });
  const { body } = await app.admin.post<PasskeyCreationOptions>('/api/auth/factors/passkeys/options');
  expect(body.rp).toEqual({ name: 'Coffer', id: 'files.example.com' });
  const passkey = new SoftPasskey(origin);
  const response = passkey.attest(body.challenge);
  expect((await app.admin.post('/api/auth/factors/passkeys', { name: 'Key', response })).status).toBe(200);
  const other = new SoftPasskey(app.origin.replace('127.0.0.1', 'localhost'));
  const { body: again } = await app.admin.post<PasskeyCreationOptions>('/api/auth/factors/passkeys/options');
  const wrong = { name: 'Key', response: other.attest(again.challenge) };
  expect(codeOf(await app.admin.post('/api/auth/factors/passkeys', wrong))).toBe('wrong_code');
  await app.close();
});

describe('A26: an answer that was tampered with', () => {
  const site = { rpId: 'localhost', origin: 'http://localhost:3000' };
  const challenge = 'A'.repeat(43);
  const take = async (asked: string) => asked === challenge;

  /** The same base64url with one byte changed. */
  const bent = (text: string, at: number, by: number) => {
    const bytes = Buffer.from(text, 'base64url');
    const index = at % bytes.length;
    bytes[index] = (bytes[index] ?? 0) ^ by;
    return bytes.toString('base64url');
  };
  const flips = fc.tuple(fc.nat(10_000), fc.integer({ min: 1, max: 255 }));

  it('is no proof, whichever byte it is, and no fault of ours', async () => {
    const soft = new SoftPasskey(site.origin);
    const passkey = await checkAttestation(site, soft.attest(challenge), take);
    if (passkey === null) throw new Error('The passkey was not set up');
    expect(await checkAssertion(site, passkey, soft.assert(challenge), take)).toBe(1);
    const parts = fc.constantFrom('clientDataJSON' as const, 'authenticatorData' as const, 'signature' as const);
    await fc.assert(
      fc.asyncProperty(parts, flips, async (part, [at, by]) => {
        const answer = soft.assert(challenge);
        // The first bytes of a signature only say how long its parts are.
        answer.response[part] = bent(answer.response[part], part === 'signature' ? 40 + (at % 20) : at, by);
        expect(await checkAssertion(site, passkey, answer, take)).toBeNull();
      }),
    );
  });

  it('is refused without a server fault at registration', async () => {
    await fc.assert(
      fc.asyncProperty(flips, async ([at, by]) => {
        const soft = new SoftPasskey(site.origin);
        const answer = soft.attest(challenge);
        // Nobody vouches for a new key, so a changed one may pass; what it signs later must not cause a fault either.
        answer.response.clientDataJSON = bent(answer.response.clientDataJSON, at, by);
        await checkAttestation(site, answer, take);
        const other = soft.attest(challenge);
        other.response.attestationObject = bent(other.response.attestationObject, at, by);
        const passkey = await checkAttestation(site, other, take);
        if (passkey !== null)
          expect([null, 1]).toContain(await checkAssertion(site, passkey, soft.assert(challenge), take));
      }),
    );
  });
});
