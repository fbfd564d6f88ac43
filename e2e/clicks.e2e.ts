// How many clicks the tasks of a day take: each is counted here as somebody does it.
import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { makePdf } from './pdf.ts';

let firm: Firm;

test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin, { reports: 0 });
  const fields = { clientId: firm.clients[0].id, fileType: 'report', reportTypeId: firm.reportTypes[0].id };
  for (const [name, period] of [
    ['Journal March.pdf', '2025-03-14'],
    ['941 first.pdf', '2025-Q1'],
    ['W-2.pdf', '2025'],
    ['Journal January.pdf', '2026-01-02'],
    ['941 last.pdf', '2024-Q4'],
  ] as const) {
    await firm.api.upload({ ...fields, period }, name, await makePdf([name]));
  }
});

/** Counts clicks; `page` is used for nothing else. */
function counting() {
  let clicks = 0;
  return {
    click: async (target: Locator) => {
      clicks += 1;
      await target.click();
    },
    clicks: () => clicks,
  };
}

const option = (page: Page, name: string) => page.getByRole('option', { name, exact: true });

test('a Client gets all reports of 2025, and no others, in three clicks', async ({ signIn }) => {
  const page = await signIn(firm.clientUser, { at: '/client-reports' });
  await expect(page.getByText('5 report(s) found')).toBeVisible();
  const { click, clicks } = counting();
  await click(page.getByRole('combobox', { name: 'Period' }));
  await click(option(page, '2025'));
  await expect(page.getByText('3 report(s) found')).toBeVisible();
  const saving = page.waitForEvent('download');
  await click(page.getByRole('button', { name: 'Download All' }));
  const archive = await saving;
  expect(clicks()).toBe(3);
  expect(archive.suggestedFilename()).toMatch(new RegExp(`^${firm.clients[0].name}-\\d{4}-\\d\\d-\\d\\d\\.zip$`));
  const text = (await readFile(await archive.path())).toString('latin1');
  for (const name of ['Journal March.pdf', '941 first.pdf', 'W-2.pdf']) expect(text).toContain(name);
  for (const name of ['Journal January.pdf', '941 last.pdf']) expect(text).not.toContain(name);

  await test.step('what is filtered stands above the list, and goes with one click', async () => {
    const chips = page.getByRole('list', { name: 'Filters in force' });
    await expect(chips).toContainText('Period: 2025');
    await expect(page).toHaveURL(/period=2025/);
    await chips.getByRole('button', { name: 'Remove filter Period' }).click();
    await expect(page.getByText('5 report(s) found')).toBeVisible();
    await expect(chips).toHaveCount(0);
  });

  await test.step('words find in any order, over name and type', async () => {
    await page.getByRole('searchbox', { name: 'Search reports' }).fill(`last ${firm.reportTypes[0].name}`);
    await expect(page.getByText('1 report(s) found')).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: '941 last.pdf' })).toBeVisible();
  });
});

test('a CPA files a report with another client in three clicks', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn(firm.cpa, { at: '/cpa-dashboard?period=2026' });
  await page.getByRole('link', { name: 'Journal January.pdf' }).click();
  await expect(page.getByRole('heading', { name: 'Journal January.pdf' })).toBeVisible();
  const { click, clicks } = counting();
  await click(page.getByRole('button', { name: 'Re-file', exact: true }));
  await expect(page.getByRole('dialog').getByRole('combobox', { name: 'Client Name' })).toBeFocused();
  await page.keyboard.type(firm.clients[1].name.slice(0, 6));
  // Not the one that it is with, which does not match.
  await expect(page.getByRole('option')).toHaveText([firm.clients[1].name]);
  await click(option(page, firm.clients[1].name));
  await click(page.getByRole('dialog').getByRole('button', { name: 'Re-file', exact: true }));
  await expect(page.getByRole('definition').filter({ hasText: firm.clients[1].name })).toBeVisible();
  expect(clicks()).toBe(3);
});

test('a link with a report type opens what was shared, and is not what the reader chose last', {
  tag: '@full',
}, async ({ signIn }) => {
  const [, second] = firm.reportTypes;
  const page = await signIn(firm.cpa, { at: `/cpa-dashboard?reportType=${second.id}` });
  await expect(page.getByRole('heading', { name: `${second.name} Files`, exact: true })).toBeVisible();
  expect(Number(await page.evaluate(() => localStorage.getItem('selectedReportTypeId'))) || null).toBeNull();
  await page.getByRole('button', { name: firm.reportTypes[0].name, exact: true }).first().click();
  await expect(page).toHaveURL(new RegExp(`reportType=${firm.reportTypes[0].id}`));
});
