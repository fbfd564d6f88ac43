// Files that are there already, and an upload that goes on in the background (docs/behaviour.md, Files: uploading).
import { expect, type Locator, type Page } from '@playwright/test';
import type { FileRow } from '#contract/files.ts';
import { type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { notifications, readError, readToast, toastOf } from './toast.ts';
import { addFile, items, openAddData, submit, textFile } from './uploads-page.ts';

let firm: Firm;
let given = 0;

test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin, { reports: 0 });
});

const freshName = () => {
  given += 1;
  return `Again ${process.pid} ${given}.txt`;
};
const row = (dialog: Locator, name: string) => items(dialog).filter({ hasText: name });
const panel = (page: Page) => page.getByRole('region', { name: 'Uploads', exact: true });

const journal = () => ({ clientId: firm.clients[0].id, fileType: 'report', reportTypeId: firm.reportTypes[0].id });
const store = (name: string, bytes?: string) => firm.api.upload(journal(), name, textFile(name, bytes).buffer);
const stored = async (name: string) =>
  (await firm.api.get<FileRow[]>('/api/files')).filter(({ originalName }) => originalName === name);

/** Add Data with the client and type of the files that `store` makes. */
const openForJournal = (page: Page) =>
  openAddData(page, { 'Client Name': firm.clients[0].name, 'Report Type': firm.reportTypes[0].name });

async function add(page: Page, dialog: Locator, ...files: ReturnType<typeof textFile>[]): Promise<void> {
  for (const file of files) await addFile(page, dialog, file);
}

/** Prevents the next uploads from being answered until the returned function is called. */
async function holdUploads(page: Page): Promise<() => void> {
  let go: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route('**/api/files', async (route) => {
    if (route.request().method() === 'POST') await held;
    await route.continue().catch(() => undefined);
  });
  return () => go();
}

test('a file that is there already is told, and kept beside, replaced or skipped', async ({ signIn }) => {
  const [same, changed, both, fresh] = [freshName(), freshName(), freshName(), freshName()];
  await store(same);
  await store(changed, 'Former text');
  await store(both, 'Former text');
  const page = await signIn(firm.cpa, { at: '/file-upload' });
  const dialog = await openForJournal(page);

  // With the marks of direction that come along with a name that was copied elsewhere.
  await add(page, dialog, { ...textFile(same), name: `\u202a${same}\u202c` });
  await expect(row(dialog, same)).toContainText('same content');
  await expect(row(dialog, same).getByRole('radio', { name: 'Skip' })).toBeChecked();
  await expect(dialog.getByText('Nothing to upload: every file is there already and is skipped.')).toBeVisible();
  await expect(submit(dialog)).toBeDisabled();

  await add(page, dialog, textFile(changed), textFile(both), textFile(fresh));
  await expect(row(dialog, changed)).toContainText('same name, other content');
  await expect(row(dialog, changed).getByRole('radio', { name: 'Keep both' })).toBeChecked();
  await expect(row(dialog, fresh)).not.toContainText('Already there');
  await row(dialog, changed).getByText('Replace', { exact: true }).click();

  await test.step('the stored one opens in a new tab', async () => {
    const opening = page.context().waitForEvent('page');
    await row(dialog, changed)
      .getByRole('link', { name: /^Already there/ })
      .click();
    const tab = await opening;
    await expect(tab.getByRole('heading', { name: changed })).toBeVisible();
    await tab.close();
  });

  await submit(dialog).click();
  await readToast(page, 'status', ['File uploaded successfully (1 skipped)']);
  await expect(dialog).toBeHidden();
  expect(await stored(same)).toHaveLength(1);
  expect((await stored(changed)).map(({ size }) => size)).toEqual([textFile(changed).buffer.length]);
  expect(await stored(both)).toHaveLength(2);
  expect(await stored(fresh)).toHaveLength(1);
});

test('one answer goes for all that are there; another place asks anew', { tag: '@full' }, async ({ signIn }) => {
  const [first, second] = [freshName(), freshName()];
  const former = await store(first, 'Former text');
  await store(second, 'Former text');
  const page = await signIn(firm.cpa, { at: '/file-upload', failures: [409] });
  const dialog = await openForJournal(page);
  await add(page, dialog, textFile(first), textFile(second));
  const all = dialog.getByRole('group', { name: 'For all files that are already there' });
  await all.getByRole('button', { name: 'Skip, for all' }).click();
  await expect(dialog.getByRole('radio', { name: 'Skip', checked: true })).toHaveCount(2);
  await expect(submit(dialog)).toBeDisabled();

  await dialog.getByRole('combobox', { name: 'Report Type', exact: true }).click();
  await page.getByRole('option', { name: firm.reportTypes[1].name, exact: true }).click();
  await expect(dialog.getByText('Already there')).toHaveCount(0);
  await expect(submit(dialog)).toBeEnabled();
  await dialog.getByRole('combobox', { name: 'Report Type', exact: true }).click();
  await page.getByRole('option', { name: firm.reportTypes[0].name, exact: true }).click();

  await all.getByRole('button', { name: 'Replace, for all' }).click();
  await submit(dialog).click();
  await expect(dialog).toBeHidden();
  for (const name of [first, second]) {
    expect((await stored(name)).map(({ size }) => size)).toEqual([textFile(name).buffer.length]);
  }

  await test.step('Undo puts back the others too where somebody was faster with one', async () => {
    await firm.api.post(`/api/files/${former.id}/restore`, { newer: 'trash' });
    await notifications(page).getByRole('button', { name: 'Undo' }).click();
    await expect(toastOf(page, 'alert')).toContainText('This was restored already. 1 is done, 1 is not.');
    for (const name of [first, second]) {
      expect((await stored(name)).map(({ size }) => size)).toEqual(['Former text'.length]);
    }
  });
});

test('Replace is offered to who may delete the file, and loses nothing where it is gone meanwhile', {
  tag: '@full',
}, async ({ signIn, server }) => {
  const name = freshName();
  const document = { clientId: firm.clients[0].id, fileType: 'company_document' };
  await firm.api.upload(document, name, Buffer.from('Of the office'));
  const client = await signIn(firm.clientUser, { at: '/firm-documents' });
  await client.getByRole('button', { name: 'Upload Document' }).click();
  const dialog = client.getByRole('dialog', { name: 'Upload Document' });
  const choosing = client.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Add File' }).click();
  await (await choosing).setFiles([textFile(name)]);
  await expect(row(dialog, name)).toContainText('Already there');
  await expect(row(dialog, name).getByRole('radio')).toHaveCount(2);
  await expect(row(dialog, name).getByRole('radio', { name: 'Replace' })).toHaveCount(0);

  const report = freshName();
  const { id } = await store(report, 'Former text');
  const page = await signIn(firm.cpa, { at: '/file-upload', failures: [400] });
  const addData = await openForJournal(page);
  await add(page, addData, textFile(report));
  await row(addData, report).getByText('Replace', { exact: true }).click();
  await firm.api.delete(`/api/files/${id}`);
  await submit(addData).click();
  await readError(page, 'Failed to upload file: The file to replace is not there any more');
  await expect(row(addData, report)).toContainText('The file to replace is not there any more');
  expect(await stored(report)).toHaveLength(0);
  await expect(row(addData, report)).not.toContainText('Already there');
  await row(addData, report)
    .getByRole('button', { name: `Retry ${report}` })
    .click();
  await expect(addData).toBeHidden();
  expect(await stored(report)).toHaveLength(1);

  await test.step('a client that is gone is named, and its file goes to another one', async () => {
    const mine = await seedFirm(server.origin, { reports: 0 });
    const [gone, other] = mine.clients;
    const meant = freshName();
    const theirs = await signIn(mine.cpa, { at: '/file-upload', failures: [403, 404] });
    const sending = await openAddData(theirs, { 'Client Name': gone.name, 'Report Type': mine.reportTypes[0].name });
    await add(theirs, sending, textFile(meant));
    await expect(submit(sending)).toBeEnabled();
    await mine.api.delete(`/api/clients/${gone.id}`);
    await submit(sending).click();
    const words = `${gone.name} is not there any more. Choose another client with Change.`;
    await readError(theirs, `Failed to upload file: ${words}`);
    await expect(row(sending, meant)).toContainText(words);
    await sending.getByRole('button', { name: `Change ${meant}` }).click();
    const fields = sending.getByRole('group', { name: `Filed under: ${meant}` });
    await fields.getByRole('combobox', { name: 'Client', exact: true }).click();
    await theirs.getByRole('option', { name: other.name, exact: true }).click();
    await sending.getByRole('button', { name: `Retry ${meant}` }).click();
    await expect(sending).toBeHidden();
    const [file] = (await mine.api.get<FileRow[]>('/api/files')).filter(({ originalName }) => originalName === meant);
    expect(file?.clientId).toBe(other.id);
  });
});

test('an empty file is told, not sent, and keeps no other back', { tag: '@full' }, async ({ signIn }) => {
  const [full, nothing] = [freshName(), freshName()];
  const page = await signIn(firm.cpa, { at: '/file-upload' });
  const dialog = await openForJournal(page);
  await add(page, dialog, textFile(nothing, ''), textFile(full));
  await expect(row(dialog, nothing)).toContainText('This file is empty and cannot be stored.');
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === '/api/files') sent += 1;
  });
  await submit(dialog).click();
  await readError(
    page,
    'Failed to upload file: This file is empty and cannot be stored. Please remove it. (1 of 2 files stored)',
  );
  await expect(items(dialog)).toHaveCount(1);
  expect(sent).toBe(1);
  expect(await stored(full)).toHaveLength(1);
});

test('each file has its own kind, proposed from its name', async ({ signIn }) => {
  const page = await signIn(firm.cpa, { at: '/file-upload' });
  await page.getByRole('button', { name: 'Upload Files' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Data' });
  const name = `Balance sheet ${process.pid}.txt`;
  await dialog.getByRole('combobox', { name: 'Client Name', exact: true }).click();
  await page.getByRole('option', { name: firm.clients[0].name, exact: true }).click();
  await add(page, dialog, textFile(name));
  await expect(row(dialog, name)).toContainText('Proposed: Company Document · Financial Statement');
  await submit(dialog).click();
  await expect(dialog).toBeHidden();
  expect((await stored(name)).map(({ fileType, documentType }) => [fileType, documentType])).toEqual([
    ['company_document', 'Financial Statement'],
  ]);

  await test.step('a kind that somebody chose for all is not proposed away', async () => {
    await page.getByRole('button', { name: 'Upload Files' }).click();
    await add(page, dialog, textFile(name));
    await dialog.getByRole('combobox', { name: 'File Type', exact: true }).click();
    await page.getByRole('option', { name: 'Company Document' }).click();
    await dialog.getByRole('combobox', { name: 'File Type', exact: true }).click();
    await page.getByRole('option', { name: 'Report', exact: true }).click();
    await expect(row(dialog, name)).not.toContainText('Company Document');
    await dialog.getByRole('button', { name: `Change ${name}` }).click();
    await expect(row(dialog, name).getByRole('combobox', { name: 'File Type' })).toHaveValue('Report');
  });
});

test('the sending goes on in a panel while one moves to other pages, and ends there', { tag: '@full' }, async ({
  signIn,
}) => {
  const names = [freshName(), freshName()];
  const page = await signIn(firm.cpa, { at: '/file-upload' });
  const dialog = await openForJournal(page);
  await add(page, dialog, ...names.map((name) => textFile(name)));
  const go = await holdUploads(page);
  await submit(dialog).click();
  await dialog.getByRole('button', { name: 'Continue in background' }).click();
  await expect(dialog).toBeHidden();
  await expect(panel(page).getByRole('status')).toHaveText('0 of 2 files stored');
  await page.getByRole('link', { name: 'Firm Documents' }).first().click();
  await expect(page.getByRole('table', { name: 'Document Library' })).toBeVisible();
  await expect(panel(page)).toBeVisible();

  await test.step('its details are the dialog with its rows', async () => {
    await panel(page).getByRole('button', { name: 'Show details' }).click();
    await expect(items(dialog)).toContainText(names);
    await expect(dialog.getByRole('combobox', { name: 'Client Name' })).toHaveValue(firm.clients[0].name);
    await expect(panel(page)).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Continue in background' }).click();
    await expect(panel(page)).toBeVisible();
  });

  await panel(page).getByRole('button', { name: 'Fold uploads', expanded: true }).click();
  await expect(panel(page).getByRole('button', { name: 'Unfold uploads', expanded: false })).toBeVisible();
  await expect(panel(page).getByRole('button', { name: 'Stop' })).toBeHidden();
  go();
  await expect(panel(page).getByRole('status')).toHaveText('2 of 2 files stored');
  for (const name of names) expect(await stored(name)).toHaveLength(1);
  await expect(panel(page), 'seen, it goes').toHaveCount(0, { timeout: 20_000 });

  await test.step('what is added meanwhile is not lost: it waits, and is sent once it was looked at', async () => {
    const [sent, added] = [freshName(), freshName()];
    await page.getByRole('link', { name: 'File Upload' }).first().click();
    await openForJournal(page);
    await add(page, dialog, textFile(sent));
    const goOn = await holdUploads(page);
    await submit(dialog).click();
    await expect(dialog.getByRole('status').filter({ hasText: '0 of 1 uploaded' })).toBeVisible();
    await add(page, dialog, textFile(added));
    await dialog.getByRole('button', { name: 'Continue in background' }).click();
    goOn();
    await expect(panel(page).getByRole('status')).toHaveText('1 of 1 file stored, 1 waiting');
    await expect(panel(page).getByRole('button', { name: 'Retry' })).toHaveCount(0);
    await panel(page).getByRole('button', { name: 'Show details' }).click();
    await expect(items(dialog)).toContainText([added]);
    await submit(dialog).click();
    await expect(dialog).toBeHidden();
    for (const name of [sent, added]) expect(await stored(name)).toHaveLength(1);
  });
});

test('a page left by Back leaves the sending to the panel; what fails is told there and sent again', {
  tag: '@full',
}, async ({ signIn }) => {
  const [good, bad] = [freshName(), freshName()];
  const page = await signIn(firm.cpa, { at: '/firm-documents', failures: [507] });
  await page.getByRole('link', { name: 'File Upload' }).first().click();
  const dialog = await openForJournal(page);
  await add(page, dialog, textFile(good), textFile(bad));
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let requests = 0;
  await page.route('**/api/files', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    requests += 1;
    const fails = requests === 2;
    await held;
    if (!fails) return route.continue();
    return route.fulfill({ status: 507, json: { message: 'There is no space left.', code: 'storage_full' } });
  });
  await submit(dialog).click();
  await page.goBack();
  const question = dialog.getByRole('alert');
  await expect(question).toContainText('Files are still being sent. Stop?');
  await question.getByRole('button', { name: 'Continue in background' }).click();
  await expect(page.getByRole('table', { name: 'Document Library' })).toBeVisible();
  release();
  await expect(panel(page).getByRole('status')).toHaveText('1 of 2 files stored, 1 failed');
  await expect(panel(page).getByRole('list', { name: 'Failed files' })).toContainText(`${bad}There is no space left.`);
  const asked = page.waitForEvent('dialog');
  const closing = page.close({ runBeforeUnload: true });
  const beforeLeaving = await asked;
  expect(beforeLeaving.type(), 'what failed would be lost').toBe('beforeunload');
  await beforeLeaving.dismiss();
  await closing;
  await panel(page).getByRole('button', { name: 'Retry' }).click();
  await expect(panel(page).getByRole('status')).toHaveText('1 of 1 file stored');
  await panel(page).getByRole('button', { name: 'Close uploads' }).click();
  await expect(panel(page)).toHaveCount(0);
  for (const name of [good, bad]) expect(await stored(name)).toHaveLength(1);
});

test('signing out stops what is being sent and clears it', { tag: '@full' }, async ({ signIn }) => {
  const name = freshName();
  const page = await signIn(firm.cpa, { at: '/file-upload' });
  const dialog = await openForJournal(page);
  await add(page, dialog, textFile(name));
  const go = await holdUploads(page);
  const stopped = page.waitForEvent('requestfailed', (request) => request.method() === 'POST');
  await submit(dialog).click();
  await dialog.getByRole('button', { name: 'Continue in background' }).click();
  await expect(panel(page)).toBeVisible();
  // As another tab signs out.
  await page.evaluate(`(() => {
    localStorage.removeItem('user');
    localStorage.removeItem('token');
    dispatchEvent(new StorageEvent('storage', { key: 'token' }));
  })()`);
  await stopped;
  await expect(panel(page)).toHaveCount(0);
  go();
  expect(await stored(name)).toHaveLength(0);
});

test('Stop ends the sending, and says what is stored', async ({ signIn }) => {
  const name = freshName();
  const page = await signIn(firm.cpa, { at: '/file-upload' });
  const dialog = await openForJournal(page);
  await add(page, dialog, textFile(name));
  const go = await holdUploads(page);
  await submit(dialog).click();
  await dialog.getByRole('button', { name: 'Continue in background' }).click();
  await panel(page).getByRole('button', { name: 'Stop' }).click();
  await readToast(page, 'status', ['Upload stopped (0 of 1 file stored)']);
  await expect(panel(page)).toHaveCount(0);
  await expect(page.locator('main:focus-within'), 'the focus is back on the page').toHaveCount(1);
  go();
  expect(await stored(name)).toHaveLength(0);
});
