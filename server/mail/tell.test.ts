// What a person is told by mail of their account: by whom, with what, to which address, and what they are not told.
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { UserRow } from '#contract/users.ts';
import { resetPassword } from '../people/auth/reset-password.ts';
import { DAY_MS } from '../platform/clock.ts';
import { type Firm, makeFirm, PASSWORD } from '../testing/firm.ts';
import { mailEnvironment, startMailServer, type TestMailServer } from '../testing/mail-server.ts';
import { sendMails } from '../testing/send-mails.ts';
import { Caller, startTestApp, type TestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { type AccountChange, accountChangeMail } from './kinds/account-change.ts';

const WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1';

describe.each(DATABASE_KINDS)('what people are told of their account on %s', (kind) => {
  let server: TestMailServer;
  let app: TestApp;
  let firm: Firm;
  let made = 0;
  beforeAll(async () => {
    server = await startMailServer();
    app = await startTestApp(kind, mailEnvironment(server.port));
    firm = await makeFirm(app);
  });
  afterEach(async () => {
    await app.database.transaction((tx) => tx.deleteFrom('mails').execute());
    server.arrived.length = 0;
  });
  afterAll(async () => {
    await app.close();
    await server.close();
  });

  async function person(email = `person${made + 1}@example.com`) {
    const username = `person ${++made}`;
    const input = { username, fullName: `Full ${username}`, roleId: firm.roles.bookkeeper, email };
    const { status, body } = await app.admin.post<UserRow>('/api/users', { ...input, password: PASSWORD });
    expect(status).toBe(201);
    return { id: body.id, username, input };
  }
  const signIn = async (username: string, agent: string) => {
    await app.database.transaction((tx) => tx.deleteFrom('attempts').execute());
    const answer = await app.anonymous.fetch('/api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': agent },
      body: JSON.stringify({ username, password: PASSWORD }),
    });
    expect(answer.status).toBe(200);
    return new Caller(app.origin, ((await answer.json()) as { token: string }).token);
  };
  /** What came since the last time: to whom, under which subject, and what it says. */
  async function came() {
    await sendMails(app);
    return server.arrived
      .splice(0)
      .map(({ to, mail }) => ({ to: to[0], subject: mail.subject, text: mail.text ?? '', html: mail.html ?? '' }));
  }

  it('of a sign-in with a device that is new to them, and of no other', async () => {
    const { id, username, input } = await person();
    await signIn(username, WINDOWS);
    expect(await came()).toEqual([]);
    await signIn(username, WINDOWS.replace('140', '141'));
    expect(await came()).toEqual([]);
    await signIn(username, IPHONE);
    const [mail, ...others] = await came();
    expect([mail?.to, mail?.subject, others]).toEqual([input.email, 'Coffer: A sign-in from a new device', []]);
    // By the clock of the firm.
    expect(mail?.text).toMatch(/^When: \w+ \d+, \d{4} at \d+:\d\d.[AP]M E[SD]T$/m);
    expect(mail?.text).toMatch(/^Device: Safari on iPhone$/m);
    expect(mail?.text).toMatch(/^Network address: 127\.0\.0\.1$/m);
    expect(mail?.html).toMatch(/<html lang="en" dir="ltr">[\s\S]*<h1 [^>]*>A sign-in from a new device<\/h1>/);
    expect(mail?.html).toMatch(/<th scope="row"[^>]*>Device<\/th><td[^>]*>Safari on iPhone<\/td>/);
    await signIn(username, IPHONE);
    expect(await came()).toEqual([]);
    // Whoever comes once a year is told of it too.
    await app.database.transaction((tx) =>
      sql`update security_events set at = at - ${91 * DAY_MS} where user_id = ${id}`.execute(tx),
    );
    await signIn(username, IPHONE);
    expect((await came()).map(({ to, subject }) => [to, subject])).toEqual([
      [input.email, 'Coffer: A sign-in from a new device'],
    ]);
    await signIn(username, IPHONE);
    expect(await came()).toEqual([]);
    const silent = await person('');
    await signIn(silent.username, WINDOWS);
    await signIn(silent.username, IPHONE);
    expect(await came()).toEqual([]);
  });

  it('of a new password, by whom it was set, and with what', async () => {
    const { id, username, input } = await person();
    const own = await signIn(username, WINDOWS);
    const change = { currentPassword: PASSWORD, newPassword: 'one of my own' };
    expect((await own.post('/api/auth/password', change)).status).toBe(200);
    const [byOneself, ...none] = await came();
    expect([byOneself?.subject, none]).toEqual(['Coffer: Your password was changed', []]);
    expect(byOneself?.text).not.toMatch(/^By:/m);
    await app.admin.put(`/api/users/${id}`, { ...input, password: 'set by the firm' });
    const [byFirm, ...others] = await came();
    expect([byFirm?.subject, others]).toEqual(['Coffer: Your password was changed', []]);
    expect(byFirm?.text).toMatch(/^By: Administrator$/m);
    // Where others sit is nothing to them.
    expect(byFirm?.text).not.toMatch(/Device|Network address/);
    const passwordHash = await app.context.services.passwords.hash('set by the operator');
    await resetPassword(app.database, app.context.services.outbox, { username, passwordHash, at: app.now() });
    expect((await came()).map(({ text }) => /^By: (.*)$/m.exec(text)?.[1])).toEqual(['Operator']);
    // No mail holds a password.
    expect(JSON.stringify([byOneself, byFirm])).not.toMatch(/one of my own|set by the firm/);
  });

  it('of a new address at both, and of one alone where there is one', async () => {
    const { id, input } = await person('old@example.com');
    const to = async (email: string) => {
      expect((await app.admin.put(`/api/users/${id}`, { ...input, password: '', email })).status).toBe(200);
      return (await came()).map((mail) => [mail.to, /no longer|from now on/.exec(mail.text)?.[0]]).sort();
    };
    expect(await to('new@example.com')).toEqual([
      ['new@example.com', 'from now on'],
      ['old@example.com', 'no longer'],
    ]);
    expect(await to('new@example.com')).toEqual([]);
    expect(await to('')).toEqual([['new@example.com', 'no longer']]);
    expect(await to('')).toEqual([]);
    expect(await to('third@example.com')).toEqual([['third@example.com', 'from now on']]);
  });

  it('nothing, once they are gone', async () => {
    const { id, input } = await person();
    await app.admin.put(`/api/users/${id}`, { ...input, password: 'set by the firm' });
    await app.admin.delete(`/api/users/${id}`);
    expect(await came()).toEqual([]);
    const { state, error } = await app.database.reader.selectFrom('mails').selectAll().executeTakeFirstOrThrow();
    expect([state, error]).toEqual(['dropped', 'The person was deleted meanwhile.']);
  });
});

it('with the detail under a name that fits it', () => {
  const firstFact = (what: AccountChange, detail: string) => {
    const facts = { what, username: 'rosa', at: 0, by: null, device: null, address: null, detail };
    const mail = { facts, secret: null, userId: 1, to: { name: 'Rosa', address: 'rosa@example.com' } };
    const frame = { product: 'Coffer', link: (path: string) => path, moment: String };
    return accountChangeMail.letter(mail, frame, undefined).facts?.[0];
  };
  expect(firstFact('password', 'by a link that was mailed')).toEqual(['How', 'by a link that was mailed']);
  expect(firstFact('new-device', 'recovery code')).toEqual(['Confirmed with', 'recovery code']);
  expect(firstFact('second-factor-added', 'passkey: Key')).toEqual(['What', 'passkey: Key']);
});

it.each(DATABASE_KINDS)('of second factors that are added, removed and reset, on %s', async (kind) => {
  const server = await startMailServer();
  const app = await startTestApp(kind, {
    ...mailEnvironment(server.port),
    SAFEGUARDS: 'on',
    PUBLIC_ORIGIN: 'http://localhost:3000',
  });
  const { body: roles } = await app.admin.get<{ id: number; systemKey: string | null }[]>('/api/roles');
  const input = { username: 'person', fullName: 'A Person', email: 'person@example.com', password: PASSWORD };
  const roleId = roles.find((role) => role.systemKey === 'cpa')?.id;
  const { body: user } = await app.admin.post<UserRow>('/api/users', { ...input, roleId });
  const own = await app.login('person', PASSWORD);
  const subjects = async () => {
    await sendMails(app);
    return server.arrived.splice(0).map(({ mail }) => [mail.subject, /^What: (.*)$/m.exec(mail.text ?? '')?.[1]]);
  };
  expect(await subjects()).toEqual([['Coffer: A second factor was added', 'authenticator app']]);
  expect((await own.post('/api/auth/factors/recovery-codes')).status).toBe(200);
  expect(await subjects()).toEqual([['Coffer: New recovery codes were made', undefined]]);
  // The only one is not removed: a second one, past the API, which asks it for a signature.
  const passkey = { name: 'Key', credential_id: 'key', public_key: 'x', counter: 0, transports: '' };
  await app.database.transaction((tx) =>
    tx
      .insertInto('passkeys')
      .values({ user_id: user.id, ...passkey, created_at: 1, last_used_at: null })
      .execute(),
  );
  expect((await own.delete('/api/auth/factors/totp')).status).toBe(204);
  expect(await subjects()).toEqual([['Coffer: A second factor was removed', 'authenticator app']]);
  expect((await app.admin.delete(`/api/users/${user.id}/second-factor`)).status).toBe(204);
  expect(await subjects()).toEqual([['Coffer: Your second factors were reset', undefined]]);
  await app.close();
  await server.close();
});
