// The reports screen of firm staff (docs/behaviour.md, Files: reports of firm staff): each of its states, its choices and how they are remembered.
import { expect, type Page } from '@playwright/test';
import { type Firm, type Person, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { answerList, holdCalls } from './stub.ts';

let firm: Firm;
/** Reaches the first client only, and both report types. */
let single: Person;

test.beforeAll(async ({ server }) => {
  // More than one page of the first report type.
  firm = await seedFirm(server.origin, { reports: 26 });
  const roles = await firm.api.get<{ id: number; name: string }[]>('/api/roles');
  const username = `single.${firm.cpa.username}`;
  const { id } = await firm.api.post<{ id: number }>('/api/users', {
    username,
    password: 'browser test',
    fullName: 'Owen Single',
    roleId: roles.find(({ name }) => name === 'CPA')?.id,
    clientIds: [firm.clients[0].id],
    reportTypeIds: firm.reportTypes.map((type) => type.id),
  });
  single = { id, username, password: 'browser test', fullName: 'Owen Single' };
});

const LIST = /\/api\/files\?/;
const typeButton = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Select Report Type:' }).getByRole('button', { name, exact: true });
const newest = () => firm.reports[25]?.name ?? '';

async function chooseClient(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Select Client' }).click();
  await page.getByRole('option', { name, exact: true }).click();
}

test('lists the files of one report type, for one client or all, and remembers the type', async ({ signIn }) => {
  const [first, second] = firm.reportTypes;
  const page = await signIn(firm.cpa, { at: '/cpa-dashboard' });

  await test.step('the first accessible type is shown', async () => {
    await expect(page.getByRole('heading', { name: 'Payroll Reports', exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { name: `${first.name} Files`, exact: true })).toBeVisible();
    await expect(typeButton(page, first.name)).toHaveAttribute('aria-pressed', 'true');
    await expect(typeButton(page, second.name)).toHaveAttribute('aria-pressed', 'false');
    await expect(page.getByRole('combobox', { name: 'Select Client' })).toHaveAttribute(
      'placeholder',
      'Choose a client',
    );
    await expect(page.getByRole('combobox', { name: 'Select Client' })).toHaveValue('');
    await expect(page.getByLabel('Start Date')).toBeVisible();
    await expect(page.getByLabel('End Date')).toBeVisible();
    const headers = page.getByRole('table').getByRole('columnheader');
    await expect(headers).toHaveText(['', 'File Name', 'Client', 'Period', 'Uploaded', 'Seen By', 'Actions']);
    const row = page.getByRole('row').filter({ hasText: newest() });
    await expect(row.getByRole('cell').nth(2)).toHaveText(firm.clients[0].name);
    await expect(row.getByRole('cell').nth(4)).toHaveText(/^\d{2}\/\d{2}\/\d{4}$/);
    await expect(row.getByRole('button', { name: 'View' })).toHaveText('View');
    await expect(row.getByRole('button', { name: 'Download' })).toHaveText('Download');
    await expect(page.getByText('1-25 of 26')).toBeVisible();
    await expect(page.getByText(/Secret/)).toHaveCount(0);
  });

  await test.step('a client narrows it and is named in the heading', async () => {
    await chooseClient(page, firm.clients[1].name);
    await expect(
      page.getByRole('heading', { name: `${first.name} Files for ${firm.clients[1].name}`, exact: true }),
    ).toBeVisible();
    await expect(page.getByText('No files found for this report type.')).toBeVisible();
    await chooseClient(page, firm.clients[0].name);
    await expect(page.getByText('1-25 of 26')).toBeVisible();
    await page.goBack();
    await expect(page.getByText('No files found for this report type.')).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { name: `${first.name} Files`, exact: true })).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Select Client' })).toHaveValue('');
    // Where the client alone leaves nothing, it is cleared as filters are.
    await chooseClient(page, firm.clients[1].name);
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await expect(page.getByText('1-25 of 26')).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Select Client' })).toHaveValue('');
    await expect(page.getByRole('main')).toBeFocused();
  });

  await test.step('dates include whole days', async () => {
    const today = await page.evaluate(() => new Date().toLocaleDateString('en-US', { dateStyle: 'short' }));
    const [month = '', day = '', year = ''] = today.split('/');
    const typed = `${month.padStart(2, '0')}/${day.padStart(2, '0')}/20${year}`;
    await page.getByLabel('End Date').fill(typed);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/endDate=/);
    await expect(page.getByText('1-25 of 26')).toBeVisible();
    await page.getByLabel('End Date').fill('01/31/2020');
    await page.keyboard.press('Enter');
    await expect(page.getByText('No files found for this report type.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByText('Nothing matches the client, the search and the filters that are set.')).toBeVisible();
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await expect(page.getByText('1-25 of 26')).toBeVisible();
    await expect(page.getByRole('main')).toBeFocused();
  });

  await test.step('each says who of the client sees it and whether it was opened; those that were not are left by a filter', async () => {
    const row = page.getByRole('row').filter({ hasText: newest() });
    await expect(row.getByRole('cell', { name: '1 person, not opened' })).toBeVisible();
    const client = await signIn(firm.clientUser, { at: null });
    const viewed = client.waitForResponse(/\/api\/files\/\d+\/view/);
    await client.goto(`/cpa-dashboard/report/${firm.reports[25]?.id}`);
    await viewed;
    await page.reload();
    await expect(row.getByRole('cell', { name: /^1 person, opened \d{2}\/\d{2}$/ })).toBeVisible();
    // Who sees what is not a CPA's to ask.
    await expect(row.getByRole('link', { name: /who can see/ })).toHaveCount(0);
    await page.getByRole('checkbox', { name: 'Not opened' }).check();
    await expect(page).toHaveURL(/opened=no/);
    await expect(page.getByText('1-25 of 25')).toBeVisible();
    await expect(row).toHaveCount(0);
    await page.getByRole('button', { name: 'Remove filter Seen By' }).click();
    await expect(page.getByText('1-25 of 26')).toBeVisible();
  });

  await test.step('filters of other lists have no chip, and all that have one are cleared together', async () => {
    await page.goto('/cpa-dashboard?hold=1&opened=no&new=1&documentType=Correspondence');
    const chips = page.getByRole('list', { name: 'Filters in force' }).getByRole('listitem');
    await expect(chips).toHaveText(['Seen By: Not opened', 'Hold: On hold', 'Clear Filters']);
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await expect(chips).toHaveCount(0);
    await expect(page.getByText('1-25 of 26')).toBeVisible();
  });

  await test.step('the chosen type is remembered, no other, and given up where it may not be accessed', async () => {
    await page.goto('/cpa-dashboard');
    await expect(typeButton(page, first.name)).toHaveAttribute('aria-pressed', 'true');
    expect(
      Number(await page.evaluate(() => localStorage.getItem('selectedReportTypeId'))) || 0,
      'nobody has chosen',
    ).toBe(0);
    await typeButton(page, second.name).click();
    await expect(page.getByRole('heading', { name: `${second.name} Files`, exact: true })).toBeVisible();
    await expect(page.getByText('No files found for this report type.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Clear Filters' })).toHaveCount(0);
    const stored = () => page.evaluate(() => localStorage.getItem('selectedReportTypeId'));
    expect(await stored()).toBe(String(second.id));
    await page.reload();
    await expect(typeButton(page, second.name)).toHaveAttribute('aria-pressed', 'true');
    await page.evaluate(() => localStorage.setItem('selectedReportTypeId', '999999'));
    // Without the type in the address.
    await page.goto('/cpa-dashboard');
    await expect(typeButton(page, first.name)).toHaveAttribute('aria-pressed', 'true');
    expect(await stored()).toBe('999999');
  });

  await test.step('the chosen columns hold for every type', async () => {
    const headers = page.getByRole('table').getByRole('columnheader');
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox', { name: 'Period' }).uncheck();
    await page.keyboard.press('Escape');
    await typeButton(page, second.name).click();
    await expect(page.getByRole('heading', { name: `${second.name} Files`, exact: true })).toBeVisible();
    await expect(headers).toHaveText(['', 'File Name', 'Client', 'Uploaded', 'Seen By', 'Actions']);
    await typeButton(page, first.name).click();
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.keyboard.press('Escape');
    await expect(headers).toHaveCount(7);
  });

  await test.step('whoever may upload reports does so here', async () => {
    await page.getByRole('button', { name: 'Upload Files' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add Data' });
    await expect(dialog.getByRole('combobox', { name: 'File Type' })).toHaveValue('Report');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await expect(page).toHaveURL(/\/$/);
});

test('keeps the client when the sidebar changes the type, and requests another type once', { tag: '@full' }, async ({
  signIn,
}) => {
  const [first, second] = firm.reportTypes;
  const page = await signIn(firm.cpa, { at: '/cpa-dashboard' });
  await chooseClient(page, firm.clients[0].name);
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page.getByText('26-26 of 26')).toBeVisible();

  const asked: URL[] = [];
  page.on('request', (request) => {
    if (LIST.test(request.url())) asked.push(new URL(request.url()));
  });
  await typeButton(page, second.name).click();
  await expect(page.getByText('No files found for this report type.')).toBeVisible();
  await expect(page).not.toHaveURL(/page=/);
  expect(asked.map(({ searchParams }) => searchParams.get('offset'))).toEqual(['0']);

  const menu = page.getByRole('navigation', { name: 'Main' });
  await menu.getByRole('button', { name: 'Report types' }).click();
  const submenu = menu.getByRole('list', { name: 'Report types' });
  await submenu.getByRole('button', { name: first.name }).click();
  const title = `${first.name} Files for ${firm.clients[0].name}`;
  await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`client=${firm.clients[0].id}`));
  await expect(page.getByText('1-25 of 26')).toBeVisible();
  expect(asked.filter(({ searchParams }) => searchParams.get('clientId') === null)).toEqual([]);

  // The client stays for the visit, until it is removed.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard', exact: true }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reports', exact: true }).click();
  await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Clear client' }).click();
  await expect(page.getByRole('heading', { name: `${first.name} Files`, exact: true })).toBeVisible();
  await submenu.getByRole('button', { name: second.name }).click();
  await expect(page.getByRole('heading', { name: `${second.name} Files`, exact: true })).toBeVisible();
});

test('selects the only client automatically', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn(single, { at: '/cpa-dashboard', viewport: { width: 360, height: 780 } });
  const title = `${firm.reportTypes[0].name} Files for ${firm.clients[0].name}`;
  await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Select Client' })).toHaveValue(firm.clients[0].name);
  await expect(page.getByText(newest())).toBeVisible();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
});

test('the heading breaks where the name of a client is longer than the page', { tag: '@full' }, async ({ signIn }) => {
  const [type] = firm.reportTypes;
  const { id, name } = await firm.api.post<{ id: number; name: string }>('/api/clients', {
    name: `${'Grünwaldsiedlung'.repeat(11)} LLC`,
    address: '4 Orchard Lane, Dayton, OH 45402',
    phone: '(937)-555-0114',
    federalId: '08-1112224',
    stateId: 'OH-41',
    email: 'books4@example.com',
    employeeCount: 3,
    startDate: '2025-01-31',
  });
  for (const width of [360, 800, 1440]) {
    const at = `/cpa-dashboard?reportType=${type.id}&client=${id}`;
    const page = await signIn(ADMIN, { at, viewport: { width, height: 780 } });
    const heading = page.getByRole('heading', { name: `${type.name} Files for ${name}`, exact: true });
    await expect(heading).toBeVisible();
    expect([width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([width, width]);
    // Beside its buttons it keeps room for words.
    expect((await heading.boundingBox())?.width).toBeGreaterThan(180);
  }
});

test('says that it is loading, what failed, and that a file is being downloaded', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn(firm.cpa, { at: null, failures: [500, 503] });
  let answer: 'hang' | 'fail' | 'pass' = 'hang';
  await page.route(LIST, async (route) => {
    if (answer === 'hang') return;
    if (answer === 'fail') return route.fulfill({ status: 503, json: { message: 'Busy', code: 'busy' } });
    return route.continue();
  });
  await page.goto('/cpa-dashboard');
  await expect(page.getByRole('status').filter({ hasText: 'Loading reports...' })).toBeVisible();
  answer = 'fail';
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('HTTP error! status: 503');
  answer = 'pass';
  await page.getByRole('button', { name: 'Retry' }).click();
  const row = page.getByRole('row').filter({ hasText: newest() });
  await expect(row).toBeVisible();

  const other = page.getByRole('row').filter({ hasText: firm.reports[24]?.name ?? '' });
  const release = await holdCalls(page, /\/api\/files\/\d+\/download/);
  const download = page.waitForEvent('download');
  await row.getByRole('button', { name: 'Download' }).click();
  await expect(row.getByRole('button', { name: 'Downloading...' })).toBeDisabled();
  await expect(other.getByRole('button', { name: 'Download' })).toBeEnabled();
  release();
  expect((await download).suggestedFilename()).toBe(newest());
  await expect(page.getByText('File downloaded successfully')).toBeVisible();
  await expect(row.getByRole('button', { name: 'Download' })).toHaveText('Download');

  await page.route(/\/api\/files\/\d+\/download/, (route) =>
    route.fulfill({ status: 500, json: { message: 'The disk is away', code: 'internal' } }),
  );
  await other.getByRole('button', { name: 'Download' }).click();
  await expect(page.getByText('Failed to download file: The disk is away')).toBeVisible();

  await page.route('**/api/report-types?*', (route) =>
    route.fulfill({ status: 500, json: { message: 'No types today', code: 'internal' } }),
  );
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('No types today');
});

test('says what is lacking: report types, the right to send, and access', {
  tag: '@full',
}, async ({ signIn }) => {
  const reader = await signIn(firm.clientUser, { at: `/cpa-dashboard?reportType=${firm.reportTypes[1].id}` });
  await expect(reader.getByText('No files found for this report type.')).toBeVisible();
  await expect(reader.getByText('Reports appear here when they are uploaded', { exact: true })).toBeVisible();
  await expect(reader.getByRole('button', { name: 'Upload Files' })).toHaveCount(0);

  // What a firm without report types lacks is said there, and added from there.
  const admin = await signIn(ADMIN, { at: null });
  await answerList(admin, /\/api\/report-types\?/, []);
  await answerList(admin, LIST, []);
  await admin.goto('/cpa-dashboard?client=all');
  await expect(admin.getByText('No reports without a type', { exact: true })).toBeVisible();
  await expect(admin.getByRole('button', { name: /^Add the \d+ usual report types$/ })).toBeVisible();
  await expect(admin.getByRole('link', { name: 'Add your own' })).toHaveAttribute('href', '/report-types?do=add');

  const page = await signIn(firm.outsider, { at: '/cpa-dashboard' });
  await expect(page.getByRole('heading', { name: 'Payroll Reports', exact: true })).toBeVisible();
  await expect(
    page.getByText("You don't have access to any client details. Please contact your administrator.", { exact: true }),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Upload Files' })).toHaveCount(0);
  await expect(page.getByRole('table')).toHaveCount(0);
});
