// Company Details: one of several for a CPA, their own for everyone else.
import { expect, type Page } from '@playwright/test';
import { seedFirm } from './firm.ts';
import { stepInFull, test } from './fixtures.ts';
import { watchLayoutShifts } from './layout-shift.ts';
import { ADMIN } from './server.ts';
import { failCalls, holdCalls } from './stub.ts';

const ONE_CLIENT = /\/api\/clients\/\d+$/;
const NO_ACCESS = "You don't have access to any client details. Please contact your administrator.";

const selector = (page: Page) => page.getByRole('combobox', { name: 'Select Client' });

/** The facts as shown, names with values. */
async function expectFacts(page: Page, facts: Readonly<Record<string, string>>): Promise<void> {
  await expect(page.getByRole('term')).toHaveText(Object.keys(facts));
  await expect(page.getByRole('definition')).toHaveText(Object.values(facts));
}

const factsOf = (name: string, nth: number) => ({
  'Company Name': name,
  Address: `${nth} Orchard Lane, Dayton, OH 45402`,
  'Phone Number': `(937)-555-011${nth}`,
  'Federal ID': `08-111222${nth}`,
  'State ID': `OH-${nth}1`,
  'No. of Employees': String(nth * 4),
  'Start Date': '01/31/2025',
});

test('a CPA chooses among the clients in reach', async ({ signIn, server }) => {
  const { cpa, clients, stranger } = await seedFirm(server.origin);
  const page = await signIn(cpa, { at: '/firm-details', failures: [404, 500] });
  const [first, second] = clients;

  await stepInFull('loading, and nothing moves when the details arrive', async () => {
    const shifts = await watchLayoutShifts(page);
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(viewport);
      const release = await holdCalls(page, /\/api\/clients/);
      await page.goto('/firm-details');
      await expect(page.getByRole('heading', { name: 'Company Details', exact: true })).toBeVisible();
      await expect(page.getByRole('status', { name: 'Loading company details...' })).toBeVisible();
      release();
      await expectFacts(page, factsOf(first.name, 1));
      expect(await shifts()).toEqual([]);
    }
  });

  await test.step('the first is chosen, another can be, and the address keeps it', async () => {
    await expect(selector(page)).toHaveValue(first.name);
    await selector(page).click();
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText([first.name, second.name]);
    await page.getByRole('option', { name: second.name }).click();
    await expectFacts(page, factsOf(second.name, 2));
    await expect(page).toHaveURL(`/firm-details?client=${second.id}`);
    await page.reload();
    await expect(selector(page)).toHaveValue(second.name);
    await expectFacts(page, factsOf(second.name, 2));
    await page.goBack();
    await expectFacts(page, factsOf(first.name, 1));
  });

  await test.step('a client out of reach is no choice', async () => {
    await page.goto(`/firm-details?client=${stranger.id}`);
    await expectFacts(page, factsOf(first.name, 1));
    await expect(page.getByRole('button', { name: 'Choose client' })).toBeVisible();
    await expect(page.getByText(stranger.name)).toHaveCount(0);
  });

  await stepInFull('failing, and deleted meanwhile', async () => {
    const pass = await failCalls(page, ONE_CLIENT, { status: 500, message: 'The disk is full of moths' });
    await page.goto('/firm-details');
    await expect(page.getByRole('main').getByRole('alert')).toContainText('The disk is full of moths');
    await pass();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expectFacts(page, factsOf(first.name, 1));
    await failCalls(page, ONE_CLIENT, { status: 404, message: 'Not found' });
    await page.reload();
    await expect(page.getByText(NO_ACCESS, { exact: true })).toBeVisible();
  });
});

test('a Client user sees the own company without a choice', { tag: '@full' }, async ({ signIn, server }) => {
  const { clientUser, clients } = await seedFirm(server.origin);
  const page = await signIn(clientUser, { at: `/firm-details?client=${clients[1].id}` });
  await expectFacts(page, factsOf(clients[0].name, 1));
  await expect(selector(page)).toHaveCount(0);
});

test('whoever reaches several clients chooses, whatever the role is called', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const firm = await seedFirm(server.origin);
  const [first, second] = firm.clients;
  const admin = await signIn(ADMIN, { at: `/firm-details?client=${second.id}` });
  await expect(selector(admin)).toHaveValue(second.name);
  await expectFacts(admin, factsOf(second.name, 2));
  await admin.goto(`/firm-documents?client=${second.id}`);
  await expect(selector(admin)).toHaveValue(second.name);

  const role = await firm.api.post<{ id: number }>('/api/roles', { name: `Bookkeeper of ${first.name}` });
  const person = { username: `bookkeeper.${first.id}`, password: 'browser test', fullName: 'Bea Keeper' };
  await firm.api.post('/api/users', {
    ...person,
    roleId: role.id,
    clientIds: [first.id, second.id],
    reportTypeIds: null,
  });
  const page = await signIn(person, { at: '/firm-details' });
  const company = page.getByRole('definition').first();
  await expect(company).toHaveText(first.name);
  await selector(page).click();
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText([first.name, second.name]);
  await page.getByRole('option', { name: second.name }).click();
  await expect(company).toHaveText(second.name);
  await page.getByRole('link', { name: 'Firm Documents' }).click();
  await expect(selector(page)).toHaveValue(second.name);
});

test('a user who reaches no client reads whom to ask', { tag: '@full' }, async ({ signIn, server }) => {
  const { outsider } = await seedFirm(server.origin);
  const page = await signIn(outsider, { at: '/firm-details' });
  await expect(page.getByText(NO_ACCESS, { exact: true })).toBeVisible();
  await expect(selector(page)).toHaveCount(0);
  await expect(page.getByRole('term')).toHaveCount(0);
});
