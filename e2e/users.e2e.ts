// User Management: its table in every state, the dialog with both checklists, deletion, and who may do what.
import { expect, type Locator, type Page } from '@playwright/test';
import { type ApiCaller, apiAs } from './api.ts';
import { axeFaultsOnTheWay } from './axe.ts';
import { type Named, seedFirm } from './firm.ts';
import { stepInFull, test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { answerList, failCalls, failThenRetry, holdCalls, listenForCalls } from './stub.ts';
import { readError, readToast } from './toast.ts';

const LIST = /\/api\/users\?/;
const PASSWORD = 'browser test';

const table = (page: Page) => page.getByRole('table', { name: 'Users' });
const row = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name });

async function roleId(api: ApiCaller, name: string): Promise<number | undefined> {
  return (await api.get<Named[]>('/api/roles')).find((role) => role.name === name)?.id;
}

async function addPerson(api: ApiCaller, username: string, fullName: string, role = 'CPA') {
  const body = { username, password: PASSWORD, fullName, clientIds: null, reportTypeIds: null };
  return api.post<{ id: number }>('/api/users', { ...body, roleId: await roleId(api, role) });
}

const clientFacts = {
  address: '4 Orchard Lane, Dayton, OH 45402',
  phone: '(937)-555-0117',
  federalId: '08-1112223',
  stateId: 'OH-11',
  email: 'books@example.com',
  employeeCount: 3,
  startDate: '2025-01-31',
};

/** The visible height and the full height, in pixels, of what the focused element scrolls in. */
const SCROLLER_HEIGHTS = `(() => {
  let box = document.activeElement;
  while (getComputedStyle(box).overflowY !== 'auto') box = box.parentElement;
  return [box.clientHeight, box.scrollHeight];
})()`;

const checklist = (dialog: Locator, label: string) => dialog.getByRole('group', { name: label });

async function chooseRole(page: Page, dialog: Locator, name: string): Promise<void> {
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name, exact: true }).click();
}

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
  const page = await signIn(ADMIN, { at: `/users?q=thea.${first.id}`, failures: [409] });
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

test('a password is made and copied, also where the browser forbids it, and is there until the dialog is closed', {
  tag: '@full',
}, async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 0 });
  const { cpa } = firm;
  const [first] = firm.clients;
  const page = await signIn(ADMIN, { at: `/users?q=${first.name.slice(-6)}`, fresh: true });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
  await page.getByRole('button', { name: 'Add User' }).click();
  const adding = page.getByRole('dialog', { name: 'Add New User' });
  const field = (label: string) => adding.getByLabel(label, { exact: true });
  const generate = adding.getByRole('button', { name: 'Generate' });
  const copy = adding.getByRole('button', { name: 'Copy' });

  await test.step('made, shown, copied', async () => {
    await expect(copy).toHaveCount(0);
    await generate.click();
    await expect(field('Password')).toHaveValue(/^[a-zA-Z2-9]{16}$/);
    await expect(field('Password')).toHaveAttribute('type', 'text');
    await copy.click();
    await expect(adding.getByRole('status').filter({ hasText: 'Copied' })).toBeVisible();
    expect(await copied()).toBe(await field('Password').inputValue());
    // Typed over, it is a password like any other.
    await field('Password').fill('typed by hand');
    await expect(copy).toHaveCount(0);
  });

  await test.step('one after the other: who is next has the role and the lists, and no password is lost', async () => {
    await field('Username').fill(`next.${first.id}`);
    await generate.click();
    const password = await field('Password').inputValue();
    await field('Full Name').fill('Thea Next');
    await chooseRole(page, adding, 'Client');
    await checklist(adding, 'Client Access').getByRole('checkbox', { name: first.name }).check();
    await adding.getByRole('button', { name: 'Save and add another' }).click();
    await readToast(page, 'status', ['User created successfully']);
    await expect(field('Username')).toBeFocused();
    for (const label of ['Username', 'Password', 'Full Name']) await expect(field(label)).toHaveValue('');
    await expect(adding.getByRole('combobox', { name: 'Role' })).toHaveValue('Client');
    await expect(checklist(adding, 'Client Access').getByRole('checkbox', { name: first.name })).toBeChecked();
    await expect(adding.getByLabel(`Password of Thea Next (next.${first.id})`)).toHaveValue(password);
    await apiAs(server.origin, { username: `next.${first.id}`, password });
    // Nothing was begun: nothing is asked.
    await page.keyboard.press('Escape');
    await expect(adding).toBeHidden();
  });

  const opener = page.getByRole('button', { name: `Edit ${cpa.fullName}` });
  await opener.click();
  const editing = page.getByRole('dialog', { name: 'Edit User' });
  await editing.getByRole('button', { name: 'Generate' }).click();
  await editing.getByRole('button', { name: 'Update User' }).click();
  await readToast(page, 'status', ['User updated successfully']);
  const given = editing.getByLabel(`Password of ${cpa.fullName} (${cpa.username})`);
  const password = await given.inputValue();
  await expect(editing.getByRole('button', { name: 'Copy' })).toBeFocused();
  await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await page.keyboard.press('Enter');
  await expect(editing.getByText('The text is selected: please copy it yourself.')).toBeVisible();
  await expect(given).toBeFocused();
  expect(await page.evaluate('getSelection().toString()')).toBe(password);
  await editing.getByRole('button', { name: 'Done' }).click();
  await expect(editing).toBeHidden();
  await apiAs(server.origin, { username: cpa.username, password });
  expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(password);
  await opener.click();
  await expect(editing.getByLabel('Full Name')).toHaveValue(cpa.fullName);
  await expect(editing.getByLabel(/^Password of/)).toHaveCount(0);
});

test('G60: somebody is invited by a copied link and joins on a phone; whoever is signed in is told so first', async ({
  signIn,
  server,
  browser,
}) => {
  const firm = await seedFirm(server.origin, { reports: 0 });
  const [first] = firm.clients;
  const username = `nora.${first.id}`;
  const fullName = `Nora Vale ${first.id}`;
  const page = await signIn(ADMIN, { at: `/users?q=${username}`, fresh: true });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Add User' }).click();
  const adding = page.getByRole('dialog', { name: 'Add New User' });
  const field = (label: string) => adding.getByLabel(label, { exact: true });
  const invite = (dialog: Locator) => dialog.getByRole('checkbox', { name: /^Invite/ });

  const link = await test.step('the link is shown once, and copied', async () => {
    await invite(adding).check();
    await expect(field('Password')).toBeDisabled();
    await expect(adding.getByLabel(/^Must change/)).toHaveCount(0);
    await field('Username').fill(username);
    await field('Full Name').fill(fullName);
    await field('Email').fill('nora@');
    await chooseRole(page, adding, 'Client');
    await checklist(adding, 'Client Access').getByRole('checkbox', { name: first.name }).check();
    await adding.getByRole('button', { name: 'Create User' }).click();
    await expect(field('Email')).toHaveAccessibleDescription('Invalid email address');
    await field('Email').fill('nora@example.com');
    await adding.getByRole('button', { name: 'Create User' }).click();
    await readToast(page, 'status', ['User created successfully']);
    const given = adding.getByLabel(`Invitation link of ${fullName} (${username})`);
    await expect(given).toHaveAccessibleDescription(/^For Nora .* alone: .* It works once, until \d/);
    await adding.getByRole('button', { name: 'Copy' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await given.inputValue());
    expect(await axeFaultsOnTheWay(page)).toEqual([]);
    const copied = await given.inputValue();
    await adding.getByRole('button', { name: 'Done' }).click();
    await expect(row(page, username)).toContainText(/Invited until \d/);
    return copied;
  });

  await test.step('opened where somebody is signed in, it says so and stays as it is', async () => {
    const tab = await page.context().newPage();
    await tab.goto(link);
    await expect(tab.getByText('You are signed in as')).toBeVisible();
    await tab.getByRole('link', { name: 'Stay Signed In' }).click();
    await expect(tab.getByRole('heading', { name: /^Welcome, / })).toBeVisible();
    await tab.close();
  });

  const phone = await browser.newContext({ baseURL: server.origin, viewport: { width: 390, height: 844 } });
  const own = await phone.newPage();
  await test.step('the person joins on a phone', async () => {
    await own.goto(link);
    await expect(own.getByRole('heading', { name: `Welcome, ${fullName}` })).toBeVisible();
    await expect(own.getByText(username, { exact: true })).toBeVisible();
    expect(await axeFaultsOnTheWay(own)).toEqual([]);
    await own.getByLabel('New password', { exact: true }).fill('short');
    await own.getByLabel('Repeat new password').fill('shore');
    await own.getByRole('button', { name: 'Join' }).click();
    await expect(own.getByLabel('Repeat new password')).toHaveAccessibleDescription('The passwords do not match');
    await own.getByLabel('Repeat new password').fill('short');
    await own.getByRole('button', { name: 'Join' }).click();
    await expect(own.getByLabel('New password', { exact: true })).toHaveAccessibleDescription(
      'Password must be at least 6 characters',
    );
    await own.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await own.getByLabel('Repeat new password').fill(PASSWORD);
    await own.getByRole('button', { name: 'Join' }).click();
    await expect(own).toHaveURL(`${server.origin}/`);
    await expect(own.getByRole('heading', { name: /Dashboard/ }).first()).toBeVisible();
    await apiAs(server.origin, { username, password: PASSWORD });
  });

  await test.step('the Admin sees it, and the link is worth nothing any more', async () => {
    await page.reload();
    await expect(row(page, username)).toBeVisible();
    await expect(row(page, username)).not.toContainText('Invit');
    await page.goto('/activity');
    await expect(page.getByText(`Joined as user: ${username}`)).toBeVisible();
    await own.evaluate('localStorage.clear()');
    await own.goto('/login');
    await own.goto(link);
    await expect(own.getByText(/^This invitation link is not valid/)).toBeVisible();
  });

  await stepInFull('a new link is made, withdrawn, and one that has expired says whom to ask', async () => {
    await page.goto(`/users?q=${username}`);
    await page.getByRole('button', { name: `Edit ${fullName}` }).click();
    const editing = page.getByRole('dialog', { name: 'Edit User' });
    await invite(editing).check();
    await editing.getByRole('button', { name: 'Update User' }).click();
    const again = await editing.getByLabel(`Invitation link of ${fullName} (${username})`).inputValue();
    await editing.getByRole('button', { name: 'Done' }).click();
    await own.route('**/api/auth/invitation', (route) =>
      route.fulfill({
        status: 410,
        json: { code: 'invitation_expired', message: 'This invitation has expired.', requestId: 'r' },
      }),
    );
    await own.goto('/login');
    await own.goto(again);
    await expect(own.getByText('This invitation has expired.')).toBeVisible();
    await expect(own.getByRole('main').getByRole('link', { name: /@/ })).toHaveAttribute('href', /^mailto:/);
    await own.unroute('**/api/auth/invitation');
    await page.getByRole('button', { name: `Edit ${fullName}` }).click();
    await editing.getByRole('button', { name: 'Withdraw Invitation' }).click();
    await expect(editing.getByText('Nobody can sign in as this user.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(row(page, username)).toContainText('Invitation withdrawn');
    await own.goto('/login');
    await own.goto(again);
    await expect(own.getByText(/^This invitation link is not valid/)).toBeVisible();
  });
  await phone.close();
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
  await field('Password').fill('short');
  await dialog.getByRole('button', { name: 'Update User' }).click();
  await expect(field('Password')).toHaveAccessibleDescription(/Password must be at least 6 characters/);
  await field('Password').fill('');
  await page.route(`**/api/users/${cpa.id}`, (route) =>
    route.fulfill({
      status: 400,
      json: { message: 'No such list', code: 'invalid', requestId: 'x', fields: { 'clientIds.0': 'No such client' } },
    }),
  );
  await dialog.getByRole('button', { name: 'Update User' }).click();
  await expect(clients.getByText('No such client')).toBeVisible();
  await expect(clients.getByPlaceholder('Search clients...')).toBeFocused();
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

test('an edit names the client of the list that is in the trash, and a save keeps it out', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const firm = await seedFirm(server.origin, { reports: 0 });
  const { cpa } = firm;
  const [first] = firm.clients;
  const api = await apiAs(server.origin, ADMIN);
  await api.delete(`/api/clients/${first.id}`);
  const page = await signIn(ADMIN, { at: `/users?q=${cpa.username}` });
  const opener = page.getByRole('button', { name: `Edit ${cpa.fullName}` });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: 'Edit User' });
  await expect(dialog.getByText('1 client of this person is in the trash')).toHaveText(
    `1 client of this person is in the trash: ${first.name}. Restored, it comes back into the list, unless you save it before.`,
  );
  await dialog.getByLabel('Full Name').fill(`${cpa.fullName} Jr.`);
  await dialog.getByRole('button', { name: 'Update User' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: `Edit ${cpa.fullName} Jr.` }).click();
  await expect(dialog.getByRole('group', { name: 'Client Access' }).getByText('Selected: 1 clients')).toBeVisible();
  await expect(dialog.getByText('in the trash')).toBeHidden();
});

test('an edit opens with the newest access lists, and with the cached ones where they cannot be loaded', {
  tag: '@full',
}, async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 0 });
  const { cpa } = firm;
  const page = await signIn(ADMIN, { at: `/users?q=${cpa.username}`, failures: [500] });
  const opener = page.getByRole('button', { name: `Edit ${cpa.fullName}` });
  const dialog = page.getByRole('dialog', { name: 'Edit User' });
  const clients = checklist(dialog, 'Client Access');
  await expect(opener).toBeVisible();

  await test.step('while they load nothing can be ticked or saved', async () => {
    await page.route('**/client-access', (route) => route.fulfill({ json: [firm.stranger.id] }));
    const go = await holdCalls(page, /\/client-access$/);
    await opener.click();
    await expect(clients.getByRole('checkbox', { name: firm.clients[0].name })).toBeDisabled();
    await expect(dialog.getByRole('button', { name: 'Update User' })).toBeDisabled();
    go();
    await expect(clients.getByRole('checkbox', { name: firm.stranger.name })).toBeChecked();
    await expect(clients.getByText('Selected: 1 clients', { exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  await page.unrouteAll();
  await page.route(/\/(client|report)-access$/, (route) => route.fulfill({ status: 500, body: '' }));
  await opener.click();
  await expect(dialog.getByRole('status')).toContainText('The latest access lists could not be loaded.');
  await expect(dialog.getByLabel('Full Name')).toHaveValue(cpa.fullName);
  await expect(clients.getByText('Selected: 2 clients', { exact: true })).toBeVisible();
  await expect(clients.getByRole('checkbox', { name: firm.clients[0].name })).toBeChecked();
  await expect(checklist(dialog, 'Report Type Access').getByText('Selected: 2 report types')).toBeVisible();
  await dialog.getByLabel('Full Name').fill('Rosa Okafor-Lind');
  await dialog.getByRole('button', { name: 'Update User' }).click();
  await readToast(page, 'status', ['User updated successfully']);
  await expect(row(page, 'Rosa Okafor-Lind')).toContainText('2 client(s)');
});

test('checklists of 2,000 entries scroll within 10rem, are searched, and say when there is nothing to tick', {
  tag: '@full',
}, async ({ signIn, server }) => {
  const api = await apiAs(server.origin);
  const clientsNow = Array.from({ length: 2000 }, (_, nth) => ({
    ...clientFacts,
    phoneNumber: clientFacts.phone,
    id: nth + 1,
    name: nth === 7 ? `Gr${'e'.repeat(190)}nvale` : nth < 2 ? 'Twin Oaks' : `Orchard ${nth}`,
    federalId: `08-111${String(nth).padStart(4, '0')}`,
  }));
  await addPerson(api, 'checklist.reader', 'Checklist Reader');
  const page = await signIn(ADMIN, { viewport: { width: 360, height: 740 } });
  await answerList(page, /\/api\/clients\?sort=name$/, clientsNow);
  await answerList(page, /\/api\/report-types\?sort=name$/, []);
  await page.goto('/users');
  await page.getByRole('button', { name: 'Add User' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add New User' });
  const clients = checklist(dialog, 'Client Access');
  await expect(checklist(dialog, 'Report Type Access').getByText('No report types available')).toBeVisible();
  await expect(clients.getByText('Orchard 1999')).toBeAttached();
  await clients.getByPlaceholder('Search clients...').fill('orchard 19');
  await expect(clients.getByText('Orchard 42', { exact: true })).toHaveCount(0);
  await clients.getByPlaceholder('Search clients...').fill('');
  await expect(clients.getByText('Orchard 42', { exact: true })).toBeAttached();
  // Clients of one name are distinguishable.
  await expect(clients.getByText('Twin Oaks (08-1110001)', { exact: true })).toBeVisible();
  const long = clients.getByText(clientsNow[7]?.name ?? '', { exact: true });
  await long.scrollIntoViewIfNeeded();
  const [frame, name] = [await clients.boundingBox(), await long.boundingBox()];
  expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThanOrEqual((frame?.x ?? 0) + (frame?.width ?? 0));
  expect(name?.height).toBeGreaterThan(60);
  await long.click();
  const [inSight, all] = await page.evaluate<[number, number]>(SCROLLER_HEIGHTS);
  expect(inSight).toBe(160);
  expect(all).toBeGreaterThan(2000 * 20);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);

  await page.unrouteAll();
  await answerList(page, /\/api\/clients\?sort=name$/, []);
  await answerList(page, /\/api\/report-types\?sort=name$/, []);
  await page.reload();
  await page.getByRole('button', { name: 'Add User' }).click();
  await expect(clients.getByText('No clients available', { exact: true })).toBeVisible();
  // What was begun is asked about before it is left.
  await dialog.getByLabel('Full Name').fill('Thea Lindgren');
  await clients.getByRole('link', { name: 'Add a client' }).click();
  await expect(dialog.getByText('Discard unsaved changes?')).toBeVisible();
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(dialog.getByLabel('Full Name')).toHaveValue('Thea Lindgren');
  await expect(
    checklist(dialog, 'Report Type Access').getByRole('button', { name: 'Add the 17 usual report types' }),
  ).toBeVisible();
  await clients.getByRole('link', { name: 'Add a client' }).click();
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('dialog', { name: 'Add New Client' })).toBeVisible();
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
  const sentence = 'The last Admin cannot be deleted or given another role.';
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

test('an Admin looks at the portal as a Client has it, changes nothing, and the file stays new', async ({
  signIn,
  server,
}) => {
  const { clients, clientUser, reports } = await seedFirm(server.origin, { reports: 2 });
  const [older, newer] = reports;
  const page = await signIn(ADMIN, { at: '/users' });
  await page.getByRole('searchbox', { name: 'Search users' }).fill(clientUser.username);
  const person = row(page, clientUser.username);
  const begin = person.getByRole('button', { name: `See what this client sees: ${clientUser.fullName}` });
  await expect(begin).toHaveAccessibleDescription('Opens in a new tab');
  // At an Admin nobody looks.
  await page.getByRole('searchbox', { name: 'Search users' }).fill(ADMIN.username);
  await expect(row(page, ADMIN.username).getByRole('button', { name: /^Edit/ })).toBeVisible();
  await expect(row(page, ADMIN.username).getByRole('button', { name: /^See what/ })).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search users' }).fill(clientUser.username);
  const opening = page.context().waitForEvent('page');
  await begin.click();
  const look = await opening;
  const noise: string[] = [];
  look.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) noise.push(message.text());
  });
  const bar = look.getByRole('region', { name: 'Look' });
  const words = `You are looking as ${clientUser.fullName} (Client). Read only.`;

  await test.step('it shows what the client sees, and offers no change', async () => {
    await expect(bar).toContainText(words);
    await look.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reports', exact: true }).click();
    await expect(look.getByText('2 report(s) found')).toBeVisible();
    await expect(look.getByText(/Secret/)).toHaveCount(0);
    await expect(
      look
        .getByRole('row')
        .filter({ hasText: newer?.name ?? '' })
        .getByText('New', { exact: true }),
    ).toBeVisible();
    await look.getByRole('link', { name: 'Firm Documents' }).click();
    await expect(look.getByRole('heading', { name: 'Document Library' })).toBeVisible();
    await expect(look.getByRole('button', { name: 'Upload Document' })).toHaveCount(0);
    await look.getByRole('link', { name: 'Account Setting' }).click();
    await expect(look.getByText(/are no part of a look/)).toBeVisible();
    expect(await axeFaultsOnTheWay(look)).toEqual([]);
  });

  await test.step('a report is opened; a reload keeps the look, and the other tab its own session', async () => {
    await look.goto('/client-reports');
    await look.reload();
    await expect(bar).toContainText(words);
    const viewed = look.waitForResponse(/\/api\/files\/\d+\/view$/);
    await look.getByRole('link', { name: newer?.name ?? '' }).click();
    expect((await viewed).status()).toBe(200);
    await expect(bar).toContainText(words);
    await page.reload();
    await expect(page.getByText('Welcome, ')).not.toContainText(clientUser.fullName);
    await expect(page.getByRole('region', { name: 'Look' })).toHaveCount(0);
  });

  await test.step('it is ended, and says so where its tab stays open', async () => {
    await bar.getByRole('button', { name: 'End the look' }).click();
    await expect.poll(() => look.isClosed()).toBe(true);
    expect(noise).toEqual([]);
    await page.goto(`/clients/${clients[0].id}`);
    const again = page.context().waitForEvent('page');
    await page.getByRole('button', { name: `See what this client sees: ${clientUser.fullName}` }).click();
    const second = await again;
    await expect(second.getByRole('region', { name: 'Look' })).toContainText(words);
    // With the session that it was opened from.
    await page.getByRole('button', { name: 'Logout' }).first().click();
    await expect(page).toHaveURL(/\/login/);
    await second.reload();
    await expect(second.getByRole('heading', { name: 'This look has ended' })).toBeVisible();
    await expect(second.getByText(clientUser.fullName)).toHaveCount(0);
    await second.reload();
    await expect(second.getByRole('heading', { name: 'This look has ended' })).toBeVisible();
    await second.close();
  });

  await test.step('the log says whose look it was, and the report is still new for the client', async () => {
    const admin = await apiAs(server.origin);
    const log = await admin.get<{ details: string }[]>('/api/activity-logs?action=view&limit=20');
    const details = log.map((entry) => entry.details);
    expect(details).toContain(`Looked as ${clientUser.fullName} (Client)`);
    expect(details).toContain(`Viewed file: ${newer?.name}, looking as ${clientUser.fullName}`);
    const own = await apiAs(server.origin, clientUser);
    const files = await own.get<{ originalName: string; isNew: boolean }[]>('/api/files');
    expect(files.map(({ originalName, isNew }) => [originalName, isNew])).toEqual([
      [newer?.name, true],
      [older?.name, true],
    ]);
  });
});
