// The Files screen (docs/behaviour.md, Files: the Files screen): its states, its list by filter, order and page, ticked files together, and what it refuses.
import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { matchesSearch } from '#contract/search.ts';
import { unzip } from '#server/testing/unzip.ts';
import { bar, row, table, tick } from './files-page.ts';
import { type Firm, seedFirm } from './firm.ts';
import { stepInFull, test } from './fixtures.ts';
import { makePdf } from './pdf.ts';
import { answerList, failCalls, holdCalls } from './stub.ts';
import { notifications, readError, readToast } from './toast.ts';

const REPORTS = 30;
const LIST = /\/api\/files\?/;

let firm: Firm;

test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin, { reports: REPORTS });
});

/** The nth report of the first client, from 1, oldest first. */
const reportName = (nth: number) => firm.reports[nth - 1]?.name ?? '';
const names = (page: Page) =>
  table(page)
    .getByRole('row')
    .getByRole('button', { name: /^Download / });

async function chooseClient(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Client', exact: true }).click();
  await page.getByRole('option', { name, exact: true }).click();
}

async function downloaded(page: Page, button: Locator): Promise<{ name: string; bytes: Buffer }> {
  const saving = page.waitForEvent('download');
  await button.click();
  const download = await saving;
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test('shows four grey rows while it loads, why it fails, and after Retry everything in a row', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn(firm.cpa, { at: null, failures: [500] });
  await failCalls(page, LIST, { status: 500, message: 'Internal Server Error' });
  const release = await holdCalls(page, LIST);
  await page.goto('/file-upload');
  await expect(page.getByRole('columnheader', { name: 'File Name' })).toBeVisible();
  await expect(page.getByRole('row', { includeHidden: true })).toHaveCount(1 + 4);
  await expect(table(page).getByRole('row')).toHaveCount(1);

  release();
  const fault = page.getByRole('main').getByRole('alert');
  await expect(fault).toContainText('Failed to fetch files');
  await expect(fault).toContainText('Internal Server Error');
  // Its order may be why, and a phone has no header to press.
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByRole('combobox', { name: 'Sort uploaded files by' })).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.unroute(LIST);
  await fault.getByRole('button', { name: 'Retry' }).click();

  const [client] = firm.clients;
  await expect(page.getByRole('heading', { name: 'Uploaded Files' })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Reports' })).toBeChecked();
  await expect(table(page).getByRole('columnheader')).toHaveText([
    '',
    'File Name',
    'Client Name',
    'Upload Date',
    'File Type',
    'Period',
    'Seen By',
    'Action',
  ]);
  const newest = row(page, reportName(REPORTS));
  await expect(newest.getByRole('cell').nth(2)).toHaveText(client.name);
  await expect(newest.getByRole('cell').nth(3)).toHaveText(/^\d{2}\/\d{2}\/\d{4}$/);
  await expect(newest.getByRole('cell').nth(4)).toHaveText(`Report - ${firm.reportTypes[0].name}`);
  for (const action of ['View', 'Download', 'Delete']) {
    await expect(newest.getByRole('button', { name: `${action} ${reportName(REPORTS)}`, exact: true })).toBeVisible();
  }
  await expect(newest.getByRole('button', { name: /^View / })).toHaveAccessibleDescription('Opens in a new tab');
  // Delete stands apart, so that it is not pressed in the place of another.
  const sidesOf = async (action: string) => {
    const box = await newest.getByRole('button', { name: new RegExp(`^${action} `) }).boundingBox();
    return { left: box?.x ?? Number.NaN, right: (box?.x ?? Number.NaN) + (box?.width ?? 0) };
  };
  const [download, refile, remove] = [await sidesOf('Download'), await sidesOf('Re-file'), await sidesOf('Delete')];
  expect(remove.left - refile.right).toBeGreaterThan(2 * (refile.left - download.right));
  await expect(page.getByText(`1-25 of ${REPORTS}`)).toBeVisible();

  await page.getByRole('radio', { name: 'Company Documents' }).check();
  await expect(page.getByText('No files found. Upload a file to get started.')).toBeVisible();
  await firm.api.upload({ clientId: client.id, fileType: 'company_document' }, 'Lease.pdf', await makePdf(['Lease']));
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Company Documents' })).toBeChecked();
  await expect(row(page, 'Lease.pdf').getByRole('cell').nth(4)).toHaveText('Company Document');
  await expect(row(page, 'Lease.pdf').getByRole('cell', { name: /^\d (person|people), not opened$/ })).toBeVisible();
  // By that alone reports are narrowed.
  await expect(page.getByRole('checkbox', { name: 'Not opened' })).toHaveCount(0);
  await expect(table(page).getByRole('row')).toHaveCount(1 + 1);
});

test('keeps filters, order, page and search in the address, and Back undoes them', async ({ signIn }) => {
  const [, other] = firm.clients;
  const page = await signIn(firm.cpa, { at: '/file-upload', timezoneId: 'America/Chicago' });
  const list = page.getByRole('combobox', { name: 'Client', exact: true });
  await expect(list).toHaveValue('All Clients');

  await test.step('a client', async () => {
    await chooseClient(page, other.name);
    await expect(page.getByText('No files match your search and filters.')).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`client=${other.id}`));
    await page.goBack();
    await expect(list).toHaveValue('All Clients');
    await expect(page.getByText(`1-25 of ${REPORTS}`)).toBeVisible();
    await page.goForward();
    await expect(list).toHaveValue(other.name);
  });

  await test.step('dates are whole local days; Clear Filters removes the client and both dates', async () => {
    await page.goto('/file-upload?startDate=2020-01-01&endDate=2020-12-31&type=report');
    await expect(page.getByText('No files match your search and filters.')).toBeVisible();
    await expect(page.getByLabel('Start Date')).toHaveValue('01/01/2020');
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await expect(page.getByLabel('Start Date')).toHaveValue('');
    await expect(page.getByLabel('End Date')).toHaveValue('');
    await expect(list).toHaveValue('All Clients');
    await expect(page.getByText(`1-25 of ${REPORTS}`)).toBeVisible();
    await page.getByRole('combobox', { name: 'Dates', exact: true }).selectOption('Last quarter');
    const chips = page.getByRole('list', { name: 'Filters in force' });
    await expect(chips.getByRole('listitem')).toHaveText(/^Dates: Q[1-4] \d{4}$/);
    await chips.getByRole('button', { name: 'Remove filter Dates' }).click();
    await expect(page.getByLabel('End Date')).toHaveValue('');
    await expect(page.getByText(`1-25 of ${REPORTS}`)).toBeVisible();
    const asking = page.waitForRequest(LIST);
    const today = await page.evaluate(() => new Date().toLocaleDateString('en-US'));
    await page.getByLabel('End Date').fill(today);
    await page.getByLabel('End Date').press('Tab');
    expect(new URL((await asking).url()).searchParams.get('timeZone')).toBe('America/Chicago');
    await expect(page.getByText(`1-25 of ${REPORTS}`)).toBeVisible();
  });

  await test.step('order', async () => {
    await page.goto('/file-upload');
    const byDate = page.getByRole('columnheader', { name: 'Upload Date' });
    const byName = page.getByRole('columnheader', { name: 'File Name' });
    await expect(byDate).toHaveAttribute('aria-sort', 'descending');
    await expect(byName).toHaveAttribute('aria-sort', 'none');
    await byDate.getByRole('button').click();
    await expect(byDate).toHaveAttribute('aria-sort', 'ascending');
    await expect(names(page).first()).toHaveAccessibleName(`Download ${reportName(1)}`);
    await byName.getByRole('button').click();
    await expect(byName).toHaveAttribute('aria-sort', 'ascending');
    await expect(byDate).toHaveAttribute('aria-sort', 'none');
    await expect(page).toHaveURL(/sort=originalName/);
    await page.goBack();
    await expect(byDate).toHaveAttribute('aria-sort', 'ascending');
    await expect(table(page).getByRole('columnheader', { name: 'Action' })).not.toHaveAttribute('aria-sort');
  });

  await test.step('page and page size', async () => {
    await page.goto('/file-upload');
    await expect(page.getByRole('button', { name: 'Previous page' })).toBeDisabled();
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect(page.getByText(`26-${REPORTS} of ${REPORTS}`)).toBeVisible();
    await expect(page).toHaveURL(/page=2/);
    await expect(page.getByRole('button', { name: 'Next page' })).toBeDisabled();
    await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('50 rows');
    await expect(page.getByText(`1-${REPORTS} of ${REPORTS}`)).toBeVisible();
    await expect(page).toHaveURL(/size=50/);
    await page.goBack();
    await expect(page.getByText(`26-${REPORTS} of ${REPORTS}`)).toBeVisible();
    // One that is no more leads to the last, and Back from there to what was before.
    await page.goto('/file-upload');
    await page.goto('/file-upload?page=9');
    await expect(page.getByText(`26-${REPORTS} of ${REPORTS}`)).toBeVisible();
    await expect(page).toHaveURL(/page=2/);
    await page.goBack();
    await expect(page.getByText(`1-25 of ${REPORTS}`)).toBeVisible();
    await expect(page).not.toHaveURL(/page=/);
  });

  await test.step('search by name', async () => {
    await page.getByRole('searchbox', { name: 'Search files by name' }).fill(reportName(7).toUpperCase());
    await expect(page.getByText('1-1 of 1')).toBeVisible();
    await expect(row(page, reportName(7))).toBeVisible();
    await expect(page).toHaveURL(/q=/);
    await page.getByRole('button', { name: 'Clear search' }).click();
    await expect(page.getByText(`1-25 of ${REPORTS}`)).toBeVisible();
  });

  await test.step('a file opens among those of this list, to which its way back leads', async () => {
    const address = `/file-upload?client=${firm.clients[0].id}&sort=originalName`;
    await page.goto(address);
    await row(page, reportName(2))
      .getByRole('link', { name: reportName(2) })
      .click();
    const walk = page.getByRole('navigation', { name: 'Files of this list' });
    await expect(walk).toContainText(`${REPORTS - 1} of ${REPORTS}`);
    await walk.getByRole('button', { name: `Next file: ${reportName(1)}` }).click();
    await expect(page.getByRole('heading', { name: reportName(1) })).toBeVisible();
    await expect(walk.getByRole('button', { name: 'Next file' })).toBeDisabled();
    await walk.getByRole('link', { name: 'Back to files' }).click();
    await expect(page).toHaveURL(address);
  });

  await stepInFull('a client out of reach in the address is passed over', async () => {
    await page.goto(`/file-upload?client=${firm.stranger.id}&sort=nonsense&page=0`);
    await expect(page.getByText(`1-25 of ${REPORTS}`)).toBeVisible();
    await expect(page.getByText('Secret')).toHaveCount(0);
  });
});

test('ticks files over pages and saves them as one ZIP', async ({ signIn }) => {
  const page = await signIn(firm.cpa, { at: '/file-upload' });
  const all = page.getByRole('checkbox', { name: 'Select all on this page' });
  await tick(page, reportName(28)).check();
  await expect(bar(page).getByRole('status')).toHaveText('1 selected');
  await expect(all).toBeChecked({ indeterminate: true });

  await test.step('Shift takes all rows between', async () => {
    await tick(page, reportName(26)).click({ modifiers: ['Shift'] });
    await expect(bar(page).getByRole('status')).toHaveText('3 selected');
    await expect(tick(page, reportName(27))).toBeChecked();
    await tick(page, reportName(27)).press('Space');
    await expect(bar(page).getByRole('status')).toHaveText('2 selected');
  });

  await test.step('pages and orders keep it, another filter ends it', async () => {
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect(bar(page).getByRole('status')).toHaveText('2 selected');
    await tick(page, reportName(1)).check();
    await page.getByRole('columnheader', { name: 'File Name' }).getByRole('button').click();
    await expect(bar(page).getByRole('status')).toHaveText('3 selected');
  });

  const { name, bytes } = await downloaded(page, bar(page).getByRole('button', { name: 'Download ZIP' }));
  await readToast(page, 'status', ['3 files downloaded successfully']);
  expect(name).toMatch(/\.zip$/);
  const entries = await unzip(bytes);
  const folder = `${firm.clients[0].name}/${firm.reportTypes[0].name}`;
  expect([...entries.keys()].sort()).toEqual(
    ['manifest.csv', ...[1, 26, 28].map((nth) => `${folder}/${reportName(nth)}`)].sort(),
  );
  expect(
    entries
      .get(`${folder}/${reportName(1)}`)
      ?.subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');

  await test.step('the ticked files alone leave as CSV too', async () => {
    const csv = await downloaded(page, bar(page).getByRole('button', { name: 'Export CSV' }));
    expect(csv.name).toMatch(/\.csv$/);
    const [, ...lines] = csv.bytes.toString().trimEnd().split('\r\n');
    expect(lines.map((line) => line.split('"')[1]).sort()).toEqual([1, 26, 28].map(reportName).sort());
  });

  await test.step('the page at once, and Clear', async () => {
    await page.goto('/file-upload');
    await all.check();
    await expect(bar(page).getByRole('status')).toHaveText('25 selected');
    await expect(all).toBeChecked();
    await bar(page)
      .getByRole('button', { name: `Select all ${REPORTS} that match` })
      .click();
    await expect(bar(page).getByRole('status')).toHaveText(`all ${REPORTS} selected`);
    const whole = await downloaded(page, bar(page).getByRole('button', { name: 'Download ZIP' }));
    expect((await unzip(whole.bytes)).size).toBe(REPORTS + 1);
    // One that is deleted by its own button takes nothing else out of them.
    await row(page, reportName(30))
      .getByRole('button', { name: `Delete ${reportName(30)}` })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(bar(page).getByRole('status')).toHaveText(`all ${REPORTS - 1} selected`);
    await notifications(page).getByRole('button', { name: 'Undo' }).click();
    await expect(bar(page).getByRole('status')).toHaveText(`all ${REPORTS} selected`);
    await expect(bar(page).getByRole('button', { name: /^Delete/ })).toHaveCount(0);
    await tick(page, reportName(30)).uncheck();
    await expect(bar(page).getByRole('status')).toHaveText('24 selected');
    await all.check();
    await all.uncheck();
    await expect(bar(page).getByRole('button')).toHaveCount(0);
    await tick(page, reportName(30)).check();
    await bar(page).getByRole('button', { name: 'Clear' }).click();
    await expect(tick(page, reportName(30))).not.toBeChecked();
    await expect(all).toBeFocused();
    await tick(page, reportName(30)).check();
    await chooseClient(page, firm.clients[0].name);
    await expect(page).toHaveURL(/client=/);
    await expect(bar(page).getByRole('button')).toHaveCount(0);
    await page.goBack();
    await expect(page).not.toHaveURL(/client=/);
    await expect(tick(page, reportName(30))).not.toBeChecked();
  });

  await stepInFull('once nothing is left in the list, as of what is new alone, nothing is selected', async () => {
    await page.goto('/file-upload');
    await all.check();
    await bar(page)
      .getByRole('button', { name: `Select all ${REPORTS} that match` })
      .click();
    await answerList(page, LIST, []);
    await downloaded(page, bar(page).getByRole('button', { name: 'Download ZIP' }));
    await expect(bar(page).getByRole('status')).toHaveText('');
    await page.unroute(LIST);
    await page.goto('/file-upload');
    await expect(all).not.toBeChecked();
  });

  await stepInFull('on a phone every file is a card that can be ticked and sorted', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('combobox', { name: 'Sort uploaded files by' }).selectOption('Upload Date, ascending');
    await tick(page, reportName(1)).check();
    await expect(bar(page).getByRole('status')).toHaveText('1 selected');
    await expect(bar(page).getByRole('button', { name: 'Download ZIP' })).toBeInViewport();
    // On one line: what is done less often is in a menu, which closes by what it does.
    expect((await bar(page).boundingBox())?.height).toBeLessThan(64);
    const more = bar(page).getByRole('button', { name: 'More' });
    const remove = bar(page).getByRole('button', { name: 'Delete', exact: true });
    await expect(remove).toBeHidden();
    await more.click();
    await expect(remove).toBeInViewport();
    await page.keyboard.press('Escape');
    await expect(remove).toBeHidden();
    await more.click();
    await remove.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await expect(remove).toBeHidden();
    await expect(more).toBeFocused();
    await all.check();
    await expect(bar(page).getByRole('status')).toHaveText('25 selected');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });
});

test('columns are chosen below the table, and kept for the person, in other browsers too', async ({ signIn }) => {
  const page = await signIn(firm.cpa, { at: '/file-upload' });
  const headers = table(page).getByRole('columnheader');
  const all = ['', 'File Name', 'Client Name', 'Upload Date', 'File Type', 'Period', 'Seen By', 'Action'];
  await expect(headers).toHaveText(all);
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  const choice = page.getByRole('dialog', { name: 'Columns' });
  // Without its name and its buttons a row would be of no use.
  await expect(choice.getByRole('checkbox')).toHaveCount(5);
  await expect(choice.getByRole('button', { name: 'Show all' })).toBeDisabled();
  await choice.getByRole('checkbox', { name: 'Upload Date' }).uncheck();
  await choice.getByRole('checkbox', { name: 'Period' }).uncheck();
  await page.keyboard.press('Escape');
  await expect(choice).toBeHidden();
  await expect(page.getByRole('button', { name: 'Columns', exact: true })).toBeFocused();
  // The list is still in the order of a column that is hidden, and a phone says so.
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByRole('combobox', { name: 'Sort uploaded files by' })).toHaveValue('-uploadedAt');
  await page.setViewportSize({ width: 1280, height: 720 });
  const fewer = ['', 'File Name', 'Client Name', 'File Type', 'Seen By', 'Action'];
  await expect(headers).toHaveText(fewer);
  await page.reload();
  await expect(headers).toHaveText(fewer);

  const elsewhere = await signIn(firm.cpa, { fresh: true, at: '/file-upload' });
  await expect(table(elsewhere).getByRole('columnheader')).toHaveText(fewer);
  await elsewhere.getByRole('button', { name: 'Columns', exact: true }).click();
  await elsewhere.getByRole('button', { name: 'Show all' }).click();
  await expect(table(elsewhere).getByRole('columnheader')).toHaveText(all);
  await elsewhere.keyboard.press('Escape');
  await elsewhere.reload();
  await expect(table(elsewhere).getByRole('columnheader')).toHaveText(all);
});

test('a long name takes two lines, the end whole, and is whole on hover; a phone shows it whole, and folds what filters by time', {
  tag: '@full',
}, async ({ signIn }) => {
  const name = 'HarborPineBakery_PayrollJournal_with_much_to_say_about_the_second_half_of_the_month_2026-11-20.pdf';
  const long = await firm.api.upload(
    { clientId: firm.clients[0].id, fileType: 'report', reportTypeId: firm.reportTypes[0].id },
    name,
    await makePdf(['Long']),
  );
  const page = await signIn(firm.cpa, { at: '/file-upload?q=HarborPineBakery' });
  const cell = table(page).getByRole('cell').filter({ hasText: '2026-11-20.pdf' });
  const heightOf = async (part: Locator) => (await part.boundingBox())?.height ?? 0;
  await expect(cell).toHaveText(name);
  // As it is when it is copied.
  expect((await cell.innerText()).trim()).toBe(name);
  await expect(cell.locator('[title]')).toHaveAttribute('title', name);
  await expect(cell.getByText('2026-11-20.pdf')).toBeInViewport({ ratio: 1 });
  expect(await heightOf(cell.locator('[title]'))).toBeLessThan(4 * (await heightOf(cell.getByText('2026-11-20.pdf'))));
  const isCut = () =>
    page.evaluate(
      `(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('td [title] > :first-child'))`,
    );
  expect(await isCut()).toBe(true);

  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(isCut).toBe(false);
  await expect(page.getByLabel('Start Date')).toBeHidden();
  await page.getByRole('button', { name: 'More Filters' }).click();
  await expect(page.getByRole('button', { name: 'Fewer Filters' })).toHaveAttribute('aria-expanded', 'true');
  await page.getByLabel('Start Date').fill('01/31/2020');
  await page.getByLabel('Start Date').press('Tab');
  await expect(page).toHaveURL(/startDate=2020-01-31/);
  // What is in force is in sight from the start.
  await page.reload();
  await expect(page.getByLabel('Start Date')).toHaveValue('01/31/2020');

  // Beside the mark of a new file there is room for it too.
  const reader = await signIn(firm.clientUser, { at: '/client-reports?q=HarborPineBakery' });
  await expect(reader.getByText('New', { exact: true })).toBeVisible();
  const shown = await reader.getByRole('cell').locator('[title]').filter({ hasText: '2026-11-20.pdf' }).boundingBox();
  expect(shown?.width).toBeGreaterThan(150);
  await firm.api.delete(`/api/files/${long.id}`);
});

test('a ZIP that fails says why', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn(firm.cpa, { at: '/file-upload', failures: [404, 503] });
  await tick(page, reportName(30)).check();
  await tick(page, reportName(29)).check();
  const zip = bar(page).getByRole('button', { name: 'Download ZIP' });
  await page.route('**/api/files/archive', (route) =>
    route.fulfill({
      status: 503,
      json: { message: 'The server is busy. Please try again in a moment.', code: 'busy' },
    }),
  );
  await zip.click();
  await readError(page, 'Failed to download files: The server is busy. Please try again in a moment.');
  await expect(bar(page).getByRole('status')).toHaveText('2 selected');

  await page.unroute('**/api/files/archive');
  const gone = await firm.api.upload(
    { clientId: firm.clients[0].id, fileType: 'report', reportTypeId: firm.reportTypes[0].id },
    'Gone tomorrow.pdf',
    await makePdf(['Gone']),
  );
  await page.reload();
  await tick(page, 'Gone tomorrow.pdf').check();
  await tick(page, reportName(30)).check();
  await page.evaluate(async (id) => {
    const authorization = `Bearer ${localStorage.getItem('token')}`;
    await fetch(`/api/files/${id}`, { method: 'DELETE', headers: { authorization } });
  }, gone.id);
  await zip.click();
  await readError(page, 'Failed to download files: a selected file is no longer there. Please select again.');
  await expect(row(page, 'Gone tomorrow.pdf')).toHaveCount(0);
  await expect(bar(page).getByRole('button')).toHaveCount(0);

  // As of a list that is empty meanwhile: nobody has selected anything.
  const empty = { message: 'Not found.', code: 'not_found', requestId: 'stub' };
  await page.route('**/api/files/archive', (route) => route.fulfill({ status: 404, json: empty }), { times: 1 });
  await page.getByRole('button', { name: 'Download All' }).click();
  await readError(page, 'Failed to download files: nothing is left to download.');
});

test('a Client may send documents but delete no report; a user without rights is offered nothing', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn(firm.clientUser, { at: '/file-upload', failures: [403] });
  await expect(row(page, reportName(REPORTS))).toBeVisible();
  await expect(page.getByRole('button', { name: /^Delete / })).toHaveCount(0);
  await tick(page, reportName(REPORTS)).check();
  await expect(bar(page).getByRole('button', { name: 'Download ZIP' })).toBeVisible();
  await expect(bar(page).getByRole('button', { name: /Delete/ })).toHaveCount(0);
  const refused = await page.evaluate(async (id) => {
    const authorization = `Bearer ${localStorage.getItem('token')}`;
    return (await fetch(`/api/files/${id}`, { method: 'DELETE', headers: { authorization } })).status;
  }, firm.reports[0]?.id ?? 0);
  expect(refused).toBe(403);

  const outsider = await signIn(firm.outsider, { at: '/file-upload' });
  await expect(outsider.getByText("You don't have access to any client details.")).toBeVisible();
  await expect(outsider.getByRole('button', { name: 'Upload Files' })).toHaveCount(0);
  await expect(outsider.getByRole('button', { name: 'Clear Filters' })).toBeVisible();
});

test('saves the list as CSV with its filters and its order', async ({ signIn }) => {
  const page = await signIn(firm.cpa, {
    at: `/file-upload?client=${firm.clients[0].id}&sort=originalName&q=-2`,
    failures: [500],
  });
  await expect(row(page, reportName(2))).toBeVisible();
  const { name, bytes } = await downloaded(page, page.getByRole('button', { name: 'Export CSV' }));
  expect(name).toMatch(/\.csv$/);
  const [header, ...lines] = bytes.toString().trimEnd().split('\r\n');
  expect(header).toContain('File Name');
  const expected = Array.from({ length: REPORTS }, (_, index) => reportName(index + 1)).filter((report) =>
    matchesSearch('-2', [report, firm.clients[0].name, firm.reportTypes[0].name]),
  );
  expect(lines).toHaveLength(expected.length);
  const [first] = [...expected].sort();
  expect(lines[0]).toContain(first);

  await page.route(/\/api\/files\/export/, async (route) => {
    await expect(page.getByRole('button', { name: 'Exporting...' })).toBeDisabled();
    await route.fulfill({ status: 500, json: { message: 'Internal Server Error', code: 'internal' } });
  });
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await readError(page, 'Failed to export files: Internal Server Error');
  await expect(page.getByRole('button', { name: 'Export CSV' })).toBeEnabled();
});

test('"Download All" and the boxes wait for the list, and take no file of the one before', async ({ signIn }) => {
  const page = await signIn(firm.cpa, { at: `/file-upload?q=${encodeURIComponent(reportName(1))}` });
  await expect(page.getByText('1-1 of 1')).toBeVisible();
  const release = await holdCalls(page, LIST);
  await page.getByRole('searchbox', { name: 'Search files by name' }).fill('');
  await expect(page).not.toHaveURL(/q=/);
  const all = page.getByRole('button', { name: 'Download All' });
  await expect(all).toBeDisabled();
  // What is in sight is of the list before: whoever presses it ticks nothing of this one.
  await tick(page, reportName(1)).click();
  release();
  await expect(all).toBeEnabled();
  await expect(page.getByText(/^1-25 of /)).toBeVisible();
  await expect(bar(page).getByRole('button')).toHaveCount(0);
  await tick(page, reportName(REPORTS)).check();
  await expect(bar(page).getByRole('status')).toHaveText('1 selected');
});
