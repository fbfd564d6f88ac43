// Searching inside documents: a word on the third page of a PDF leads to that page, from the palette and from Files, within reach alone.
import { expect, type Page } from '@playwright/test';
import type { InsideFound } from '#contract/inside.ts';
import { axeFaultsOnTheWay } from './axe.ts';
import { seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { palette } from './palette-page.ts';
import { makePages } from './pdf.ts';
import { ADMIN } from './server.ts';
import { listenForCalls } from './stub.ts';

/** New files are read in the background. */
const READ_WITHIN_MS = 60_000;
test.setTimeout(150_000);

const inside = (page: Page) =>
  palette(page).getByRole('group', { name: 'Inside documents', exact: true }).getByRole('option');

async function search(page: Page, words: string): Promise<void> {
  await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeVisible();
  await page.keyboard.press('Control+k');
  await palette(page)
    .getByRole('combobox', { name: /^Search pages/ })
    .fill(words);
}

test('a word inside a PDF is found by who may see the file, and leads to its page', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin);
  const [near] = firm.clients;
  const word = `pennywort${near.id}`;
  const name = `Garnishments ${near.id}.pdf`;
  const bytes = await makePages([
    ['Cover sheet'],
    ['A page of figures'],
    // The words stand at the end of the page, further down than a window shows.
    [...Array.from({ length: 38 }, (_, nth) => `Line ${nth + 1}`), 'Withholding order', `Case ${word} of the county`],
    ['The end'],
  ]);
  const fields = { clientId: near.id, fileType: 'report', reportTypeId: firm.reportTypes[0].id };
  await firm.api.upload(fields, name, bytes);
  await expect
    .poll(async () => (await firm.api.get<InsideFound>(`/api/files/inside?q=${word}`)).rows.length, {
      timeout: READ_WITHIN_MS,
    })
    .toBe(1);

  const page = await signIn(firm.cpa);
  await search(page, `case ${word}`);
  await expect(inside(page)).toHaveCount(1);
  await expect(inside(page)).toContainText(`${near.name}, page 3`);
  await expect(inside(page).locator('mark')).toHaveText(['Case', word]);
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/cpa-dashboard\/report\/\d+\?atPage=3&foundBy=/);
  await expect(page.getByRole('textbox', { name: 'Page' })).toHaveValue('3');
  const marked = page.getByRole('group', { name: /^Page 3 of/ }).locator('mark');
  await expect(marked).toHaveText(['Case', word]);
  await expect(marked.first()).toBeInViewport({ ratio: 0.95 });

  await test.step('the next file opens at its own beginning', async () => {
    await page.getByRole('button', { name: /^Next file: / }).click();
    await expect(page).toHaveURL(/\/cpa-dashboard\/report\/\d+$/);
  });

  await test.step('who does not reach the client finds nothing', async () => {
    const other = await signIn(firm.outsider);
    await search(other, word);
    await expect(palette(other).getByText(/^Nothing found for/)).toBeVisible();
    await expect(inside(other)).toHaveCount(0);
  });

  await test.step('Files show it below the list', async () => {
    const admin = await signIn(ADMIN, { at: `/file-upload?q=${word}` });
    const hits = admin.getByRole('list', { name: 'Inside documents' }).getByRole('listitem');
    await expect(hits).toHaveCount(1);
    await expect(hits.locator('mark')).toHaveText(word);
    expect(await axeFaultsOnTheWay(admin)).toEqual([]);
    await hits.getByRole('link', { name }).click();
    await expect(admin.getByRole('textbox', { name: 'Page' })).toHaveValue('3');
    await admin.goto('/file-upload?q=wordofnobody');
    await expect(admin.getByText('These words stand in no document that you see.')).toBeVisible();
    // Days are those of the list above it: of this browser.
    const asked = listenForCalls(admin, /\/api\/files\/inside\?/);
    await admin.goto(`/file-upload?q=${word}&startDate=2020-01-31`);
    await expect(hits).toHaveCount(1);
    const timeZone = await admin.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone');
    expect(new URL(asked.at(-1)?.url() ?? '').searchParams.get('timeZone')).toBe(timeZone);
  });
});
