// Roles: the table in every state, creating, renaming and deleting one, what refuses it, and who may.
import { expect, type Page } from '@playwright/test';
import { apiAs } from './api.ts';
import { UNREACHABLE } from './failing-calls.ts';
import { addPerson, type Named, seedFirm } from './firm.ts';
import { login, test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { answerList, failThenRetry, holdCalls, listenForCalls, loseAnswer } from './stub.ts';
import { readError, readToast, SAVED_BEFORE } from './toast.ts';

const LIST = /\/api\/roles\?/;

const table = (page: Page) => page.getByRole('table', { name: 'Roles' });
const row = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name });

test('the table: its columns, grey rows while it loads, no roles, and a failure', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn(ADMIN, { at: null, failures: [500] });
  await answerList(page, LIST, []);
  const answer = await holdCalls(page, LIST);
  await page.goto('/roles');
  await expect(page.getByRole('main').getByRole('heading', { name: 'Roles' })).toBeVisible();
  await expect(table(page).getByRole('columnheader')).toHaveText(['Name', 'Actions']);
  await expect(table(page).getByRole('row', { includeHidden: true })).toHaveCount(5);
  answer();
  await expect(page.getByText('No roles found', { exact: true })).toBeVisible();

  await failThenRetry(page, LIST);
  // The built-in ones cannot be changed.
  for (const name of ['Admin', 'CPA', 'Client']) {
    await expect(page.getByRole('cell', { name: `${name} Built-in` })).toBeVisible();
    await expect(page.getByRole('button', { name: `Edit ${name}`, exact: true })).toHaveCount(0);
    await expect(page.getByRole('button', { name: `Delete ${name}`, exact: true })).toHaveCount(0);
  }
});

test('a role is added, renamed and deleted', async ({ signIn, server }) => {
  const page = await signIn(ADMIN, { at: '/roles?q=review', failures: [409], offline: true });
  const opener = page.getByRole('button', { name: 'Add Role' });
  await opener.click();
  const adding = page.getByRole('dialog', { name: 'Add Role' });
  const name = adding.getByLabel('Role Name');
  await expect(name).toBeFocused();
  await adding.getByRole('button', { name: 'Create Role' }).click();
  await expect(name).toHaveAccessibleDescription(/Role name is required/);
  await name.fill('cpa');
  await name.press('Enter');
  await expect(name).toHaveAccessibleDescription(/A role with this name already exists/);
  await expect(name).toBeFocused();
  await readError(page, 'Failed to create role: A role with this name already exists.');

  await test.step('one whose answer was lost is told of as one’s own', async () => {
    const create = adding.getByRole('button', { name: 'Create Role' });
    await page.route(/\/api\/roles$/, loseAnswer, { times: 1 });
    await name.fill('Ledger Keeper');
    await create.click();
    await readError(page, `Failed to create role: ${UNREACHABLE}`);
    await create.click();
    await expect(name).toHaveAccessibleDescription(new RegExp(SAVED_BEFORE));
    await readError(page, `Failed to create role: ${SAVED_BEFORE}`);
    const api = await apiAs(server.origin);
    const there = await api.get<Named[]>('/api/roles?q=Ledger%20Keeper');
    expect(there.map((role) => role.name)).toEqual(['Ledger Keeper']);
    for (const { id } of there) await api.delete(`/api/roles/${id}`);
  });

  const writes = listenForCalls(page, /\/api\/roles$/);
  const go = await holdCalls(page, /\/api\/roles$/);
  await name.fill('  Tax Reviewer ');
  await adding.getByRole('button', { name: 'Create Role' }).dblclick();
  await expect(adding.getByRole('button', { name: 'Creating...' })).toBeDisabled();
  go();
  await expect(adding).toBeHidden();
  await expect(opener).toBeFocused();
  await readToast(page, 'status', ['Role created successfully']);
  expect(writes.map((call) => call.postDataJSON())).toEqual([{ name: 'Tax Reviewer' }]);
  await expect(row(page, 'Tax Reviewer')).toBeVisible();

  const editing = page.getByRole('dialog', { name: 'Edit Role' });
  await page.getByRole('button', { name: 'Edit Tax Reviewer' }).click();
  await expect(editing.getByLabel('Role Name')).toHaveValue('Tax Reviewer');
  await editing.getByLabel('Role Name').fill('Reviewer of Returns');
  await page.keyboard.press('Escape');
  await expect(editing.getByText('Discard unsaved changes?')).toBeVisible();
  await editing.getByRole('button', { name: 'Keep editing' }).click();
  await editing.getByRole('button', { name: 'Update Role' }).click();
  await expect(editing).toBeHidden();
  await readToast(page, 'status', ['Role updated successfully']);

  const question = page.getByRole('dialog', { name: 'Delete Role' });
  await page.getByRole('button', { name: 'Delete Reviewer of Returns' }).click();
  await expect(question).toContainText('Are you sure you want to delete this role? This action cannot be undone.');
  await expect(question).toContainText('Reviewer of Returns');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Delete Reviewer of Returns' })).toBeFocused();
  await page.getByRole('button', { name: 'Delete Reviewer of Returns' }).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(question).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();
  await readToast(page, 'status', ['Role deleted successfully']);
  await expect(row(page, 'Reviewer of Returns')).toHaveCount(0);

  await test.step('of who signs in next the lost try was not', async () => {
    const next = await addPerson(server.origin, 'Admin', null, null);
    const create = adding.getByRole('button', { name: 'Create Role' });
    await opener.click();
    await page.route(/\/api\/roles$/, loseAnswer, { times: 1 });
    await name.fill('Vault Keeper');
    await create.click();
    await readError(page, `Failed to create role: ${UNREACHABLE}`);
    await adding.getByRole('button', { name: 'Cancel' }).click();
    await adding.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
    await login(page, next);
    await page.getByRole('navigation').getByRole('link', { name: 'Roles' }).click();
    await opener.click();
    await name.fill('Vault Keeper');
    await create.click();
    await expect(name).toHaveAccessibleDescription(/A role with this name already exists/);
    const api = await apiAs(server.origin);
    for (const { id } of await api.get<Named[]>('/api/roles?q=Vault%20Keeper')) await api.delete(`/api/roles/${id}`);
  });
});

test('a role that somebody holds cannot be deleted, and the reason says how many do', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const api = await apiAs(server.origin);
  const { id, name } = await api.post<Named>('/api/roles', { name: 'Night Clerk' });
  for (const nth of [1, 2]) {
    const person = { username: `night.clerk${nth}`, password: 'browser test', fullName: `Clerk ${nth}` };
    await api.post('/api/users', { ...person, roleId: id, clientIds: null, reportTypeIds: null });
  }
  const page = await signIn(ADMIN, { at: '/roles?q=night', failures: [409] });
  await expect(page.getByPlaceholder('Search roles...')).toHaveValue('night');
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: `Delete ${name}` })).toBeFocused();
  await readError(page, 'Failed to delete role: This role is assigned to 2 users. Give them another role first.');
  await expect(row(page, name)).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(row(page, 'Admin')).toBeVisible();
  const header = table(page).getByRole('columnheader', { name: 'Name' });
  await expect(header).toHaveAttribute('aria-sort', 'ascending');
  await header.getByRole('button').click();
  await expect(header).toHaveAttribute('aria-sort', 'descending');
  await expect(page).toHaveURL(/sort=-name/);
});

test('who may not manage roles sees only their own, and no buttons', { tag: '@full' }, async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 0 });
  const page = await signIn(firm.cpa, { at: '/roles' });
  await expect(row(page, 'CPA')).toBeVisible();
  await expect(table(page).getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('columnheader', { name: 'Actions' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^(Add|Edit|Delete) / })).toHaveCount(0);
});
