// A forgotten password by a mailed link: what whoever asks is told, what the link is worth and how often, what ends it, and how often it may be asked for.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { InvitationFacts, LoginAnswer, LoginResponse } from '#contract/session.ts';
import type { UserRow } from '#contract/users.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/clock.ts';
import { openSealer } from '../../platform/sealed.ts';
import { newSecret } from '../../platform/secrets.ts';
import { dump } from '../../testing/dump.ts';
import { type Firm, makeFirm, PASSWORD } from '../../testing/firm.ts';
import { mailEnvironment, startMailServer, type TestMailServer } from '../../testing/mail-server.ts';
import { oneRun } from '../../testing/one-run.ts';
import { sendMails } from '../../testing/send-mails.ts';
import { Caller, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { forgetTries } from '../../testing/tries.ts';
import { passwordLinkJob } from '../auth/password-links.ts';

const OWN = 'one of my own';

/** Does what the job does that sends links, now. */
async function runOrders(app: TestApp): Promise<void> {
  const { services } = app.context;
  const { run } = passwordLinkJob({
    ...services,
    database: app.database,
    sealer: openSealer(services.config.secretsKeyFile),
  });
  const orders = await app.database.reader
    .selectFrom('jobs')
    .select(['id', 'payload'])
    .where('kind', '=', 'session.password-link')
    .where('state', '=', 'waiting')
    .orderBy('id')
    .execute();
  for (const { id, payload } of orders) {
    await run({
      ...oneRun(),
      id,
      payload: JSON.parse(payload),
      finish: async (tx) => void (await tx.updateTable('jobs').set({ state: 'done' }).where('id', '=', id).execute()),
    });
  }
}

const ask = (app: TestApp, username: string) => app.anonymous.post<ErrorBody>('/api/auth/forgotten', { username });

/** Asks for a link and reads it from the mail; null where none came. */
async function linkFor(app: TestApp, server: TestMailServer, username: string): Promise<string | null> {
  await forgetTries(app);
  const before = server.arrived.length;
  expect((await ask(app, username)).status).toBe(204);
  await runOrders(app);
  await sendMails(app);
  // Notices about accounts come too.
  const texts = server.arrived.slice(before).map(({ mail }) => mail.text);
  return (
    /^http:\/\/(?:portal\.example\.com|localhost:3000)\/new-password#(\S{43})$/m.exec(texts.join('\n'))?.[1] ?? null
  );
}

describe.each(DATABASE_KINDS)('forgotten passwords on %s', (kind) => {
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
    await app.database.transaction(async (tx) => {
      await tx.deleteFrom('mails').execute();
      await tx.deleteFrom('jobs').execute();
      await tx.deleteFrom('attempts').execute();
    });
    server.arrived.length = 0;
  });
  afterAll(async () => {
    await app.close();
    await server.close();
  });

  /** Somebody with a password and, unless said otherwise, an address. */
  async function person(more: Record<string, unknown> = {}) {
    const username = `forgetful ${++made}`;
    const input = {
      username,
      fullName: `Full ${username}`,
      roleId: firm.roles.bookkeeper,
      email: `${made}@example.com`,
      password: PASSWORD,
      ...more,
    };
    const { status, body } = await (await app.login('admin2', PASSWORD)).post<UserRow>('/api/users', input);
    expect(status, JSON.stringify(body)).toBe(201);
    return { id: body.id, username, input };
  }
  const look = async (token: string) => {
    await forgetTries(app);
    return app.anonymous.post<InvitationFacts & ErrorBody>('/api/auth/invitation', { token });
  };
  const choose = async (token: string, newPassword = OWN) => {
    await forgetTries(app);
    return app.anonymous.post<LoginResponse & ErrorBody>('/api/auth/join', { token, newPassword });
  };
  const signIn = async (username: string, password: string) => {
    await forgetTries(app);
    return (await app.anonymous.post('/api/auth/login', { username, password })).status;
  };
  const wayOut = async (token: string) => {
    const { status, body } = await look(token);
    return [status, body.code];
  };

  it('G86: gives everybody the same answer after the same work, and stores nothing of what was typed in plain', async () => {
    const known = await person();
    const without = await person({ email: '' });
    const invited = await person({ password: null, invitation: newSecret() });
    await app.database.transaction((tx) => tx.deleteFrom('mails').execute());
    const rowsOf = async () =>
      Object.fromEntries(Object.entries(await dump(app.database)).map(([table, rows]) => [table, rows?.length]));
    const typed = [
      known.username,
      known.username.toUpperCase(),
      without.username,
      invited.username,
      'nobody at all',
      'my pässword 123',
    ];
    const told: unknown[] = [];
    for (const name of typed) {
      await forgetTries(app);
      const before = await rowsOf();
      const { status, body, headers } = await ask(app, name);
      const after = await rowsOf();
      const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
      told.push([status, body, [...headers.keys()].filter((key) => key !== 'date'), changed]);
    }
    expect(new Set(told.map((one) => JSON.stringify(one)))).toEqual(new Set([JSON.stringify(told[0])]));
    expect(told[0]).toEqual([204, undefined, expect.anything(), expect.arrayContaining(['jobs'])]);
    const { jobs } = await dump(app.database);
    for (const name of typed) expect(JSON.stringify([jobs, app.log])).not.toContain(name);
    await runOrders(app);
    const { body: mails } = await (await app.login('admin2', PASSWORD)).get<{ title: string; toAddress: string }[]>(
      '/api/mail/messages',
    );
    // One, however often it was asked for just now.
    expect(mails.map(({ title, toAddress }) => [title, toAddress])).toEqual([
      ['Link for a new password', known.input.email],
    ]);
  });

  it('G87: open to one new password, once, within half an hour; looking uses nothing up, and every session ends', async () => {
    const { username, id } = await person();
    const elsewhere = await app.login(username, PASSWORD);
    const link = (await linkFor(app, server, username)) ?? '';
    expect(JSON.stringify(await dump(app.database))).not.toContain(link);
    for (let times = 0; times < 8; times++) {
      expect(await look(link)).toMatchObject({ status: 200, body: { username, purpose: 'new-password' } });
    }
    expect(await signIn(username, PASSWORD)).toBe(200);
    expect((await choose(link, 'short')).body.fields).toEqual({
      newPassword: 'Password must be at least 6 characters',
    });
    const both = await Promise.all([choose(link), choose(link, 'another of my own')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    const won = both.find(({ status }) => status === 200);
    expect(won?.body.user).toMatchObject({ id, mustChangePassword: false });
    expect((await elsewhere.get('/api/auth/me')).status).toBe(401);
    expect(await signIn(username, PASSWORD)).toBe(401);
    expect(await signIn(username, won === both[0] ? OWN : 'another of my own')).toBe(200);
    expect(await wayOut(link)).toEqual([404, 'invitation_invalid']);
    const { body: events } = await new Caller(app.origin, won?.body.token ?? '').get<
      { kind: string; detail: string }[]
    >('/api/auth/events?about=changes');
    expect(events[0]).toMatchObject({ kind: 'password_changed', detail: 'by a link that was mailed' });
  });

  it('G87: end with time, another password, another address and a newer link', async () => {
    const late = await person();
    const expired = (await linkFor(app, server, late.username)) ?? '';
    app.advance(31 * MINUTE_MS);
    expect(await wayOut(expired)).toEqual([410, 'password_link_expired']);
    expect((await choose(expired)).status).toBe(410);
    expect(await signIn(late.username, PASSWORD)).toBe(200);

    const newer = (await linkFor(app, server, late.username)) ?? '';
    expect([await wayOut(expired), (await wayOut(newer))[0]]).toEqual([[404, 'invitation_invalid'], 200]);
    const admin = await app.login('admin2', PASSWORD);
    expect((await admin.put(`/api/users/${late.id}`, { ...late.input, password: 'set by somebody' })).status).toBe(200);
    expect(await wayOut(newer)).toEqual([404, 'invitation_invalid']);

    const moved = await person();
    const toOld = (await linkFor(app, server, moved.username)) ?? '';
    await admin.put(`/api/users/${moved.id}`, { ...moved.input, password: '', email: 'new@example.com' });
    expect(await wayOut(toOld)).toEqual([404, 'invitation_invalid']);

    const remembers = await person();
    const unneeded = (await linkFor(app, server, remembers.username)) ?? '';
    const own = await app.login(remembers.username, PASSWORD);
    await own.post('/api/auth/password', { currentPassword: PASSWORD, newPassword: OWN });
    expect(await wayOut(unneeded)).toEqual([404, 'invitation_invalid']);

    const kept = await person();
    const old = (await linkFor(app, server, kept.username)) ?? '';
    app.advance(2 * DAY_MS);
    await app.context.runMaintenance();
    expect(await wayOut(old)).toEqual([404, 'invitation_invalid']);
  });

  it('G87: are not sent to whoever was invited, nor once they were used or replaced', async () => {
    const invited = await person({ password: null, invitation: newSecret() });
    await sendMails(app);
    expect(await linkFor(app, server, invited.username)).toBeNull();
    const used = await person();
    await ask(app, used.username);
    await runOrders(app);
    await app.database.transaction((tx) => tx.deleteFrom('password_links').execute());
    const before = server.arrived.length;
    await sendMails(app);
    expect(server.arrived).toHaveLength(before);
    const row = await app.database.reader.selectFrom('mails').selectAll().orderBy('id', 'desc').executeTakeFirst();
    expect(row).toMatchObject({
      state: 'dropped',
      sealed: null,
      error: 'The link was used or replaced, or has expired.',
    });
  });

  it('G134: are sent to nobody’s former address', async () => {
    const moved = await person();
    await ask(app, moved.username);
    await runOrders(app);
    await app.database.transaction((tx) =>
      tx.updateTable('users').set({ email: 'moved@example.com' }).where('id', '=', moved.id).execute(),
    );
    await sendMails(app);
    expect(server.arrived.filter(({ to }) => to[0] === moved.input.email)).toEqual([]);
    const links = app.database.reader.selectFrom('mails').where('kind', '=', 'password-link');
    expect(await links.select(['state', 'sealed', 'error']).execute()).toEqual([
      { state: 'dropped', sealed: null, error: 'The person has another mail address meanwhile.' },
    ]);
  });

  it('G6: end the waits of whoever has chosen a password by one, and restart no hour of a network', async () => {
    const { username } = await person();
    const token = (await linkFor(app, server, username)) ?? '';
    const login = async (password: string) =>
      (await app.anonymous.post('/api/auth/login', { username, password })).status;
    for (let guess = 0; guess < 5; guess++) expect(await login('not it')).toBe(401);
    for (const seconds of [1, 2, 4, 8, 16, 32]) {
      app.advance(seconds * 1_000);
      expect(await login('not it')).toBe(401);
    }
    expect(await login(PASSWORD)).toBe(429);
    expect((await app.anonymous.post('/api/auth/join', { token, newPassword: OWN })).status).toBe(200);
    // So long a process remembers a lockout that it has seen.
    app.advance(1_000);
    expect(await login(OWN)).toBe(200);
    const counts = await app.database.reader.selectFrom('attempts').select(['key', 'tries']).execute();
    expect(counts.find(({ key }) => key.startsWith('address:'))?.tries).toBeGreaterThanOrEqual(11);
  });

  it('G86: are asked for at the pace of guesses, whoever is named, and a mailbox gets three in an hour', async () => {
    const { id, username, input } = await person();
    const came: boolean[] = [];
    for (let asked = 0; asked < 9; asked++) {
      came.push((await linkFor(app, server, username)) !== null);
      app.advance(3 * MINUTE_MS);
    }
    // Never two within five minutes, so that none ends another while it is read.
    expect(came).toEqual([true, false, true, false, true, false, false, false, false]);

    // An address that was corrected meanwhile has had none.
    const admin = await app.login('admin2', PASSWORD);
    await admin.put(`/api/users/${id}`, { ...input, password: '', email: 'corrected@example.com' });
    expect(await linkFor(app, server, username)).not.toBeNull();
    expect(await linkFor(app, server, username)).toBeNull();

    await forgetTries(app);
    const statuses: number[] = [];
    for (let asked = 0; asked < 7; asked++) statuses.push((await ask(app, `nobody ${asked}`)).status);
    expect(statuses.slice(0, 5)).toEqual([204, 204, 204, 204, 204]);
    expect(statuses).toContain(429);
    // It keeps nobody from signing in.
    const { status } = await app.anonymous.post('/api/auth/login', { username, password: PASSWORD });
    expect(status).toBe(200);
  });
});

it('G87: with safeguards the second factor is asked for after the new password', async () => {
  const server = await startMailServer();
  const app = await startTestApp('sqlite', {
    ...mailEnvironment(server.port),
    SAFEGUARDS: 'on',
    PUBLIC_ORIGIN: 'http://localhost:3000',
  });
  const { body: roles } = await app.admin.get<{ id: number; systemKey: string | null }[]>('/api/roles');
  const input = { username: 'forgetful', fullName: 'Forgetful', email: 'forgetful@example.com', password: PASSWORD };
  const roleId = roles.find((role) => role.systemKey === 'cpa')?.id;
  expect((await app.admin.post('/api/users', { ...input, roleId })).status).toBe(201);
  const elsewhere = await app.login('forgetful', PASSWORD);
  const token = (await linkFor(app, server, 'forgetful')) ?? '';
  const { status, body } = await app.anonymous.post<LoginAnswer>('/api/auth/join', { token, newPassword: OWN });
  expect([status, body]).toMatchObject([200, { challenge: { enrols: false, methods: ['totp', 'recovery'] } }]);
  expect(body).not.toHaveProperty('token');
  expect((await elsewhere.get('/api/auth/me')).status).toBe(401);
  await app.close();
  await server.close();
});

it('is not there where mail is not set up', async () => {
  const app = await startTestApp('sqlite');
  try {
    expect((await ask(app, 'admin')).status).toBe(404);
  } finally {
    await app.close();
  }
});
