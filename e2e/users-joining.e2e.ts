// How somebody comes to a password: one that is made and copied, or an invitation by a link.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, type Locator } from '@playwright/test';
import type { UserRow } from '#contract/users.ts';
import { apiAs } from './api.ts';
import { axeFaultsOnTheWay } from './axe.ts';
import { PASSWORD, seedFirm } from './firm.ts';
import { stepInFull, test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { expectFocusIn } from './settle.ts';
import { holdCalls } from './stub.ts';
import { readToast } from './toast.ts';
import { checklist, chooseRole, row } from './users-page.ts';

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
    // Nothing was begun, and the password is nowhere else.
    const lost = adding.getByText('A password or link above was not copied, and cannot be shown again. Close anyway?');
    await page.keyboard.press('Escape');
    await expect(lost).toBeVisible();
    await adding.getByRole('button', { name: 'Go Back' }).click();
    await copy.click();
    await expect(adding.getByRole('status').filter({ hasText: 'Copied' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(adding).toBeHidden();
  });

  await page.getByRole('navigation').getByRole('link', { name: 'Roles', exact: true }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Search users' }).fill(cpa.username);
  // Until the list is narrowed, there are others of this name.
  const opener = row(page, cpa.username).getByRole('button', { name: `Edit ${cpa.fullName}` });
  await opener.click();
  const editing = page.getByRole('dialog', { name: 'Edit User' });
  await editing.getByRole('button', { name: 'Generate' }).click();
  await expect(editing.getByRole('button', { name: 'Update User' })).toBeEnabled();
  const answer = await holdCalls(page, new RegExp(`/api/users/${cpa.id}$`));
  await editing.getByRole('button', { name: 'Update User' }).click();
  await page.goBack();
  await expect(editing.getByText('This is still being saved. Please wait: what comes next is shown')).toBeVisible();
  await expect(editing.getByRole('button', { name: 'Discard' })).toHaveCount(0);
  await editing.getByRole('button', { name: 'Keep editing' }).click();
  answer();
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
    await expect(given).toHaveAccessibleDescription(
      /^For Nora .* alone: .* It works once, until \d.* It is not mailed to nora@example\.com: mail is not set up\.$/,
    );
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

  const kept = await test.step('where their session ended meanwhile, the way is made all the same', async () => {
    const tab = await signIn(firm.cpa, { at: link, failures: [401] });
    await expect(tab.getByText('You are signed in as')).toBeVisible();
    const authorization = `Bearer ${await tab.evaluate(() => localStorage.getItem('token'))}`;
    const before = await tab.context().storageState();
    await fetch(`${server.origin}/api/auth/logout`, { method: 'POST', headers: { authorization } });
    const loadedAnew = tab.waitForEvent('load');
    await tab.getByRole('button', { name: 'Sign Out and Go On' }).click();
    await loadedAnew;
    await expect(tab.getByRole('heading', { name: `Welcome, ${fullName}` })).toBeVisible();
    expect(await tab.evaluate(() => localStorage.getItem('user'))).toBeNull();
    return before;
  });

  const phone = await browser.newContext({
    baseURL: server.origin,
    viewport: { width: 390, height: 844 },
    storageState: kept,
  });
  const own = await phone.newPage();
  await test.step('the person joins on a phone where somebody else was signed in, from one of two tabs', async () => {
    await own.goto(link);
    await expect(own.getByRole('heading', { name: `Welcome, ${fullName}` })).toBeVisible();
    const twin = await phone.newPage();
    await twin.goto(link);
    await expect(twin.getByRole('heading', { name: `Welcome, ${fullName}` })).toBeVisible();
    await expect(own.getByText(username, { exact: true })).toBeVisible();
    await expect(own.getByText('At least 6 characters.')).toBeVisible();
    expect(await axeFaultsOnTheWay(own)).toEqual([]);
    for (const label of ['New password', 'Repeat new password']) {
      const field = own.getByLabel(label, { exact: true });
      // Shown, it is text to a phone, which would begin it with a capital and correct it.
      await expect(field).toHaveAttribute('autocapitalize', 'none');
      await expect(field).toHaveAttribute('autocorrect', 'off');
      await expect(field).toHaveAttribute('spellcheck', 'false');
    }
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
    await expect(twin.getByText(`You are signed in as ${fullName}. This invitation link is not valid.`)).toBeVisible();
    await expect(twin.getByRole('button', { name: 'Sign Out and Go On' })).toHaveCount(0);
    await twin.close();
    await apiAs(server.origin, { username, password: PASSWORD });
  });

  await test.step('the Admin sees it, and the link is worth nothing any more', async () => {
    await page.reload();
    await expect(row(page, username)).toBeVisible();
    await expect(row(page, username)).not.toContainText('Invit');
    await page.goto('/activity');
    await expect(page.getByText(`Joined as user: ${username}`)).toBeVisible();
    // Who comes back by the link is not asked to sign out for it.
    await own.goto(link);
    await expect(own.getByText(`You are signed in as ${fullName}. This invitation link is not valid.`)).toBeVisible();
    await expect(own.getByRole('button', { name: 'Sign Out and Go On' })).toHaveCount(0);
    await own.getByRole('link', { name: 'Go to the Portal' }).click();
    await expect(own.getByRole('heading', { name: /Dashboard/ }).first()).toBeVisible();
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
    await expectFocusIn(editing);
    await page.keyboard.press('Escape');
    await expect(row(page, username)).toContainText('Invitation withdrawn');
    await own.goto('/login');
    await own.goto(again);
    await expect(own.getByText(/^This invitation link is not valid/)).toBeVisible();
  });
  await phone.close();
});

test('who has not joined in time is found by state, and invited anew alone or with others', async ({
  signIn,
  server,
}) => {
  const { api, clients } = await seedFirm(server.origin, { reports: 0 });
  const { id: tag } = clients[0];
  const roles = await api.get<{ id: number; name: string }[]>('/api/roles');
  const guest = async (first: string) => {
    const username = `${first.toLowerCase()}.lateson.${tag}`;
    const fullName = `${first} Lateson ${tag}`;
    const roleId = roles.find(({ name }) => name === 'Client')?.id;
    const invitation = randomBytes(32).toString('base64url');
    await api.post('/api/users', { username, fullName, roleId, password: null, invitation });
    return { username, fullName };
  };
  const [lena, otto] = [await guest('Lena'), await guest('Otto')];
  const page = await signIn(ADMIN);
  // Nobody waits for 72 hours here: the list tells it of those who are invited.
  let isOver = true;
  let isCut = false;
  await page.route(/\/api\/users\?/, async (route) => {
    if (!isOver) return route.fallback();
    const response = await route.fetch({ url: route.request().url().replace('state=expired', 'state=invited') });
    const rows = (await response.json()) as UserRow[];
    const over = rows.map((row) => ({
      ...row,
      invitation: row.invitation && { ...row.invitation, until: '2020-01-01T12:00:00.000Z' },
    }));
    // One row is as good as a full page: the total says that there are more.
    const isPage = new URL(route.request().url()).searchParams.has('limit');
    await route.fulfill({ response, json: isCut && isPage ? over.slice(0, 1) : over });
  });
  await page.goto('/users?q=Lateson');
  const state = page.getByLabel('State', { exact: true });
  await expect(row(page, lena.username)).toContainText('Invitation expired');
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await state.selectOption('Invitation expired');
  await expect(page).toHaveURL(/state=expired/);

  await test.step('one of them: the link is shown once', async () => {
    await page.getByRole('button', { name: `Invite anew: ${lena.fullName}` }).click();
    const dialog = page.getByRole('dialog', { name: `Invite ${lena.fullName} anew` });
    await expect(dialog).toContainText('A new link, good once and for 72 hours, takes the place of the one before.');
    await dialog.getByRole('button', { name: 'Invite Anew' }).click();
    await readToast(page, 'status', ['1 user invited anew']);
    const given = dialog.getByLabel(`Invitation link of ${lena.fullName} (${lena.username})`);
    await expect(given).toHaveValue(/\/invitation#[\w-]{43}$/);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('those who are ticked: the links are a file', async () => {
    for (const { fullName } of [lena, otto]) await page.getByRole('checkbox', { name: `Select ${fullName}` }).check();
    const bar = page.getByRole('region', { name: 'Selected users' });
    await expect(bar.getByRole('status')).toHaveText('2 selected');
    await bar.getByRole('button', { name: 'Invite Anew' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite 2 users anew' });
    await dialog.getByRole('button', { name: 'Invite Anew' }).click();
    await readToast(page, 'status', ['2 users invited anew']);
    await expect(dialog.getByText('2 users got an invitation link')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog.getByText('They were not downloaded, and cannot be shown again. Close anyway?')).toBeVisible();
    await dialog.getByRole('button', { name: 'Go Back' }).click();
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download Links' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).replace('\uFEFF', '').split('\r\n');
    expect(lines[0]).toBe('Full Name,Username,Email,Invitation Link,Valid Until');
    expect(lines.filter((line) => line.includes('/invitation#'))).toHaveLength(2);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(dialog).toBeHidden();
  });

  await stepInFull('all that match, those of other pages too', async () => {
    isCut = true;
    await page.reload();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    const bar = page.getByRole('region', { name: 'Selected users' });
    await bar.getByRole('button', { name: 'Select all 2 that match' }).click();
    await expect(bar.getByRole('status')).toHaveText('all 2 selected');
    await bar.getByRole('button', { name: 'Invite Anew' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite 2 users anew' });
    await dialog.getByRole('button', { name: 'Invite Anew' }).click();
    await expect(dialog.getByText('2 users got an invitation link')).toBeVisible();
    await dialog.getByRole('button', { name: 'Download Links' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(dialog).toBeHidden();
  });

  isOver = false;
  await page.reload();
  await expect(page.getByText('No users match your search and filters.')).toBeVisible();
  await state.selectOption('All States');
  await expect(row(page, otto.username)).toContainText(/Invited until \d/);
});
