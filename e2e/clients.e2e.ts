// Client Management: its table in every state, search, order and pages, and who may do what.
import { expect } from '@playwright/test';
import { apiAs } from './api.ts';
import { addClient, LIST, row, search, table } from './clients-page.ts';
import { seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { answerList, failCalls, failThenRetry, holdCalls } from './stub.ts';
import { isInSight, toastOf } from './toast.ts';

test('the table: its columns, grey rows while it loads, no clients, none found, and a failure', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn(ADMIN, { at: null, failures: [500] });
  await answerList(page, LIST, []);
  const answer = await holdCalls(page, LIST);
  await page.goto('/clients');
  await expect(page.getByRole('heading', { name: 'Client Management' })).toBeVisible();
  await expect(table(page).getByRole('columnheader')).toHaveText([
    'Client Name',
    'Email',
    'Phone',
    'Federal ID',
    'Employees',
    'Start Date',
    'Actions',
  ]);
  await expect(table(page)).toHaveAttribute('aria-busy', 'true');
  // The header, and four rows hidden from screen readers.
  await expect(table(page).getByRole('row', { includeHidden: true })).toHaveCount(5);
  await expect(table(page).getByRole('row')).toHaveCount(1);

  answer();
  await expect(page.getByText('No clients found. Add a client to get started.', { exact: true })).toBeVisible();
  await search(page).fill('nothing like it');
  await expect(page.getByText('No clients match your search criteria.', { exact: true })).toBeVisible();

  await failThenRetry(page, LIST);
  await expect(page.getByText('No clients match your search criteria.', { exact: true })).toBeVisible();
});

test('search, order and pages are in the address, and Back leads through them', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const api = await apiAs(server.origin);
  await Promise.all(
    Array.from({ length: 27 }, (_, nth) =>
      addClient(api, `Fernhill ${String(nth + 1).padStart(2, '0')}`, {
        email: `f${nth + 1}@fernhill.example.com`,
        stateId: nth === 4 ? 'ZZ-PINE' : 'OH-11',
        employeeCount: nth,
      }),
    ),
  );
  const page = await signIn(ADMIN, { at: '/clients' });
  await expect(table(page).getByRole('row').nth(1)).toBeVisible();
  await search(page).fill('FERNHILL');
  await expect(page).toHaveURL(/\?q=FERNHILL$/);
  const pages = page.getByRole('navigation', { name: 'Pages of clients' });
  await expect(pages).toContainText('1-25 of 27');

  await pages.getByRole('button', { name: 'Next page' }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(pages).toContainText('26-27 of 27');
  await page.goBack();
  await expect(pages).toContainText('1-25 of 27');
  await expect(search(page)).toHaveValue('FERNHILL');

  const header = table(page).getByRole('columnheader', { name: 'Employees' });
  await expect(table(page).getByRole('columnheader', { name: 'Client Name' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await header.getByRole('button').click();
  await expect(header).toHaveAttribute('aria-sort', 'ascending');
  await header.getByRole('button').click();
  await expect(header).toHaveAttribute('aria-sort', 'descending');
  await expect(table(page).getByRole('row').nth(1)).toContainText('Fernhill 27');
  await page.reload();
  await expect(table(page).getByRole('row').nth(1)).toContainText('Fernhill 27');
  // A number does not touch the date beside it.
  await expect(row(page, 'Fernhill 27').getByRole('cell').nth(4)).toHaveCSS('padding-right', /^(16|20|28)px$/);

  await pages.getByLabel('Rows per page').selectOption('50 rows');
  await expect(pages).toContainText('1-27 of 27');
  await expect(page).toHaveURL(/size=50/);

  await test.step('a search finds by every field it names, whatever the case', async () => {
    for (const [words, found] of [
      ['zz-pine', 'Fernhill 05'],
      ['F9@FERNHILL', 'Fernhill 09'],
    ] as const) {
      await search(page).fill(words);
      await expect(pages).toContainText('1-1 of 1');
      await expect(row(page, found)).toBeVisible();
    }
  });

  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(search(page)).toHaveValue('');
  await expect(search(page)).toBeFocused();
  await expect(page).not.toHaveURL(/q=/);
  await page.goBack();
  await expect(search(page)).toHaveValue('F9@FERNHILL');
  await expect(row(page, 'Fernhill 09')).toBeVisible();
});

test('who may not manage clients sees those within reach, and no buttons', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const firm = await seedFirm(server.origin, { reports: 0 });
  const cpa = await signIn(firm.cpa, { at: '/clients' });
  await expect(row(cpa, firm.clients[0].name)).toBeVisible();
  await expect(row(cpa, firm.clients[1].name)).toBeVisible();
  await expect(table(cpa).getByRole('row')).toHaveCount(3);
  await expect(cpa.getByRole('columnheader', { name: 'Actions' })).toHaveCount(0);
  await expect(cpa.getByRole('button', { name: /^(Add|Edit|Delete) / })).toHaveCount(0);

  const outsider = await signIn(firm.outsider, { at: '/clients' });
  await expect(outsider.getByText('No clients available.')).toBeVisible();
});

test('names as long as they get stay within a phone’s width', { tag: '@full' }, async ({ signIn, server }) => {
  const api = await apiAs(server.origin);
  const name = `Gr${'e'.repeat(186)}nvale Mills`;
  await addClient(api, name, { email: `${'g'.repeat(60)}@${'example.'.repeat(12)}com` });
  const page = await signIn(ADMIN, {
    at: '/clients?q=nvale',
    failures: [500],
    viewport: { width: 360, height: 740 },
  });
  await expect(row(page, name)).toBeVisible();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveText('Cancel');
  expect(await dialog.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: `Edit ${name}` }).click();
  await expect(dialog.getByLabel('Client Name')).toHaveValue(name);
  expect(await dialog.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0);

  await test.step('a toast of a failure lies over neither the buttons of the dialog nor its title', async () => {
    await failCalls(page, /\/api\/clients\/\d+$/, { status: 500, message: 'The ledger is closed.' });
    const save = dialog.getByRole('button', { name: 'Save Client' });
    await save.click();
    await expect(toastOf(page, 'alert')).toBeVisible();
    for (const part of [save, dialog.getByRole('button', { name: 'Cancel' }), dialog.getByText('Edit Client')]) {
      await expect.poll(() => isInSight(part), String(part)).toBe(true);
    }
    await expect(toastOf(page, 'alert')).toBeVisible();
  });
});
