// User Management: its table in every state, people added, changed and deleted, and who may do what.
import { expect } from '@playwright/test';
import { apiAs } from './api.ts';
import { type Named, PASSWORD, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { answerList, failCalls, failThenRetry, holdCalls, listenForCalls } from './stub.ts';
import { readError, readToast } from './toast.ts';
import { addPerson, checklist, chooseRole, row, table } from './users-page.ts';

const LIST = /\/api\/users\?/;

test('the table: its words, grey rows while it loads, no users, and a failure', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const firm = await seedFirm(server.origin, { reports: 0 });
  const page = await signIn(ADMIN, { failures: [500] });
  await answerList(page, LIST, []);
  const answer = await holdCalls(page, LIST);
  await page.goto('/users');
  await expect(page.getByRole('heading', { name: 'User Management' })).toBeVisible();
  await expect(page.getByText('Manage users and their roles in the system', { exact: true })).toBeVisible();
  await expect(table(page).getByRole('columnheader')).toHaveText([
    'Full Name',
    'Username',
    'Email',
    'Role',
    'Client',
    'Actions',
  ]);
  await expect(table(page).getByRole('row', { includeHidden: true })).toHaveCount(5);
  answer();
  await expect(page.getByText('No users found', { exact: true })).toBeVisible();

  await failThenRetry(page, LIST);

  const box = page.getByRole('searchbox', { name: 'Search users' });
  await box.fill(firm.cpa.username.toUpperCase());
  await expect(row(page, firm.cpa.username).getByRole('cell')).toHaveText([
    firm.cpa.fullName,
    firm.cpa.username,
    '—',
    'CPA',
    '2 client(s)',
    '',
  ]);
  await expect(page).toHaveURL(/q=/);
  await box.fill(firm.outsider.username);
  await expect(row(page, firm.outsider.username)).toContainText('No clients');
  const header = table(page).getByRole('columnheader', { name: 'Username' });
  await header.getByRole('button').click();
  await expect(header).toHaveAttribute('aria-sort', 'ascending');
  await expect(page).toHaveURL(/sort=username/);
});

test('a user is added: faults at their fields, both checklists, sent once', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 0 });
  const [first, second] = firm.clients;
  const desk = await firm.api.post<Named>('/api/roles', { name: `Desk of ${first.name}` });
  const page = await signIn(ADMIN, { at: `/users?q=thea.${first.id}`, failures: [400, 409] });
  const opener = page.getByRole('button', { name: 'Add User' });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: 'Add New User' });
  const field = (label: string) => dialog.getByLabel(label, { exact: true });
  const clients = checklist(dialog, 'Client Access');
  await expect(field('Username')).toBeFocused();
  await expect(field('Role').first()).toHaveAttribute('placeholder', 'Select a role');

  await test.step('every fault is shown at its field', async () => {
    await field('Username').fill('ab');
    await field('Password').fill('12345');
    await dialog.getByRole('button', { name: 'Create User' }).click();
    await expect(field('Username')).toHaveAccessibleDescription('Username must be at least 3 characters');
    await expect(field('Password')).toHaveAccessibleDescription('Password must be at least 6 characters');
    await expect(field('Full Name')).toHaveAccessibleDescription('Full name is required');
    await expect(dialog.getByRole('combobox', { name: 'Role' })).toHaveAccessibleDescription('Please select a role');
    await expect(field('Username')).toBeFocused();
  });

  await test.step('a checklist is searched, counted, narrowed to what is selected, and cleared', async () => {
    await expect(clients.getByText('Selected: 0 clients', { exact: true })).toBeVisible();
    const search = clients.getByPlaceholder('Search clients...');
    await search.fill(first.name.toUpperCase());
    await expect(clients.getByRole('checkbox')).toHaveCount(1);
    await search.press('Enter');
    await clients.getByRole('checkbox', { name: first.name }).check();
    await expect(clients.getByText('Selected: 1 clients', { exact: true })).toBeVisible();
    await search.fill('no such client anywhere');
    await expect(clients.getByText('Nothing matches your search')).toBeVisible();
    await search.fill('');
    await clients.getByRole('button', { name: 'Show selected clients' }).click();
    await expect(clients.getByRole('checkbox')).toHaveCount(1);
    await clients.getByRole('checkbox', { name: first.name }).uncheck();
    await expect(clients.getByRole('checkbox')).toHaveCount(1);
    await clients.getByRole('checkbox', { name: first.name }).check();
    await clients.getByRole('button', { name: 'Show selected clients' }).click();
    await clients.getByRole('checkbox', { name: second.name }).check();
    await expect(clients.getByText('Selected: 2 clients', { exact: true })).toBeVisible();
    await clients.getByRole('button', { name: 'Clear All clients' }).click();
    await expect(clients.getByText('Selected: 0 clients', { exact: true })).toBeVisible();
    await expect(clients.getByRole('button', { name: 'Clear All clients' })).toBeDisabled();
    await expect(search).toBeFocused();
  });

  await test.step('by keyboard it is one stop, with arrow keys inside', async () => {
    const search = clients.getByPlaceholder('Search clients...');
    await search.fill(first.name.slice(-4));
    await search.press('ArrowDown');
    await expect(clients.getByRole('checkbox').first()).toBeFocused();
    await page.keyboard.press('End');
    await expect(clients.getByRole('checkbox').last()).toBeFocused();
    await page.keyboard.press('Space');
    await expect(clients.getByRole('checkbox').last()).toBeChecked();
    await page.keyboard.press('Tab');
    await expect(dialog.getByRole('button', { name: 'Select all report types' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(checklist(dialog, 'Report Type Access').getByPlaceholder('Search report types...')).toBeFocused();
    await clients.getByRole('button', { name: 'Clear All clients' }).click();
    await search.fill('');
  });

  await field('Username').fill(firm.cpa.username.toUpperCase());
  await field('Password').fill(PASSWORD);
  await field('Full Name').fill('Thea Lindgren');
  await chooseRole(page, dialog, 'Client');
  await dialog.getByRole('button', { name: 'Create User' }).click();
  await expect(field('Username')).toHaveAccessibleDescription('This username is already taken.');
  await expect(field('Username')).toBeFocused();
  await readError(page, 'This username is already taken.');

  await test.step('a client that is deleted meanwhile is said at its list, and ticked no longer', async () => {
    await field('Username').fill(`thea.${first.id}`);
    await clients.getByRole('checkbox', { name: first.name }).check();
    await clients.getByRole('checkbox', { name: firm.stranger.name }).check();
    await firm.api.delete(`/api/clients/${firm.stranger.id}`);
    await dialog.getByRole('button', { name: 'Create User' }).click();
    await expect(clients.getByText('Selected: 1 clients', { exact: true })).toBeVisible();
    await expect(clients.getByRole('checkbox', { name: firm.stranger.name })).toHaveCount(0);
    await expect(clients.getByText('Some of the chosen clients no longer exist')).toBeVisible();
    await readError(page, 'Some of the chosen clients no longer exist');
    await clients.getByRole('button', { name: 'Clear All clients' }).click();
  });

  await test.step('a role that is deleted meanwhile is chosen and offered no longer', async () => {
    const role = dialog.getByRole('combobox', { name: 'Role' });
    await chooseRole(page, dialog, desk.name);
    await firm.api.delete(`/api/roles/${desk.id}`);
    await dialog.getByRole('button', { name: 'Create User' }).click();
    await expect(role).toHaveValue('');
    await expect(role).toHaveAccessibleDescription('Please select a role');
    await readError(page, 'Please select a role');
    await role.click();
    await expect(page.getByRole('option', { name: 'Client', exact: true })).toBeVisible();
    await expect(page.getByRole('option', { name: desk.name, exact: true })).toHaveCount(0);
    await page.getByRole('option', { name: 'Client', exact: true }).click();
  });

  const writes = listenForCalls(page, /\/api\/users$/);
  const go = await holdCalls(page, /\/api\/users$/);
  await field('Username').fill(`thea.${first.id}`);
  await clients.getByRole('checkbox', { name: second.name }).check();
  await clients.getByRole('checkbox', { name: first.name }).check();
  await dialog.getByRole('button', { name: 'Create User' }).dblclick();
  await expect(dialog.getByRole('button', { name: 'Creating...' })).toBeDisabled();
  go();
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await readToast(page, 'status', ['User created successfully']);
  expect(writes).toHaveLength(1);
  expect(writes[0]?.postDataJSON()).toMatchObject({ clientIds: [first.id, second.id], reportTypeIds: null });
  await expect(row(page, `thea.${first.id}`)).toContainText('2 client(s)');

  await opener.click();
  for (const label of ['Username', 'Password', 'Full Name']) await expect(field(label)).toHaveValue('');
  await expect(clients.getByText('Selected: 0 clients', { exact: true })).toBeVisible();
});

test('a user is changed: prefilled, a blank password keeps the old one', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 0 });
  const { cpa } = firm;
  const [first, second] = firm.clients;
  const page = await signIn(ADMIN, { at: `/users?q=${cpa.username}`, failures: [400] });
  const opener = page.getByRole('button', { name: `Edit ${cpa.fullName}` });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: 'Edit User' });
  const field = (label: string) => dialog.getByLabel(label, { exact: true });
  const clients = checklist(dialog, 'Client Access');
  await expect(field('Username')).toHaveValue(cpa.username);
  await expect(field('Full Name')).toHaveValue(cpa.fullName);
  await expect(dialog.getByRole('combobox', { name: 'Role' })).toHaveValue('CPA');
  await expect(field('Password')).toHaveValue('');
  await expect(field('Password')).toHaveAccessibleDescription(/Leave blank to keep the current password/);
  await expect(clients.getByText('Selected: 2 clients', { exact: true })).toBeVisible();
  await expect(clients.getByRole('checkbox', { name: first.name })).toBeChecked();
  await expect(clients.getByRole('checkbox', { name: firm.stranger.name })).not.toBeChecked();
  await expect(checklist(dialog, 'Report Type Access').getByText('Selected: 2 report types')).toBeVisible();

  // A tick removed again leaves nothing to save.
  await clients.getByRole('checkbox', { name: first.name }).uncheck();
  await clients.getByRole('checkbox', { name: first.name }).check();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.click();

  await clients.getByRole('checkbox', { name: second.name }).uncheck();
  const mustChange = dialog.getByRole('checkbox', { name: 'Must change the password at the next sign-in' });
  await expect(mustChange).not.toBeChecked();
  await field('Password').fill('short');
  await expect(mustChange).toBeChecked();
  await dialog.getByRole('button', { name: 'Update User' }).click();
  await expect(field('Password')).toHaveAccessibleDescription(/Password must be at least 6 characters/);
  await field('Password').fill('');
  await expect(mustChange).not.toBeChecked();
  // Nor is there a password to change where an invitation was ticked in its place, and ticked off again.
  await field('Password').fill('another one');
  await expect(mustChange).toBeChecked();
  await dialog.getByRole('checkbox', { name: /^Invite anew/ }).check();
  await expect(mustChange).toHaveCount(0);
  await dialog.getByRole('checkbox', { name: /^Invite anew/ }).uncheck();
  await expect(field('Password')).toHaveValue('');
  await expect(mustChange).not.toBeChecked();
  await page.route(`**/api/users/${cpa.id}`, (route) =>
    route.fulfill({
      status: 400,
      json: { message: 'No such list', code: 'invalid', requestId: 'x', fields: { 'clientIds.0': 'No such client' } },
    }),
  );
  await dialog.getByRole('button', { name: 'Update User' }).click();
  await expect(clients.getByText('No such client')).toBeVisible();
  const search = clients.getByPlaceholder('Search clients...');
  await expect(search).toBeFocused();
  await expect(search).toHaveAccessibleDescription('No such client');
  await expect(search).toHaveAttribute('aria-invalid', 'true');
  await readError(page, 'No such list');
  // What somebody has ticked outlives the refusal.
  await expect(clients.getByText('Selected: 1 clients', { exact: true })).toBeVisible();

  await page.unrouteAll();
  const go = await holdCalls(page, /\/api\/users\/\d+$/);
  await dialog.getByRole('button', { name: 'Update User' }).click();
  await expect(dialog.getByRole('button', { name: 'Updating...' })).toBeDisabled();
  go();
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await readToast(page, 'status', ['User updated successfully']);
  await expect(row(page, cpa.username)).toContainText('1 client(s)');
  // The old password still works.
  await apiAs(server.origin, cpa);

  await opener.click();
  await field('Password').fill('a newer one');
  await dialog.getByRole('button', { name: 'Update User' }).click();
  await expect(dialog).toBeHidden();
  await apiAs(server.origin, { username: cpa.username, password: 'a newer one' });
  await expect(apiAs(server.origin, cpa)).rejects.toThrow('401');
});

test('a user is deleted after a confirmation; oneself and the last Admin cannot be', async ({ signIn, server }) => {
  const api = await apiAs(server.origin);
  await addPerson(api, 'leaving.soon', 'Leah Vinter');
  const page = await signIn(ADMIN, { at: '/users?q=leaving', failures: [409, 503] });
  const opener = page.getByRole('button', { name: 'Delete Leah Vinter' });
  const question = page.getByRole('dialog', { name: 'Delete Leah Vinter?' });
  await opener.click();
  await expect(question).toContainText('Are you sure you want to delete this user?');
  await expect(question).toContainText('leaving.soon');
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
  const restore = await failCalls(page, /\/api\/users\/\d+$/, { status: 503, message: 'Try later.' });
  await opener.click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await readError(page, 'Failed to delete user: Try later.');
  await restore();
  await opener.click();
  await question.getByRole('button', { name: 'Delete' }).dblclick();
  await expect(question).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();
  await readToast(page, 'status', ['User deleted successfully.']);
  await expect(page.getByText('No users found')).toBeVisible();

  // Earlier tests of this server may have left Admins.
  const people = await api.get<{ id: number; username: string; roleName: string }[]>('/api/users');
  for (const { id, username, roleName } of people) {
    if (roleName === 'Admin' && username !== ADMIN.username) await api.delete(`/api/users/${id}`);
  }
  await page.goto(`/users?q=${ADMIN.username}`);
  await expect(page.getByRole('button', { name: 'Edit Administrator' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete Administrator' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Edit Administrator' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit User' });
  await expect(dialog.getByText('Sees every client and report type')).toBeVisible();
  await chooseRole(page, dialog, 'CPA');
  await dialog.getByRole('button', { name: 'Update User' }).click();
  const sentence = 'The last Admin who can sign in cannot be deleted, invited anew or given another role.';
  await expect(dialog.getByRole('combobox', { name: 'Role' })).toHaveAccessibleDescription(new RegExp(sentence));
  await readError(page, sentence);
});

test('who may not manage users sees only oneself, and no buttons', { tag: '@full' }, async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 0 });
  const page = await signIn(firm.cpa, { at: '/users' });
  await expect(row(page, firm.cpa.username)).toBeVisible();
  await expect(table(page).getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('columnheader', { name: 'Actions' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^(Add|Edit|Delete) / })).toHaveCount(0);
});
