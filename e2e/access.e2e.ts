// Giving access in few clicks: a colleague's, what a role usually gets, all at once; and the warning where nothing is given.
import { expect, type Locator, type Page } from '@playwright/test';
import { apiAs } from './api.ts';
import { type Named, PASSWORD, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { readToast } from './toast.ts';
import { checklist, chooseRole } from './users-page.ts';

interface UserFacts {
  readonly roleId: number;
  readonly clientIds: readonly number[];
  readonly allClients: boolean;
  readonly reportTypeIds: readonly number[];
}

const ticked = (list: Locator) => list.getByRole('checkbox', { checked: true });

async function openNewUser(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add User' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add New User' });
  await expect(dialog.getByLabel('Username')).toBeFocused();
  return dialog;
}

/** Fills the first three fields by keyboard. */
async function typeNames(page: Page, username: string, fullName: string): Promise<void> {
  await page.keyboard.type(username);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  // Past the buttons that show the password and make one.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type(fullName);
}

test('a new employee gets the access of a colleague in four clicks', async ({ signIn, server }) => {
  const { api, cpa } = await seedFirm(server.origin, { reports: 0 });
  const page = await signIn(ADMIN, { at: '/users' });
  // Clicks by keys have no detail.
  await page.evaluate(`{
    globalThis.clicks = 0;
    document.addEventListener('click', ({ detail }) => { if (detail > 0) globalThis.clicks += 1; }, true);
  }`);
  const dialog = await openNewUser(page);
  const username = `new.${cpa.id}`;
  await typeNames(page, username, 'Sofia Marin');
  const colleague = dialog.getByRole('combobox', { name: 'Same access as...' });
  // Nobody has to take over anything.
  await expect(colleague).not.toHaveAttribute('aria-required', 'true');
  await colleague.click();
  await page.keyboard.type(cpa.username);
  await page.getByRole('option', { name: `${cpa.fullName} (${cpa.username})` }).click();

  await expect(dialog.getByRole('status').filter({ hasText: 'Taken over' })).toHaveText(
    `Taken over from ${cpa.fullName}: role CPA, 2 clients, and 2 report types. Nothing is saved yet.`,
  );
  await expect(dialog.getByRole('combobox', { name: 'Role' })).toHaveValue('CPA');
  await expect(ticked(checklist(dialog, 'Client Access'))).toHaveCount(2);
  await expect(ticked(checklist(dialog, 'Report Type Access'))).toHaveCount(2);
  await dialog.getByRole('button', { name: 'Create User' }).click();
  await expect(dialog).toBeHidden();
  expect(await page.evaluate('clicks')).toBe(4);
  await readToast(page, 'status', ['User created successfully']);

  const [made] = await api.get<UserFacts[]>(`/api/users?q=${username}`);
  const like = await api.get<UserFacts>(`/api/users/${cpa.id}`);
  for (const fact of ['roleId', 'clientIds', 'allClients', 'reportTypeIds'] as const) {
    expect([fact, made?.[fact]]).toEqual([fact, like[fact]]);
  }
});

test('what one may not give is not taken over, and what is taken over can be changed before it is saved', {
  tag: '@full',
}, async ({ signIn, server }) => {
  const { api, cpa, clients, reportTypes } = await seedFirm(server.origin, { reports: 0 });
  const role = await api.post<Named>('/api/roles', { name: `Desk ${cpa.id}` });
  await api.put('/api/permissions', { roleId: role.id, capabilities: ['users.manage'] });
  const lead = { username: `lead.${cpa.id}`, password: PASSWORD };
  const [first] = clients;
  const lists = { clientIds: [first.id], reportTypeIds: reportTypes.map(({ id }) => id) };
  await api.post('/api/users', { ...lead, fullName: 'Nora Lead', roleId: role.id, ...lists });

  const page = await signIn(lead, { at: '/users' });
  const dialog = await openNewUser(page);
  await dialog.getByRole('combobox', { name: 'Same access as...' }).click();
  await page.keyboard.type(cpa.username);
  await page.getByRole('option', { name: `${cpa.fullName} (${cpa.username})` }).click();
  await expect(dialog.getByRole('status').filter({ hasText: 'Taken over' })).toHaveText(
    `Taken over from ${cpa.fullName}: 1 client and 2 report types. Nothing is saved yet. Not taken over, because you may not give it: the role and 1 of the lists' entries.`,
  );
  // The role, which nobody but a holder may give, stays open; so does the list.
  await expect(dialog.getByRole('combobox', { name: 'Role' })).toHaveValue('');
  await expect(dialog.getByRole('checkbox', { name: 'All clients, also later ones' })).toHaveCount(0);
  await checklist(dialog, 'Report Type Access').getByRole('checkbox', { name: reportTypes[0].name }).uncheck();
  await dialog.getByLabel('Username').focus();
  await typeNames(page, `desk.${cpa.id}`, 'Jon Desk');
  await chooseRole(page, dialog, `Desk ${cpa.id}`);
  await dialog.getByRole('button', { name: 'Create User' }).click();
  await readToast(page, 'status', ['User created successfully']);
  const [made] = await api.get<UserFacts[]>(`/api/users?q=desk.${cpa.id}`);
  expect(made).toMatchObject({ roleId: role.id, clientIds: [first.id], reportTypeIds: [reportTypes[1].id] });
});

test('a new CPA is offered what CPAs usually get, and gets nothing that nobody pressed', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const { api, cpa } = await seedFirm(server.origin, { reports: 0 });
  const types = await api.get<Named[]>('/api/report-types');
  const page = await signIn(ADMIN, { at: '/users' });
  const dialog = await openNewUser(page);
  const username = `cpa.${cpa.id}`;
  await typeNames(page, username, 'Ada Quist');
  const [clients, reportTypes] = [checklist(dialog, 'Client Access'), checklist(dialog, 'Report Type Access')];
  const offer = dialog.getByRole('status').filter({ hasText: 'A new CPA often gets' });
  await expect(offer).toHaveCount(0);
  await chooseRole(page, dialog, 'CPA');
  await expect(offer).toContainText(
    `A new CPA often gets all ${types.length} report types and all clients, also later ones.`,
  );
  await expect(ticked(dialog)).toHaveCount(1);
  await expect(dialog.getByRole('checkbox', { name: /^Must change the password/ })).toBeChecked();
  const nothing = dialog.getByText('Ada will see nothing until at least one client is ticked.');
  await expect(nothing).toBeVisible();

  await offer.getByRole('button', { name: 'Tick these' }).click();
  await expect(nothing).toHaveCount(0);
  await expect(offer).toHaveCount(0);
  await expect(reportTypes.getByText(`Selected: ${types.length} report types`, { exact: true })).toBeVisible();
  const all = dialog.getByRole('checkbox', { name: 'All clients, also later ones' });
  await expect(all).toBeChecked();
  await expect(clients.getByRole('checkbox').first()).toBeDisabled();
  await reportTypes.getByRole('button', { name: 'Clear All report types' }).click();
  await expect(
    dialog.getByText('Ada will see company documents, but no report until at least one report type is ticked.'),
  ).toBeVisible();
  await dialog.getByRole('button', { name: 'Create User' }).click();
  await readToast(page, 'status', ['User created successfully']);

  const facts = { address: '4 Orchard Lane', phone: '(937)-555-0117', federalId: '08-1112223', stateId: 'OH' };
  const later = await api.post<Named>('/api/clients', {
    ...facts,
    name: `Later Company ${cpa.id}`,
    email: 'books@example.com',
    employeeCount: 3,
    startDate: '2025-01-31',
  });
  const [made] = await api.get<UserFacts[]>(`/api/users?q=${username}`);
  expect(made).toMatchObject({ allClients: true, reportTypeIds: [] });
  expect(made?.clientIds).toContain(later.id);

  await page.goto(`/permissions?tab=who&user=${username}`);
  await expect(page.getByText(/^Ada Quist sees .*: all clients, also later ones, and the report types/)).toBeVisible();
  await expect(page.getByText('Given all clients, also later ones').first()).toBeVisible();
  await page.goto(`/permissions?tab=who&by=client&client=${later.id}`);
  await expect(page.getByText(/ given all clients[,.]/)).toBeVisible();

  // Without the box, the list is there again to choose from.
  await page.goto(`/users?q=${username}`);
  await page.getByRole('button', { name: 'Edit Ada Quist' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit User' });
  // A Client user with every client is hardly meant.
  await chooseRole(page, edit, 'Client');
  await expect(
    edit.getByText(/^Ada is a Client user and will see all \d+ clients\. Untick those that are not theirs\./),
  ).toBeVisible();
  await chooseRole(page, edit, 'CPA');
  await expect(edit.getByText('Untick those that are not theirs.')).toHaveCount(0);
  await edit.getByRole('checkbox', { name: 'All clients, also later ones' }).uncheck();
  const list = checklist(edit, 'Client Access');
  await list.getByRole('button', { name: 'Clear All clients' }).click();
  await list.getByPlaceholder('Search clients...').fill('Later Company');
  await list.getByRole('button', { name: /^Select all \d+ clients? found$/ }).click();
  await list.getByPlaceholder('Search clients...').fill('');
  await edit.getByRole('button', { name: 'Update User' }).click();
  await readToast(page, 'status', ['User updated successfully']);
  const [changed] = await api.get<UserFacts[]>(`/api/users?q=${username}`);
  expect(changed?.allClients).toBe(false);
  expect(changed?.clientIds).toContain(later.id);
  expect(changed?.clientIds).not.toContain(made?.clientIds[0]);

  await test.step('who has all of them keeps them with a role that has come to see everything', async () => {
    const role = await api.post<Named>('/api/roles', { name: `Partner ${cpa.id}` });
    const partner = { username: `partner.${cpa.id}`, fullName: 'Ines Holm', roleId: role.id, password: PASSWORD };
    await api.post('/api/users', { ...partner, allClients: true });
    await api.put('/api/permissions', { roleId: role.id, capabilities: [], reach: 'all' });
    await page.goto(`/users?q=${partner.username}`);
    await page.getByRole('button', { name: 'Edit Ines Holm' }).click();
    await expect(edit.getByRole('checkbox', { name: 'All clients, also later ones' })).toBeChecked();
    await edit.getByLabel('Email').fill('ines@example.com');
    await edit.getByRole('button', { name: 'Update User' }).click();
    await readToast(page, 'status', ['User updated successfully']);
    const [kept] = await api.get<UserFacts[]>(`/api/users?q=${partner.username}`);
    expect(kept).toMatchObject({ email: 'ines@example.com', allClients: true });
  });
});

test('all of a list are ticked at once, and all that a search finds', { tag: '@full' }, async ({ signIn, server }) => {
  const { api, clients: own } = await seedFirm(server.origin, { reports: 0 });
  const everyClient = await api.get<Named[]>('/api/clients');
  const page = await signIn(ADMIN, { at: '/users' });
  const dialog = await openNewUser(page);
  const clients = checklist(dialog, 'Client Access');
  await clients.getByPlaceholder('Search clients...').fill(own[0].name);
  await clients.getByRole('button', { name: 'Select all 1 client found' }).click();
  await expect(clients.getByText('Selected: 1 clients', { exact: true })).toBeVisible();
  await clients.getByPlaceholder('Search clients...').fill('');
  // With the selected ones alone in sight, nothing that is out of sight is ticked.
  await clients.getByRole('button', { name: 'Show selected clients' }).click();
  await clients.getByRole('checkbox', { name: own[0].name }).uncheck();
  await clients.getByRole('button', { name: 'Select all 1 client shown' }).click();
  await expect(clients.getByText('Selected: 1 clients', { exact: true })).toBeVisible();
  await clients.getByRole('button', { name: 'Show selected clients' }).click();
  await clients.getByRole('button', { name: 'Select all clients' }).click();
  await expect(clients.getByText(`Selected: ${everyClient.length} clients`, { exact: true })).toBeVisible();
  await expect(clients.getByRole('button', { name: 'Select all clients' })).toBeDisabled();
  // A Client user is given no later ones.
  await chooseRole(page, dialog, 'Client');
  await expect(dialog.getByRole('checkbox', { name: 'All clients, also later ones' })).toHaveCount(0);

  await test.step('who exists has what is ticked first, and stays in place when it is unticked', async () => {
    const last =
      everyClient
        .map(({ name }) => name)
        .sort()
        .at(-1) ?? '';
    const lastId = everyClient.find(({ name }) => name === last)?.id;
    const roleId = (await api.get<Named[]>('/api/roles')).find(({ name }) => name === 'CPA')?.id;
    const username = `last.ticked.${lastId}`;
    await api.post('/api/users', {
      username,
      fullName: 'Ticked Last',
      roleId,
      password: PASSWORD,
      clientIds: [lastId],
    });
    await page.goto(`/users?q=${username}`);
    await page.getByRole('button', { name: 'Edit Ticked Last' }).click();
    const boxes = checklist(page.getByRole('dialog', { name: 'Edit User' }), 'Client Access').getByRole('checkbox');
    await expect(boxes.first()).toBeChecked();
    await expect(boxes.first()).toHaveAccessibleName(last);
    await boxes.first().uncheck();
    await expect(boxes.first()).toHaveAccessibleName(last);
    await page.keyboard.press('Escape');
    await page.goto('/users?q=admin');
    await expect(page.getByRole('row').filter({ hasText: 'Admin' }).last()).toContainText('All clients');
  });
});

test('who got a password from somebody else chooses one of their own before anything else', async ({
  signIn,
  server,
}) => {
  const { api, cpa, clients } = await seedFirm(server.origin, { reports: 0 });
  const roleId = (await api.get<Named[]>('/api/roles')).find(({ name }) => name === 'CPA')?.id;
  const person = { username: `first.${cpa.id}`, password: PASSWORD };
  await api.post('/api/users', {
    ...person,
    fullName: 'Lena Frost',
    roleId,
    clientIds: [clients[0].id],
    mustChangePassword: true,
  });
  const page = await signIn(person, { at: '/clients', failures: [403, 400] });
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await expect(page.getByText('At least 6 characters.')).toBeVisible();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const change = async (current: string, next: string) => {
    await field('Current password').fill(current);
    await field('New password').fill(next);
    await field('Repeat new password').fill(next);
    await page.getByRole('button', { name: 'Change Password' }).click();
  };
  await change(PASSWORD, PASSWORD);
  await expect(field('New password')).toHaveAccessibleDescription(
    'Please choose another password than the current one',
  );
  await change(PASSWORD, 'one of my own');
  await expect(page.getByRole('heading', { name: 'Client Management' })).toBeVisible();
  await expect(page.getByRole('cell', { name: clients[0].name })).toBeVisible();

  await test.step('in an open session, at the next call', async () => {
    const [user] = await api.get<(UserFacts & Named)[]>(`/api/users?q=${person.username}`);
    const { clientIds, reportTypeIds } = user as UserFacts;
    await api.put(`/api/users/${user?.id}`, {
      username: person.username,
      fullName: 'Lena Frost',
      roleId,
      clientIds,
      reportTypeIds,
      mustChangePassword: true,
    });
    await page.getByRole('searchbox', { name: 'Search clients' }).fill('anything');
    await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(/\/login/);
  });
  await apiAs(server.origin, { username: person.username, password: 'one of my own' });
});
