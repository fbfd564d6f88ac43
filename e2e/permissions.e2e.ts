// User Permissions: what each role may do and how that is changed, and who sees what; for an Admin and for others.
import { expect, type Page } from '@playwright/test';
import { apiAs } from './api.ts';
import { seedFirm } from './firm.ts';
import { stepInFull, test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { listenForCalls } from './stub.ts';

const matrix = (page: Page) => page.getByRole('region', { name: 'Role permissions' });

/** What the cell of a role says in a row: 'Yes', 'No', 'Everything', 'Access lists'. */
async function cellOf(page: Page, row: string, role: string): Promise<string> {
  const heads = await matrix(page).getByRole('columnheader').allInnerTexts();
  const place = heads.findIndex((text) => text.startsWith(role)) - 1;
  const cell = matrix(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: row }) });
  return (await cell.getByRole('cell').nth(place).textContent()) ?? '';
}

async function openMatrix(page: Page): Promise<void> {
  await page.goto('/permissions');
  await expect(page.getByRole('banner')).toContainText('User Permissions');
  await expect(matrix(page).getByRole('columnheader').nth(1)).toContainText(/Admin|CPA|Visitor/);
}

test('an Admin changes what a role may do, after reading what it would change', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin);
  const holder = (await firm.api.get<{ username: string; roleId: number; roleName: string }[]>('/api/users')).find(
    (user) => user.username === firm.outsider.username,
  );
  if (holder === undefined) throw new Error('The outsider has no role');
  const { roleId, roleName: role } = holder;
  const page = await signIn(ADMIN, { at: null, failures: [403, 412, 503] });
  await openMatrix(page);
  const dialog = page.getByRole('dialog', { name: `Permissions of ${role}` });
  const edit = page.getByRole('button', { name: `Edit ${role}` });
  const preview = dialog.getByRole('region', { name: 'What this changes' });
  const save = dialog.getByRole('button', { name: 'Save Permissions' });

  await test.step('the matrix shows how the roles differ', async () => {
    const heads = matrix(page).getByRole('columnheader');
    await expect(heads.nth(1)).toContainText('Admin');
    await expect(heads.nth(1)).toContainText('Fixed');
    await expect(heads.nth(2)).toContainText('CPA');
    await expect(heads.nth(3)).toContainText('Client');
    expect(await cellOf(page, 'Manage users', 'Admin')).toBe('Yes');
    expect(await cellOf(page, 'Upload reports', 'CPA')).toBe('Yes');
    expect(await cellOf(page, 'Upload reports', 'Client')).toBe('No');
    expect(await cellOf(page, 'Upload company documents', role)).toBe('No');
    expect(await cellOf(page, 'Sees', role)).toBe('Access lists');
    await expect(page.getByRole('button', { name: 'Edit Admin' })).toHaveCount(0);
  });

  await test.step('the preview follows what is chosen and says whom it affects', async () => {
    await edit.click();
    await expect(preview).toContainText('Nothing yet.');
    await expect(save).toBeDisabled();
    await dialog.getByRole('checkbox', { name: 'Upload company documents' }).check();
    await dialog.getByRole('checkbox', { name: 'Read all activity' }).check();
    await expect(preview).toContainText(
      `${role} (1 user) will be able to upload company documents and read everyone's activity.`,
    );
    await dialog.getByRole('radio', { name: 'Everything' }).check();
    await expect(preview).toContainText(`${role} (1 user) will see every client and report type.`);
    await dialog.getByRole('checkbox', { name: 'Upload company documents' }).uncheck();
    await dialog.getByRole('checkbox', { name: 'Read all activity' }).uncheck();
    await dialog.getByRole('radio', { name: 'Access lists' }).check();
    await expect(preview).toContainText('Nothing yet.');
    await expect(save).toBeDisabled();
  });

  await test.step('unsaved work is guarded', async () => {
    await dialog.getByRole('checkbox', { name: 'Upload company documents' }).check();
    await page.keyboard.press('Escape');
    await expect(dialog.getByText('Discard unsaved changes?')).toBeVisible();
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await expect(dialog.getByRole('checkbox', { name: 'Upload company documents' })).toBeChecked();
  });

  await test.step('a refusal is shown and nothing is lost', async () => {
    const refusal = 'You do not have permission to do this.';
    await page.route('**/api/permissions', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 403, json: { message: refusal, code: 'forbidden' } })
        : route.continue(),
    );
    await save.click();
    const words = dialog.getByRole('alert');
    await expect(words).toHaveText(`Failed to update permissions: ${refusal}`);
    // Nothing cuts it off, at the top of the form either.
    await dialog.getByRole('checkbox', { name: 'Upload company documents' }).scrollIntoViewIfNeeded();
    await expect(words).toBeInViewport({ ratio: 1 });
    await expect(dialog.getByRole('checkbox', { name: 'Upload company documents' })).toBeChecked();
    // It was said of what was sent: once something is changed it is over.
    const other = dialog.getByRole('checkbox', { name: 'Read all activity' });
    await other.check();
    await expect(words).toHaveCount(0);
    await other.uncheck();
    await save.click();
    await expect(words).toBeVisible();
    await page.unroute('**/api/permissions');
  });

  await test.step('it is saved, shown, and acts at once', async () => {
    const held = Promise.withResolvers<void>();
    await page.route('**/api/permissions', async (route) => {
      await held.promise;
      await route.continue();
    });
    await save.click();
    await expect(dialog.getByRole('button', { name: 'Saving...' })).toBeDisabled();
    held.resolve();
    await expect(page.getByText('Permissions updated successfully')).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(edit).toBeFocused();
    expect(await cellOf(page, 'Upload company documents', role)).toBe('Yes');
    const outsider = await apiAs(server.origin, firm.outsider);
    const { capabilities } = await outsider.get<{ capabilities: string[] }>('/api/auth/me');
    expect(capabilities).toEqual(['documents.upload']);
  });

  await test.step('removing it is shown as a loss', async () => {
    await edit.click();
    await dialog.getByRole('checkbox', { name: 'Upload company documents' }).uncheck();
    await expect(preview).toContainText(`${role} (1 user) will no longer be able to upload company documents.`);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(dialog).toBeHidden();
    expect(await cellOf(page, 'Upload company documents', role)).toBe('Yes');
  });

  await test.step('what somebody else has saved meanwhile is taken over, and is no change of one’s own', async () => {
    await edit.click();
    await dialog.getByRole('checkbox', { name: 'Read all activity' }).check();
    await firm.api.put('/api/permissions', { roleId, capabilities: ['clients.manage', 'documents.upload'] });
    await save.click();
    await dialog.getByRole('button', { name: 'Reload' }).click();
    const theirs = dialog.getByRole('checkbox', { name: 'Manage clients' });
    await expect(theirs).toBeChecked();
    await expect(preview).toContainText('Nothing yet.');
    await expect(save).toBeDisabled();
    await theirs.uncheck();
    await expect(preview).toContainText(`${role} (1 user) will no longer be able to manage clients.`);
    await save.click();
    await expect(dialog).toBeHidden();
    expect(await cellOf(page, 'Manage clients', role)).toBe('No');
  });

  await test.step('what a built-in role sees cannot be chosen', async () => {
    await page.getByRole('button', { name: 'Edit CPA' }).click();
    const builtIn = page.getByRole('dialog', { name: 'Permissions of CPA' });
    await expect(builtIn).toContainText('This is fixed for a built-in role.');
    await expect(builtIn.getByRole('radio')).toHaveCount(0);
    await builtIn.getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('it is renamed without a conflict with oneself, also where changes are not heard of', async () => {
    await page.route('**/api/events', (route) =>
      route.fulfill({ status: 503, json: { message: 'Busy', code: 'busy' } }),
    );
    await page.goto(`/roles?q=${encodeURIComponent(role)}`);
    await expect(edit).toBeVisible();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'User Permissions' }).click();
    // The list of roles, which stays until the other page is there, has a button of the same name.
    await expect(matrix(page)).toBeVisible();
    await edit.click();
    await dialog.getByRole('checkbox', { name: 'Upload company documents' }).uncheck();
    await save.click();
    await expect(dialog).toBeHidden();
    await page.goBack();
    await expect(matrix(page)).toHaveCount(0);
    await edit.click();
    const naming = page.getByRole('dialog', { name: 'Edit Role' });
    await naming.getByLabel('Role Name').fill(`${role} Anew`);
    await naming.getByRole('button', { name: 'Update Role' }).click();
    await expect(page.getByText('Role updated successfully')).toBeVisible();
  });
});

test('the matrix is awaited in its shape, and a failure offers another attempt', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn(ADMIN, { at: null, failures: [500] });
  const held = Promise.withResolvers<void>();
  let broken = true;
  await page.route('**/api/permissions', async (route) => {
    await held.promise;
    await (broken ? route.fulfill({ status: 500, json: { message: 'Try later' } }) : route.continue());
  });
  await page.goto('/permissions');
  await expect(matrix(page).getByRole('table')).toHaveAttribute('aria-busy', 'true');
  await expect(matrix(page).getByRole('rowheader', { name: 'Manage clients' })).toBeVisible();
  held.resolve();
  await expect(page.getByRole('alert')).toContainText('Try later');
  broken = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(matrix(page).getByRole('columnheader').nth(1)).toContainText('Admin');
});

test('an Admin asks what a user sees and who sees a client', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 0 });
  const [own, second] = firm.clients;
  const page = await signIn(ADMIN, { at: '/permissions', failures: [404, 500] });
  await page.getByRole('tab', { name: 'Who can see this?' }).click();
  await expect(page.getByText('Choose a user')).toBeVisible();

  await test.step('a user, found by name', async () => {
    const user = page.getByRole('combobox', { name: 'User' });
    await user.fill(firm.cpa.username);
    await page.getByRole('option', { name: `${firm.cpa.fullName} (${firm.cpa.username})` }).click();
    await expect(
      page.getByText(`${firm.cpa.fullName} sees 2 clients and 2 report types, because their access lists name them.`),
    ).toBeVisible();
    const clients = page.getByRole('list', { name: 'Clients' }).getByRole('listitem');
    await expect(clients).toHaveText([`${own.name}Access list`, `${second.name}Access list`]);
    await expect(page.getByRole('list', { name: 'Report types' }).getByRole('listitem')).toHaveCount(2);
    await page.reload();
    await expect(clients).toHaveCount(2);
    await expect(page.getByRole('link', { name: 'Access lists are changed on Users.' })).toHaveAttribute(
      'href',
      `/users?q=${encodeURIComponent(firm.cpa.username)}`,
    );
  });

  await test.step('a user who sees nothing', async () => {
    const asked = listenForCalls(page, /\/api\/users\?.*q=/);
    await page.goto(`/permissions?tab=who&user=${firm.outsider.username}`);
    await expect(page.getByText('No clients', { exact: true })).toBeVisible();
    await expect(page.getByText('No report types', { exact: true })).toBeVisible();
    await expect(
      page.getByText(`${firm.outsider.fullName} sees no client and no report type: their access lists name none.`),
    ).toBeVisible();
    // Of hundreds who match, the one who has exactly this name may be the last.
    expect(asked.map((call) => new URL(call.url()).searchParams.get('limit'))).toContain(null);
  });

  await test.step('a client: its people and why', async () => {
    await page.getByText('Who sees a client').click();
    await expect(page.getByText('Choose a client')).toBeVisible();
    await page.getByRole('combobox', { name: 'Client' }).fill(own.name);
    await page.getByRole('option', { name: own.name }).click();
    const people = page.getByRole('table', { name: 'People who see this client' });
    const row = (name: string) => people.getByRole('row').filter({ hasText: name });
    await expect(row(firm.cpa.username)).toContainText(/CPA\s*Access list/);
    await expect(row(firm.cpa.username)).toContainText(firm.reportTypes[0].name);
    await expect(row(firm.clientUser.username)).toContainText('Access list');
    await expect(row('Administrator')).toContainText(/Role sees everything\s*Every report type/);
    await expect(row(firm.outsider.username)).toHaveCount(0);
    // Other tests of this server may have added Admins, and people with all clients: the sentence agrees with the table.
    const all = (await people.getByRole('row').count()) - 1;
    const admins = await row('Role sees everything').count();
    await expect(
      page.getByText(
        new RegExp(
          `^${String(all)} people see this client: ${String(admins)} by their role, .*2 by their access list\\.$`,
        ),
      ),
    ).toBeVisible();
  });

  await stepInFull('a failure offers another attempt', async () => {
    let broken = true;
    await page.route('**/api/permissions/clients/*', (route) =>
      broken ? route.fulfill({ status: 500, json: { message: 'Try later' } }) : route.continue(),
    );
    await page.reload();
    await expect(page.getByRole('alert')).toContainText('Try later');
    broken = false;
    await page.getByRole('button', { name: 'Retry' }).click();
    // As many as above, and those other tests of this server have added meanwhile.
    await expect(page.getByText(/^\d+ people see this client: /)).toBeVisible();
    await page.unroute('**/api/permissions/clients/*');
  });

  await stepInFull('two thousand people are paged and searched here', async () => {
    const users = Array.from({ length: 2000 }, (_, nth) => ({
      id: nth + 1,
      username: `person.${nth + 1}`,
      fullName: `Person ${String(nth + 1).padStart(4, '0')}`,
      roleName: nth === 1998 ? 'Reviewer' : 'Client',
      why: 'access-list',
      reportTypes: ['W-2', 'Form 940', 'Form 941', 'Payroll Journal', 'State Quarterly'],
    }));
    await page.route('**/api/permissions/clients/*', (route) => route.fulfill({ json: { users } }));
    await page.reload();
    await expect(page.getByText('1-25 of 2,000')).toBeVisible();
    // Words in any order, without accents, as everywhere.
    await page.getByRole('searchbox', { name: 'Search people' }).fill('1999 réviewer');
    await expect(page.getByText('1-1 of 1')).toBeVisible();
    const more = page.getByRole('button', { name: '2 more report types of Person 1999' });
    await expect(page.getByText('State Quarterly')).toHaveCount(0);
    await more.click();
    await expect(page.getByText('State Quarterly')).toBeVisible();
    await page.getByRole('searchbox', { name: 'Search people' }).fill('nobody at all');
    await expect(page.getByText('Nobody matches your search')).toBeVisible();
    await page.getByRole('button', { name: 'Show All' }).click();
    await expect(page.getByRole('searchbox', { name: 'Search people' })).toBeFocused();
    await expect(page.getByText('1-25 of 2,000')).toBeVisible();
  });

  await stepInFull('two thousand clients of a user are searched here', async () => {
    const entry = (nth: number) => ({ id: nth, name: `Client ${String(nth).padStart(4, '0')}`, why: 'access-list' });
    const clients = Array.from({ length: 2000 }, (_, nth) => entry(nth + 1));
    await page.route('**/api/permissions/users/*', (route) =>
      route.fulfill({ json: { reach: 'lists', clients, reportTypes: [] } }),
    );
    await page.goto(`/permissions?tab=who&user=${firm.cpa.username}`);
    const list = page.getByRole('list', { name: 'Clients' }).getByRole('listitem');
    await expect(list).toHaveCount(2000);
    await page.getByRole('searchbox', { name: 'Search clients' }).fill('1742 clíent');
    await expect(list).toHaveText(['Client 1742Access list']);
    await page.getByRole('searchbox', { name: 'Search clients' }).fill('nowhere');
    await expect(page.getByText('Nothing matches your search')).toBeVisible();
  });
});

test('a user without rights to manage reads their own role and reach', { tag: '@full' }, async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 0 });
  const page = await signIn(firm.cpa, { failures: [403] });
  await expect(page.getByRole('navigation').getByRole('link', { name: 'User Permissions' })).toHaveCount(0);
  await openMatrix(page);
  await expect(page.getByText('You can read this. Whoever manages roles can change it.')).toBeVisible();
  await expect(matrix(page).getByRole('columnheader')).toHaveCount(2);
  await expect(matrix(page).getByRole('button')).toHaveCount(0);
  await page.getByRole('tab', { name: 'Who can see this?' }).click();
  await expect(page.getByText('You see 2 clients and 2 report types')).toBeVisible();
  await expect(page.getByRole('combobox')).toHaveCount(0);

  const { id } = firm.clientUser;
  const api = await apiAs(server.origin, firm.cpa);
  await expect(api.get(`/api/permissions/users/${id}`)).rejects.toThrow('404');
  await expect(api.get(`/api/permissions/clients/${firm.clients[0].id}`)).rejects.toThrow('403');
});
