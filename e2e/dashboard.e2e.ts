// The dashboard: the home of CPA and Client users.
import { expect } from '@playwright/test';
import { addPerson, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { watchLayoutShifts } from './layout-shift.ts';
import { answerList, failCalls, holdCalls } from './stub.ts';

const NO_ACCESS = "You don't have access to any client details. Please contact your administrator.";
const CLIENTS = /\/api\/clients\?/;

test('a CPA sees the clients in reach, and gets on to the reports', async ({ signIn, server }) => {
  const { api, cpa, clients, stranger, reportTypes } = await seedFirm(server.origin);
  // Due since long.
  await api.put(`/api/clients/${clients[0].id}/expectations`, {
    expectations: [{ reportTypeId: reportTypes[1].id, frequency: 'yearly', dueDays: 0, starts: null }],
  });
  const page = await signIn(cpa, { failures: [500] });
  const shifts = await watchLayoutShifts(page);
  const table = page.getByRole('table', { name: 'Client List' });
  const rows = table.getByRole('row');

  await test.step('loading, and nothing moves when the clients arrive', async () => {
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
      /^Missing Reports.*1/,
      /^Late Reports.*Nothing late/,
      /^Marked Uploads.*Nothing to check/,
    ]);
    await expect(work.getByRole('status')).toHaveText('');
    await cards.filter({ hasText: 'Missing Reports' }).click();
    await expect(page).toHaveURL(/\/completeness\?period=\d{4}&state=missing&client=all/);
    await expect(page.getByRole('combobox', { name: 'State' })).toHaveValue('missing');
    await expect(page.getByText(clients[0].name)).toBeVisible();
    await page.goBack();
    await work.getByRole('link', { name: /Batches to Review/ }).click();
    await expect(page).toHaveURL('/batches?state=review');
    await expect(page.getByText('No batches are in this state.')).toBeVisible();
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await expect(page.getByText('No batches yet')).toBeVisible();
    await page.goto('/');
  });

  await test.step('a kind of work that cannot be counted says so, and keeps its place', async () => {
    const pass = await failCalls(page, /\/api\/completeness\/summary/, {
      status: 500,
      message: 'The disk is full of moths',
    });
    await page.goto('/');
    await expect(page.getByRole('link', { name: /Missing Reports.*N\/A.*Could not be loaded/ })).toBeVisible();
    await pass();
    await page.goto('/');
    await expect(page.getByRole('link', { name: /Missing Reports.*1/ })).toBeVisible();
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

  await test.step('failing', async () => {
    const pass = await failCalls(page, CLIENTS, { status: 500, message: 'The disk is full of moths' });
    await page.goto('/');
    await expect(page.getByRole('main').getByRole('alert')).toContainText('The disk is full of moths');
    await pass();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('cell', { name: clients[0].name })).toBeVisible();
  });

  await test.step('empty', async () => {
    await answerList(page, CLIENTS, []);
    await page.goto('/');
    await expect(page.getByText('No clients available.', { exact: true })).toBeVisible();
  });

  await page.unrouteAll();
  await page.getByRole('link', { name: 'View Reports' }).click();
  await expect(page).toHaveURL(/\/cpa-dashboard/);
  await expect(page.getByRole('heading', { name: 'Payroll Reports', exact: true })).toBeVisible();
});

test('a Client user sees the own company and no other', async ({ signIn, server }) => {
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
