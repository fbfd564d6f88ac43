// ZIPs of very many files: prepared in the background, offered when ready, kept in the header until they are removed.
import { readFile } from 'node:fs/promises';
import { expect, type Page, type Route } from '@playwright/test';
import { fromBuffer } from 'yauzl';
import { ARCHIVE_FILES_MAX } from '#contract/file-kinds.ts';
import { type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { isInSight, readError, readToast, toastOf } from './toast.ts';

const SENT_AT_ONCE = 20;

let firm: Firm;
/** As many as one answer holds, and one more. */
let total: number;

test.beforeAll(async ({ server }) => {
  test.setTimeout(300_000);
  firm = await seedFirm(server.origin, { reports: 1 });
  total = ARCHIVE_FILES_MAX + 1;
  const fields = { clientId: firm.clients[0].id, fileType: 'report', reportTypeId: firm.reportTypes[0].id };
  const names = Array.from({ length: total - 1 }, (_, index) => `Stub ${index}.txt`);
  for (let start = 0; start < names.length; start += SENT_AT_ONCE) {
    const some = names.slice(start, start + SENT_AT_ONCE);
    await Promise.all(some.map((name) => firm.api.upload(fields, name, Buffer.from(name))));
  }
});

const entriesOf = (bytes: Buffer) =>
  new Promise<number>((resolve, reject) =>
    fromBuffer(bytes, (error, zip) => (error ? reject(error) : resolve(zip.entryCount))),
  );

const order = (page: Page) => page.getByRole('button', { name: 'Prepare ZIP' }).click();
const ordered = `Preparing a ZIP of ${(ARCHIVE_FILES_MAX + 1).toLocaleString('en-US')} files. You can go on working; it will be offered here when it is ready.`;
const offer = (page: Page) =>
  page
    .getByRole('status')
    .filter({ hasText: 'Your ZIP of 1,001 files is ready' })
    .getByRole('button', { name: 'Download' });
const list = (page: Page) => page.getByRole('dialog', { name: 'Prepared ZIPs' });

test('a ZIP of more than 1,000 files is prepared while one goes on, offered, saved whole, and removed', async ({
  signIn,
}) => {
  test.setTimeout(120_000);
  const page = await signIn(firm.cpa, { at: '/file-upload', failures: [500] });
  await expect(page.getByRole('button', { name: /^Prepared ZIPs/ })).toHaveCount(0);
  await order(page);
  await readToast(page, 'status', [ordered]);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();

  await expect(offer(page)).toBeVisible({ timeout: 60_000 });
  const saving = page.waitForEvent('download');
  // What is in it is new no longer.
  const counted = page.waitForRequest(/\/api\/files\/news/);
  await offer(page).click();
  const download = await saving;
  await counted;
  // By the clock of whoever saves it, which is that of this process too.
  const today = new Date().toLocaleDateString('sv-SE');
  expect(download.suggestedFilename()).toBe(`${firm.clients[0].name}-${today}.zip`);
  expect(await entriesOf(await readFile(await download.path()))).toBe(total + 1);
  await expect(offer(page)).toHaveCount(0);

  // It is there still, also on a page loaded anew.
  await page.reload();
  await page.getByRole('button', { name: 'Prepared ZIPs: 1 ready' }).click();
  await expect(list(page)).toContainText(download.suggestedFilename());
  await expect(list(page)).toContainText('1,001 files');
  const again = page.waitForEvent('download');
  await list(page)
    .getByRole('button', { name: /^Download / })
    .click();
  expect((await again).suggestedFilename()).toBe(download.suggestedFilename());

  const remove = list(page).getByRole('button', { name: /^Remove / });
  await test.step('in a narrow and low window a toast lies over no button of the list', async () => {
    await page.setViewportSize({ width: 480, height: 720 });
    const { y, height } = (await remove.boundingBox()) ?? { y: 0, height: 0 };
    await page.setViewportSize({ width: 480, height: Math.ceil(y + height) + 48 });
    const refuse = (route: Route) => route.fulfill({ status: 500, json: { message: 'No.', code: 'internal' } });
    await page.route(/\/api\/archives\/\d+$/, refuse, { times: 1 });
    await remove.click();
    await expect(toastOf(page, 'alert')).toContainText('Failed to remove the ZIP: No.');
    for (const part of [remove, list(page).getByRole('button', { name: /^Download / })]) {
      await expect.poll(() => isInSight(part), String(part)).toBe(true);
    }
    await readError(page, 'Failed to remove the ZIP: No.');
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  await remove.click();
  await expect(list(page)).toContainText('You have no prepared ZIPs.');
  await page.keyboard.press('Escape');
  await expect(list(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Prepared ZIPs/ })).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();
});

test('a ZIP is refused once a file in it is deleted, says so in the list, and is prepared again', {
  tag: '@full',
}, async ({ signIn }) => {
  test.setTimeout(120_000);
  const extra = await firm.api.upload(
    { clientId: firm.clients[1].id, fileType: 'report', reportTypeId: firm.reportTypes[0].id },
    'Soon gone.txt',
    Buffer.from('gone'),
  );
  const page = await signIn(firm.cpa, { at: '/file-upload?size=100', failures: [409] });

  await test.step('no more ticked files are exported than a CSV may hold, and the bar says so', async () => {
    const all = page.getByRole('checkbox', { name: 'Select all on this page' });
    const bar = page.getByRole('region', { name: 'Selected uploaded files' });
    const pages = Math.ceil(total / 100);
    for (let nth = 1; nth <= pages; nth += 1) {
      await expect(all).not.toBeChecked();
      await all.check();
      if (nth < pages) await page.getByRole('button', { name: 'Next page' }).click();
    }
    const csv = bar.getByRole('button', { name: 'Export CSV' });
    await expect(csv).toBeDisabled();
    await expect(csv).toHaveAccessibleDescription('Please select at most 1,000 files');
    await expect(bar).toContainText('At most 1,000 in one CSV');
    await bar.getByRole('button', { name: 'Clear' }).click();
  });

  await order(page);
  await expect(page.getByRole('button', { name: 'Prepared ZIPs: 1 ready' })).toBeVisible({ timeout: 60_000 });
  await firm.api.delete(`/api/files/${extra.id}`);
  await page.getByRole('button', { name: 'Prepared ZIPs: 1 ready' }).click();
  await list(page)
    .getByRole('button', { name: /^Download / })
    .click();
  const reason = 'A file in this ZIP was deleted or is no longer yours to see. Prepare it again.';
  await readError(page, `Failed to download the ZIP: ${reason}`);
  await expect(list(page)).toContainText(reason);
  await list(page)
    .getByRole('button', { name: /^Try Again/ })
    .click();
  await expect(list(page).getByRole('button', { name: /^Download / })).toBeVisible({ timeout: 60_000 });
  await list(page)
    .getByRole('button', { name: /^Remove / })
    .click();
});
