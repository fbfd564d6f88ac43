// What comes into a batch other than plain files: what asks for a password, what holds other files, what cannot be read or is there twice.

import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { BatchDetails } from '#contract/batches.ts';
import { zipOf } from '#server/testing/zip-of.ts';
import { axeFaultsOnTheWay } from './axe.ts';
import { choose, group, list, pane, press, reviewed, roomInRows, selected } from './batch-page.ts';
import { UNREACHABLE } from './failing-calls.ts';
import { type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { makePages } from './pdf.ts';
import { ADMIN } from './server.ts';
import { settle } from './settle.ts';
import { loseAnswer } from './stub.ts';
import { readError, readToast, toastOf } from './toast.ts';

let firm: Firm;

test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin);
});

const journalOf = ({ name }: { readonly name: string }, federalId: string) => [
  name,
  `Federal ID ${federalId}`,
  'Payroll Journal',
  'Check Date 11/20/2026    Page 1 of 1',
  'Employee 1    1,200.00    94.51    1,105.49',
];

test('a locked file is opened with its password, read, and proposed', async ({ signIn }) => {
  const [larkspur] = firm.clients;
  const page = await signIn(firm.cpa, { at: '/batches', failures: [400] });
  const bytes = await makePages([journalOf(larkspur, '08-1112221')], 'sesame');
  await choose(page, [
    { name: 'locked.pdf', bytes },
    { name: 'notes.txt', bytes: Buffer.from('Nobody is named') },
  ]);
  await reviewed(page);
  // One of them with several doubts, in two lines.
  for (const room of await roomInRows(page)) expect(Math.abs(room), 'as high as what stands in it').toBeLessThan(2);
  await group(page, 'Unreadable, 1').getByRole('option').click();
  // Asked for once: the viewer says why it shows nothing, and has no field of its own.
  await expect(pane(page).getByText('This PDF is protected by a password')).toBeVisible();
  await expect(page.getByRole('textbox', { name: /password/i })).toHaveCount(0);
  await expect(pane(page).getByLabel('This PDF is protected by a password')).toHaveCount(0);
  // One reason, in the words of its group.
  await expect(pane(page).getByText('Unreadable', { exact: true })).toBeVisible();
  await expect(pane(page).getByRole('list', { name: 'To check' })).toHaveCount(0);
  await expect(pane(page).getByRole('button', { name: 'Enter Password' })).toBeVisible();
  await page.keyboard.press('w');
  const dialog = page.getByRole('dialog', { name: 'Enter password' });
  const field = dialog.getByLabel('Password of the file');
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('autocomplete', 'off');
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(dialog.getByText('Please enter the password')).toBeVisible();
  await field.fill('simsalabim');
  await field.press('Enter');
  await expect(dialog.getByText('This password does not open the file')).toBeVisible();
  await expect(field).toBeFocused();
  await field.fill('sesame');
  await field.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(list(page)).toBeFocused();
  await readToast(page, 'status', ['The file is open and being read']);
  await expect(group(page, 'Ready, 1')).toContainText(larkspur.name, { timeout: 30_000 });
  await group(page, 'Ready, 1').getByRole('option').click();
  await expect(selected(page)).toContainText(larkspur.name);
  // Shown without asking again.
  await expect(pane(page).getByRole('group', { name: /^Page 1 of 1/ })).toBeVisible();
  await expect(pane(page).getByRole('button', { name: 'Enter Password' })).toHaveCount(0);
  const downloading = page.waitForEvent('download');
  await pane(page).getByRole('link', { name: 'Download the file as it was dropped' }).click();
  expect(await readFile(await (await downloading).path())).toEqual(bytes);

  // Where its reading has ended too early, nothing says that it goes on.
  const ended = 'Reading a file ended before it was done. Read it again.';
  await page.route(/\/api\/batches\/\d+$/, async (route) => {
    const response = await route.fetch();
    const { batch, files, leftOut } = (await response.json()) as BatchDetails;
    const waiting = files.map((each) => ({ ...each, state: 'waiting' }));
    await route.fulfill({ response, json: { batch: { ...batch, fault: ended }, files: waiting, leftOut } });
  });
  await page.reload();
  await expect(page.getByRole('alert')).toContainText(ended);
  await expect(page.getByRole('button', { name: 'Read Again' })).toBeVisible();
  await expect(pane(page).getByRole('button', { name: 'Accept', exact: true })).toBeVisible();
  await expect(pane(page).getByText('It is being read now.', { exact: false })).toHaveCount(0);
  await page.unrouteAll({ behavior: 'wait' });
});

test('a folder is chosen with the keyboard: its files are read, and what is no document is left out and named', async ({
  signIn,
}, testInfo) => {
  const [larkspur] = firm.clients;
  const folder = testInfo.outputPath('March 2026');
  mkdirSync(join(folder, '.old'), { recursive: true });
  writeFileSync(join(folder, 'one.pdf'), await makePages([journalOf(larkspur, '08-1112221')]));
  for (const name of ['._one.pdf', '.DS_Store', '.old/two.txt']) writeFileSync(join(folder, name), 'no document');
  const empty = testInfo.outputPath('April 2026');
  mkdirSync(empty);
  writeFileSync(join(empty, '.DS_Store'), 'no document');
  const page = await signIn(firm.cpa, { at: '/batches', offline: true });
  const chooseFolder = async (path: string) => {
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'New Batch from a Folder' }).press('Enter');
    await (await choosing).setFiles(path);
  };
  await chooseFolder(empty);
  await readError(page, 'There is nothing in this folder that can be uploaded.');
  await chooseFolder(folder);
  await reviewed(page);
  await expect(page.getByRole('heading', { name: 'March 2026' })).toBeVisible();
  await expect(list(page).getByRole('option')).toHaveCount(1);
  await expect(group(page, 'Ready, 1')).toContainText(larkspur.name);
  const leftOut = page.getByRole('region', { name: 'Left out of this batch' }).getByRole('listitem');
  await expect(leftOut).toHaveCount(2);
  await expect(leftOut.filter({ hasText: 'March 2026/' }).filter({ hasText: 'Mac keeps beside a file' })).toHaveCount(
    1,
  );
  await expect(leftOut.filter({ hasText: 'old/two.txt: It is hidden' })).toHaveCount(1);
  expect(await axeFaultsOnTheWay(page)).toEqual([]);

  await test.step('what could not be sent is named with its folder, and counts also where names are the same', async () => {
    const weeks = testInfo.outputPath('May 2026');
    for (const week of ['Week 1', 'Week 2', 'Week 3']) {
      mkdirSync(join(weeks, week), { recursive: true });
      writeFileSync(join(weeks, week, 'run.txt'), `${week} names nobody`);
    }
    await page.goto('/batches');
    let sent = 0;
    await page.route('**/api/batches/*/files', (route) => {
      sent += 1;
      return sent === 1 ? route.continue() : route.abort();
    });
    await chooseFolder(weeks);
    await expect(page.getByText('2 files could not be sent.', { exact: false })).toBeVisible();
    await press(page, 'Read Files');
    await reviewed(page);
    await expect(leftOut).toHaveCount(2);
    await expect(leftOut.filter({ hasText: /Week \d\/run\.txt: It could not be sent/ })).toHaveCount(2);
    await expect(page.getByText('1 of 3 files')).toBeVisible();
  });
});

test('a ZIP is opened: what is in it is proposed, and what is left out is named before anything is read', {
  tag: '@full',
}, async ({ signIn }) => {
  const [larkspur, tidewater] = firm.clients;
  const page = await signIn(firm.cpa, { at: '/batches' });
  const inner = await zipOf([['old.txt', Buffer.from('old')]]);
  const bytes = await zipOf([
    ['March/one.pdf', await makePages([journalOf(larkspur, '08-1112221')])],
    ['March/two.pdf', await makePages([journalOf(tidewater, '08-1112222')])],
    ['February.zip', inner],
  ]);
  await choose(page, [{ name: 'run.zip', bytes }]);
  await expect(page.getByText('ZIP opened: 2 files taken')).toBeVisible();
  const leftOut = page.getByRole('region', { name: 'Left out of this batch' });
  await expect(leftOut).toContainText('run.zip/February.zip: It is a ZIP inside a ZIP. Drop it by itself.');
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await press(page, 'Read Files');
  await reviewed(page);
  await expect(group(page, 'Ready, 2')).toContainText(tidewater.name);
  await expect(leftOut.getByRole('listitem')).toHaveCount(1);
});

test('after a reload in the middle of sending, the page says what is stored and what to drop again', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn(firm.cpa, { at: '/batches', offline: true, failures: [401, 409] });
  const file = (name: string) => ({ name, bytes: Buffer.from(`${name} names nobody`) });
  let sent = 0;
  await page.route('**/api/batches/*/files', (route) => {
    sent += 1;
    return sent === 1 ? route.continue() : route.abort();
  });
  await choose(page, [file('first.txt'), file('second.txt'), file('third.txt')]);
  await expect(page.getByText('2 files could not be sent.', { exact: false })).toBeVisible();
  await page.reload();
  await page.unroute('**/api/batches/*/files');
  await expect(
    page.getByText('1 of 3 files are stored. Drop the other 2 again to go on', { exact: false }),
  ).toBeVisible();
  await expect(page.getByRole('list', { name: 'Not sent yet' }).getByRole('listitem')).toHaveText([
    'second.txt',
    'third.txt',
  ]);
  // Dropped again one after the other, nothing is read before the last of them is there.
  await choose(page, [file('first.txt'), file('second.txt')], 'Add Files');
  await expect(
    page.getByText('2 of 3 files are stored. Drop the other one again to go on', { exact: false }),
  ).toBeVisible();
  await expect(page.getByRole('list', { name: 'Not sent yet' }).getByRole('listitem')).toHaveText(['third.txt']);
  await choose(page, [file('third.txt')], 'Add Files');
  await reviewed(page);
  await expect(list(page).getByRole('option')).toHaveCount(3);
  await expect(page.getByRole('region', { name: 'Left out of this batch' })).toHaveCount(0);

  // Discarded in the middle of sending, it is gone without a complaint.
  await page.goto('/batches');
  const late = Promise.withResolvers<void>();
  await page.route('**/api/batches/*/files', async (route) => {
    await late.promise;
    await route.continue();
  });
  await choose(page, [file('fourth.txt')]);
  await press(page, 'Discard');
  await page.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true }).click();
  await readToast(page, 'status', ['Batch discarded successfully']);
  const refused = page.waitForResponse('**/api/batches/*/files');
  late.resolve();
  await refused;
  await settle(page);
  await expect(toastOf(page, 'alert')).toHaveCount(0);

  // Read by somebody else in the middle of sending, it takes no more, and how many that leaves out is said.
  await page.goto('/batches');
  const read = Promise.withResolvers<void>();
  let begun = 0;
  await page.route('**/api/batches/*/files', async (route) => {
    begun += 1;
    if (begun > 1) await read.promise;
    await route.continue();
  });
  await choose(page, [file('fifth.txt'), file('sixth.txt'), file('seventh.txt')]);
  await expect(page).toHaveURL(/\/batches\/\d+$/);
  await expect.poll(() => begun).toBe(2);
  await firm.api.post(`/api${new URL(page.url()).pathname}/read`);
  read.resolve();
  await readToast(page, 'alert', [
    'Error',
    '2 files could not be sent: This batch is being read. Make a new batch for further files.',
  ]);

  // Signed out in the middle of sending, the tab keeps no names.
  await page.goto('/batches');
  const signedOut = Promise.withResolvers<void>();
  await page.route('**/api/batches/*/files', async (route) => {
    await signedOut.promise;
    await route.continue();
  });
  await choose(page, [file('eighth.txt'), file('ninth.txt')]);
  const kept = () => page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('coffer-unsent-'))");
  await expect(page).toHaveURL(/\/batches\/\d+$/);
  await expect.poll(kept).toContain(`coffer-unsent-${page.url().split('/').at(-1)}`);
  const ended = page.waitForResponse('**/api/auth/logout');
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await ended;
  const unanswered = page.waitForResponse('**/api/batches/*/files');
  signedOut.resolve();
  expect((await unanswered).status()).toBe(401);
  await settle(page);
  expect(await kept()).toEqual([]);
});

test('what cannot be read, or is there twice, is said', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn(firm.cpa, { at: '/batches', offline: true });
  const damaged = Buffer.from('%PDF-1.7 and nothing that belongs to one');
  await page.route('**/api/batches/*/read', (route) => route.abort());
  const files = [
    { name: 'damaged.pdf', bytes: damaged },
    { name: 'copy of damaged.pdf', bytes: damaged },
  ];
  // Begun again after an answer that was lost, it is the same batch: there is one row of it below.
  await page.route(/\/api\/batches$/, loseAnswer, { times: 1 });
  await choose(page, files);
  await readError(page, `Failed to begin the batch: ${UNREACHABLE}`);
  await choose(page, files);
  await expect(page.getByText('The same bytes are in this batch already. They are not stored twice.')).toBeVisible();
  // A reload finds what is there, and goes on. Before it, the page repeats what failed as soon as it is answered again.
  await page.reload();
  await expect(page.getByRole('list', { name: 'Files' }).getByRole('listitem')).toHaveCount(1);
  // Not before all of the page is there: what is on its way while a route goes may stay there.
  await page.unroute('**/api/batches/*/read');
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await choose(page, [{ name: 'empty.txt', bytes: Buffer.alloc(0) }], 'Add Files');
  const leftOut = page.getByRole('region', { name: 'Left out of this batch' });
  await expect(leftOut.getByRole('listitem')).toHaveText(['empty.txt: It is empty.']);
  // It holds no other back.
  await choose(
    page,
    [
      { name: 'nothing.txt', bytes: Buffer.alloc(0) },
      { name: 'damaged too.pdf', bytes: Buffer.concat([damaged, Buffer.from('.')]) },
    ],
    'Add Files',
  );
  await reviewed(page);
  await expect(leftOut.getByRole('listitem')).toHaveText(['empty.txt: It is empty.', 'nothing.txt: It is empty.']);
  await expect(page.getByText('2 of 4 files')).toBeVisible();
  await expect(toastOf(page, 'status').filter({ hasText: 'Left out' })).toHaveCount(0);
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await page.reload();
  await expect(leftOut.getByRole('listitem')).toHaveCount(2);
  const url = page.url();
  // In another browser, by another person.
  const elsewhere = await signIn(ADMIN, { at: new URL(url).pathname });
  await expect(elsewhere.getByRole('region', { name: 'Left out of this batch' }).getByRole('listitem')).toHaveText([
    'empty.txt: It is empty.',
    'nothing.txt: It is empty.',
  ]);
  await expect(elsewhere.getByText('2 of 4 files')).toBeVisible();
  await page.goto('/batches');
  const row = page.getByRole('row').filter({ hasText: 'damaged.pdf and others' });
  await expect(row).toContainText('2 of 4');
  await expect(row).toContainText('2 to review');
  await page.goto(url);
  await expect(page.getByText('2 to review', { exact: false }).first()).toBeVisible();
  await expect(group(page, 'Unreadable, 2')).toContainText('damaged.pdf');
  await expect(pane(page).getByText('It is damaged, or not what its name says.')).toBeVisible();
  await expect(pane(page).getByRole('link', { name: 'Download file' })).toBeVisible();

  await press(page, 'Discard');
  await page.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(page).toHaveURL('/batches');
  await readToast(page, 'status', ['Batch discarded successfully']);

  // Of which nothing came.
  await choose(page, [{ name: 'empty.txt', bytes: Buffer.alloc(0) }]);
  await expect(leftOut.getByRole('listitem')).toHaveText(['empty.txt: It is empty.']);
  await expect(page.getByText('No files in this batch yet.', { exact: false })).toBeVisible();
  await expect(page.getByText('These files are here', { exact: false })).toHaveCount(0);
});
