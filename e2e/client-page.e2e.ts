// The page of one client (docs/behaviour.md, Clients: the page of a client): what it shows to whom, its states, and the ways to it.
import { expect, type Page } from '@playwright/test';
import { seedFirm } from './firm.ts';
import { stepInFull, test } from './fixtures.ts';
import { makePdf } from './pdf.ts';
import { ADMIN } from './server.ts';
import { failCalls } from './stub.ts';

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('an Admin sees facts, files, people and log at once, and changes the client', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 7 });
  const [first] = firm.clients;
  const types = { fileType: 'report', reportTypeId: firm.reportTypes[1].id } as const;
  await firm.api.upload({ clientId: first.id, ...types, period: '2026-Q3' }, 'Quarter.pdf', await makePdf(['Q']));
  const page = await signIn(ADMIN);
  await page.goto('/clients');
  await page.getByRole('searchbox', { name: 'Search clients' }).fill(first.name);

  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    // The stream of changes begins in its own time.
    if (pathname.startsWith('/api/') && pathname !== '/api/events') asked.push(pathname);
  });
  await expect(page.getByRole('table', { name: 'Clients' }).getByRole('link')).toHaveText([first.name]);
  asked.length = 0;
  await page.getByRole('link', { name: first.name, exact: true }).click();
  await expect(page.getByRole('heading', { name: first.name, exact: true })).toBeVisible();
  await expect(page).toHaveURL(`/clients/${first.id}`);
  await expect(page).toHaveTitle(`${first.name} · Coffer`);

  const reports = card(page, 'Reports');
  await expect(reports.getByRole('row').nth(1)).toContainText(/Quarter\.pdf.*Quarterly 941.*Q3 2026/);
  await expect(reports.getByRole('row')).toHaveCount(7);
  await expect(page.getByText('New in the last 7 days: 6 or more reports')).toBeVisible();
  // The mark is for what a client sent and nobody here has opened.
  await expect(page.getByRole('table').getByText('New', { exact: true })).toHaveCount(0);
  await expect(card(page, 'Company Documents')).toContainText('No company documents yet');
  await expect(card(page, 'Details')).toContainText('08-1112221');
  await expect(card(page, 'People').getByRole('listitem').filter({ hasText: firm.cpa.fullName })).toContainText(
    'Access list',
  );
  await expect(card(page, 'Activity').getByRole('listitem').first()).toContainText('Quarter.pdf');
  // Who sees the reports is asked once they are there.
  await expect(
    reports
      .getByRole('row')
      .nth(1)
      .getByRole('link', { name: /^1 person, not opened/ }),
  ).toBeVisible();
  expect(asked.length, asked.join(' ')).toBeLessThanOrEqual(9);

  await test.step('who sees a report leads to who sees the client', async () => {
    await reports.getByRole('link', { name: '1 person, not opened: who can see Quarter.pdf?' }).click();
    await expect(page).toHaveURL(new RegExp(`/permissions\\?.*client=${first.id}`));
    await expect(page.getByRole('main')).toContainText(firm.clientUser.fullName);
    await page.goBack();
  });

  await test.step('reports by year and quarter lead to their lists', async () => {
    const periods = card(page, 'Reports by Period');
    await expect(periods.getByRole('link', { name: 'Q3 2026 (1)' })).toBeVisible();
    await periods.getByRole('link', { name: 'Q3 2026 (1)' }).click();
    await expect(page).toHaveURL(`/file-upload?client=${first.id}&period=2026-Q3`);
    await expect(page.getByText('1-1 of 1')).toBeVisible();
    await page.goBack();
  });

  await stepInFull('See all keeps the client', async () => {
    await reports.getByRole('link', { name: `See all reports of ${first.name}` }).click();
    await expect(page).toHaveURL(new RegExp(`/file-upload\\?client=${first.id}`));
    await expect(page.getByText(/^1-8 of 8$/)).toBeVisible();
    await page.goBack();
    await page.getByRole('link', { name: `See all activity of ${first.name}` }).click();
    await expect(page).toHaveURL(new RegExp(`/activity\\?client=${first.id}`));
    await page.goBack();
  });

  await test.step('an edit shows at once', async () => {
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Client' });
    await dialog.getByLabel('State ID').fill('OH-77');
    await dialog.getByRole('button', { name: 'Save Client' }).click();
    await expect(card(page, 'Details')).toContainText('OH-77');
  });
});

test('a CPA sees own clients without people; out of reach and missing read the same', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const firm = await seedFirm(server.origin);
  const [first] = firm.clients;
  const page = await signIn(firm.cpa);
  await page.getByRole('link', { name: first.name, exact: true }).click();
  await expect(card(page, 'Reports').getByRole('row')).toHaveCount(3);
  await expect(card(page, 'People')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Upload Files' })).toBeVisible();
  await card(page, 'Reports').getByRole('link').nth(1).click();
  await expect(page).toHaveURL(new RegExp(`/cpa-dashboard/report/\\d+\\?client=${first.id}&type=report`));
  await page.getByRole('link', { name: 'Back to client' }).click();
  await expect(page).toHaveURL(`/clients/${first.id}`);

  for (const id of [firm.stranger.id, 999_999_999]) {
    await page.goto(`/clients/${id}`);
    await expect(page.getByText('Client not found', { exact: true })).toBeVisible();
    await expect(page.getByText(firm.stranger.name)).toHaveCount(0);
  }
  await page.goto('/clients/none');
  await expect(page.getByText('404 Page Not Found')).toBeVisible();

  await test.step('whoever only reads finds as many reports of a quarter as it says, of whichever type', async () => {
    const reportTypeIds = firm.reportTypes.map((type) => type.id);
    for (const reportTypeId of reportTypeIds) {
      const place = { clientId: first.id, fileType: 'report', reportTypeId, period: '2025-Q1' };
      await firm.api.upload(place, `Of type ${reportTypeId}.pdf`, await makePdf(['Of one quarter']));
    }
    const { id, username, fullName } = firm.outsider;
    const { roleId } = await firm.api.get<{ roleId: number }>(`/api/users/${id}`);
    await firm.api.put(`/api/users/${id}`, { username, fullName, roleId, clientIds: [first.id], reportTypeIds });
    const reader = await signIn(firm.outsider, { at: `/clients/${first.id}` });
    await expect(card(reader, 'Activity')).toContainText('Your own activity');
    await card(reader, 'Reports by Period').getByRole('link', { name: 'Q1 2025 (2)' }).click();
    await expect(reader).toHaveURL(`/file-upload?client=${first.id}&period=2025-Q1`);
    await expect(reader.getByText('1-2 of 2')).toBeVisible();
    // Nobody takes what stands there for all that was done with the file.
    await reader
      .getByRole('link', { name: /^Of type/ })
      .first()
      .click();
    await expect(card(reader, 'Activity')).toContainText('Your own activity');
  });

  await test.step('a Client user gets to the reports of the company, and to Company Details', async () => {
    const own = await signIn(firm.clientUser);
    await own.getByRole('main').getByRole('link', { name: first.name, exact: true }).click();
    await expect(own).toHaveURL(/\/client-reports/);
    await own.goto(`/clients/${first.id}`);
    await expect(own.getByText('Client not found', { exact: true })).toBeVisible();
  });
});

test('a card that fails says why and tries again alone', { tag: '@full' }, async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin);
  const page = await signIn(ADMIN, { at: null, failures: [500] });
  const pass = await failCalls(page, /\/api\/activity-logs\?/, { status: 500, message: 'The log is away' });
  await page.goto(`/clients/${firm.clients[0].id}`);
  await expect(card(page, 'Activity').getByRole('alert')).toContainText('The log is away');
  await expect(card(page, 'Reports').getByRole('row')).toHaveCount(3);
  await pass();
  await card(page, 'Activity').getByRole('button', { name: 'Retry' }).click();
  await expect(card(page, 'Activity').getByRole('listitem').first()).toBeVisible();

  // Without its facts, what the page is of is said in a word.
  const passFacts = await failCalls(page, /\/api\/clients\/\d+$/, { status: 500, message: 'The facts are away' });
  await page.reload();
  await expect(card(page, 'Details').getByRole('alert')).toContainText('The facts are away');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Client');
  await passFacts();
  await card(page, 'Details').getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(firm.clients[0].name);
});
