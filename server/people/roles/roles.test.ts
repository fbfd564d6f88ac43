// Roles over HTTP, on both engines: created, renamed, listed and deleted, and what the built-in ones refuse.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { RolePermissions, RoleRow } from '#contract/roles.ts';
import { searchForm } from '#contract/search.ts';
import { addRole, addUser, type Firm } from '../../testing/firm.ts';
import { someoneWaits } from '../../testing/someone-waits.ts';
import type { Answer, TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';

describe.each(DATABASE_KINDS)('roles on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  const add = (name: string) => app.admin.post<RoleRow>('/api/roles', { name });
  const log = async () => (await app.admin.get<ActivityRow[]>('/api/activity-logs?limit=1')).body[0]?.details;

  it('are created without rights, renamed and deleted', async () => {
    const created = await add('  Payroll Reviewer ');
    expect(created.status).toBe(201);
    const { id } = created.body;
    const { version, ...facts } = created.body;
    expect([facts, version]).toEqual([{ id, name: 'Payroll Reviewer', systemKey: null }, expect.any(String)]);
    expect(await log()).toBe('Created role: Payroll Reviewer');
    const { body: matrix } = await app.admin.get<RolePermissions[]>('/api/permissions');
    expect(matrix.find((role) => role.id === id)).toEqual({
      ...facts,
      reach: 'lists',
      capabilities: [],
      users: 0,
      version: expect.any(String),
    });
    // Saved as they are, rights are nobody's change.
    const rights = { roleId: id, capabilities: [], reach: 'lists' };
    const kept = await app.admin.put<RolePermissions>('/api/permissions', rights);
    expect([kept.status, kept.body]).toEqual([200, matrix.find((role) => role.id === id)]);
    expect(await log()).toBe('Created role: Payroll Reviewer');

    // What is changed of them is said.
    const set = (more: object) => app.admin.put('/api/permissions', { roleId: id, ...more });
    await set({ capabilities: ['users.manage', 'clients.manage'] });
    expect(await log()).toBe('Changed permissions of role: Payroll Reviewer, granted "Manage clients", "Manage users"');
    await set({ capabilities: ['clients.manage'], reach: 'all' });
    expect(await log()).toBe('Changed permissions of role: Payroll Reviewer, taken "Manage users", sees everything');

    const renamed = await app.admin.put<RoleRow>(`/api/roles/${id}`, { name: 'Senior Reviewer' });
    expect([renamed.status, renamed.body]).toMatchObject([200, { id, name: 'Senior Reviewer', systemKey: null }]);
    expect(renamed.body.version).not.toBe(version);
    expect(await log()).toBe('Renamed role: Payroll Reviewer to Senior Reviewer');
    // Renaming to itself in another case is no duplicate.
    expect((await app.admin.put(`/api/roles/${id}`, { name: 'SENIOR reviewer' })).status).toBe(200);
    const entry = await log();
    expect((await app.admin.put(`/api/roles/${id}`, { name: 'SENIOR reviewer' })).status).toBe(200);
    expect(await log()).toBe(entry);

    expect(await app.admin.delete(`/api/roles/${id}`)).toMatchObject({ status: 204, body: undefined });
    expect(await log()).toBe('Deleted role: SENIOR reviewer');
    expect((await app.admin.delete(`/api/roles/${id}`)).status).toBe(404);
    expect((await app.admin.put(`/api/roles/${id}`, { name: 'Again' })).status).toBe(404);
    const again = await add('Payroll Reviewer');
    expect(again.body.id).toBeGreaterThan(id);
    await app.admin.delete(`/api/roles/${again.body.id}`);
  });

  it('have a name that no other has, regardless of case, form and outer space', async () => {
    const { body: own } = await add('Prüfer Ⅱ');
    for (const name of [
      'Prüfer Ⅱ',
      'PRÜFER Ⅱ',
      'pru\u0308fer II',
      '  prüfer ⅱ ',
      'admin',
      'ADMIN',
      'Admin ',
      'ＡＤＭＩＮ',
      'cpa',
      'client',
    ]) {
      const { status, body } = await app.admin.post<ErrorBody>('/api/roles', { name });
      expect([name, status, body.code]).toEqual([name, 409, 'role_name_taken']);
      expect(body.message).toBe('A role with this name already exists.');
    }
    const renamed = await app.admin.put<ErrorBody>(`/api/roles/${own.id}`, { name: 'bookKEEPER' });
    expect([renamed.status, renamed.body.code]).toEqual([409, 'role_name_taken']);
    await app.admin.delete(`/api/roles/${own.id}`);
  });

  it('are created once from two requests at the same moment', async () => {
    const answers = await Promise.all([add('At Once'), add('at once'), add('AT ONCE')]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409]);
    await app.admin.delete(`/api/roles/${answers.find((answer) => answer.status === 201)?.body.id}`);
  });

  it.each(['admin', 'cpa', 'client'] as const)('built in (%s) are neither renamed nor deleted', async (key) => {
    const id = firm.roles[key];
    for (const answer of [
      await app.admin.put<ErrorBody>(`/api/roles/${id}`, { name: 'Something Else' }),
      await app.admin.delete(`/api/roles/${id}`),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([409, 'role_built_in']);
      expect(answer.body.message).toBe('Built-in roles cannot be renamed, edited or deleted.');
    }
    const { body } = await app.admin.get<RoleRow[]>('/api/roles');
    expect(body.find((role) => role.id === id)).toMatchObject({ systemKey: key });
  });

  it('in use cannot be deleted, and the answer says how many users have them', async () => {
    const id = await addRole(app, 'In Use');
    await addUser(app, 'first.holder', id);
    expect((await app.admin.delete(`/api/roles/${id}`)).body.message).toBe(
      'This role is assigned to 1 user. Give them another role first.',
    );
    await addUser(app, 'second.holder', id);
    const { status, body } = await app.admin.delete(`/api/roles/${id}`);
    expect([status, body.code]).toEqual([409, 'role_in_use']);
    expect(body.message).toBe('This role is assigned to 2 users. Give them another role first.');
  });

  it('are listed, found, sorted and paged', async () => {
    const all = (await app.admin.get<RoleRow[]>('/api/roles')).body;
    const names = all.map((role) => role.name);
    expect(names).toEqual(names.toSorted((a, b) => (searchForm(a) < searchForm(b) ? -1 : 1)));
    expect(names).toEqual(expect.arrayContaining(['Admin', 'Bookkeeper', 'Client', 'CPA']));
    expect((await app.admin.get<RoleRow[]>('/api/roles?sort=-name')).body).toEqual(all.toReversed());
    const page = await app.admin.get<RoleRow[]>('/api/roles?limit=2&offset=1');
    expect([page.body, page.headers.get('x-total-count')]).toEqual([all.slice(1, 3), String(all.length)]);
    const found = await app.admin.get<RoleRow[]>('/api/roles?q=KEEP');
    expect([found.body.map((role) => role.name), found.headers.get('x-total-count')]).toEqual([['Bookkeeper'], '1']);
    expect((await app.admin.get<RoleRow[]>('/api/roles?q=%25')).body).toEqual([]);
  });

  // The embedded engine has one connection, so nothing there can wait for another transaction.
  if (kind === 'postgres' && inject('postgresUrl') !== null) {
    it('renamed while they are deleted answer with a message', async () => {
      const id = await addRole(app, 'Vanishing');
      let renaming: Promise<Answer<unknown>> | undefined;
      await app.database.transaction(async (tx) => {
        await tx.deleteFrom('roles').where('id', '=', id).execute();
        renaming = app.admin.put(`/api/roles/${id}`, { name: 'Too Late' });
        await someoneWaits(app);
      });
      expect([404, 409]).toContain((await renaming)?.status);
    });
  }
});
