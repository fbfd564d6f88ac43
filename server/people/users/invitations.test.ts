// Invitations over HTTP: who invites, what a link is worth and how often, what ends it, what is told of it, and what is noted.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { INVITATION_STATES } from '#contract/invitation.ts';
import { CAPABILITIES } from '#contract/policy/actor.ts';
import type { InvitationFacts, LoginAnswer, LoginResponse } from '#contract/session.ts';
import type { UserRow } from '#contract/users.ts';
import { HOUR_MS } from '../../platform/clock.ts';
import { newSecret as newLink } from '../../platform/secrets.ts';
import { CodeApp } from '../../testing/authenticator.ts';
import { dump } from '../../testing/dump.ts';
import { addRole, addUser, clientInput, type Firm, PASSWORD } from '../../testing/firm.ts';
import { ADMIN_PASSWORD, Caller, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import { forgetTries } from '../../testing/tries.ts';
import { resetPassword } from '../auth/reset-password.ts';

const OWN = 'one of my own';

let made = 0;
const fresh = (what: string) => `${what} ${++made}`;

describe.each(DATABASE_KINDS)('invitations on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  async function invite(by: Caller = app.admin, more: Record<string, unknown> = {}) {
    const link = newLink();
    const username = fresh('guest');
    const input = { username, fullName: `Full ${username}`, roleId: firm.roles.client, email: 'guest@example.com' };
    const { status, body } = await by.post<UserRow>('/api/users', {
      ...input,
      password: null,
      invitation: link,
      ...more,
    });
    if (status !== 201) throw new Error(`Not invited: ${JSON.stringify(body)}`);
    return { link, username, id: body.id, row: body, input: { ...input, ...more } };
  }
  const look = async (token: string) => {
    await forgetTries(app);
    return app.anonymous.post<InvitationFacts & ErrorBody>('/api/auth/invitation', { token });
  };
  const join = async (token: string, newPassword = OWN) => {
    await forgetTries(app);
    return app.anonymous.post<LoginResponse & ErrorBody>('/api/auth/join', { token, newPassword });
  };
  const find = async (id: number) => (await app.admin.get<UserRow>(`/api/users/${id}`)).body;
  const signIn = async (username: string, password: string) =>
    (await app.anonymous.post('/api/auth/login', { username, password })).status;
  const logged = async (count: number) =>
    (await app.admin.get<ActivityRow[]>(`/api/activity-logs?limit=${count}`)).body.map(({ details, userName }) => [
      details,
      userName,
    ]);
  /** What is told of a link, but for the id of the request. */
  const told = async (answer: Promise<{ status: number; body: ErrorBody }>) => {
    const { status, body } = await answer;
    return { status, ...body, requestId: '' };
  };
  const invalid = (answer: { status: number }) => expect(answer.status).toBe(404);

  it('G57: lead to one password, once, and are stored as their SHA-256 alone', async () => {
    const { link, username, id, row } = await invite();
    expect(Date.parse(row.invitation?.until ?? '') - app.now()).toBeGreaterThan(71 * HOUR_MS);
    expect(row).toMatchObject({
      email: 'guest@example.com',
      mustChangePassword: false,
      invitation: { withdrawn: false },
    });
    expect(await find(id)).toMatchObject(row);
    const { invitations, ...others } = await dump(app.database);
    expect(invitations?.filter((one) => one.includes(createHash('sha256').update(link).digest('hex')))).toHaveLength(1);
    expect(JSON.stringify([invitations, others])).not.toContain(link);

    // Whoever only opens it uses nothing up.
    for (let times = 0; times < 8; times++) {
      expect(await look(link)).toMatchObject({
        status: 200,
        body: { username, fullName: `Full ${username}`, until: row.invitation?.until },
      });
    }
    for (const password of ['', ' ', link, PASSWORD]) expect(await signIn(username, password)).not.toBe(200);
    const short = await join(link, 'short');
    expect([short.status, short.body.fields]).toEqual([400, { newPassword: 'Password must be at least 6 characters' }]);

    const joined = await join(link);
    expect([joined.status, joined.body.user]).toMatchObject([200, { id, username, mustChangePassword: false }]);
    expect((await new Caller(app.origin, joined.body.token).get('/api/clients')).status).toBe(200);
    expect(await signIn(username, OWN)).toBe(200);
    expect((await find(id)).invitation).toBeNull();
    invalid(await look(link));
    invalid(await join(link, 'another one of mine'));
    expect(await signIn(username, OWN)).toBe(200);
    const name = `Full ${username}`;
    expect(await logged(4)).toEqual([
      [`Joined as user: ${username}`, name],
      [`Invited user: ${username}`, 'Administrator'],
      [`Created user: ${username}, role Client`, 'Administrator'],
      expect.anything(),
    ]);
    const { body: events } = await new Caller(app.origin, joined.body.token).get<{ kind: string; actorName: string }[]>(
      '/api/auth/events?about=changes',
    );
    expect(events.map(({ kind: what, actorName }) => [what, actorName])).toEqual([
      ['joined', null],
      ['invited', 'Administrator'],
      ['access_changed', 'Administrator'],
    ]);
  });

  it('G57: opened in two tabs at once let one of them choose', async () => {
    const { link, username } = await invite();
    const words = ['first of my own', 'second of my own', 'third of my own'];
    const answers = await Promise.all(words.map((password) => join(link, password)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    const won = words[answers.findIndex(({ status }) => status === 200)] ?? '';
    expect(await Promise.all(words.map((password) => signIn(username, password)))).toEqual(
      words.map((password) => (password === won ? 200 : 401)),
    );
  });

  it('G58: tell the same of a link that never was, was used, was withdrawn and was replaced', async () => {
    const [used, withdrawn, replaced] = [await invite(), await invite(), await invite()];
    await join(used.link);
    expect((await app.admin.delete(`/api/users/${withdrawn.id}/invitation`)).status).toBe(204);
    const again = newLink();
    await app.admin.put(`/api/users/${replaced.id}`, { ...replaced.input, invitation: again });
    const unknown = await told(look(newLink()));
    expect(unknown).toMatchObject({ status: 404, code: 'invitation_invalid' });
    for (const { link } of [used, withdrawn, replaced]) {
      expect(await told(look(link))).toEqual(unknown);
      expect(await told(join(link))).toEqual(unknown);
    }
    expect((await look(again)).status).toBe(200);
    // What is left is a user whom nobody can be, and who says so.
    expect(await find(withdrawn.id)).toMatchObject({ invitation: { withdrawn: true } });
    expect(await signIn(withdrawn.username, OWN)).toBe(401);
    // Withdrawn in two tabs it is withdrawn once; who has joined is told apart.
    expect((await app.admin.delete(`/api/users/${withdrawn.id}/invitation`)).status).toBe(204);
    const late = await app.admin.delete<ErrorBody>(`/api/users/${used.id}/invitation`);
    expect([late.status, late.body.code]).toEqual([409, 'gone_meanwhile']);
    const details = (await logged(4)).map(([words]) => words).filter((words) => words?.includes(withdrawn.username));
    expect(details).toEqual([`Withdrew invitation of user: ${withdrawn.username}`]);
  });

  it('G58: whose user has no password yet cost a sign-in what an unknown name does, and get its answer', async () => {
    const { username } = await invite();
    const refused = async (name: string) =>
      told(app.anonymous.post<ErrorBody>('/api/auth/login', { username: name, password: OWN }));
    expect(await refused(username)).toEqual(await refused('nobody at all'));
    const { password_hash: hash } = await app.database.reader
      .selectFrom('users')
      .select('password_hash')
      .where('username', '=', username)
      .executeTakeFirstOrThrow();
    // The same work as for everybody: by the cost that stands in the hash.
    expect(app.context.services.passwords.isOutdated(hash)).toBe(false);
  });

  it('G59: end with what they were handed out for', async () => {
    const ends: Record<string, (one: Awaited<ReturnType<typeof invite>>) => Promise<unknown>> = {
      'a changed mail address': ({ id, input }) =>
        app.admin.put(`/api/users/${id}`, { ...input, email: 'b@example.com' }),
      'no mail address any more': ({ id, input }) => app.admin.put(`/api/users/${id}`, { ...input, email: '' }),
      'another role': ({ id, input }) => app.admin.put(`/api/users/${id}`, { ...input, roleId: firm.roles.cpa }),
      'a password': ({ id, input }) => app.admin.put(`/api/users/${id}`, { ...input, password: PASSWORD }),
      'a password by the operator': async ({ username }) =>
        resetPassword(app.database, app.context.services.outbox, {
          username,
          passwordHash: await app.context.services.passwords.hash(PASSWORD),
          at: app.now(),
        }),
      'the user': ({ id }) => app.admin.delete(`/api/users/${id}`),
    };
    for (const [what, end] of Object.entries(ends)) {
      const one = await invite();
      expect([what, (await look(one.link)).status]).toEqual([what, 200]);
      await end(one);
      expect([what, (await look(one.link)).status, (await join(one.link)).status]).toEqual([what, 404, 404]);
      if (what === 'the user') continue;
      const hasPassword = what.startsWith('a password');
      expect([what, await signIn(one.username, PASSWORD)]).toEqual([what, hasPassword ? 200 : 401]);
      expect([what, (await find(one.id)).invitation?.withdrawn]).toEqual([what, hasPassword ? undefined : true]);
    }
    // What changes nothing that it was handed out for leaves it alone, as does a program that knows of no mail addresses.
    const { email: _unknown, ...kept } = (await invite()).input;
    const one = await invite();
    const renamed = { ...kept, username: one.username, fullName: 'Renamed Guest' };
    expect((await app.admin.put(`/api/users/${one.id}`, renamed)).status).toBe(200);
    expect(await find(one.id)).toMatchObject({ email: 'guest@example.com', fullName: 'Renamed Guest' });
    expect((await join(one.link)).status).toBe(200);
  });

  it('G59: are given by those who may add users, for roles that they may give, and by nobody to themselves', async () => {
    const { caller: manager } = await addUser(
      app,
      fresh('manager'),
      await addRole(app, fresh('role'), ['users.manage']),
    );
    const plain = await addRole(app, fresh('role'));
    const own = await invite(manager, { roleId: plain });
    expect((await look(own.link)).status).toBe(200);
    const input = (roleId: number) => ({
      username: fresh('guest'),
      fullName: fresh('Full'),
      roleId,
      password: null,
      invitation: newLink(),
    });
    for (const [by, roleId] of [
      [manager, firm.roles.admin],
      [manager, firm.roles.cpa],
      [firm.viewers.cpa, plain],
      [firm.viewers.clientA, firm.roles.client],
    ] as const) {
      expect((await by.post('/api/users', input(roleId))).status).toBe(403);
    }
    // Nobody takes over an account that may do more, by a link or by ending one.
    const theirs = await invite(app.admin, { roleId: firm.roles.cpa });
    expect((await manager.put(`/api/users/${theirs.id}`, { ...theirs.input, invitation: newLink() })).status).toBe(403);
    expect((await manager.delete(`/api/users/${theirs.id}/invitation`)).status).toBe(403);
    expect((await look(theirs.link)).status).toBe(200);
    const { body: me } = await app.admin.get<{ id: number; username: string; fullName: string; roleId: number }>(
      '/api/auth/me',
    );
    const { username, fullName, roleId } = me;
    const mine = { username, fullName, roleId, invitation: newLink() };
    expect((await app.admin.put<ErrorBody>(`/api/users/${me.id}`, mine)).body.code).toBe('own_password');
  });

  it('are for those who forgot too: the password that there was and every session end', async () => {
    const { id, caller } = await addUser(app, fresh('forgetful'), firm.roles.client);
    const { username, fullName, roleId } = await find(id);
    const link = newLink();
    const changed = await app.admin.put<UserRow>(`/api/users/${id}`, { username, fullName, roleId, invitation: link });
    expect(changed.body.invitation).toMatchObject({ withdrawn: false });
    expect((await caller.get('/api/auth/me')).status).toBe(401);
    expect(await signIn(username, PASSWORD)).toBe(401);
    expect((await join(link)).status).toBe(200);
    expect(await signIn(username, OWN)).toBe(200);
  });

  it('make nobody new where a call is sent again because its answer was lost, until somebody has joined', async () => {
    const { link, row, input } = await invite();
    const again = (more: Record<string, unknown> = {}) =>
      app.admin.post<UserRow & ErrorBody>('/api/users', { ...input, password: null, invitation: link, ...more });
    const before = await logged(3);
    const { status, body } = await again();
    expect([status, body]).toEqual([201, row]);
    expect(await logged(3)).toEqual(before);
    for (const otherwise of [{ fullName: 'Somebody Else' }, { invitation: newLink() }]) {
      expect((await again(otherwise)).body.code).toBe('username_taken');
    }
    expect((await join(link)).status).toBe(200);
    expect((await again()).body.code).toBe('username_taken');
  });

  it('come for many at once, each with an address', async () => {
    const [one, other] = [
      { username: fresh('listed'), password: null, invitation: newLink() },
      { username: fresh('listed'), password: null, invitation: newLink() },
    ];
    const rows = [one, other].map((row) => ({ ...row, fullName: `Full ${row.username}`, role: 'Client' }));
    const list = { rows: [{ ...rows[0], email: 'listed@exämple.com' }, rows[1]] };
    const sent = await app.admin.post('/api/users/import', list);
    expect([sent.status, sent.body]).toEqual([200, { created: 2, existing: [], faults: [] }]);
    // Sent again because its answer was lost, it makes nobody new. What it says otherwise is not done.
    const before = await logged(4);
    for (const dryRun of [true, false]) {
      const again = await app.admin.post('/api/users/import', { ...list, dryRun });
      expect([again.status, again.body]).toEqual([200, sent.body]);
    }
    expect(await logged(4)).toEqual(before);
    for (const otherwise of [{ fullName: 'Somebody Else' }, { role: 'CPA' }, { invitation: newLink() }]) {
      const changed = await app.admin.post<ErrorBody>('/api/users/import', { rows: [{ ...rows[1], ...otherwise }] });
      expect([changed.status, Object.keys(changed.body.fields ?? {})]).toEqual([400, ['rows.0.username']]);
    }
    const { body } = await app.admin.get<UserRow[]>(`/api/users?q=${encodeURIComponent(one.username)}`);
    expect(body[0]).toMatchObject({ email: 'listed@xn--exmple-cua.com', mustChangePassword: false });
    for (const { invitation } of [one, other]) expect((await join(invitation)).status).toBe(200);
  });

  it('are refused where something is wrong with them, with every fault at its field', async () => {
    const base = () => ({ username: fresh('guest'), fullName: fresh('Full'), roleId: firm.roles.client });
    const faults = async (body: Record<string, unknown>) => {
      const answer = await app.admin.post<ErrorBody>('/api/users', { ...base(), ...body });
      return [answer.status, answer.body.fields];
    };
    const tooShort = { password: 'Password must be at least 6 characters' };
    expect(await faults({})).toEqual([400, tooShort]);
    expect(await faults({ password: null })).toEqual([400, tooShort]);
    expect(await faults({ fullName: '', roleId: 'x' })).toEqual([
      400,
      { ...tooShort, fullName: 'Full name is required', roleId: 'Please select a role' },
    ]);
    expect(await faults({ password: PASSWORD, invitation: newLink() })).toEqual([
      400,
      { password: 'Either a password or an invitation, not both' },
    ]);
    const weak = { invitation: 'Must be 43 characters of base64url' };
    for (const invitation of ['short', 'x'.repeat(44), `${'x'.repeat(42)}\n`, 'ü'.repeat(43), 7]) {
      expect(await faults({ password: null, invitation })).toEqual([400, weak]);
    }
    const { link } = await invite();
    expect(await faults({ password: null, invitation: link })).toEqual([
      400,
      { invitation: 'Please make another one' },
    ]);
    const noAddress = 'Invalid email address';
    for (const [email, fault] of [
      ['a@b', noAddress],
      ['a\r\nBcc: b@example.com', noAddress],
      ['пример@example.com', noAddress],
      [`${'a'.repeat(250)}@example.com`, 'Must be at most 254 characters'],
    ]) {
      expect(await faults({ password: null, invitation: newLink(), email })).toEqual([400, { email: fault }]);
    }
  });

  it('rest in the trash with their client, and are there again after it', async () => {
    const { body: client } = await app.admin.post<{ id: number }>('/api/clients', clientInput(fresh('Client')));
    const { link, id } = await invite(app.admin, { clientIds: [client.id] });
    await app.admin.delete(`/api/clients/${client.id}`);
    invalid(await look(link));
    await app.admin.post(`/api/clients/${client.id}/restore`);
    expect(await find(id)).toMatchObject({ email: 'guest@example.com', invitation: { withdrawn: false } });
    expect((await join(link)).status).toBe(200);
  });

  // Ends the sessions of everybody above.
  it('to an Admin leave the last one who can sign in where they are, until the other has joined', async () => {
    const { caller, id } = await addUser(app, fresh('admin'), firm.roles.admin);
    const others = (await app.admin.get<UserRow[]>('/api/users')).body.filter(
      (user) => user.roleId === firm.roles.admin && user.id !== id,
    );
    const ownerRole = await addRole(app, fresh('owners'));
    await app.admin.put('/api/permissions', { roleId: ownerRole, capabilities: CAPABILITIES, reach: 'all' });
    const { caller: owner } = await addUser(app, fresh('owner'), ownerRole);
    const taken = others.map(({ id: other, username, fullName, roleId }) => ({ other, username, fullName, roleId }));
    // Whoever else is an Admin has to join anew.
    const links: string[] = [];
    for (const { other, ...fields } of taken) {
      const invitation = newLink();
      links.push(invitation);
      expect((await caller.put(`/api/users/${other}`, { ...fields, invitation })).status).toBe(200);
    }
    const { username, fullName } = (await caller.get<UserRow>(`/api/users/${id}`)).body;
    const leave = () => caller.put<ErrorBody>(`/api/users/${id}`, { username, fullName, roleId: firm.roles.cpa });
    expect((await leave()).body.code).toBe('last_admin');
    const anew = { username, fullName, roleId: firm.roles.admin, invitation: newLink() };
    const invited = await owner.put<ErrorBody>(`/api/users/${id}`, anew);
    expect([invited.body.code, invited.body.message]).toEqual([
      'last_admin',
      'The last Admin who can sign in cannot be deleted, invited anew or given another role.',
    ]);
    for (const link of links) expect((await join(link, ADMIN_PASSWORD)).status).toBe(200);
    expect((await leave()).status).toBe(200);
  });
});

describe.each(DATABASE_KINDS)('invitations by the clock on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, {}, { clock: 'standing' }));
  });
  afterAll(() => app.close());

  const invite = async () => {
    const invitation = newLink();
    const username = fresh('guest');
    await app.admin.post('/api/users', {
      username,
      fullName: `Full ${username}`,
      roleId: firm.roles.client,
      password: null,
      invitation,
    });
    return invitation;
  };
  const look = (token: string) => app.anonymous.post<ErrorBody>('/api/auth/invitation', { token });
  const join = (token: string) => app.anonymous.post<ErrorBody>('/api/auth/join', { token, newPassword: OWN });

  it('G58: are limited by network where somebody guesses, and not where somebody has one', async () => {
    const link = await invite();
    for (let guess = 0; guess < 4; guess++) expect((await look(newLink())).status).toBe(404);
    for (let times = 0; times < 10; times++) expect((await look(link)).status).toBe(200);
    expect((await join(newLink())).status).toBe(404);
    expect((await join(newLink())).body.code).toBe('too_many');
    expect((await look(link)).body.code).toBe('too_many');
    // Nobody's sign-in waits for that.
    await app.login('clientA', PASSWORD);
    app.advance(2_000);
    expect((await join(link)).status).toBe(200);
  });

  it('G57: are good for 72 hours, and say afterwards that they were', async () => {
    const [link, late] = [await invite(), await invite()];
    app.advance(72 * HOUR_MS - 1_000);
    expect((await join(link)).status).toBe(200);
    app.advance(1_000);
    for (let times = 0; times < 8; times++) {
      const answers = [await look(late), await join(late)];
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
        [410, 'invitation_expired'],
        [410, 'invitation_expired'],
      ]);
    }
  });

  it('are told apart by how far people are, and made anew for those alone who have not joined', async () => {
    const signedIn = () => app.login(app.config.adminUsername, ADMIN_PASSWORD);
    let admin = await signedIn();
    const guest = async () => {
      const link = newLink();
      const username = fresh('progress');
      const input = { username, fullName: `Full ${username}`, roleId: firm.roles.client };
      const { body } = await admin.post<UserRow>('/api/users', { ...input, password: null, invitation: link });
      return { id: body.id, version: body.version, link };
    };
    const inviteAnew = (id: number, invitation: string) =>
      admin.post<UserRow & ErrorBody>(`/api/users/${id}/invitation`, { invitation });
    const everyState = async () => {
      const found: Record<string, number[]> = {};
      for (const state of INVITATION_STATES) {
        const { headers, body } = await admin.get<UserRow[]>(`/api/users?q=progress&state=${state}`);
        expect([state, Number(headers.get('x-total-count'))]).toEqual([state, body.length]);
        found[state] = body.map(({ id }) => id).sort((one, other) => one - other);
      }
      return found;
    };

    const [late, joined, withdrawn] = [await guest(), await guest(), await guest()];
    expect((await join(joined.link)).status).toBe(200);
    expect((await admin.delete(`/api/users/${withdrawn.id}/invitation`)).status).toBe(204);
    app.advance(72 * HOUR_MS);
    admin = await signedIn();
    const early = await guest();
    expect(await everyState()).toEqual({
      invited: [early.id],
      expired: [late.id],
      withdrawn: [withdrawn.id],
      joined: [joined.id],
    });
    expect((await admin.get('/api/users?state=late')).status).toBe(400);

    const again = newLink();
    const { status, body } = await inviteAnew(late.id, again);
    expect([status, Date.parse(body.invitation?.until ?? '') - app.now()]).toEqual([200, 72 * HOUR_MS]);
    // Nobody's open form is overtaken by it.
    expect(body.version).toBe(late.version);
    expect((await inviteAnew(withdrawn.id, newLink())).status).toBe(200);
    expect((await inviteAnew(early.id, 'short')).body.fields).toEqual({
      invitation: 'Must be 43 characters of base64url',
    });
    expect((await inviteAnew(early.id, again)).body.fields).toEqual({ invitation: 'Please make another one' });
    expect((await inviteAnew(joined.id, newLink())).body.code).toBe('gone_meanwhile');
    expect(await everyState()).toEqual({
      invited: [late.id, withdrawn.id, early.id],
      expired: [],
      withdrawn: [],
      joined: [joined.id],
    });
    expect((await look(late.link)).status).toBe(404);
    expect((await join(again)).status).toBe(200);
  });
});

describe('invitations with SAFEGUARDS=on', () => {
  it('G57: lead to the second factor like any sign-in: a new one, or the one that there is', async () => {
    const app = await startTestApp('sqlite', { SAFEGUARDS: 'on' });
    const { body: roles } = await app.admin.get<{ id: number; systemKey: string | null }[]>('/api/roles');
    const input = {
      username: 'guest',
      fullName: 'A Guest',
      roleId: roles.find((role) => role.systemKey === 'cpa')?.id,
    };
    const link = newLink();
    const { body: user } = await app.admin.post<UserRow>('/api/users', { ...input, password: null, invitation: link });
    const join = (token: string, newPassword: string) =>
      app.anonymous.post<Extract<LoginAnswer, { challenge: unknown }> & ErrorBody>('/api/auth/join', {
        token,
        newPassword,
      });
    // The password is judged as everywhere else.
    expect((await join(link, 'sevench')).body.fields).toEqual({
      newPassword: 'Password must be at least 8 characters',
    });
    const first = await join(link, OWN);
    expect(first).toMatchObject({ status: 200, body: { challenge: { enrols: true, methods: [] } } });
    const onTheWay = new Caller(app.origin, first.body.challenge.token);
    expect((await onTheWay.get('/api/clients')).status).toBe(401);
    const { body: setup } = await onTheWay.post<{ secret: string }>('/api/auth/factors/totp');
    const code = new CodeApp(setup.secret, app.now).freshCode();
    expect((await onTheWay.post('/api/auth/factors/totp/confirm', { code })).status).toBe(200);

    const again = newLink();
    await app.admin.put(`/api/users/${user.id}`, { ...input, invitation: again });
    expect(await join(again, 'another of my own')).toMatchObject({
      status: 200,
      body: { challenge: { enrols: false, methods: ['totp', 'recovery'] } },
    });
    await app.close();
  });
});
