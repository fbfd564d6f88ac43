// The activity log: all of it for an Admin, their own part of it for everyone else.
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { apiAs } from './api.ts';
import { seedFirm } from './firm.ts';
import { stepInFull, test } from './fixtures.ts';
import { watchLayoutShifts } from './layout-shift.ts';
import { ADMIN } from './server.ts';
import { answerList, failCalls, holdCalls, listenForCalls } from './stub.ts';
import { readError } from './toast.ts';

const LOG = /\/api\/activity-logs\?/;
const EXPORT = /\/api\/activity-logs\/export/;

const tableOf = (page: Page) => page.getByRole('table', { name: 'Activity Log' });
/** The rows below the header. */
const entries = (page: Page) =>
  tableOf(page)
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
const total = (page: Page, words: string) => page.getByText(words, { exact: true });

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

const entry = (id: number, more: object) => ({
  id,
  action: 'view',
  fileId: null,
  fileName: null,
  details: null,
  userId: 1,
  userName: 'Rosa Okafor',
  clientId: null,
  clientName: 'Larkspur Bakery',
  timestamp: '2026-06-01T12:00:00.000Z',
  ...more,
});

test('an Admin reads the whole log in the words of its entries', { tag: '@full' }, async ({ signIn, server }) => {
  await seedFirm(server.origin);
  const page = await signIn(ADMIN, { failures: [500] });

  await test.step('loading, and nothing moves when the entries arrive', async () => {
    const shifts = await watchLayoutShifts(page);
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(viewport);
      const release = await holdCalls(page, LOG);
      await page.goto('/activity');
      await expect(page.getByRole('heading', { name: 'Activity Log', exact: true })).toBeVisible();
      await expect(tableOf(page).getByRole('row', { includeHidden: true })).toHaveCount(1 + 5);
      release();
      await expect(page.getByText(/^1-\d+ of \d+$/)).toBeVisible();
      expect(await shifts()).toEqual([]);
    }
  });

  await test.step('labels, details and what is missing', async () => {
    const endless = 'x'.repeat(400);
    const truer = [
      ['Granted', 'update', 'Granted client: Larkspur Bakery'],
      ['Taken', 'update', 'Took client: Larkspur Bakery'],
      ['Re-filed', 'update', 'Re-filed file: 941.pdf'],
      ['Renamed', 'update', 'Renamed file: 941.pdf'],
      ['Reset', 'update', 'Reset the password of user: rosa'],
      ['Reminded', 'update', 'Reminded 2 people of 12 reports not opened'],
      ['Recalled', 'delete', 'Recalled file: 941.pdf'],
      ['Discarded', 'delete', 'Discarded batch: Pay run'],
      ['Taken back', 'delete', 'Took back file: 941.pdf'],
    ] as const;
    await answerList(page, LOG, [
      entry(1, { action: 'upload', details: 'Uploaded file: 941.pdf', fileName: 'other.pdf' }),
      entry(2, { action: 'download', fileName: '941.pdf' }),
      entry(3, { action: 'view', clientId: null, clientName: null }),
      entry(4, { action: 'delete', details: endless }),
      entry(5, { action: 'update', userName: '' }),
      // Where the details say something truer, the entry is called that.
      ...truer.map(([, action, details], nth) => entry(6 + nth, { action, details })),
      entry(20, { action: 'upload', fileId: 7, fileName: '941.pdf', fileOpens: true, details: 'Filed: 941.pdf' }),
    ]);
    await page.goto('/activity');
    await expect(tableOf(page).getByRole('columnheader')).toHaveText([
      'Icon',
      'Activity',
      'User',
      'Client',
      'Date & Time',
      'Details',
    ]);
    const cells = (row: number) => entries(page).nth(row).getByRole('cell');
    for (const [row, words] of [
      ['Uploaded', 'Rosa Okafor', 'Larkspur Bakery', 'Uploaded file: 941.pdf'],
      ['Downloaded', 'Rosa Okafor', 'Larkspur Bakery', 'File: 941.pdf'],
      ['Viewed', 'Rosa Okafor', '—No client', 'N/A'],
      ['Deleted', 'Rosa Okafor', 'Larkspur Bakery', endless],
      ['Updated', '—', 'Larkspur Bakery', 'N/A'],
      ...truer.map(([label, , details]) => [label, 'Rosa Okafor', 'Larkspur Bakery', details]),
      ['Uploaded', 'Rosa Okafor', 'Larkspur Bakery', 'Filed: 941.pdf'],
    ].entries()) {
      const [action = '', user = '', client = '', details = ''] = words;
      await expect(cells(row)).toHaveText(['', action, user, client, /./, details]);
    }
    // The file is named where it is, and nowhere else as a link.
    await expect(entries(page).getByRole('link', { name: '941.pdf' })).toHaveAttribute(
      'href',
      /\/report\/7\?from=%2Factivity/,
    );
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
    await page.unrouteAll();
  });

  await test.step('failing, then empty', async () => {
    const pass = await failCalls(page, LOG, { status: 500, message: 'The disk is full of moths' });
    await page.goto('/activity');
    await expect(page.getByRole('main').getByRole('alert')).toContainText('The disk is full of moths');
    await pass();
    await answerList(page, LOG, []);
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText('No activities found', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Export CSV' })).toBeDisabled();
    await page.unrouteAll();
  });

  await test.step('pages and order are asked of the server', async () => {
    const rows = Array.from({ length: 25 }, (_, nth) => entry(nth + 1, {}));
    await answerList(page, LOG, rows, 60);
    const asked = listenForCalls(page, LOG);
    const latest = () => new URL(asked.at(-1)?.url() ?? 'http://none').searchParams;
    await page.goto('/activity');
    await expect(total(page, '1-25 of 60')).toBeVisible();
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect(total(page, '26-50 of 60')).toBeVisible();
    await expect(page).toHaveURL('/activity?page=2');
    expect(latest().get('offset')).toBe('25');
    await page.getByRole('columnheader', { name: 'Date & Time' }).getByRole('button').click();
    await expect(page).toHaveURL('/activity?sort=timestamp');
    await expect.poll(() => latest().get('sort')).toBe('timestamp');
    await page.unrouteAll();
  });
});

test('the log is narrowed by activity, user, client, days and words, and saved as CSV', async ({ signIn, server }) => {
  const { api, cpa, clients, stranger, reports } = await seedFirm(server.origin);
  const [client] = clients;
  const rosa = await apiAs(server.origin, cpa);
  await rosa.post('/api/activity-logs', { action: 'view', fileId: reports[0]?.id });
  const { url } = await rosa.post<{ url: string }>(`/api/files/${reports[0]?.id}/view-ticket`);
  expect((await fetch(server.origin + url)).status).toBe(200);
  const log = await api.get<{ timestamp: string }[]>('/api/activity-logs?limit=1');
  const page = await signIn(ADMIN, { at: null, failures: [404, 500], timezoneId: 'UTC' });
  const day = log[0]?.timestamp.slice(0, 10) ?? '';
  const typedDay = `${day.slice(5, 7)}/${day.slice(8, 10)}/${day.slice(0, 4)}`;

  await test.step('filters live in the address, and Back takes them off', async () => {
    await page.goto('/activity');
    await choose(page, 'Client', client.name);
    await expect(page).toHaveURL(`/activity?client=${client.id}`);
    // Created, granted to two people, two uploads, one view.
    await expect(total(page, '1-6 of 6')).toBeVisible();
    await page.getByRole('combobox', { name: 'Activity', exact: true }).selectOption('Uploaded');
    await expect(total(page, '1-2 of 2')).toBeVisible();
    await expect(entries(page).filter({ hasText: 'Uploaded' })).toHaveCount(2);
    await page.goBack();
    await expect(total(page, '1-6 of 6')).toBeVisible();
    await choose(page, 'User', `${cpa.fullName} (${cpa.username})`);
    await expect(page).toHaveURL(`/activity?client=${client.id}&user=${cpa.id}`);
    await expect(total(page, '1-1 of 1')).toBeVisible();
    await expect(entries(page)).toContainText(['Viewed']);
    await page.reload();
    await expect(total(page, '1-1 of 1')).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'User', exact: true })).toHaveValue(
      `${cpa.fullName} (${cpa.username})`,
    );
    await expect(page.getByRole('combobox', { name: 'Client', exact: true })).toHaveValue(client.name);
    // Also one who is not among the first of the list.
    const users = /\/api\/users\?/;
    await answerList(page, users, [], 4_000);
    await page.reload();
    await expect(page.getByRole('combobox', { name: 'User', exact: true })).toHaveValue(
      `${cpa.fullName} (${cpa.username})`,
    );
    await page.unroute(users);
    // An address may name anybody.
    await page.goto('/activity?user=99999999');
    await expect(page.getByRole('combobox', { name: 'User', exact: true })).toHaveValue('Unknown User');
  });

  await test.step('days are typed, and what the calendar lacks is no day', async () => {
    await page.goto(`/activity?client=${client.id}`);
    const start = page.getByLabel('Start Date', { exact: true });
    const end = page.getByLabel('End Date', { exact: true });
    await start.fill(typedDay);
    await start.press('Tab');
    await expect(page).toHaveURL(`/activity?client=${client.id}&startDate=${day}`);
    await end.fill(typedDay);
    await end.press('Tab');
    await expect(total(page, '1-6 of 6')).toBeVisible();
    await end.fill('01/31/2020');
    await end.press('Tab');
    await expect(page.getByText('Ends before it starts')).toBeVisible();
    await expect(page.getByText('No activities match your search and filters.', { exact: true })).toBeVisible();
    await end.fill('02/30/2026');
    await end.press('Tab');
    await expect(page.getByText('Enter a date as MM/DD/YYYY')).toBeVisible();
    await expect(end).toHaveValue('02/30/2026');
    await expect(page).toHaveURL(`/activity?client=${client.id}&startDate=${day}`);
    // It stands once on the page.
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await expect(page).toHaveURL('/activity');
    await expect(page.getByRole('button', { name: 'Clear Filters' })).toBeDisabled();
    await expect(end).toHaveValue('');
  });

  await stepInFull(
    'ranges with names fill both dates, by keyboard too, and the field says which one is in force',
    async () => {
      const dates = page.getByRole('combobox', { name: 'Dates', exact: true });
      await expect(dates).toHaveValue('');
      await dates.selectOption('This year');
      const year = await page.evaluate(() => new Date().getFullYear());
      await expect(page).toHaveURL(`/activity?startDate=${year}-01-01&endDate=${year}-12-31`);
      await expect(dates).toHaveValue('This year');
      await page.reload();
      await expect(dates).toHaveValue('This year');
      await dates.selectOption(`Q2 ${year - 1}`);
      await expect(page).toHaveURL(`/activity?startDate=${year - 1}-04-01&endDate=${year - 1}-06-30`);
      await expect(page.getByText('No activities match your search and filters.', { exact: true })).toBeVisible();
      await expect(page.getByLabel('Start Date', { exact: true })).toHaveValue(`04/01/${year - 1}`);
      await page.getByLabel('Start Date', { exact: true }).fill(`04/02/${year - 1}`);
      await page.getByLabel('Start Date', { exact: true }).press('Tab');
      await expect(dates).toHaveValue('other');
      await dates.focus();
      await page.keyboard.press('A');
      await expect(page).toHaveURL('/activity');
      await expect(page.getByLabel('End Date', { exact: true })).toHaveValue('');
    },
  );

  await test.step('words are searched for', async () => {
    const search = page.getByRole('searchbox', { name: 'Search activity' });
    await search.fill(stranger.name);
    // Created, one upload.
    await expect(total(page, '1-2 of 2')).toBeVisible();
    await expect(entries(page).filter({ hasText: stranger.name })).toHaveCount(2);
  });

  await test.step('the export holds what the list shows', async () => {
    const button = page.getByRole('button', { name: 'Export CSV' });
    const release = await holdCalls(page, EXPORT);
    const arriving = page.waitForEvent('download');
    await button.click();
    await expect(page.getByRole('button', { name: 'Exporting...' })).toBeDisabled();
    release();
    const download = await arriving;
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
    expect(lines).toHaveLength(1 + 2);
    for (const line of lines.slice(1)) expect(line).toContain(stranger.name);
    await expect(button).toBeEnabled();

    await failCalls(page, EXPORT, { status: 500, message: 'The disk is full of moths' });
    await button.click();
    await readError(page, 'Failed to export activity: The disk is full of moths');
    await expect(button).toBeEnabled();
  });
});

test('a CPA reads what was done by and to the own clients, a Client user what they did', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const { cpa, clientUser, clients, stranger, reports } = await seedFirm(server.origin);
  const rosa = await apiAs(server.origin, cpa);
  await rosa.post('/api/activity-logs', { action: 'view', fileId: reports[0]?.id });

  await test.step('the CPA', async () => {
    const page = await signIn(cpa, { at: '/activity' });
    await expect(page.getByText('Your activity, and that of your clients', { exact: true })).toBeVisible();
    await expect(entries(page).filter({ hasText: 'Uploaded' }).first()).toBeVisible();
    await expect(page.getByText(stranger.name)).toHaveCount(0);
    await expect(page.getByRole('combobox', { name: 'User', exact: true })).toHaveCount(0);
    await page.getByRole('combobox', { name: 'Client', exact: true }).click();
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText([
      'All Clients',
      clients[0].name,
      clients[1].name,
    ]);
    // A filter out of reach is ignored, whoever typed it.
    await page.goto(`/activity?client=${stranger.id}&user=1`);
    await expect(page.getByRole('combobox', { name: 'Client', exact: true })).toHaveValue('All Clients');
    await expect(entries(page).first()).toBeVisible();
  });

  await test.step('the Client user', async () => {
    const page = await signIn(clientUser, { at: '/activity' });
    await expect(page.getByText('Your own activity', { exact: true })).toBeVisible();
    await expect(page.getByText('No activities found', { exact: true })).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'User', exact: true })).toHaveCount(0);
    await expect(page.getByRole('combobox', { name: 'Client', exact: true })).toHaveCount(0);
    const own = await apiAs(server.origin, clientUser);
    await own.post('/api/activity-logs', { action: 'download', fileId: reports[1]?.id });
    await page.reload();
    await expect(total(page, '1-1 of 1')).toBeVisible();
    await expect(entries(page)).toContainText([clientUser.fullName]);
  });
});
