// Row G18 of the threat model, counts: a number reveals nothing that its reader does not reach.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ClientRow } from '#contract/clients.ts';
import type { Capability } from '#contract/policy/actor.ts';
import type { RolePermissions } from '#contract/roles.ts';
import { addRole, addUser, clientInput, type Firm } from '../firm.ts';
import type { Caller, TestApp } from '../test-app.ts';
import { DATABASE_KINDS } from '../test-database.ts';
import { startTestFirm } from '../test-firm.ts';

describe.each(DATABASE_KINDS)('counts on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  /** Holds every capability that counts, but reaches by lists: one client and one report type. */
  let keeper: Caller;
  let keeperRole: number;
  const KEEPS: Capability[] = ['clients.manage', 'report-types.manage', 'roles.manage', 'documents.upload'];
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
    keeperRole = await addRole(app, 'Keeper', KEEPS);
    const lists = { clientIds: [firm.clients[0]], reportTypeIds: [firm.reportTypes[0]] };
    keeper = (await addUser(app, 'keeper', keeperRole, lists)).caller;
  });
  afterAll(() => app.close());

  const matrixOf = async (by: Caller) =>
    Object.fromEntries(
      (await by.get<RolePermissions[]>('/api/permissions')).body.map(({ name, users }) => [name, users]),
    );

  it('G18: how many people hold a role is shown only to those who reach everybody', async () => {
    const { clientA, clientB, cpa, bookkeeper, admin2 } = firm.viewers;
    expect(await matrixOf(clientA)).toEqual({ Client: null });
    expect(await matrixOf(clientB)).toEqual({ Client: null });
    expect(await matrixOf(cpa)).toEqual({ CPA: null });
    expect(await matrixOf(bookkeeper)).toEqual({ Bookkeeper: null });
    expect(await matrixOf(keeper)).toEqual({ Admin: null, CPA: null, Client: null, Bookkeeper: null, Keeper: null });
    const all = { Admin: 2, CPA: 1, Client: 2, Bookkeeper: 2, Keeper: 1 };
    for (const viewer of [app.admin, admin2]) expect(await matrixOf(viewer)).toEqual(all);
    const role = await addRole(app, 'People manager', ['users.manage']);
    const { id, caller } = await addUser(app, 'people.manager', role);
    expect(await matrixOf(caller)).toEqual({ ...all, 'People manager': 1 });
    await app.admin.delete(`/api/users/${id}`);
    await app.admin.delete(`/api/roles/${role}`);
  });

  it('G18: that a role is in use is shown without a number to those who do not reach its people', async () => {
    const answerTo = async (by: Caller) => (await by.delete(`/api/roles/${firm.roles.bookkeeper}`)).body;
    expect(await answerTo(keeper)).toMatchObject({
      code: 'role_in_use',
      message: 'This role is still assigned to users. Give them another role first.',
    });
    expect(await answerTo(app.admin)).toMatchObject({
      code: 'role_in_use',
      message: 'This role is assigned to 2 users. Give them another role first.',
    });
  });

  it('G18: that a report type is in use is shown without a number to those who do not reach its files', async () => {
    const answerTo = async (by: Caller, id: number) => (await by.delete(`/api/report-types/${id}`)).body;
    const [t1, t2] = firm.reportTypes;
    // Files of another client under the first, and of a type that is in nobody's list under the second.
    for (const id of [t1, t2]) {
      expect(await answerTo(keeper, id)).toMatchObject({
        code: 'report_type_in_use',
        message: 'This report type is still used by files. Delete or re-file them first.',
      });
    }
    const { body: type } = await app.admin.post<{ id: number }>('/api/report-types', { name: 'All in reach' });
    const lists = { clientIds: [firm.clients[0]], reportTypeIds: [type.id] };
    const { caller } = await addUser(app, 'type.keeper', keeperRole, lists);
    const { status } = await app.admin.upload({
      fields: { clientId: firm.clients[0], fileType: 'report', reportTypeId: type.id },
    });
    expect(status).toBe(201);
    const message = 'This report type is used by 1 file. Delete or re-file them first.';
    expect((await answerTo(caller, type.id)).message).toBe(message);
    expect((await answerTo(app.admin, type.id)).message).toBe(message);
    expect((await answerTo(keeper, type.id)).message).not.toMatch(/\d/);
  });

  it('G18: what is deleted with a client is counted only where all of it is in reach, and so is the entry in the log', async () => {
    const made = async (name: string) => (await app.admin.post<ClientRow>('/api/clients', clientInput(name))).body.id;
    const [near, far] = [await made('Numbered company'), await made('Unnumbered company')];
    const lists = { clientIds: [near, far], reportTypeIds: [firm.reportTypes[0]] };
    const { id, caller } = await addUser(app, 'client.keeper', keeperRole, lists);
    await addUser(app, 'far.only', firm.roles.client, { clientIds: [far] });
    const documents = { fileType: 'company_document' };
    for (const clientId of [near, near, far]) await app.admin.upload({ fields: { clientId, ...documents } });
    // Of a type that the keeper of clients does not reach.
    await app.admin.upload({ fields: { clientId: far, fileType: 'report', reportTypeId: firm.reportTypes[1] } });

    expect((await caller.get(`/api/clients/${near}/removal`)).body).toEqual({ files: 2, users: 0, onHold: null });
    expect((await caller.get(`/api/clients/${far}/removal`)).body).toEqual({ files: null, users: null, onHold: null });
    expect((await app.admin.get(`/api/clients/${far}/removal`)).body).toEqual({ files: 2, users: 1, onHold: null });

    const entry = async () => (await caller.get<ActivityRow[]>('/api/activity-logs?limit=1')).body[0]?.details;
    expect((await caller.delete(`/api/clients/${near}`)).status).toBe(204);
    expect(await entry()).toBe('Deleted client: Numbered company, with 2 files and 0 users');
    expect((await caller.delete(`/api/clients/${far}`)).status).toBe(204);
    expect(await entry()).toBe('Deleted client: Unnumbered company, with all its files and all its users');
    expect((await app.admin.delete(`/api/users/${id}`)).status).toBe(204);
  });
});
