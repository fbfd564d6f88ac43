// The access lists in the dialog of a user: long ones, those that cannot be loaded, and clients in the trash.
import { expect } from '@playwright/test';
import { apiAs } from './api.ts';
import { PASSWORD, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { answerList, holdCalls } from './stub.ts';
import { readToast } from './toast.ts';
import { addPerson, checklist, row } from './users-page.ts';

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
    await expect(dialog.getByRole('combobox', { name: 'Same access as...' })).toBeDisabled();
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
  // A busy machine takes its time for 2,000 boxes.
  await expect(clients.getByText('Orchard 1999')).toBeAttached({ timeout: 60_000 });
  await expect(checklist(dialog, 'Report Type Access').getByText('No report types available')).toBeVisible();
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

test('who manages users and report types by lists is offered the types of the own list alone', {
  tag: '@full',
}, async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 0 });
  const [own, other] = firm.reportTypes;
  const api = await apiAs(server.origin, ADMIN);
  const role = await api.post<{ id: number }>('/api/roles', { name: `Office ${own.id}` });
  await api.put('/api/permissions', { roleId: role.id, capabilities: ['users.manage', 'report-types.manage'] });
  const manager = { username: `office.${own.id}`, password: PASSWORD };
  await api.post('/api/users', {
    ...manager,
    fullName: 'Olga Office',
    roleId: role.id,
    clientIds: [firm.clients[0].id],
    reportTypeIds: [own.id],
  });
  const page = await signIn(manager, { at: '/users' });
  await page.getByRole('button', { name: 'Add User' }).click();
  const types = checklist(page.getByRole('dialog', { name: 'Add New User' }), 'Report Type Access');
  await expect(types.getByRole('checkbox', { name: own.name })).toBeVisible();
  await expect(types.getByRole('checkbox', { name: other.name })).toHaveCount(0);
  await page.goto('/report-types');
  await expect(page.getByText('One that you add is in nobody’s list yet')).toBeVisible();
});
