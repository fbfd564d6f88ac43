// People over HTTP, on both engines: created, changed, listed and deleted, with their access lists and passwords.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import { searchForm } from '#contract/search.ts';
import type { UserRow } from '#contract/users.ts';
import { cheapPasswords } from '../../testing/cheap-passwords.ts';
import { addRole, addUser, type Firm, makeFirm, PASSWORD } from '../../testing/firm.ts';
import { ADMIN_PASSWORD, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import type { PasswordHasher } from '../auth/password-hasher.ts';

describe.each(DATABASE_KINDS)('users on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  const input = (username: string, more: Record<string, unknown> = {}) => ({
    username,
    password: PASSWORD,
    fullName: 'Robin Example',
    roleId: firm.roles.client,
    ...more,
  });
  const add = (username: string, more: Record<string, unknown> = {}) =>
    app.admin.post<UserRow>('/api/users', input(username, more));
  const log = async () => (await app.admin.get<ActivityRow[]>('/api/activity-logs?limit=1')).body[0];
  const find = async (id: number) => (await app.admin.get<UserRow[]>('/api/users')).body.find((row) => row.id === id);

  it('are created, changed and deleted', async () => {
    const [c1, , c3] = firm.clients;
    const [t1] = firm.reportTypes;
    const created = await add('  Robin.E ', {
      fullName: ' Robin Éxample ',
      clientIds: [c3, c1, c3],
      reportTypeIds: [t1],
    });
    expect(created.status).toBe(201);
    const { id } = created.body;
    const row = {
      id,
      username: 'Robin.E',
      fullName: 'Robin Éxample',
      roleId: firm.roles.client,
      roleName: 'Client',
      role: { id: firm.roles.client, name: 'Client' },
      clientIds: [c1, c3],
      allClients: false,
      reportTypeIds: [t1],
      commonRouting: true,
      mustChangePassword: false,
      email: '',
      mailRefusedAt: null,
      invitation: null,
      version: expect.any(String),
    };
    expect(created.body).toEqual(row);
    expect(await find(id)).toEqual(row);
    expect(await log()).toMatchObject({
      action: 'update',
      details: 'Created user: Robin.E, role Client',
      userName: 'Administrator',
    });
    expect((await app.admin.get(`/api/users/${id}/client-access`)).body).toEqual([c1, c3]);
    expect((await app.admin.get(`/api/users/${id}/report-access`)).body).toEqual([t1]);

    const updated = await app.admin.put<UserRow>(
      `/api/users/${id}`,
      input('robin', { fullName: 'Robin E.', roleId: firm.roles.bookkeeper, clientIds: [c1], password: '' }),
    );
    expect(updated.status).toBe(200);
    expect(updated.body).toEqual({
      id,
      username: 'robin',
      fullName: 'Robin E.',
      roleId: firm.roles.bookkeeper,
      roleName: 'Bookkeeper',
      role: { id: firm.roles.bookkeeper, name: 'Bookkeeper' },
      clientIds: [c1],
      allClients: false,
      reportTypeIds: [],
      commonRouting: false,
      mustChangePassword: false,
      email: '',
      mailRefusedAt: null,
      invitation: null,
      version: expect.any(String),
    });
    expect(await log()).toMatchObject({
      action: 'update',
      details: 'Updated user: robin, renamed from Robin.E, role changed from Client to Bookkeeper',
    });
    await app.login('robin', PASSWORD);
    const told = { password: 'set by somebody', email: 'robin@example.com' };
    const reset = input('robin', { roleId: firm.roles.bookkeeper, ...told });
    expect((await app.admin.put(`/api/users/${id}`, reset)).status).toBe(200);
    expect(await log()).toMatchObject({ details: 'Updated user: robin, mail address changed, password set' });

    expect(await app.admin.delete(`/api/users/${id}`)).toMatchObject({ status: 204, body: undefined });
    expect(await log()).toMatchObject({ action: 'delete', details: 'Deleted user: robin' });
    for (const answer of [
      await app.admin.delete(`/api/users/${id}`),
      await app.admin.put(`/api/users/${id}`, input('robin')),
      await app.admin.get(`/api/users/${id}/client-access`),
      await app.admin.get(`/api/users/${id}/report-access`),
    ]) {
      expect(answer.status).toBe(404);
    }
    const again = await add('robin');
    expect(again.body.id).toBeGreaterThan(id);
    await app.admin.delete(`/api/users/${again.body.id}`);
  });

  it.each([
    ['null', null],
    ['absent', undefined],
    ['empty', []],
  ])('with %s lists see nothing', async (_word, list) => {
    const lists = { clientIds: list, reportTypeIds: list };
    const { body, status } = await add('listless.too', { ...lists, roleId: firm.roles.cpa });
    expect([status, body.clientIds, body.reportTypeIds]).toEqual([201, [], []]);
    const caller = await app.login('listless.too', PASSWORD);
    for (const path of ['clients', 'files', 'report-types'])
      expect((await caller.get(`/api/${path}`)).body).toEqual([]);
    // And on an edit they empty the lists.
    const full = { clientIds: [firm.clients[0]], reportTypeIds: [firm.reportTypes[0]] };
    await app.admin.put(`/api/users/${body.id}`, input('listless.too', { ...full, password: '' }));
    expect((await app.admin.get(`/api/users/${body.id}/client-access`)).body).toEqual(full.clientIds);
    const emptied = await app.admin.put<UserRow>(
      `/api/users/${body.id}`,
      input('listless.too', { ...lists, password: '' }),
    );
    expect([emptied.body.clientIds, emptied.body.reportTypeIds]).toEqual([[], []]);
    await app.admin.delete(`/api/users/${body.id}`);
  });

  it('have a name that no other has, regardless of case, form and outer space', async () => {
    const { body: own } = await add('Zoë.Ångström');
    for (const username of [
      'Zoë.Ångström',
      'ZOË.ÅNGSTRÖM',
      'zoe\u0308.a\u030angstro\u0308m',
      ' zoë.ångström ',
      'ADMIN',
      'ｃｐａ',
      'ClientA',
    ]) {
      const { status, body } = await app.admin.post<ErrorBody>('/api/users', input(username));
      expect([username, status, body.code]).toEqual([username, 409, 'username_taken']);
      expect(body.message).toBe('This username is already taken.');
    }
    const taken = await app.admin.put<ErrorBody>(`/api/users/${own.id}`, input('CPA', { password: '' }));
    expect([taken.status, taken.body.code]).toEqual([409, 'username_taken']);
    // The own name in another case is no other's.
    const same = await app.admin.put<UserRow>(`/api/users/${own.id}`, input('ZOË.Ångström', { password: '' }));
    expect([same.status, same.body.username]).toEqual([200, 'ZOË.Ångström']);
    await app.login('zoë.ångström', PASSWORD);
  });

  it('are created once from several requests at the same moment', async () => {
    const answers = await Promise.all(['Ünder', 'ünder', 'ÜNDER'].map((username) => add(username)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409]);
  });

  it('keep the old password when the new one is blank, and count every character of it', async () => {
    const password = '  six\u00e9 \u{1F511} ';
    const { body } = await add('careful', { password });
    for (const blank of ['', null, undefined]) {
      expect((await app.admin.put(`/api/users/${body.id}`, input('careful', { password: blank }))).status).toBe(200);
    }
    await app.login('careful', password);
    await expect(app.login('careful', password.trim())).rejects.toThrow(/Invalid username or password/);
    expect((await app.admin.put(`/api/users/${body.id}`, input('careful', { password: '      ' }))).status).toBe(200);
    await app.login('careful', '      ');
  });

  it('G8: let nobody, not even an Admin, change their own password without the old one', async () => {
    const { body } = await add('selfmade', { roleId: firm.roles.admin });
    const self = await app.login('selfmade', PASSWORD);
    const edit = (password: string) =>
      self.put<ErrorBody>(
        `/api/users/${body.id}`,
        input('selfmade', { roleId: firm.roles.admin, password, fullName: 'Still me' }),
      );
    const refused = await edit('taken over');
    expect([refused.status, refused.body.code]).toEqual([409, 'own_password']);
    expect((await edit('')).status).toBe(200);
    await expect(app.login('selfmade', 'taken over')).rejects.toThrow(/Invalid username or password/);
    await app.login('selfmade', PASSWORD);
    expect((await app.admin.delete(`/api/users/${body.id}`)).status).toBe(204);
  });

  it('never lose the last Admin, and nobody deletes their own account', async () => {
    const { body: users } = await app.admin.get<UserRow[]>('/api/users');
    const self = users.find((user) => user.username === 'admin')?.id ?? 0;
    const own = await app.admin.delete(`/api/users/${self}`);
    expect([own.status, own.body.code]).toEqual([409, 'own_account']);

    const demoted = (id: number, username: string) =>
      app.admin.put<ErrorBody>(`/api/users/${id}`, input(username, { roleId: firm.roles.cpa, password: '' }));
    expect((await demoted(firm.users.admin2, 'admin2')).status).toBe(200);
    const last = await demoted(self, 'admin');
    expect([last.status, last.body.code]).toEqual([409, 'last_admin']);
    expect(last.body.message).toBe(
      'The last Admin who can sign in cannot be deleted, invited anew or given another role.',
    );
    expect(await find(self)).toMatchObject({ username: 'admin', roleName: 'Admin' });
  });

  it('leave exactly one Admin when two demote each other at once', async () => {
    const other = await addUser(app, 'rival', firm.roles.admin);
    const self = (await app.admin.get<UserRow[]>('/api/users?q=administrator')).body[0]?.id ?? 0;
    const demote = (username: string) => input(username, { fullName: 'Demoted', roleId: firm.roles.cpa, password: '' });
    const answers = await Promise.all([
      app.admin.put(`/api/users/${other.id}`, demote('rival')),
      other.caller.put(`/api/users/${self}`, demote('admin')),
    ]);
    // The slower one is either too late to be an Admin or would take the last one.
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect([403, 409]).toContain(answers.find((answer) => answer.status !== 200)?.status);
    const admins = await app.database.reader
      .selectFrom('users')
      .select('username')
      .where('role_id', '=', firm.roles.admin)
      .execute();
    expect(admins).toHaveLength(1);
    const winner = admins[0]?.username === 'admin' ? app.admin : other.caller;
    await winner.put(
      `/api/users/${self}`,
      input('admin', { fullName: 'Administrator', roleId: firm.roles.admin, password: '' }),
    );
    await app.login('admin', ADMIN_PASSWORD);
    await app.admin.delete(`/api/users/${other.id}`);
  });

  it('keep their name in the log and on their files when they are deleted', async () => {
    const leaver = await addUser(app, 'leaver', firm.roles.client, { clientIds: [firm.clients[0]] });
    const fields = { clientId: firm.clients[0], fileType: 'company_document' };
    const { body: file } = await leaver.caller.upload<FileRow>({ name: 'mine.txt', fields });
    expect((await app.admin.delete(`/api/users/${leaver.id}`)).status).toBe(204);
    const { body: files } = await app.admin.get<FileRow[]>('/api/files?q=mine.txt');
    expect(files).toMatchObject([{ id: file.id, uploadedById: null, uploaderName: 'Full leaver' }]);
    const { body: entries } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?userId=${leaver.id}`);
    expect(entries).toMatchObject([{ action: 'upload', userName: 'Full leaver' }]);
  });

  it('are listed, found, sorted both ways and paged', async () => {
    const email = "Z.O'Hara+pay_1@mail-two.example";
    await add('aaron.z', { fullName: 'zed Last', roleId: firm.roles.bookkeeper, email });
    await add('zed.a', { fullName: 'Äaron First' });
    const { body: all } = await app.admin.get<UserRow[]>('/api/users');
    const keys: Record<string, (row: UserRow) => string> = {
      fullName: (row) => `${searchForm(row.fullName)}\n${searchForm(row.username)}`,
      username: (row) => row.username.toLowerCase(),
      roleName: (row) => searchForm(row.roleName),
    };
    for (const [column, keyOf] of Object.entries(keys)) {
      const expected = all.toSorted((a, b) => {
        const [x, y] = [keyOf(a), keyOf(b)];
        return x < y ? -1 : x > y ? 1 : a.id - b.id;
      });
      expect((await app.admin.get<UserRow[]>(`/api/users?sort=${column}`)).body).toEqual(expected);
      expect((await app.admin.get<UserRow[]>(`/api/users?sort=-${column}`)).body).toEqual(expected.toReversed());
    }
    expect((await app.admin.get<UserRow[]>('/api/users?sort=fullName')).body).toEqual(all);

    const pages: UserRow[] = [];
    for (let offset = 0; offset < all.length; offset += 4) {
      const { body, headers } = await app.admin.get<UserRow[]>(`/api/users?limit=4&offset=${offset}`);
      expect(headers.get('x-total-count')).toBe(String(all.length));
      pages.push(...body);
    }
    expect(pages).toEqual(all);

    for (const [q, names] of [
      // Without accents, and over all fields: the second one's user name.
      ['ÄARON', ['Äaron First', 'zed Last']],
      ['äaron first', ['Äaron First']],
      ['zed.A', ['Äaron First']],
      ['aaron.', ['Äaron First', 'zed Last']],
      ['%', []],
      ['_', []],
      // With the sign of one, in mail addresses too.
      [email, ['zed Last']],
      ['zed @MAIL-TWO', ['zed Last']],
      ['mail-two', []],
    ] as const) {
      const { body, headers } = await app.admin.get<UserRow[]>(`/api/users?q=${encodeURIComponent(q)}`);
      expect([q, body.map((row) => row.fullName), headers.get('x-total-count')]).toEqual([
        q,
        names,
        String(names.length),
      ]);
    }
    const oneself = await firm.viewers.clientA.get<UserRow[]>('/api/users');
    expect([oneself.body.map((row) => row.username), oneself.headers.get('x-total-count')]).toEqual([['clientA'], '1']);
  });
});

describe.each(DATABASE_KINDS)('a refused change of people on %s', (kind) => {
  it('G9: hashes no password', async () => {
    const hashed: string[] = [];
    const cheap = cheapPasswords();
    const passwords: PasswordHasher = {
      ...cheap,
      hash: (password) => {
        hashed.push(password);
        return cheap.hash(password);
      },
    };
    const app = await startTestApp(kind, {}, { passwords });
    try {
      const firm = await makeFirm(app);
      const manager = await addUser(app, 'manager', await addRole(app, 'Manager', ['users.manage']), {
        clientIds: [firm.clients[0]],
      });
      const [me] = (await app.admin.get<UserRow[]>('/api/users?q=admin')).body;
      hashed.length = 0;
      const person = { username: 'refused', fullName: 'Refused', password: 'never hashed' };
      const refusals = [
        await manager.caller.put(`/api/users/${me?.id}`, { ...person, roleId: firm.roles.bookkeeper }),
        await manager.caller.put('/api/users/999999', { ...person, roleId: firm.roles.bookkeeper }),
        await manager.caller.post('/api/users', { ...person, roleId: firm.roles.admin }),
        await manager.caller.post('/api/users', { ...person, roleId: 999_999 }),
        await manager.caller.post('/api/users', {
          ...person,
          roleId: firm.roles.bookkeeper,
          clientIds: [firm.clients[1]],
        }),
        await app.admin.put(`/api/users/${me?.id}`, { ...person, username: 'admin', roleId: firm.roles.admin }),
      ];
      expect(refusals.map(({ status }) => status)).toEqual([403, 404, 403, 400, 403, 409]);
      expect(hashed).toEqual([]);
    } finally {
      await app.close();
    }
  });
});
