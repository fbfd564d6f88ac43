// The overview: an Admin's home, and that of everyone who is neither CPA nor Client.
import { expect, type Page } from '@playwright/test';
import { letPass, stopClock } from './clock.ts';
import { type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { watchLayoutShifts } from './layout-shift.ts';
import { openInTab } from './open-in-tab.ts';
import { ADMIN } from './server.ts';
import { failCalls, holdCalls, listenForCalls } from './stub.ts';
import { readError, readToast } from './toast.ts';

/** The most rows of one page. */
const ROWS_MAX = 1_000;
const OVERVIEW = /\/api\/overview$/;
const DATE_AND_TIME = /\d{2}\/\d{2}\/\d{4} (1[0-2]|[1-9]):\d{2} [AP]M/;
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const CARDS = [
  ['Total Clients', 'Registered client companies', '/clients'],
  ['Total Users', 'System users across all roles', '/users'],
  ['Total Files', 'Uploaded documents and reports', '/file-upload'],
  ['Recent Activity', 'File uploads and downloads', '/activity'],
] as const;

const card = (page: Page, title: string, subtitle: string) =>
  page.getByRole('main').getByRole('link').filter({ hasText: title }).filter({ hasText: subtitle });

const activityTable = (page: Page) => page.getByRole('table', { name: 'Recent Activity' });

const newestReport = (firm: Firm) => firm.reports.at(-1) ?? { id: 0, name: '' };

/** What is in a row of the activity whose file still exists. */
const rowWith = (page: Page, fileName: string) =>
  activityTable(page)
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: `View ${fileName}`, exact: true }) });

test('an Admin sees true totals, the latest activity and the latest uploads', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin);
  const page = await signIn(ADMIN, { at: null });
  const shifts = await watchLayoutShifts(page);
  const table = activityTable(page);

  for (const viewport of [PHONE, WIDE]) {
    await page.setViewportSize(viewport);
    const release = await holdCalls(page, OVERVIEW);
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Welcome, Administrator', exact: true })).toBeVisible();
    await expect(page.getByText("Here's an overview of your tax document management system")).toBeVisible();
    await expect(table).toHaveAttribute('aria-busy', 'true');
    await expect(table.getByRole('row', { includeHidden: true })).toHaveCount(1 + 4);
    release();
    await expect(rowWith(page, newestReport(firm).name).first()).toBeVisible();
    expect(await shifts(), `what moves when the data arrives, ${viewport.width} wide`).toEqual([]);
  }

  const lists = ['/api/clients', '/api/users', '/api/files', '/api/activity-logs'];
  for (const [nth, [title, subtitle]] of CARDS.entries()) {
    let rows = 0;
    for (let page: unknown[] = [], offset = 0; offset === 0 || page.length === ROWS_MAX; offset += ROWS_MAX) {
      page = await firm.api.get<unknown[]>(`${lists[nth]}?limit=${ROWS_MAX}&offset=${offset}`);
      rows += page.length;
    }
    await expect(card(page, title, subtitle)).toHaveText(`${title}${rows.toLocaleString('en-US')}${subtitle}`);
  }

  await expect(table.getByRole('columnheader')).toHaveText([
    'Icon',
    'Activity',
    'User',
    'Client',
    'Date & Time',
    'Action',
  ]);
  const uploaded = rowWith(page, newestReport(firm).name);
  await expect(uploaded.getByRole('cell').nth(1)).toHaveText(`Uploaded${newestReport(firm).name}`);
  await expect(uploaded.getByRole('link', { name: /pdf$/ })).toHaveAttribute(
    'href',
    `/cpa-dashboard/report/${newestReport(firm).id}?from=%2F`,
  );
  await expect(uploaded.getByRole('cell').nth(2)).toHaveText('Administrator');
  await expect(uploaded.getByRole('cell').nth(3)).toHaveText(firm.stranger.name);
  await expect(uploaded.getByRole('cell').nth(4)).toHaveText(DATE_AND_TIME);
  await expect(uploaded.getByRole('cell').nth(4)).toHaveText(/(just now|ago)$/);
  await expect(uploaded.getByRole('time')).toHaveAttribute('title', /^\w+day, .+ at \d+:\d\d:\d\d [AP]M .+/);
  // A new user, with all that was granted, is one row that says who; the log has the others.
  const created = table.getByRole('row').filter({ hasText: `Created user: ${firm.clientUser.username}` });
  await expect(created.getByRole('cell').nth(1)).toHaveText(
    `CreatedCreated user: ${firm.clientUser.username}, role Client, and 3 more in the log`,
  );
  await expect(created.getByRole('cell').nth(3)).toHaveText('—No client');
  await expect(table.getByText('Granted', { exact: true })).toHaveCount(0);

  await expect(page.getByRole('tab', { name: 'Recent Activity' })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('tab', { name: 'Recent Uploads' }).click();
  const first = page.getByRole('table', { name: 'Recent Uploads' }).getByRole('row').nth(1);
  await expect(first).toContainText(newestReport(firm).name);
  await expect(first).toContainText(firm.stranger.name);
  await page.goBack();
  await expect(table).toBeVisible();

  for (const [title, subtitle, path] of CARDS) {
    await card(page, title, subtitle).click();
    await expect(page).toHaveURL(path);
    await page.goBack();
  }
});

test('files open and download from the overview, as long as they exist', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const firm = await seedFirm(server.origin);
  const page = await signIn(ADMIN, { failures: [503] });
  const { id, name } = newestReport(firm);

  const announcing = page.waitForRequest(
    (request) => request.method() === 'POST' && /activity-logs$/.test(request.url()),
  );
  const arriving = page.waitForEvent('download');
  await rowWith(page, name)
    .getByRole('button', { name: `Download ${name}`, exact: true })
    .first()
    .click();
  expect((await arriving).suggestedFilename()).toBe(name);
  expect((await announcing).postDataJSON()).toEqual({
    action: 'download',
    fileId: id,
    details: `Downloaded file: ${id}`,
  });
  await readToast(page, 'status', ['Success', 'File downloaded successfully']);

  const view = page.getByRole('button', { name: `View ${name}`, exact: true }).first();
  expect(await openInTab(page, () => view.click())).toBe(`/api/files/${id}`);

  const pass = await failCalls(page, /\/api\/files\/\d+\/download/, { status: 503, message: 'Storage is away' });
  await page
    .getByRole('button', { name: `Download ${name}`, exact: true })
    .first()
    .click();
  await readError(page, 'Failed to download file: Download failed: Service Unavailable');
  await pass();

  // Several rows name the file; none of them links to it once it is deleted.
  const token = await page.evaluate<string>("localStorage.getItem('token')");
  await page.request.delete(`/api/files/${id}`, { headers: { authorization: `Bearer ${token}` } });
  await page.reload();
  await expect(activityTable(page).getByRole('row').nth(1)).toContainText('Deleted');
  await expect(activityTable(page).getByRole('cell', { name: 'Not available' }).nth(1)).toBeVisible();
  await expect(activityTable(page).getByRole('row').nth(1).getByRole('cell').nth(1)).toContainText(name);
  await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0);
  await expect(page.getByRole('button', { name: `View ${name}`, exact: true })).toHaveCount(0);
  await expect(page.getByRole('button', { name: `Download ${name}`, exact: true })).toHaveCount(0);
  const other = firm.reports[0]?.name ?? '';
  await expect(page.getByRole('button', { name: `View ${other}`, exact: true }).first()).toBeVisible();
});

test('the overview asks once when its window regains focus, and says what failed or is missing', {
  tag: '@full',
}, async ({ signIn, server }) => {
  await seedFirm(server.origin);
  const page = await signIn(ADMIN, { failures: [500], fresh: true });
  await expect(activityTable(page)).toHaveAttribute('aria-busy', 'false');
  await stopClock(page);

  await test.step('a return is one question', async () => {
    const asked = listenForCalls(page, OVERVIEW);
    // Browsers report it twice, with time enough between for an answer.
    const answering = page.waitForResponse(OVERVIEW);
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await (await answering).finished();
    await letPass(page, 900);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
    await page.getByRole('tab', { name: 'Recent Uploads' }).click();
    await page.getByRole('tab', { name: 'Recent Activity' }).click();
    await page.evaluate("window.dispatchEvent(new Event('blur'))");
    // Longer than what counts as one return.
    await letPass(page, 200);
    expect(asked).toHaveLength(1);
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await expect.poll(() => asked.length).toBe(2);
  });

  await test.step('a failed refresh removes nothing', async () => {
    const pass = await failCalls(page, OVERVIEW, { status: 500, message: 'The disk is full of moths' });
    await letPass(page, 1_100);
    const failing = page.waitForResponse(OVERVIEW);
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await (await failing).finished();
    await letPass(page, 100);
    await expect(activityTable(page).getByRole('row').nth(1)).toBeVisible();
    await expect(card(page, 'Total Users', 'System users')).toContainText(/\d/);
    await pass();
    await page.clock.resume();
  });

  await test.step('failing', async () => {
    const pass = await failCalls(page, OVERVIEW, { status: 500, message: 'The disk is full of moths' });
    const passRequests = await failCalls(page, /\/api\/requests\/summary/, { status: 500, message: 'Moths here too' });
    await page.reload();
    await expect(page.getByRole('main').getByRole('alert')).toContainText('The disk is full of moths');
    await expect(card(page, 'Total Clients', 'Registered')).toContainText('—');
    // Nothing is said to be late or not before it is known.
    await expect(card(page, 'Open Requests', 'Could not be loaded')).toContainText('—');
    await passRequests();
    await pass();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(activityTable(page).getByRole('row').nth(1)).toBeVisible();
    await expect(card(page, 'Total Users', 'System users')).toContainText(/\d/);
  });

  await test.step('how the portal is backed up', async () => {
    const place = '/mnt/backups/coffer';
    const last = { endedAt: '2026-11-20T12:00:00.000Z', files: 1_234, sizeBytes: 851_443_712, damaged: 0, place };
    const warning = page.getByRole('main').getByRole('status').filter({ hasText: 'backup' });
    const line = page.getByText(
      /^Last backup: 11\/\d{2}\/2026 .*, 1,234 files, 812 MB, whole\. It is at \/mnt\/backups\/coffer\.$/,
    );
    const tell = async (backup: object | null) => {
      await page.unroute(OVERVIEW);
      await page.route(OVERVIEW, async (route) => {
        const answer = await route.fetch();
        const told = backup && { faultAfter: null, ...backup };
        await route.fulfill({ response: answer, json: { ...(await answer.json()), backup: told } });
      });
      await page.reload();
      await expect(activityTable(page).getByRole('row').nth(1)).toBeVisible();
    };
    await tell(null);
    await expect(page.getByText('There is no backup of this firm. System says how one is made.')).toBeVisible();
    await tell({ last, fault: null, isDaily: true, isOld: false });
    await expect(line).toBeVisible();
    await expect(page.getByText('There is no backup')).toHaveCount(0);
    await expect(warning).toHaveCount(0);
    await tell({ last, fault: 'The place of the backups is full.', isDaily: true, isOld: true });
    await expect(warning).toHaveText(
      /^The last backup failed: The place of the backups is full\. The last one that succeeded is of 11\/\d{2}\/2026 /,
    );
    await expect(line).toHaveCount(0);
    await tell({ last: null, fault: 'It does not answer', isDaily: true, isOld: false });
    await expect(warning).toHaveText('The last backup failed: It does not answer. There is no backup yet.');
    await tell({ last: null, fault: null, isDaily: true, isOld: true });
    await expect(warning).toHaveText(
      /^There is no backup of this firm yet, although one is set up for every day\. .* If none comes, see that /,
    );
    await tell({ last, fault: null, isDaily: true, isOld: true });
    await expect(warning).toContainText('The last backup is more than two days old');
    await tell({ last, fault: null, isDaily: false, isOld: true });
    await expect(warning).toContainText('The last backup is more than a week old, and none is set up for every day.');
    await tell({ last: { ...last, damaged: 1 }, fault: null, isDaily: true, isOld: false });
    await expect(warning).toContainText('The last backup is not whole: 1 file was missing or damaged');
    await tell({ last, fault: null, faultAfter: 'Nothing is removed.', isDaily: true, isOld: false });
    await expect(warning).toHaveText(
      'The last backup was made, but something after it failed: Nothing is removed. The next backup tries it again.',
    );
    await page.unroute(OVERVIEW);
  });

  await test.step('nothing yet', async () => {
    const totals = { clients: 0, users: 1, files: 0, activity: 0 };
    await page.route(OVERVIEW, (route) => route.fulfill({ json: { totals, recentActivity: [], recentUploads: [] } }));
    await page.reload();
    await expect(page.getByText('No activities found.', { exact: true })).toBeVisible();
    await page.getByRole('tab', { name: 'Recent Uploads' }).click();
    await expect(page.getByText('No recent uploads', { exact: true })).toBeVisible();
    await expect(page.getByText('Files uploaded will appear here', { exact: true })).toBeVisible();
    await expect(card(page, 'Total Files', 'Uploaded documents')).toContainText('0');
  });
});

test('a user without rights and reach sees an empty overview that leads nowhere', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const { outsider, stranger } = await seedFirm(server.origin);
  const page = await signIn(outsider);
  await expect(page.getByRole('heading', { name: `Welcome, ${outsider.fullName}`, exact: true })).toBeVisible();
  await expect(page.getByText('No activities found.', { exact: true })).toBeVisible();
  await expect(page.getByText('Total Clients')).toBeVisible();
  await expect(page.getByText('Total Users')).toHaveCount(0);
  for (const [title, subtitle] of CARDS.slice(0, 3)) await expect(card(page, title, subtitle)).toHaveCount(0);
  await expect(card(page, 'Recent Activity', 'File uploads and downloads')).toHaveCount(1);
  await expect(page.getByText(stranger.name)).toHaveCount(0);
});
