// Sending files (docs/behaviour.md, Files: uploading): sequence, failures, stopping, a session that ends.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, type Locator, type Page, type Route } from '@playwright/test';
import { table } from './files-page.ts';
import { type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { readError, readToast, toastOf } from './toast.ts';
import { addFile, freshNames, items, openAddData, submit, textFile } from './uploads-page.ts';

const UPLOAD = '**/api/files';

/** Runs in the page: what is sent from then on is at hand, so that it can be said that some of it has left. */
const KEEP_AT_HAND = `(() => {
  const { send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function (body) {
    window.underWay = this;
    send.call(this, body);
  };
})()`;
const SOME_HAS_LEFT = "underWay.upload.dispatchEvent(new ProgressEvent('progress', { loaded: 1, total: 100 }))";

let firm: Firm;

test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin, { reports: 0 });
});

const filedUnder = () => ({ 'Client Name': firm.clients[0].name, 'Report Type': firm.reportTypes[0].name });

/** Add Data with a client, a report type and these files. */
async function prepare(page: Page, names: readonly string[]): Promise<Locator> {
  const dialog = await openAddData(page, filedUnder());
  for (const name of names) await addFile(page, dialog, textFile(name));
  await expect(items(dialog)).toHaveCount(names.length);
  return dialog;
}

test('sends one after the other, continues where one fails, and stores it once with Retry', async ({ signIn }) => {
  const names = freshNames(3);
  const page = await signIn(firm.cpa, { at: '/file-upload', failures: [502, 507] });
  const dialog = await prepare(page, names);
  const keys: (string | undefined)[] = [];
  let underWay = 0;
  let most = 0;
  let usedAt: string | null = null;
  await page.route(UPLOAD, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length === 1) await page.evaluate(() => localStorage.setItem('sessionUsedAt', '1'));
    if (keys.length === 2) usedAt = await page.evaluate(() => localStorage.getItem('sessionUsedAt'));
    underWay += 1;
    most = Math.max(most, underWay);
    await expect(submit(dialog)).toHaveText('Uploading...');
    await expect(submit(dialog)).toBeDisabled();
    const fails = keys.length === 2;
    underWay -= 1;
    if (!fails) return route.continue();
    const message = 'There is no space left to store this file. Please contact support.';
    return route.fulfill({ status: 507, json: { message, code: 'storage_full' } });
  });
  await submit(dialog).click();
  await readError(
    page,
    'Failed to upload file: There is no space left to store this file. Please contact support. (2 of 3 files stored)',
  );
  expect(keys).toHaveLength(3);
  expect(most).toBe(1);
  expect(Number(usedAt), 'a file that was stored keeps the session').toBeGreaterThan(1);
  await expect(items(dialog)).toHaveCount(1);
  await expect(items(dialog)).toContainText([names[1] ?? '']);
  await expect(items(dialog)).toContainText(['There is no space left to store this file.']);
  await expect(
    table(page)
      .getByRole('row')
      .filter({ hasText: names[0] ?? '' }),
  ).toBeAttached();

  const retry = dialog.getByRole('button', { name: `Retry ${names[1]}` });
  const wordless = (route: Route) => route.fulfill({ status: 502, body: '<html>Bad Gateway</html>' });
  await page.route(UPLOAD, wordless);
  await retry.click();
  await readError(page, 'Failed to upload file: Failed to upload file');
  await expect(submit(dialog)).toHaveText('Upload');
  await page.unroute(UPLOAD, wordless);
  await retry.click();
  await readToast(page, 'status', ['File uploaded successfully']);
  await expect(dialog).toBeHidden();
  expect(keys[3], 'the same key, so that nothing is stored twice').toBe(keys[1]);
  for (const name of names) await expect(table(page).getByRole('row').filter({ hasText: name })).toHaveCount(1);
});

test('one file can be stopped, and closing asks before anything is lost', { tag: '@full' }, async ({ signIn }) => {
  const [first = '', second = '', gone = ''] = freshNames(3);
  const page = await signIn(firm.cpa, { at: '/file-upload', offline: true, fresh: true });
  const dialog = await prepare(page, [first, second]);

  await test.step('unsent files', async () => {
    await page.keyboard.press('Escape');
    await expect(dialog.getByRole('alert')).toContainText('Discard unsaved changes?');
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await expect(items(dialog)).toHaveCount(2);
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(dialog).toBeHidden();
    await openAddData(page);
    await expect(dialog.getByText('No files selected')).toBeVisible();
    await expect(dialog.getByRole('combobox', { name: 'Client Name' })).toHaveValue('');
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('a file that is being sent', async () => {
    await prepare(page, [first, second]);
    let requests = 0;
    await page.route(UPLOAD, (route) => {
      requests += 1;
      // The first is never answered.
      return requests === 1 ? undefined : route.continue();
    });
    await submit(dialog).click();
    await dialog.getByRole('button', { name: `Cancel ${first}` }).click();
    await readToast(page, 'status', ['File uploaded successfully']);
    await expect(dialog).toBeHidden();
    await expect(table(page).getByRole('row').filter({ hasText: second })).toHaveCount(1);
    await expect(table(page).getByRole('row').filter({ hasText: first })).toHaveCount(0);
  });

  await test.step('all of them', async () => {
    await page.unroute(UPLOAD);
    await page.route(UPLOAD, () => undefined);
    await prepare(page, [first]);
    await page.evaluate(KEEP_AT_HAND);
    await submit(dialog).click();
    await expect(dialog.getByRole('progressbar', { name: `Sending ${first}` })).toBeAttached();
    // It keeps the session, though nobody touches the page.
    await page.clock.install();
    await page.clock.fastForward('06:00');
    const kept = page.waitForRequest('**/api/auth/me');
    await page.evaluate(SOME_HAS_LEFT);
    await kept;
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Files are still being sent. Stop?');
    await dialog.getByRole('button', { name: 'Keep sending' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.getByRole('button', { name: 'Stop and close' }).click();
    await expect(dialog).toBeHidden();
    await openAddData(page, filedUnder());
    await expect(dialog.getByText('No files selected')).toBeVisible();
  });

  await test.step('of one that is deleted on the disk meanwhile no network is blamed', async () => {
    await page.unroute(UPLOAD);
    const path = test.info().outputPath(gone);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `Text of ${gone}`);
    const choosing = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'Add File' }).click();
    await (await choosing).setFiles(path);
    await expect(items(dialog)).toContainText([gone]);
    rmSync(path);
    await submit(dialog).click();
    await expect(items(dialog)).toContainText(['This file cannot be read']);
    await expect(toastOf(page, 'alert')).toContainText('Failed to upload file: This file cannot be read');
  });
});

test('a session that ends while sending costs no file and no press', async ({ signIn }) => {
  const names = freshNames(2);
  const page = await signIn(firm.cpa, { at: '/file-upload', failures: [401] });
  const dialog = await prepare(page, names);
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === '/api/files') sent += 1;
  });
  await page.evaluate(async () => {
    const authorization = `Bearer ${localStorage.getItem('token')}`;
    await fetch('/api/auth/logout', { method: 'POST', headers: { authorization } });
  });
  await submit(dialog).click();
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await expect(again).toBeVisible();
  expect(sent, 'what would fail alike is not sent').toBe(1);
  await expect(items(dialog).filter({ hasText: 'Please sign in' })).toHaveCount(0);
  await again.getByLabel('Password', { exact: true }).fill(firm.cpa.password);
  await again.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(again).toBeHidden();

  // It has waited, and is sent again with those after it.
  await expect(dialog).toBeHidden();
  for (const name of names) await expect(table(page).getByRole('row').filter({ hasText: name })).toHaveCount(1);
});
