// What no table of statuses can show of authority: names without power, the last Admin, cascades, rights that change.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ClientRow } from '#contract/clients.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { ViewTicket } from '#contract/file-opening.ts';
import type { FileRow } from '#contract/files.ts';
import { CAPABILITIES } from '#contract/policy/actor.ts';
import type { RolePermissions, RoleRow } from '#contract/roles.ts';
import type { SessionUser } from '#contract/session.ts';
import type { UserRow } from '#contract/users.ts';
import { addRole, addUser, clientInput, type Firm, PASSWORD } from './firm.ts';
import { storedPaths } from './stored.ts';
import { type Answer, type Caller, startTestApp, type TestApp } from './test-app.ts';
import { DATABASE_KINDS } from './test-database.ts';
import { startTestFirm } from './test-firm.ts';

const done = async (answer: Promise<Answer>) => expect((await answer).status).toBeLessThan(300);
const code = ({ status, body }: Answer) => [status, (body as ErrorBody | undefined)?.code];

describe.each(DATABASE_KINDS)('authority on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  // The first Admin has another name, so that somebody without power can be called admin.
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, { ADMIN_USERNAME: 'principal' }));
  });
  afterAll(() => app.close());

  const rowOf = async (id: number) =>
    (await app.admin.get<UserRow[]>('/api/users')).body.find((user) => user.id === id);

  /** The user form's input to change somebody: everything as it is, except `changes`. */
  async function editOf(id: number, changes: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const { username, fullName, roleId, clientIds, reportTypeIds } = (await rowOf(id)) as UserRow;
    return { username, fullName, roleId, clientIds, reportTypeIds, password: '', ...changes };
  }

  const idsOf = async (by: Caller, path: string) => {
    const { status, body } = await by.get<{ id: number }[]>(path);
    expect(status).toBe(200);
    return body.map(({ id }) => id).sort((a, b) => a - b);
  };

  describe('of a role', () => {
    it.each(['admin', 'Admin ', ' ADMIN', 'ａｄｍｉｎ', 'cpa', 'CLIENT', 'bookkeeper'])(
      'B9: cannot be had by its name: "%s"',
      async (name) => {
        expect(code(await app.admin.post('/api/roles', { name }))).toEqual([409, 'role_name_taken']);
        const id = await addRole(app, `Renamed to ${name.codePointAt(0)} ${name.length}`);
        expect(code(await app.admin.put(`/api/roles/${id}`, { name }))).toEqual([409, 'role_name_taken']);
      },
    );

    it('B9: is fixed for built-in roles', async () => {
      for (const id of [firm.roles.admin, firm.roles.cpa, firm.roles.client]) {
        expect(code(await app.admin.put(`/api/roles/${id}`, { name: 'Something else' }))).toEqual([
          409,
          'role_built_in',
        ]);
        expect(code(await app.admin.delete(`/api/roles/${id}`))).toEqual([409, 'role_built_in']);
        const change = { roleId: id, capabilities: [], reach: id === firm.roles.admin ? 'lists' : 'all' };
        expect(code(await app.admin.put('/api/permissions', change))).toEqual([409, 'role_built_in']);
      }
    });

    it('acts from the next request on', async () => {
      const roleId = await addRole(app, 'Growing');
      const { caller } = await addUser(app, 'grower', roleId, { clientIds: [firm.clients[0]] });
      const create = () => caller.post('/api/report-types', { name: `Type ${Math.random()}` });
      expect((await create()).status).toBe(403);
      await app.admin.put('/api/permissions', { roleId, capabilities: ['report-types.manage'] });
      expect((await create()).status).toBe(201);
      await app.admin.put('/api/permissions', { roleId, capabilities: [], reach: 'all' });
      expect((await create()).status).toBe(403);
      expect(await idsOf(caller, '/api/clients')).toEqual(await idsOf(app.admin, '/api/clients'));
      await app.admin.put('/api/permissions', { roleId, capabilities: [], reach: 'lists' });
      expect(await idsOf(caller, '/api/clients')).toEqual([firm.clients[0]]);
    });

    it('G15: is not renamed or deleted by anyone who holds less than it', async () => {
      const { caller } = await addUser(app, 'rolekeeper', await addRole(app, 'Role keeper', ['roles.manage']));
      const everywhere = await addRole(app, 'Everywhere');
      await done(app.admin.put('/api/permissions', { roleId: everywhere, capabilities: [], reach: 'all' }));
      const powerful = await addRole(app, 'Powerful', CAPABILITIES);
      for (const roleId of [everywhere, powerful]) {
        const renamed = await caller.put(`/api/roles/${roleId}`, { name: 'Auditor (read only)' });
        expect(code(renamed)).toEqual([403, 'forbidden']);
        expect(code(await caller.delete(`/api/roles/${roleId}`))).toEqual([403, 'forbidden']);
      }
      const names = (await app.admin.get<RoleRow[]>('/api/roles')).body.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['Everywhere', 'Powerful']));
      const plain = await addRole(app, 'Plain');
      expect((await caller.put(`/api/roles/${plain}`, { name: 'Plainer' })).status).toBe(200);
      expect((await caller.delete(`/api/roles/${plain}`)).status).toBe(204);
    });

    it('G14: has no right by its key: the log of one’s clients is a capability like all others', async () => {
      const lists = { clientIds: [firm.clients[0]], reportTypeIds: [firm.reportTypes[0]] };
      const held = [
        'users.manage',
        'reports.upload',
        'documents.upload',
        'files.delete',
        'batches.manage',
        'batches.release',
      ] as const;
      const maker = await addUser(app, 'maker', await addRole(app, 'Maker', held), lists);
      const asCpa = { username: 'made', password: PASSWORD, fullName: 'Made', roleId: firm.roles.cpa, ...lists };
      expect(code(await maker.caller.post('/api/users', asCpa))).toEqual([403, 'forbidden']);

      const reader = await addUser(app, 'reader', await addRole(app, 'Reader', ['activity.read-clients']), lists);
      const ofOthers = async (by: Caller, id: number) =>
        (await by.get<ActivityRow[]>(`/api/activity-logs?clientId=${firm.clients[0]}`)).body.filter(
          ({ userId }) => userId !== id,
        ).length;
      expect(await ofOthers(reader.caller, reader.id)).toBeGreaterThan(0);
      expect(await ofOthers(maker.caller, maker.id)).toBe(0);
      expect(await ofOthers(firm.viewers.cpa, firm.users.cpa)).toBeGreaterThan(0);
      const cpaRights = (await app.admin.get<RolePermissions[]>('/api/permissions')).body.find(
        ({ systemKey }) => systemKey === 'cpa',
      );
      const before = cpaRights?.capabilities ?? [];
      const without = before.filter((capability) => capability !== 'activity.read-clients');
      await done(app.admin.put('/api/permissions', { roleId: firm.roles.cpa, capabilities: without }));
      expect(await ofOthers(firm.viewers.cpa, firm.users.cpa)).toBe(0);
      await done(app.admin.put('/api/permissions', { roleId: firm.roles.cpa, capabilities: before }));
    });

    it('B10: that somebody holds cannot be deleted, and the answer says how many hold it', async () => {
      const roleId = await addRole(app, 'Held');
      const held = async () => (await app.admin.delete<ErrorBody>(`/api/roles/${roleId}`)).body.message;
      const first = await addUser(app, 'holder1', roleId);
      expect(await held()).toBe('This role is assigned to 1 user. Give them another role first.');
      const second = await addUser(app, 'holder2', roleId);
      expect(await held()).toBe('This role is assigned to 2 users. Give them another role first.');
      await app.admin.delete(`/api/users/${first.id}`);
      await app.admin.put(`/api/users/${second.id}`, await editOf(second.id, { roleId: firm.roles.bookkeeper }));
      expect((await app.admin.delete(`/api/roles/${roleId}`)).status).toBe(204);
    });
  });

  it('B9: is not in the user name: an "admin" with a custom role has none', async () => {
    const { id, caller } = await addUser(app, 'admin', firm.roles.bookkeeper, {
      clientIds: [firm.clients[0]],
      reportTypeIds: [firm.reportTypes[0]],
    });
    expect((await caller.delete(`/api/files/${firm.files.f1.id}`)).status).toBe(403);
    expect((await caller.post('/api/roles', { name: 'Mine' })).status).toBe(403);
    expect((await caller.get(`/api/files/${firm.files.f2.id}`)).status).toBe(404);
    expect((await app.admin.delete(`/api/users/${id}`)).status).toBe(204);
  });

  it('a report type in use cannot be deleted, and the answer says how many files use it', async () => {
    const { body: type } = await app.admin.post<{ id: number }>('/api/report-types', { name: 'Used' });
    const used = async () => (await app.admin.delete<ErrorBody>(`/api/report-types/${type.id}`)).body;
    const fields = { clientId: firm.clients[2], fileType: 'report', reportTypeId: type.id };
    const first = await app.admin.upload<FileRow>({ fields });
    expect(await used()).toMatchObject({
      code: 'report_type_in_use',
      message: 'This report type is used by 1 file. Delete or re-file them first.',
    });
    const second = await app.admin.upload<FileRow>({ fields });
    expect((await used()).message).toContain('2 files');
    for (const { body } of [first, second]) await app.admin.delete(`/api/files/${body.id}`);
    expect((await app.admin.delete(`/api/report-types/${type.id}`)).status).toBe(204);
  });

  describe('over what a changed list no longer holds', () => {
    it('A12: ends with the change, without a new sign-in', async () => {
      const lists = { clientIds: [firm.clients[0]], reportTypeIds: [firm.reportTypes[0]] };
      const { id, caller } = await addUser(app, 'shrinking', firm.roles.client, lists);
      const { f1, f4 } = firm.files;
      const { body: ticket } = await caller.post<ViewTicket>(`/api/files/${f1.id}/view-ticket`);
      expect(await idsOf(caller, '/api/files')).toEqual([f1.id, f4.id]);

      await app.admin.put(`/api/users/${id}`, await editOf(id, { reportTypeIds: [] }));
      expect(await idsOf(caller, '/api/files')).toEqual([f4.id]);
      expect((await caller.get(`/api/files/${f1.id}`)).status).toBe(404);

      await app.admin.put(`/api/users/${id}`, await editOf(id, { clientIds: [] }));
      expect(await idsOf(caller, '/api/files')).toEqual([]);
      expect(await idsOf(caller, '/api/clients')).toEqual([]);
      for (const path of ['', '/download', '/view']) {
        expect((await caller.get(`/api/files/${f4.id}${path}`)).status).toBe(404);
      }
      expect((await app.anonymous.fetch(ticket.url)).status).toBe(404);
      const fields = { clientId: firm.clients[0], fileType: 'company_document' };
      const kept = storedPaths(app);
      expect((await caller.upload({ fields })).status).toBe(403);
      expect(storedPaths(app)).toEqual(kept);

      await app.admin.put(`/api/users/${id}`, await editOf(id, lists));
      expect(await idsOf(caller, '/api/files')).toEqual([f1.id, f4.id]);
    });

    it('B5: is the same nothing for null, [] and no list at all', async () => {
      const forms = [{}, { clientIds: null, reportTypeIds: null }, { clientIds: [], reportTypeIds: [] }];
      for (const [index, lists] of forms.entries()) {
        const { id, caller } = await addUser(app, `nothing${index}`, firm.roles.cpa, lists);
        for (const path of ['/api/clients', '/api/files', '/api/report-types']) {
          expect(await idsOf(caller, path)).toEqual([]);
        }
        const { body: log } = await caller.get<ActivityRow[]>('/api/activity-logs');
        expect(log.filter(({ userId }) => userId !== id)).toEqual([]);
        expect((await caller.get(`/api/users/${id}/client-access`)).body).toEqual([]);
      }
    });
  });

  describe('cannot be sent along', () => {
    it('B8: in fields that a call does not have: they are refused, and nothing is created', async () => {
      const before = await idsOf(app.admin, '/api/clients');
      for (const more of [{ id: 99 }, { createdAt: '2020-01-01T00:00:00Z' }, { isAdmin: true }, { userIds: [1] }]) {
        expect((await app.admin.post('/api/clients', clientInput('Extra Fields LLC', more))).status).toBe(400);
      }
      expect(await idsOf(app.admin, '/api/clients')).toEqual(before);
      const person = { username: 'extra', password: PASSWORD, fullName: 'Extra', roleId: firm.roles.bookkeeper };
      for (const more of [
        { id: 99 },
        { role: { id: 1 } },
        { roleKey: 'admin' },
        { reach: 'all' },
        { passwordHash: 'x' },
        { capabilities: [] },
      ]) {
        expect((await app.admin.post('/api/users', { ...person, ...more })).status).toBe(400);
      }
      for (const more of [{ systemKey: 'admin' }, { capabilities: ['users.manage'] }, { reach: 'all' }]) {
        expect((await app.admin.post('/api/roles', { name: 'Extra', ...more })).status).toBe(400);
        expect((await app.admin.put(`/api/roles/${firm.roles.bookkeeper}`, { name: 'Extra', ...more })).status).toBe(
          400,
        );
      }
    });

    it('B8: by oneself: a CPA does not make an Admin of itself, with its own edit or another’s', async () => {
      const { cpa } = firm.viewers;
      for (const id of [firm.users.cpa, firm.users.clientA]) {
        const before = await rowOf(id);
        expect((await cpa.put(`/api/users/${id}`, await editOf(id, { roleId: firm.roles.admin }))).status).toBe(403);
        expect(await rowOf(id)).toEqual(before);
      }
      const change = { roleId: firm.roles.cpa, capabilities: ['users.manage'] };
      expect((await cpa.put('/api/permissions', change)).status).toBe(403);
    });

    it('B15: in the log: the server decides who, when and what', async () => {
      const { clientA } = firm.viewers;
      const { f1, f2 } = firm.files;
      const announce = (body: Record<string, unknown>) => clientA.post<ActivityRow>('/api/activity-logs', body);
      for (const body of [
        { action: 'delete', fileId: f1.id },
        { action: 'upload', fileId: f1.id },
        { action: 'view', fileId: f1.id, userName: 'Somebody else' },
        { action: 'view', fileId: f1.id, userId: firm.users.cpa },
        { action: 'view', fileId: f1.id, timestamp: '2020-01-01T00:00:00Z' },
        { action: 'view', fileId: f1.id, details: 'x'.repeat(10_000) },
        { action: 'view' },
      ]) {
        expect((await announce(body)).status).toBe(400);
      }
      expect((await announce({ action: 'view', fileId: f2.id, clientId: firm.clients[0] })).status).toBe(404);
      expect((await announce({ action: 'view', fileId: f1.id, clientId: firm.clients[1] })).status).toBe(404);
      const { status, body } = await announce({ action: 'view', fileId: f1.id, details: 'I never opened it' });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        userId: firm.users.clientA,
        userName: 'Full clientA',
        clientId: firm.clients[0],
        fileName: 'f1.txt',
        details: 'Viewed file: f1.txt',
      });
      expect(Math.abs(Date.parse(body.timestamp) - Date.now())).toBeLessThan(60_000);
    });
  });

  describe('of somebody who manages users, but reaches by list', () => {
    let manager: Caller;
    let roleId: number;
    beforeAll(async () => {
      roleId = await addRole(app, 'Office manager', ['users.manage']);
      const lists = { clientIds: [firm.clients[0]], reportTypeIds: [firm.reportTypes[0]] };
      manager = (await addUser(app, 'office', roleId, lists)).caller;
    });

    it('ends at their own reach and capabilities', async () => {
      const person = (roleId: number, clientIds: number[]) => ({
        username: 'hired',
        password: PASSWORD,
        fullName: 'Hired',
        roleId,
        clientIds,
        reportTypeIds: [firm.reportTypes[0]],
      });
      expect((await manager.post('/api/users', person(firm.roles.admin, [firm.clients[0]]))).status).toBe(403);
      expect((await manager.post('/api/users', person(firm.roles.cpa, [firm.clients[0]]))).status).toBe(403);
      expect((await manager.post('/api/users', person(firm.roles.bookkeeper, [firm.clients[1]]))).status).toBe(403);
      // What does not exist is refused like what is out of reach.
      expect((await manager.post('/api/users', person(firm.roles.bookkeeper, [999_999]))).status).toBe(403);
      const { status, body } = await manager.post<UserRow>(
        '/api/users',
        person(firm.roles.bookkeeper, [firm.clients[0]]),
      );
      expect(status).toBe(201);
      expect(body.clientIds).toEqual([firm.clients[0]]);
      expect((await manager.delete(`/api/users/${body.id}`)).status).toBe(204);
    });

    it('does not widen itself', async () => {
      const { body: me } = await manager.get<UserRow>('/api/auth/me');
      for (const changes of [
        { clientIds: [...firm.clients] },
        { reportTypeIds: [...firm.reportTypes] },
        { roleId: firm.roles.admin },
      ]) {
        expect((await manager.put(`/api/users/${me.id}`, await editOf(me.id, changes))).status).toBe(403);
      }
      expect((await manager.put('/api/permissions', { roleId, capabilities: [], reach: 'all' })).status).toBe(403);
    });
  });

  it('B17: deleting a client deletes its files and the people who have no other client, and nothing else', async () => {
    const client = async (name: string) => (await app.admin.post<ClientRow>('/api/clients', clientInput(name))).body.id;
    const doomed = await client('Doomed Deli LLC');
    const spared = await client('Spared Spa LLC');
    const [type = 0] = firm.reportTypes;
    const both = { clientIds: [doomed, spared], reportTypeIds: [type] };
    const only = { clientIds: [doomed], reportTypeIds: [type] };
    const gone = await addUser(app, 'doomed only', firm.roles.client, only);
    const shared = await addUser(app, 'doomed and spared', firm.roles.client, both);
    const accountant = await addUser(app, 'doomed cpa', firm.roles.cpa, only);
    const bookkeeper = await addUser(app, 'doomed bookkeeper', firm.roles.bookkeeper, only);
    const upload = async (clientId: number, fileType: string, by: Caller) =>
      (await by.upload<FileRow>({ name: `${fileType} ${clientId}.txt`, fields: { clientId, fileType } })).body.id;
    const lost = [await upload(doomed, 'report', app.admin), await upload(doomed, 'company_document', gone.caller)];
    const kept = await upload(spared, 'company_document', shared.caller);
    const { body: ticket } = await shared.caller.post<ViewTicket>(`/api/files/${lost[1]}/view-ticket`);
    const usersBefore = await idsOf(app.admin, '/api/users');
    const filesBefore = await idsOf(app.admin, '/api/files');
    const blobsBefore = storedPaths(app);
    const logBefore = await idsOf(app.admin, '/api/activity-logs');

    expect((await app.admin.get(`/api/clients/${doomed}/removal`)).body).toEqual({ files: 2, users: 1, onHold: null });
    expect((await accountant.caller.delete(`/api/clients/${doomed}`)).status).toBe(403);
    expect(await idsOf(app.admin, '/api/files')).toEqual(filesBefore);
    expect((await app.admin.delete(`/api/clients/${doomed}`)).status).toBe(204);

    expect((await gone.caller.get('/api/auth/me')).status).toBe(401);
    expect(await idsOf(app.admin, '/api/users')).toEqual(usersBefore.filter((id) => id !== gone.id));
    expect((await rowOf(shared.id))?.clientIds).toEqual([spared]);
    expect((await rowOf(accountant.id))?.clientIds).toEqual([]);
    expect((await rowOf(bookkeeper.id))?.clientIds).toEqual([]);
    expect((await rowOf(accountant.id))?.reportTypeIds).toEqual([type]);

    expect(await idsOf(app.admin, '/api/files')).toEqual(filesBefore.filter((id) => !lost.includes(id)));
    expect(await idsOf(app.admin, `/api/files?clientId=${doomed}`)).toEqual([]);
    // In the trash, from which nobody opens anything.
    expect(storedPaths(app)).toEqual(blobsBefore);
    for (const id of lost) {
      for (const by of [app.admin, shared.caller]) expect((await by.get(`/api/files/${id}/download`)).status).toBe(404);
    }
    expect((await app.anonymous.fetch(ticket.url)).status).toBe(401);
    expect((await shared.caller.get(`/api/files/${kept}`)).status).toBe(200);

    const { body: log, headers } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?clientId=${doomed}`);
    expect(Number(headers.get('x-total-count'))).toBe(log.length);
    expect(new Set(log.map(({ clientName }) => clientName))).toEqual(new Set(['Doomed Deli LLC']));
    expect(log.map(({ fileName }) => fileName)).toContain(`company_document ${doomed}.txt`);
    expect(log[0]?.details).toBe('Deleted client: Doomed Deli LLC, with 2 files and 1 user');
    expect((await idsOf(app.admin, '/api/activity-logs')).filter((id) => logBefore.includes(id))).toEqual(logBefore);
    // Ids are not used again: nobody inherits what the next client gets.
    expect(await client('Next Door LLC')).toBeGreaterThan(spared);
    expect((await shared.caller.get(`/api/clients/${doomed}`)).status).toBe(404);
  });
});

describe.each(DATABASE_KINDS)('the last Admin on %s', (kind) => {
  let app: TestApp;
  let roles: { admin: number; none: number };
  let admins: readonly [first: Admin, second: Admin];
  interface Admin {
    readonly id: number;
    readonly username: string;
    readonly caller: Caller;
  }
  beforeAll(async () => {
    app = await startTestApp(kind);
    const { body: me } = await app.admin.get<SessionUser>('/api/auth/me');
    roles = { admin: me.roleId, none: await addRole(app, 'Without capabilities') };
    const second = await addUser(app, 'second', roles.admin);
    admins = [
      { id: me.id, username: me.username, caller: app.admin },
      { ...second, username: 'second' },
    ];
  });
  afterAll(() => app.close());

  const give = (by: Admin, { id, username }: Admin, roleId: number) =>
    by.caller.put(`/api/users/${id}`, { username, fullName: 'An Admin', roleId });
  const remove = (by: Admin, { id }: Admin) => by.caller.delete(`/api/users/${id}`);
  const isAdmin = async ({ caller }: Admin) =>
    (await caller.get<Partial<SessionUser>>('/api/auth/me')).body.roleKey === 'admin';

  it('B10: is neither demoted nor deleted, by anyone', async () => {
    const [first, second] = admins;
    expect(code(await remove(first, first))).toEqual([409, 'own_account']);
    expect((await give(first, second, roles.none)).status).toBe(200);
    expect(code(await give(first, first, roles.none))).toEqual([409, 'last_admin']);
    expect(code(await remove(first, first))).toEqual([409, 'own_account']);
    expect((await give(second, first, roles.none)).status).toBe(403);
    expect(await isAdmin(first)).toBe(true);
    expect((await give(first, second, roles.admin)).status).toBe(200);
  });

  it('B10: is left over when two demote each other at once', async () => {
    const [first, second] = admins;
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all([give(first, second, roles.none), give(second, first, roles.none)]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect([403, 409]).toContain(answers.find(({ status }) => status !== 200)?.status);
      const [left, demoted] = (await isAdmin(first)) ? [first, second] : [second, first];
      expect(await isAdmin(left)).toBe(true);
      expect(await isAdmin(demoted)).toBe(false);
      expect((await give(left, demoted, roles.admin)).status).toBe(200);
    }
  });

  it('B10: is left over when two delete each other at once', async () => {
    const [first, second] = admins;
    const answers = await Promise.all([remove(first, second), remove(second, first)]);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect([401, 409]).toContain(answers.find(({ status }) => status !== 204)?.status);
    expect((await isAdmin(first)) !== (await isAdmin(second))).toBe(true);
  });
});
