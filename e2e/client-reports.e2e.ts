// The reports screen of Client users (docs/behaviour.md, Files: reports of Client users): their own company's reports, filtered, and nothing of another company.
import { expect } from '@playwright/test';
import { addPerson, type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { makePdf } from './pdf.ts';
import { holdCalls } from './stub.ts';
import { TOLD_TWICE } from './toast.ts';

let firm: Firm;

test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin, { reports: 2 });
});

const NO_ACCESS = "You don't have access to any client details. Please contact your administrator.";
const NO_TYPES = "You don't have access to any report types. Please contact your administrator.";
const LIST = /\/api\/files\?/;

test('a Client user finds the reports of the company, by type and by date', async ({ signIn }) => {
  const [first, second] = firm.reportTypes;
  const [older, newer] = firm.reports;
  const page = await signIn(firm.clientUser);
  // What another screen shows first is nobody's choice: here everything is shown.
  await page.getByRole('link', { name: 'View Reports' }).click();
  await expect(page.getByRole('heading', { name: `${first.name} Files` })).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reports', exact: true }).click();
  await expect(page).toHaveURL(/\/client-reports$/);

  await test.step('everything of the company, newest first', async () => {
    await expect(page.getByText(`Reports for ${firm.clients[0].name}`, { exact: true })).toBeVisible();
    await expect(page.getByText('2 report(s) found')).toBeVisible();
    await expect(page.getByRole('columnheader')).toHaveText([
      '',
      'File Name',
      'Report Type',
      'Period',
      'Upload Date',
      'Actions',
    ]);
    const rows = page.getByRole('table').getByRole('row');
    await expect(rows.nth(1)).toContainText(newer?.name ?? '');
    await expect(rows.nth(2)).toContainText(older?.name ?? '');
    await expect(rows.nth(1).getByRole('cell').nth(2)).toHaveText(first.name);
    await expect(rows.nth(1).getByRole('cell').nth(4)).toHaveText(/^\d{2}\/\d{2}\/\d{4}$/);
    await expect(rows.nth(1).getByRole('button', { name: 'View' })).toHaveText('View');
    await expect(page.getByText(/Secret/)).toHaveCount(0);
  });

  await test.step('filters are shown and put away', async () => {
    await expect(page.getByLabel('Start Date')).toHaveCount(0);
    await page.getByRole('button', { name: 'Show Filters' }).click();
    await expect(page.getByLabel('Start Date')).toBeVisible();
    await expect(page.getByLabel('End Date')).toBeVisible();
    await page.getByRole('button', { name: 'Hide Filters' }).click();
    await expect(page.getByLabel('Start Date')).toHaveCount(0);
    await page.getByRole('button', { name: 'Show Filters' }).click();
  });

  await test.step('one report type, then none', async () => {
    const types = page.getByRole('combobox', { name: 'Report Types' });
    await expect(types).toHaveValue('All');
    await types.click();
    await page.getByRole('option', { name: second.name, exact: true }).click();
    await expect(page.getByText('0 report(s) found')).toBeVisible();
    await expect(page.getByText('No reports match your filters.')).toBeVisible();
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await expect(page.getByText('2 report(s) found')).toBeVisible();
    await types.click();
    await page.getByRole('option', { name: second.name, exact: true }).click();
    await page.getByLabel('Start Date').fill('01/31/2020');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/startDate=2020-01-31/);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Reset Filters' }).click();
    await expect(page.getByText('2 report(s) found')).toBeVisible();
    await expect(types).toHaveValue('All');
    await expect(page.getByLabel('Start Date')).toHaveValue('');
    expect(await page.evaluate(() => localStorage.getItem('selectedReportTypeId'))).toBeNull();
  });

  await test.step('a remembered type narrows the list at once', async () => {
    const asked: URL[] = [];
    page.on('request', (request) => {
      if (LIST.test(request.url())) asked.push(new URL(request.url()));
    });
    await page.evaluate((id) => localStorage.setItem('selectedReportTypeId', String(id)), first.id);
    await page.reload();
    await expect(page.getByText('2 report(s) found')).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Report Types' })).toHaveValue(first.name);
    expect(asked.map(({ searchParams }) => searchParams.get('reportTypeId'))).toEqual([String(first.id)]);
  });
});

test('loading, failing, and a download under way', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn(firm.clientUser, { at: null, failures: [500], viewport: { width: 360, height: 780 } });
  let answer: 'hang' | 'fail' | 'pass' = 'hang';
  await page.route(LIST, async (route) => {
    if (answer === 'hang') return;
    if (answer === 'fail') return route.fulfill({ status: 500, json: { message: 'Sorry', code: 'internal' } });
    return route.continue();
  });
  await page.goto('/client-reports');
  await expect(page.getByRole('status').filter({ hasText: 'Loading reports...' })).toBeVisible();
  await expect(page.locator(TOLD_TWICE).filter({ hasText: 'Loading reports...' })).toHaveCount(0);
  answer = 'fail';
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('HTTP error! status: 500');
  answer = 'pass';
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('2 report(s) found')).toBeVisible();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);

  const release = await holdCalls(page, /\/api\/files\/\d+\/download/);
  const row = page.getByRole('row').filter({ hasText: firm.reports[0]?.name ?? '' });
  const download = page.waitForEvent('download');
  await row.getByRole('button', { name: 'Download' }).click();
  await expect(row.getByRole('button', { name: 'Processing...' })).toBeDisabled();
  release();
  expect((await download).suggestedFilename()).toBe(firm.reports[0]?.name);
  await expect(row.getByRole('button', { name: 'Download' })).toHaveText('Download');
});

test('a user who reaches no client, or no report type, reads whom to ask', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const page = await signIn(firm.outsider, { at: '/client-reports' });
  await expect(page.getByText('Your company reports', { exact: true })).toBeVisible();
  await expect(page.getByText('0 report(s) found')).toBeVisible();
  await expect(page.getByText(NO_ACCESS, { exact: true })).toBeVisible();
  await expect(page.getByText('Reports will appear here when they are uploaded by your CPA')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Clear Filters' })).toHaveCount(0);

  // With a company and a type that nothing was sent under yet, there is nobody to ask.
  const waits = await addPerson(server.origin, 'Client', [firm.clients[1].id], [firm.reportTypes[1].id]);
  const waiting = await signIn(waits, { at: '/client-reports' });
  await expect(waiting.getByText('Reports will appear here when they are uploaded by your CPA')).toBeVisible();

  const untyped = await signIn(await addPerson(server.origin, 'Client', [firm.clients[0].id], null), { at: null });
  for (const at of ['/client-reports', '/', '/cpa-dashboard']) {
    await untyped.goto(at);
    await expect(untyped.getByText(NO_TYPES, { exact: true }), at).toBeVisible();
  }
});

test('an owner of several companies sees all in one list, and header, list and badge follow a choice', {
  tag: '@full',
}, async ({ signIn, server }) => {
  const [one, two] = firm.clients;
  const [type] = firm.reportTypes;
  const owner = await addPerson(server.origin, 'Client', [one.id, two.id], [type.id]);
  for (const client of [one, two, two]) {
    const place = { clientId: client.id, fileType: 'report', reportTypeId: type.id };
    await firm.api.upload(place, `New for ${client.name}.pdf`, await makePdf([client.name]));
  }
  const page = await signIn(owner);
  const header = page.getByRole('banner');
  const reports = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reports', exact: true });
  const table = page.getByRole('table', { name: 'Reports' });
  await expect(header.getByText('All companies', { exact: true })).toBeVisible();

  await reports.click();
  await expect(table.getByRole('columnheader', { name: 'Company' })).toBeVisible();
  await expect(table.getByText('New', { exact: true })).toHaveCount(3);
  await expect(reports).toHaveAccessibleDescription('3 new');

  await table.getByRole('columnheader', { name: 'Company' }).getByRole('button').click();
  await expect(table.getByRole('columnheader', { name: 'Company' })).toHaveAttribute('aria-sort', 'ascending');

  await page.getByRole('combobox', { name: 'Company' }).click();
  await page.getByRole('option', { name: two.name, exact: true }).click();
  await expect(header.getByText(two.name, { exact: true })).toBeVisible();
  await expect(page.getByText('2 report(s) found')).toBeVisible();
  // Of one company there is no such order.
  await expect(table.getByRole('columnheader', { name: 'Upload Date' })).toHaveAttribute('aria-sort', 'descending');
  await expect(reports).toHaveAccessibleDescription('2 new');
  for (const link of ['Firm Details', 'Firm Documents']) {
    await page.getByRole('link', { name: link }).click();
    await expect(page.getByRole('combobox', { name: 'Select Client' })).toHaveValue(two.name);
    await expect(header.getByText(two.name, { exact: true })).toBeVisible();
  }

  // At home each company leads to its reports; a report of another company than the chosen one stands under its own name.
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('table', { name: 'Client List' }).getByRole('link', { name: one.name }).click();
  await expect(header.getByText(one.name, { exact: true })).toBeVisible();
  await expect(page.getByText(`Reports for ${one.name}`, { exact: true })).toBeVisible();
  await table.getByRole('link', { name: `New for ${one.name}.pdf` }).click();
  await expect(page.getByRole('heading', { name: `New for ${one.name}.pdf` })).toBeVisible();
  await expect(header.getByText(one.name, { exact: true })).toBeVisible();

  await test.step('the palette leads to all that it counts, and to the company that it names', async () => {
    for (const nth of [1, 2, 3]) {
      const place = { clientId: two.id, fileType: 'report', reportTypeId: type.id };
      await firm.api.upload(place, `New too for ${two.name} ${nth}.pdf`, await makePdf([two.name]));
    }
    await page.keyboard.press('Control+k');
    const words = page.getByRole('combobox', { name: /^Search pages, clients/ });
    const found = (name: string) => page.getByRole('group', { name, exact: true }).getByRole('option');
    await words.fill('new for');
    await found('Files').filter({ hasText: 'See all 6 reports' }).click();
    await expect(page.getByText('6 report(s) found')).toBeVisible();
    await expect(words).toBeHidden();
    // Also on the list itself, whatever it is narrowed to.
    await page.goto('/client-reports?client=all&reportType=all&period=2019');
    await expect(page.getByText('0 report(s) found')).toBeVisible();
    await page.keyboard.press('Control+k');
    await words.fill('new for');
    await found('Files').filter({ hasText: 'See all 6 reports' }).click();
    await expect(page.getByText('6 report(s) found')).toBeVisible();
    await expect(words).toBeHidden();
    await page.keyboard.press('Control+k');
    await words.fill(two.name);
    await found('Clients').click();
    await expect(page.getByRole('combobox', { name: 'Select Client' })).toHaveValue(two.name);
  });

  await test.step('a request stands under the company that is asked, and all companies are called so everywhere', async () => {
    const items = [{ name: 'The lease', note: '' }];
    await firm.api.post('/api/requests', {
      clientIds: [one.id],
      title: 'Lease papers',
      message: '',
      dueOn: null,
      items,
    });
    await page.goto(`/requests?client=${two.id}`);
    const company = page.getByRole('combobox', { name: 'Client', exact: true });
    await expect(company).toHaveValue(two.name);
    await company.click();
    await page.getByRole('option', { name: 'All companies', exact: true }).click();
    await expect(header.getByText('All companies', { exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'Lease papers', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Lease papers', exact: true })).toBeVisible();
    await expect(header.getByText(one.name, { exact: true })).toBeVisible();
    await expect(page).toHaveTitle('Lease papers · Coffer');
    await page.goto('/activity');
    await expect(page.getByRole('combobox', { name: 'Client', exact: true })).toHaveValue('All companies');
  });
});
