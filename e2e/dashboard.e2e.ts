// The dashboard: the home of CPA and Client users.
import { expect } from '@playwright/test';
import { apiAs } from './api.ts';
import { axeFaultsOnTheWay } from './axe.ts';
import { addPerson, seedFirm } from './firm.ts';
import { stepInFull, test } from './fixtures.ts';
import { watchLayoutShifts } from './layout-shift.ts';
import { answerList, failCalls, holdCalls } from './stub.ts';

const NO_ACCESS = "You don't have access to any client details. Please contact your administrator.";
const CLIENTS = /\/api\/clients\?/;

test('a CPA sees the clients in reach, and gets on to the reports', async ({ signIn, server }) => {
  const { api, cpa, clientUser, clients, stranger, reportTypes } = await seedFirm(server.origin);
  const documents: { id: number }[] = [];
  for (const name of ['Lease.txt', 'Licence.txt']) {
    const fields = { clientId: clients[0].id, fileType: 'company_document' };
    documents.push(await (await apiAs(server.origin, clientUser)).upload(fields, name, Buffer.from(name)));
  }
  // Due since long.
  await api.put(`/api/clients/${clients[0].id}/expectations`, {
    expectations: [{ reportTypeId: reportTypes[1].id, frequency: 'quarterly', dueDays: 0, starts: null }],
  });
  const page = await signIn(cpa, { failures: [500] });
  const shifts = await watchLayoutShifts(page);
  const table = page.getByRole('table', { name: 'Client List' });
  const rows = table.getByRole('row');

  await stepInFull('loading, and nothing moves when the clients arrive', async () => {
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(viewport);
      const release = await holdCalls(page, CLIENTS);
      await page.goto('/');
      await expect(page.getByRole('main').getByRole('heading', { name: 'Dashboard', exact: true })).toBeVisible();
      await expect(page.getByRole('status').filter({ hasText: 'Loading clients...' })).toBeVisible();
      release();
      await expect(page.getByRole('cell', { name: clients[0].name })).toBeVisible();
      expect(await shifts()).toEqual([]);
    }
  });

  await test.step('the day\u2019s work is above the clients, each kind a number that leads to its place', async () => {
    const work = page.getByRole('region', { name: 'Today\u2019s Work' });
    const cards = work.getByRole('link');
    await expect(cards).toHaveText([
      /^Batches to Review.*Nothing to review/,
      /^Missing Reports[1-8]/,
      /^Late Reports.*Nothing late/,
      /^Asked of Clients.*Nothing asked/,
      /^Answers to Review.*Nothing to review/,
      /^Marked Uploads.*Nothing to check/,
      /^New Documents2Sent by clients; 2 opened by nobody/,
    ]);
    await expect(work.getByRole('status')).toHaveText('');
    await cards.filter({ hasText: 'Missing Reports' }).click();
    await expect(page).toHaveURL(/\/completeness\?period=\d{4}-\d{4}&state=missing&client=all/);
    await expect(page.getByRole('combobox', { name: 'State' })).toHaveValue('missing');
    await expect(page.getByRole('main').getByRole('link', { name: clients[0].name })).toBeVisible();
    await page.goBack();
    await cards.filter({ hasText: 'Late Reports' }).click();
    await expect(page).toHaveURL(/\/completeness\?period=\d{4}-\d{4}&state=late&client=all/);
    await expect(page.getByRole('combobox', { name: 'State' })).toHaveValue('late');
    await page.goBack();
    await work.getByRole('link', { name: /New Documents/ }).click();
    await expect(page).toHaveURL('/firm-documents?new=1&client=all');
    await expect(page.getByText('1-2 of 2')).toBeVisible();
    await page.goBack();
    await work.getByRole('link', { name: /Batches to Review/ }).click();
    await expect(page).toHaveURL('/batches?state=review');
    await expect(page.getByText('No batches are in this state.')).toBeVisible();
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await expect(page.getByText('No batches yet')).toBeVisible();
    await page.goto('/');
  });

  await test.step('what a colleague has opened is counted so for whoever comes back to the window, or to the home', async () => {
    const card = page.getByRole('region', { name: 'Today\u2019s Work' }).getByRole('link', { name: /New Documents/ });
    const open = async (file: { id: number } | undefined) => {
      const { url } = await api.post<{ url: string }>(`/api/files/${file?.id}/view-ticket`, {});
      expect((await fetch(server.origin + url)).status).toBe(200);
    };
    await expect(card).toContainText('Sent by clients; 2 opened by nobody');
    await open(documents[0]);
    // A return moments after the last one is taken for the same.
    await expect(async () => {
      await page.evaluate("window.dispatchEvent(new Event('focus'))");
      await expect(card).toContainText('Sent by clients; 1 opened by nobody', { timeout: 2_000 });
    }).toPass();
    await page.getByRole('link', { name: /Batches to Review/ }).click();
    await expect(page).toHaveURL('/batches?state=review');
    await open(documents[1]);
    await page.goBack();
    await expect(card).toContainText('Sent by clients, not opened by you');
  });

  await stepInFull('a kind of work that cannot be counted says so, and keeps its place', async () => {
    const pass = await failCalls(page, /\/api\/completeness\/summary/, {
      status: 500,
      message: 'The disk is full of moths',
    });
    await page.goto('/');
    await expect(page.getByRole('link', { name: /Missing Reports.*—.*Could not be loaded/ })).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.getByRole('link', { name: /Missing Reports/ }).getByText('Could not be loaded')).toBeVisible();
    await page.setViewportSize({ width: 1440, height: 900 });
    await pass();
    const release = await holdCalls(page, /\/api\/requests\/summary/);
    await page.goto('/');
    await expect(page.getByRole('link', { name: /Missing Reports ?[1-8]/ })).toBeVisible();
    // Nothing is said to be late or not before it is known.
    await expect(page.getByText('Open requests, none late')).toBeHidden();
    release();
    await expect(page.getByRole('link', { name: /Asked of Clients ?Nothing asked/ })).toBeVisible();
  });

  await test.step('filled', async () => {
    await expect(page.getByRole('heading', { name: 'Client List', exact: true })).toBeVisible();
    await expect(table.getByRole('columnheader')).toHaveText([
      'Client Name',
      'Address',
      'Phone',
      'Federal ID',
      'Employees',
    ]);
    await expect(rows).toHaveCount(1 + 2);
    await expect(rows.nth(1).getByRole('cell')).toHaveText([
      clients[0].name,
      '1 Orchard Lane, Dayton, OH 45402',
      '(937)-555-0111',
      '08-1112221',
      '4',
    ]);
    await expect(page.getByText('1-2 of 2')).toBeVisible();
    await expect(page.getByText(stranger.name)).toHaveCount(0);
    await table.getByRole('columnheader', { name: 'Client Name' }).getByRole('button').click();
    await expect(rows.nth(1)).toContainText(clients[1].name);
    await expect(page).toHaveURL('/?sort=-name');
  });

  await stepInFull('failing', async () => {
    const pass = await failCalls(page, CLIENTS, { status: 500, message: 'The disk is full of moths' });
    await page.goto('/');
    await expect(page.getByRole('main').getByRole('alert')).toContainText('The disk is full of moths');
    await pass();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('cell', { name: clients[0].name })).toBeVisible();
  });

  await stepInFull('empty', async () => {
    await answerList(page, CLIENTS, []);
    await page.goto('/');
    await expect(page.getByText('No clients available.', { exact: true })).toBeVisible();
  });

  await page.unrouteAll();
  await page.getByRole('link', { name: 'View Reports' }).click();
  await expect(page).toHaveURL(/\/cpa-dashboard/);
  await expect(page.getByRole('heading', { name: 'Payroll Reports', exact: true })).toBeVisible();
});

test('a Client user finds what is new first, of all companies, and the latest where nothing is', async ({
  signIn,
  server,
}) => {
  const { api, clients, reportTypes, reports, stranger } = await seedFirm(server.origin);
  const owner = await addPerson(
    server.origin,
    'Client',
    clients.map(({ id }) => id),
    reportTypes.map(({ id }) => id),
  );
  const send = (client: { id: number }, name: string) =>
    api.upload({ clientId: client.id, fileType: 'report', reportTypeId: reportTypes[0].id }, name, Buffer.from(name));
  const names = ['First.txt', 'Second.txt', 'Third.txt', 'Fourth.txt', 'Fifth.txt', 'Sixth.txt'];

  const page = await signIn(owner, { failures: [500] });
  const shifts = await watchLayoutShifts(page);
  const first = page.getByRole('table').first();
  const rows = first.getByRole('row');

  await test.step('nothing is new: what was there before the account is among the latest', async () => {
    await expect(page.getByRole('heading', { name: 'Latest Reports', exact: true })).toBeVisible();
    await expect(rows).toHaveCount(1 + 2);
    await expect(rows.nth(1)).toContainText(clients[0].name);
    await expect(page.getByText('New only')).toHaveCount(0);
  });

  for (const [nth, name] of names.entries()) await send(clients[nth % 2 === 0 ? 0 : 1], name);
  await send(stranger, 'Hidden.txt');
  await api.upload({ clientId: clients[0].id, fileType: 'company_document' }, 'Lease.txt', Buffer.from('Lease'));

  await test.step('the newest of what is new, above the clients, on a phone\u2019s first screen, and nothing moves', async () => {
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(viewport);
      await page.goto('/');
      await expect(page.getByRole('heading', { name: 'New Reports', exact: true })).toBeVisible();
      await expect(rows.filter({ hasText: 'Sixth.txt' })).toBeInViewport();
      await expect(
        page.getByRole('table', { name: 'Client List' }).getByRole('cell', { name: clients[0].name }),
      ).toBeVisible();
      expect(await shifts()).toEqual([]);
    }
    await expect(rows.filter({ hasText: '.txt' })).toHaveCount(5);
    await expect(rows.filter({ hasText: 'Sixth.txt' })).toContainText(clients[1].name);
    await expect(page.getByText('Hidden.txt')).toHaveCount(0);
    expect(await axeFaultsOnTheWay(page)).toEqual([]);
  });

  await test.step('one click saves it; its mark goes and its row stays', async () => {
    const saving = page.waitForEvent('download');
    await first.getByRole('button', { name: 'Download Sixth.txt' }).click();
    expect((await saving).suggestedFilename()).toBe('Sixth.txt');
    await expect(rows.filter({ hasText: 'Sixth.txt' }).getByText('New', { exact: true })).toHaveCount(0);
    await expect(rows.filter({ hasText: 'Fifth.txt' }).getByText('New', { exact: true })).toHaveCount(1);
    await first.getByRole('link', { name: 'Fifth.txt' }).click();
    await expect(page).toHaveURL(/\/cpa-dashboard\/report\/\d+/);
    // Among the reports, as the home has them: a company document is in none of its lists.
    await expect(page.getByRole('navigation', { name: 'Files of this list' })).toContainText('2 of 8');
  });

  await test.step('whoever comes back at once does not find among the new what was opened', async () => {
    await expect(page.getByRole('region', { name: 'Text of Fifth.txt' })).toBeVisible();
    await page.getByRole('link', { name: 'Back to dashboard' }).click();
    await expect(rows.filter({ hasText: 'First.txt' })).toBeVisible();
    for (const name of ['Fifth.txt', 'Sixth.txt']) await expect(rows.filter({ hasText: name })).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'New only (4)', exact: true })).toBeVisible();
  });

  await test.step('the list holds all that is new, whatever company and report type are chosen there', async () => {
    await page.goto('/client-reports');
    await page.getByRole('combobox', { name: 'Company' }).click();
    await page.getByRole('option', { name: clients[1].name, exact: true }).click();
    await page.getByRole('button', { name: 'Show Filters' }).click();
    await page.getByRole('combobox', { name: 'Report Types' }).click();
    await page.getByRole('option', { name: reportTypes[1].name, exact: true }).click();
    await expect(page.getByText('0 report(s) found')).toBeVisible();
    await page.goto('/');
    await page.getByRole('link', { name: /^New only \(\d\)$/ }).click();
    await expect(page).toHaveURL(/client-reports\?client=all&reportType=all&new=1/);
    await expect(page.getByRole('row').filter({ hasText: 'Fourth.txt' })).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: 'Sixth.txt' })).toHaveCount(0);
    await expect(page.getByRole('checkbox', { name: 'New only' })).toBeChecked();
    await page.goto('/');
    await page.getByRole('link', { name: 'See all' }).click();
    await expect(page.getByText('8 report(s) found')).toBeVisible();
  });

  await stepInFull('failing', async () => {
    const pass = await failCalls(page, /\/api\/files\?/, { status: 500, message: 'The disk is full of moths' });
    await page.goto('/');
    await expect(page.getByRole('main').getByRole('alert')).toContainText('The disk is full of moths');
    await expect(page.getByRole('cell', { name: clients[0].name })).toBeVisible();
    await pass();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(rows.filter({ hasText: 'Fourth.txt' })).toBeVisible();
  });

  await test.step('where several companies are asked for the same, it is told by ear too whose each is', async () => {
    const items = [{ name: 'Bank statements', note: '' }];
    const clientIds = clients.map(({ id }) => id);
    await api.post('/api/requests', { clientIds, title: 'Year-end package', message: '', dueOn: null, items });
    await page.goto('/');
    const home = page.getByRole('region', { name: 'Your firm asks for' });
    for (const { name } of clients) {
      const whole = `Year-end package, ${name}`;
      const article = home.getByRole('article', { name: whole, exact: true });
      await expect(article.getByRole('link', { name: whole, exact: true })).toBeVisible();
      await expect(article.getByRole('button', { name: / of Year-end package, / })).toHaveAccessibleName(
        new RegExp(`^(Show 1 item|Hide items) of ${whole}$`),
      );
    }
  });
  expect(reports).toHaveLength(3);
});

test('a Client user sees the own company and no other', { tag: '@full' }, async ({ signIn, server }) => {
  const { clientUser, clients, stranger } = await seedFirm(server.origin);
  const page = await signIn(clientUser);
  const table = page.getByRole('table', { name: 'Client List' });
  await expect(table.getByRole('row')).toHaveCount(1 + 1);
  await expect(table.getByRole('row').nth(1)).toContainText(clients[0].name);
  await expect(page.getByText(clients[1].name)).toHaveCount(0);
  await expect(page.getByText(stranger.name)).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'View Reports' })).toHaveAttribute('href', '/cpa-dashboard');

  await expect(table.getByRole('link', { name: clients[0].name })).toHaveAttribute('href', /client-reports\?client=/);

  const nobodys = await signIn(await addPerson(server.origin, 'Client', null, null));
  await expect(nobodys.getByText(NO_ACCESS, { exact: true })).toBeVisible();
});
