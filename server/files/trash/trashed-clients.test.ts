// Clients in the trash over HTTP: they come back with files, people and access, under names that are free.
import { describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import type { RestoredClient, TrashRow } from '#contract/trash.ts';
import type { UserDetails, UserRow } from '#contract/users.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { addRole, addUser, clientInput, type Firm, PASSWORD } from '../../testing/firm.ts';
import { refused } from '../../testing/refusal.ts';
import { type Caller, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { trashFirm } from '../../testing/trash-firm.ts';

describe.each(DATABASE_KINDS)('clients in the trash on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  const { removeFile, restoreFile, restoreClient, trashOf, bytesOf, stateOfFirm } = trashFirm(kind, (met) => {
    ({ app, firm } = met);
  });

  it('G29: a client comes back with files, people, passwords and everybody’s access', async () => {
    const [c1] = firm.clients;
    const all = await addUser(app, 'everywhere', firm.roles.bookkeeper, {});
    await app.admin.put(`/api/users/${all.id}`, {
      username: 'everywhere',
      fullName: 'Full everywhere',
      roleId: firm.roles.bookkeeper,
      allClients: true,
      password: '',
    });
    // Sent to another client, by somebody who goes with this one.
    const { body: elsewhere } = await app.admin.upload<FileRow>({
      name: 'elsewhere.txt',
      fields: { clientId: firm.clients[2], fileType: 'company_document' },
    });
    await app.database.transaction((tx) =>
      tx.updateTable('files').set({ uploaded_by_id: firm.users.clientA }).where('id', '=', elsewhere.id).execute(),
    );
    await bytesOf(firm.viewers.clientA, firm.files.f1);
    await removeFile(firm.viewers.cpa, firm.files.f3);
    const before = await stateOfFirm();
    const people = (await app.admin.get(`/api/permissions/clients/${c1}`)).body;

    expect((await app.admin.delete(`/api/clients/${c1}`)).status).toBe(204);
    expect((await app.admin.get(`/api/clients/${c1}`)).status).toBe(404);
    expect((await firm.viewers.clientA.get('/api/auth/me')).status).toBe(401);
    await expect(app.login('clientA', PASSWORD)).rejects.toThrow('cannot sign in');
    expect(await trashOf(app.admin)).toMatchObject([
      { kind: 'client', id: c1, files: 3, users: 1, clientInTrash: false },
      { kind: 'file', name: 'f3.txt', clientInTrash: true },
    ]);
    for (const file of [firm.files.f1, firm.files.f3]) {
      expect(refused(await restoreFile(app.admin, file))).toEqual([409, 'client_in_trash']);
    }
    expect(refused(await restoreClient(firm.viewers.cpa, c1))).toEqual([403, 'forbidden']);

    expect((await restoreClient(app.admin, c1)).status).toBe(200);
    expect(await stateOfFirm()).toEqual(before);
    expect((await app.admin.get(`/api/permissions/clients/${c1}`)).body).toEqual(people);
    const back = await app.login('clientA', PASSWORD);
    expect(await bytesOf(back, firm.files.f1)).toBe('bytes of f1.txt');
    expect((await restoreFile(firm.viewers.cpa, firm.files.f3)).status).toBe(200);
    const { body: log } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?clientId=${c1}&action=update`);
    expect(log.map(({ details }) => details)).toContain(
      'Restored client: Harbor & Pine Bakery LLC, with 3 files and 1 user',
    );
    expect((await back.get<{ detail: string }[]>('/api/auth/events')).body.map(({ detail }) => detail)).toContain(
      'restoration of client Harbor & Pine Bakery LLC',
    );
  });

  it('G29: who lost all clients or their account meanwhile does not reach a restored client', async () => {
    const [c1] = firm.clients;
    const user = {
      username: 'everywhere',
      fullName: 'Full everywhere',
      roleId: firm.roles.bookkeeper,
      password: PASSWORD,
    };
    const { body: all } = await app.admin.post<UserRow>('/api/users', { ...user, allClients: true });
    const everywhere = await app.login('everywhere', PASSWORD);
    expect((await everywhere.get(`/api/clients/${c1}`)).status).toBe(200);
    await app.admin.delete(`/api/clients/${c1}`);
    await app.admin.put(`/api/users/${all.id}`, {
      ...user,
      password: '',
      allClients: false,
      clientIds: [firm.clients[1]],
    });
    await app.admin.delete(`/api/users/${firm.users.bookkeeper}`);
    const { body: later } = await app.admin.post<UserRow>('/api/users', {
      ...user,
      username: 'later',
      fullName: 'Later',
      allClients: true,
    });
    expect((await restoreClient(app.admin, c1)).status).toBe(200);
    expect((await everywhere.get(`/api/clients/${c1}`)).status).toBe(404);
    expect(later.allClients).toBe(true);
    expect((await (await app.login('later', PASSWORD)).get(`/api/clients/${c1}`)).status).toBe(200);
  });

  it('G49: a list that was saved since the deletion stands as it was saved, and names what it lacks until then', async () => {
    const [c1, , c3] = firm.clients;
    const cpa = await app.admin.get<UserDetails>(`/api/users/${firm.users.cpa}`);
    expect(cpa.body).toMatchObject({ clientIds: [c1, c3], clientsInTrash: [] });
    const { id: other } = await addUser(app, 'cpa2', firm.roles.cpa, { clientIds: [c1, c3] });
    await app.admin.delete(`/api/clients/${c1}`);
    // For who may see the trash, and of nobody else's list.
    const inTrash = async (by: Caller, id: number) =>
      (await by.get<UserDetails>(`/api/users/${id}`)).body.clientsInTrash;
    const harbor = { id: c1, name: 'Harbor & Pine Bakery LLC' };
    expect(await inTrash(app.admin, firm.users.cpa)).toEqual([harbor]);
    expect(await inTrash(firm.viewers.cpa, firm.users.cpa)).toEqual([]);
    expect(await inTrash(app.admin, firm.users.clientB)).toEqual([]);
    const { caller: manager } = await addUser(app, 'manager', await addRole(app, 'People', ['users.manage']));
    expect(await inTrash(manager, firm.users.cpa)).toEqual([]);

    app.advance(1);
    const { username, fullName, roleId, reportTypeIds } = cpa.body;
    const saved = { username, fullName, roleId, reportTypeIds, clientIds: [c3], password: '' };
    expect((await app.admin.put(`/api/users/${firm.users.cpa}`, saved)).status).toBe(200);
    expect(await inTrash(app.admin, firm.users.cpa)).toEqual([]);
    expect(await inTrash(app.admin, other)).toEqual([harbor]);
    app.advance(1);
    expect((await restoreClient(app.admin, c1)).status).toBe(200);
    const listOf = async (id: number) => (await app.admin.get<number[]>(`/api/users/${id}/client-access`)).body;
    expect([await listOf(firm.users.cpa), await listOf(other)]).toEqual([[c3], [c1, c3]]);
    expect((await firm.viewers.cpa.get(`/api/clients/${c1}`)).status).toBe(404);
    expect(await inTrash(app.admin, other)).toEqual([]);
    // Deleted once more, what was saved before is as it was.
    app.advance(1);
    await app.admin.delete(`/api/clients/${c3}`);
    expect((await restoreClient(app.admin, c3)).status).toBe(200);
    expect(await listOf(firm.users.cpa)).toEqual([c3]);
  });

  it('G29: a client whose name, or whose user’s name, is given away stays in the trash and says what to do', async () => {
    const [c1, c2] = firm.clients;
    await app.admin.delete(`/api/clients/${c1}`);
    const twin = await app.admin.post<{ id: number }>('/api/clients', clientInput('harbor & Pine bakery LLC'));
    expect(twin.status).toBe(201);
    const before = await stateOfFirm();
    const taken = await restoreClient(app.admin, c1);
    expect(refused(taken)).toEqual([409, 'client_name_taken']);
    expect(taken.body.message).toContain('under another name');
    expect(Object.keys(taken.body.fields ?? {})).toEqual(['name']);
    await app.admin.put(`/api/clients/${twin.body.id}`, clientInput('Harbor & Pine Bak\u0435ry LLC'));
    expect((await restoreClient(app.admin, c1)).body.code).toBe('name_looks_like');
    await app.admin.put(`/api/clients/${twin.body.id}`, clientInput('Something Else LLC'));

    const squatter = await addUser(app, 'ClientA', firm.roles.client, { clientIds: [c2] });
    const user = await restoreClient(app.admin, c1);
    expect(refused(user)).toEqual([409, 'restored_user_taken']);
    expect(user.body.message).toContain('"clientA"');
    expect((await stateOfFirm())['clients']).toHaveLength(before['clients']?.length ?? 0);
    await app.admin.delete(`/api/users/${squatter.id}`);
    expect((await restoreClient(app.admin, c1)).status).toBe(200);
  });

  it('G29: clients of one name come back as they were, whatever of the other was changed meanwhile', async () => {
    const [c1, , c3] = firm.clients;
    const name = 'Harbor & Pine Bakery LLC';
    const { id: twin } = (await app.admin.post<{ id: number }>('/api/clients', clientInput(name))).body;
    const edit = async (id: number, as: string, more: Record<string, unknown> = {}) =>
      expect((await app.admin.put(`/api/clients/${id}`, clientInput(as, more))).status).toBe(200);
    const remove = async (id: number) => expect((await app.admin.delete(`/api/clients/${id}`)).status).toBe(204);

    await remove(c1);
    await edit(twin, name, { phone: '(207)-555-0199' });
    expect((await restoreClient(app.admin, c1)).status).toBe(200);
    // So it is where the other one was in the trash by then.
    await remove(twin);
    await remove(c1);
    expect((await restoreClient(app.admin, twin)).status).toBe(200);
    await edit(twin, name, { phone: '(207)-555-0142' });

    await edit(c3, name, { federalId: '00-7654321' });
    for (const names of [{}, { name }]) {
      const taken = await app.admin.post<ErrorBody>(`/api/clients/${c1}/restore`, names);
      expect(refused(taken)).toEqual([409, 'client_name_taken']);
      expect(taken.body.fields?.['name']).toContain('with the federal ID 00-7654321,');
    }
    await edit(c3, 'Acme Plumbing of Ohio Inc.');
    // Its own name said again is no other one.
    expect((await app.admin.post(`/api/clients/${c1}/restore`, { name })).status).toBe(200);
  });

  it('G29: a name that another client came back under meanwhile is that one’s', async () => {
    const [c1, , c3] = firm.clients;
    const name = 'Harbor & Pine Bakery LLC';
    await app.admin.delete(`/api/clients/${c1}`);
    await app.admin.delete(`/api/clients/${c3}`);
    expect((await app.admin.post(`/api/clients/${c3}/restore`, { name })).status).toBe(200);
    expect(refused(await restoreClient(app.admin, c1))).toEqual([409, 'client_name_taken']);
    await app.admin.put(`/api/clients/${c3}`, clientInput('Something Else LLC'));
    expect((await restoreClient(app.admin, c1)).status).toBe(200);
  });

  it('G94: a client and its people come back under other names, which are judged like any', async () => {
    const [c1, c2] = firm.clients;
    const { clientA: personId } = firm.users;
    await app.admin.delete(`/api/clients/${c1}`);
    await app.admin.post('/api/clients', clientInput('Harbor & Pine Bakery LLC'));
    await addUser(app, 'ClientA', firm.roles.client, { clientIds: [c2] });
    const restoreAs = (names: object) => app.admin.post<ErrorBody>(`/api/clients/${c1}/restore`, names);
    const before = await stateOfFirm();
    const refusals: [object, string, string[]][] = [
      [{ name: 'Acme Plumbing of Ohio Inc.' }, 'client_name_taken', ['name']],
      [{ name: 'Acme Plumb\u0456ng of Ohio Inc.' }, 'name_looks_like', ['name']],
      [{ name: 'x' }, 'invalid', ['name']],
      [{ name: 'Harbor Two LLC' }, 'restored_user_taken', [`people.${personId}.username`]],
      [
        { name: 'Harbor Two LLC', people: [{ id: personId, username: 'cpa' }] },
        'restored_user_taken',
        [`people.${personId}.username`],
      ],
      [{ name: 'Harbor Two LLC', people: [{ id: firm.users.cpa, username: 'somebody' }] }, 'invalid', ['people.0.id']],
    ];
    for (const [names, code, fields] of refusals) {
      const answer = await restoreAs(names);
      expect([answer.body.code, Object.keys(answer.body.fields ?? {})], JSON.stringify(names)).toEqual([code, fields]);
    }
    expect(await stateOfFirm()).toEqual(before);
    const people = [{ id: personId, username: 'clientA.two', fullName: 'Client A the Second' }];
    expect((await restoreAs({ name: 'Harbor Two LLC', people })).status).toBe(200);
    const { body: client } = await app.admin.get<{ name: string }>(`/api/clients/${c1}`);
    expect(client.name).toBe('Harbor Two LLC');
    for (const [path, name] of [
      ['/api/clients?q=harbor%20two', 'Harbor Two LLC'],
      ['/api/users?q=clientA.two', 'Client A the Second'],
    ] as const) {
      expect(JSON.stringify((await app.admin.get(path)).body)).toContain(name);
    }
    const back = await app.login('clientA.two', PASSWORD);
    expect(await bytesOf(back, firm.files.f1)).toBe('bytes of f1.txt');
    const { body: log } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?clientId=${c1}&action=update`);
    expect(log[0]?.details).toBe(
      'Restored client: Harbor & Pine Bakery LLC, with 4 files and 1 user, renamed to Harbor Two LLC, user clientA renamed to clientA.two',
    );
  });

  it('says how many reports came back without a type that was deleted meanwhile, to who may know it', async () => {
    const [c1] = firm.clients;
    const [type] = firm.reportTypes;
    const reportsOf = async (query: string) => (await app.admin.get<FileRow[]>(`/api/files?${query}`)).body;
    const restored = async () => {
      const { status, body } = await app.admin.post<RestoredClient>(`/api/clients/${c1}/restore`);
      expect([status, body.id]).toEqual([200, c1]);
      return body.withoutType;
    };
    const ofType = await reportsOf(`reportTypeId=${type}`);
    const own = ofType.filter(({ clientId }) => clientId === c1).map(({ id }) => id);
    expect(own).not.toEqual([]);
    for (const file of ofType) if (file.clientId !== c1) await removeFile(app.admin, file);
    await app.admin.delete(`/api/clients/${c1}`);
    expect((await app.admin.delete(`/api/report-types/${type}`)).status).toBe(204);
    expect(await restored()).toBe(own.length);
    const without = await reportsOf(`clientId=${c1}&reportTypeId=none`);
    expect(without.map(({ id }) => id)).toEqual(expect.arrayContaining(own));
    // They have none by now, which is no news.
    await app.admin.delete(`/api/clients/${c1}`);
    expect(await restored()).toBe(0);
  });

  it('G29: who manages clients by a list restores those that they deleted, and sees nobody else’s', async () => {
    const role = await addRole(app, 'Onboarding', ['clients.manage']);
    const [c1, , c3] = firm.clients;
    const { caller } = await addUser(app, 'onboarding', role, { clientIds: [c1, c3] });
    await app.admin.delete(`/api/clients/${c3}`);
    expect((await caller.delete(`/api/clients/${c1}`)).status).toBe(204);
    expect(await trashOf(caller)).toMatchObject([{ kind: 'client', id: c1, files: null, users: null }]);
    expect(refused(await restoreClient(caller, c3))).toEqual([404, 'not_found']);
    // Whose name it is by now is not for them to know, nor which field would say another: they are told who can.
    const squatter = await addUser(app, 'ClientA', firm.roles.client, { clientIds: [firm.clients[1]] });
    const { body: taken } = await restoreClient(caller, c1);
    expect([taken.code, taken.fields]).toEqual(['restored_user_taken', undefined]);
    expect(taken.message).toContain('Somebody who sees all users can restore');
    await app.admin.delete(`/api/users/${squatter.id}`);
    const { status, body } = await caller.post<RestoredClient>(`/api/clients/${c1}/restore`);
    expect([status, body.withoutType]).toEqual([200, null]);
    expect((await caller.get(`/api/clients/${c1}`)).status).toBe(200);
  });
});

describe.each(DATABASE_KINDS)('the trash with SAFEGUARDS on %s', (kind) => {
  it('G29: asks for the second factor again, and gives people back theirs', async () => {
    const app = await startTestApp(kind, { SAFEGUARDS: 'on', TRASH_DAYS: '2' }, { clock: 'standing' });
    const { body: client } = await app.admin.post<{ id: number }>('/api/clients', clientInput('Larch Street Dental'));
    const { body: roles } = await app.admin.get<{ id: number; systemKey: string | null }[]>('/api/roles');
    const roleId = roles.find(({ systemKey }) => systemKey === 'client')?.id ?? 0;
    await addUser(app, 'larch', roleId, { clientIds: [client.id], reportTypeIds: [] });
    const restore = () => app.admin.post<ErrorBody>(`/api/clients/${client.id}/restore`);
    const confirm = () => {
      app.advance(60_000);
      const code = app.codeApps.get('admin')?.freshCode();
      return app.admin.post('/api/auth/reauth', { factor: { method: 'totp', code } });
    };
    expect((await confirm()).status).toBe(204);
    expect((await app.admin.delete(`/api/clients/${client.id}`)).status).toBe(204);
    const [entry] = (await app.admin.get<TrashRow[]>('/api/trash')).body;
    expect(Date.parse(entry?.goneAt ?? '') - app.now()).toBe(2 * DAY_MS);
    app.advance(6 * 60_000);
    const asked = await restore();
    expect([asked.status, asked.body.code]).toEqual([403, 'reauth_required']);
    expect((await confirm()).status).toBe(204);
    expect((await restore()).status).toBe(200);
    app.advance(60_000);
    // With the password and the authenticator app from before.
    expect((await (await app.login('larch', PASSWORD)).get('/api/auth/me')).status).toBe(200);
    await app.close();
  });
});
