// Sending files (docs/behaviour.md, Files: uploading): choosing, dropping, sequence, failures, stopping, a session that ends.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, type Locator, type Page, type Route } from '@playwright/test';
import { axeFaultsOnTheWay } from './axe.ts';
import { addPerson, type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { holdCalls } from './stub.ts';
import { readError, readToast, toastOf } from './toast.ts';

const UPLOAD = '**/api/files';

let firm: Firm;
let given = 0;

test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin, { reports: 0 });
});

/** Names that no other test uses, so that a list can be searched for them. */
function freshNames(count: number): string[] {
  return Array.from({ length: count }, () => {
    given += 1;
    return `Upload ${process.pid} ${given}.txt`;
  });
}

const table = (page: Page) => page.getByRole('table', { name: 'Uploaded Files' });
const items = (dialog: Locator) => dialog.getByRole('list', { name: 'File Uploads' }).getByRole('listitem');
const submit = (dialog: Locator) => dialog.getByRole('button', { name: /^(Upload|Uploading...)$/ });

async function openAddData(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Upload Files' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Data' });
  await expect(dialog).toBeVisible();
  return dialog;
}

async function choose(page: Page, dialog: Locator, label: string, option: string): Promise<void> {
  const field = dialog.getByRole('combobox', { name: label });
  await field.click();
  // The list shows fifty clients, and this server may have more.
  if (label === 'Client Name') await field.fill(option);
  await page.getByRole('option', { name: option, exact: true }).click();
}

async function addFile(page: Page, dialog: Locator, name: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Add File' }).click();
  const chooser = await choosing;
  expect(chooser.isMultiple(), 'one file at a time').toBe(false);
  await chooser.setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(`Text of ${name}`) });
}

/** Add Data with a client, a report type and these files. */
async function prepare(page: Page, names: readonly string[]): Promise<Locator> {
  const dialog = await openAddData(page);
  await choose(page, dialog, 'Client Name', firm.clients[0].name);
  await choose(page, dialog, 'Report Type', firm.reportTypes[0].name);
  for (const name of names) await addFile(page, dialog, name);
  await expect(items(dialog)).toHaveCount(names.length);
  return dialog;
}

/** Drags files over the window; the returned function drops them where the pointer is. */
async function drag(page: Page, names: readonly string[]): Promise<() => Promise<void>> {
  // As text: the page's own types are not those of a test.
  const dataTransfer = await page.evaluateHandle(`(() => {
    const carried = new DataTransfer();
    for (const name of ${JSON.stringify(names)}) {
      carried.items.add(new File(['Text of ' + name], name, { type: 'text/plain', lastModified: 1790000000000 }));
    }
    return carried;
  })()`);
  await page.getByRole('main').dispatchEvent('dragenter', { dataTransfer });
  return () => page.getByText('Drop files to upload').dispatchEvent('drop', { dataTransfer });
}

test('Add Data asks for what is needed and no more', async ({ signIn }) => {
  const page = await signIn(firm.cpa, { at: '/file-upload' });
  const dialog = await openAddData(page);
  await expect(dialog.getByText('No files selected')).toBeVisible();
  await expect(dialog.getByRole('combobox', { name: 'Client Name' })).toHaveAttribute(
    'placeholder',
    'Select Client Name',
  );
  await expect(dialog.getByRole('combobox', { name: 'Report Type' })).toHaveAttribute(
    'placeholder',
    'Select Report Type',
  );
  await expect(submit(dialog)).toBeDisabled();

  const [name = ''] = freshNames(1);
  await addFile(page, dialog, name);
  await expect(items(dialog)).toContainText([name]);
  await expect(submit(dialog), 'no client is chosen').toBeDisabled();
  await choose(page, dialog, 'Client Name', firm.clients[1].name);
  await expect(submit(dialog)).toBeEnabled();
  await dialog.getByRole('button', { name: `Remove ${name}` }).click();
  await expect(dialog.getByText('No files selected')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Add File' })).toBeFocused();
  await expect(submit(dialog), 'no file is picked').toBeDisabled();
  // The same file again, after it was removed.
  await addFile(page, dialog, name);
  await expect(items(dialog)).toHaveCount(1);

  await choose(page, dialog, 'File Type', 'Company Document');
  await expect(dialog.getByRole('combobox', { name: 'Report Type' })).toHaveCount(0);
  await expect(dialog.getByRole('combobox', { name: 'Document Type' })).toBeVisible();
  await submit(dialog).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Upload Files' })).toBeFocused();
  await readToast(page, 'status', ['File uploaded successfully']);
  await page.getByRole('radio', { name: 'Company Documents' }).check();
  await expect(table(page).getByRole('row').filter({ hasText: name })).toContainText(firm.clients[1].name);
});

test('without a client or a report type, people read whom to ask, and nothing is offered that they cannot send', {
  tag: '@full',
}, async ({ signIn, server }) => {
  const page = await signIn(await addPerson(server.origin, 'CPA', null, null), { at: '/file-upload' });
  await expect(page.getByText("You don't have access to any client details.")).toBeVisible();
  await expect(page.getByRole('button', { name: 'Upload Files' })).toHaveCount(0);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search', exact: true });
  await palette.getByRole('combobox').fill('upload');
  await expect(palette.getByRole('option', { name: 'File Upload', exact: true })).toBeVisible();
  await expect(palette.getByRole('option', { name: /^Upload / })).toHaveCount(0);

  const [client] = firm.clients;
  const untyped = await signIn(await addPerson(server.origin, 'CPA', [client.id], null), { at: '/file-upload' });
  await expect(untyped.getByText("You don't have access to any report types.")).toBeVisible();
  const dialog = await openAddData(untyped);
  await expect(dialog.getByRole('combobox', { name: 'Client Name' })).toHaveValue(client.name);
  await expect(dialog.getByRole('combobox', { name: 'Document Type' })).toBeVisible();
  await expect(dialog.getByRole('combobox', { name: /^(File|Report) Type$/ })).toHaveCount(0);

  await untyped.goto(`/clients/${client.id}`);
  await expect(untyped.getByText("You don't have access to any report types.")).toBeVisible();
  await untyped.goto('/cpa-dashboard');
  await expect(untyped.getByText("You don't have access to any report types.")).toBeVisible();
  await expect(untyped.getByRole('button', { name: 'Upload Files' })).toHaveCount(0);
});

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
  const page = await signIn(firm.cpa, { at: '/file-upload', offline: true });
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
    await submit(dialog).click();
    await expect(dialog.getByRole('progressbar', { name: `Sending ${first}` })).toBeAttached();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Files are still being sent. Stop?');
    await dialog.getByRole('button', { name: 'Keep sending' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.getByRole('button', { name: 'Stop and close' }).click();
    await expect(dialog).toBeHidden();
    await openAddData(page);
    await expect(dialog.getByText('No files selected')).toBeVisible();
  });

  await test.step('of one that is deleted on the disk meanwhile no network is blamed', async () => {
    await page.unroute(UPLOAD);
    const path = test.info().outputPath(gone);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `Text of ${gone}`);
    await choose(page, dialog, 'Client Name', firm.clients[0].name);
    await choose(page, dialog, 'Report Type', firm.reportTypes[0].name);
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

test('nothing can be sent before it is known what the names propose', { tag: '@full' }, async ({ signIn }) => {
  const [name = ''] = freshNames(1);
  const page = await signIn(firm.cpa, { at: `/file-upload?client=${firm.clients[1].id}` });
  const release = await holdCalls(page, /\/api\/clients\?sort=name/);
  const dialog = await openAddData(page);
  await addFile(page, dialog, name);
  await expect(items(dialog)).toContainText([name]);
  await expect(dialog.getByRole('combobox', { name: 'Client Name' })).toHaveValue(firm.clients[1].name);
  await expect(submit(dialog)).toBeDisabled();
  release();
  await expect(submit(dialog)).toBeEnabled();
});

test('files dropped anywhere open the dialog with them, under the client and type of the screen', async ({
  signIn,
}) => {
  const [first = '', second = '', third = ''] = freshNames(3);
  const page = await signIn(firm.cpa, { at: `/file-upload?client=${firm.clients[1].id}&type=company_document` });
  await expect(page.getByRole('button', { name: 'Upload Files' })).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Add Data' });
  const veil = page.getByText('Drop files to upload');

  const drop = await drag(page, [first, second]);
  await expect(veil).toBeVisible();
  await page.getByRole('main').dispatchEvent('dragleave');
  await expect(veil).toBeHidden();
  await drag(page, [first]);
  await expect(veil).toBeVisible();
  await drop();
  await expect(dialog).toBeVisible();
  await expect(veil).toBeHidden();
  await expect(items(dialog)).toContainText([first, second]);
  await expect(dialog.getByRole('combobox', { name: 'Client Name' })).toHaveValue(firm.clients[1].name);
  await expect(dialog.getByRole('combobox', { name: 'File Type' })).toHaveValue('Company Document');

  // Two files whose names differ in case alone are two.
  const loud = third.toUpperCase();
  const more = await drag(page, [second, third, loud]);
  await expect(veil).toBeVisible();
  await more();
  await expect(items(dialog)).toContainText([first, second, third, loud]);
  await expect(dialog.getByText(`Already in the list: ${second}`)).toBeVisible();
  await submit(dialog).click();
  await readToast(page, 'status', ['File uploaded successfully']);
  for (const name of [third, loud]) {
    await expect(table(page).getByRole('button', { name: `Delete ${name}`, exact: true })).toBeVisible();
  }

  await test.step('text is no file, and a question has the floor', async () => {
    const dataTransfer = await page.evaluateHandle(`(() => {
      const carried = new DataTransfer();
      carried.setData('text/plain', 'words');
      return carried;
    })()`);
    await page.getByRole('main').dispatchEvent('dragenter', { dataTransfer });
    await expect(veil).toBeHidden();
    await page.getByRole('button', { name: `Delete ${first}` }).click();
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
    await drag(page, [first]);
    await expect(veil).toBeHidden();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('cells from a spreadsheet, a picture too, are text in a field; elsewhere a file is taken', async () => {
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const pasteInto = (place: string) =>
      page.evaluate<boolean>(`(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', 'Harbor');
        clipboardData.items.add(new File(['cells'], 'image.png', { type: 'image/png' }));
        const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
        ${place}.dispatchEvent(paste);
        return paste.defaultPrevented;
      })()`);
    const search = page.getByRole('searchbox', { name: 'Search files by name' });
    await search.focus();
    expect(await pasteInto('document.activeElement')).toBe(false);
    await expect(dialog).toBeHidden();
    expect(await pasteInto('document.body')).toBe(true);
    await expect(items(dialog)).toContainText(['image.png']);
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(dialog).toBeHidden();
  });

  const outsider = await signIn(firm.outsider, { at: '/file-upload' });
  await expect(outsider.getByText("You don't have access to any client details.")).toBeVisible();
  await drag(outsider, [first]);
  await expect(outsider.getByText('Drop files to upload')).toHaveCount(0);

  await test.step('where nothing takes files, one that is dropped does not replace the page', async () => {
    await outsider.goto('/account');
    await expect(outsider.getByRole('heading', { level: 1 })).toBeVisible();
    const isRefused = await outsider.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['words'], 'W-2.txt'));
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.body.dispatchEvent(drop);
      return drop.defaultPrevented;
    })()`);
    expect(isRefused).toBe(true);
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

test('five files for three clients and five types need no more than eight clicks where their names speak', async ({
  signIn,
}) => {
  const [alder, birch, cedar] = await Promise.all(
    ['Alderfield Optics', 'Birchmont Freight', 'Cedarline Foods'].map((name, nth) =>
      firm.api.post<{ id: number }>('/api/clients', {
        name: `${name}, LLC`,
        address: '4 Orchard Lane, Dayton, OH 45402',
        phone: '(937)-555-0117',
        federalId: `08-555444${nth}`,
        stateId: 'OH-71',
        email: 'books@example.com',
        employeeCount: 4,
        startDate: '2025-01-31',
      }),
    ),
  );
  for (const name of ['Form 940', 'Form 945', 'W-2', 'Deposit Notice', 'Certified Register']) {
    await firm.api.post('/api/report-types', { name });
  }
  const page = await signIn(ADMIN, { at: '/file-upload' });
  await expect(page.getByRole('button', { name: 'Upload Files' })).toBeVisible();
  await page.evaluate(`(() => {
    window.clicked = 0;
    addEventListener('click', (event) => { if (event.isTrusted) window.clicked += 1; }, true);
  })()`);
  const names = [
    'AlderfieldOptics_940_2025.pdf',
    'W2 2025 Alderfield.pdf',
    'Form 945 Birchmont Freight 2024.pdf',
    'Deposit Notice 08-5554441 Q3 2025.pdf',
    'CEDARLINE certified register 2025-03-14.pdf',
  ];
  await (await drag(page, names))();
  const dialog = page.getByRole('dialog', { name: 'Add Data' });
  const row = (nth: number) => items(dialog).filter({ hasText: names[nth] as string });
  await expect(row(0)).toContainText('Proposed: Alderfield Optics, LLC · Form 940 · 2025');
  await expect(row(3)).toContainText('Proposed: Birchmont Freight, LLC · Deposit Notice · Q3 2025');
  await (await drag(page, names))();
  await expect(dialog.getByText(`Already in the list: ${names.slice(0, 3).join(', ')} and 2 more`)).toBeVisible();
  // Another client for one file alone, against what its name says: told, and taken back.
  await dialog.getByRole('button', { name: `Change ${names[1]}` }).click();
  await expect(dialog.getByRole('combobox', { name: 'Client', exact: true })).toBeInViewport({ ratio: 1 });
  await dialog.getByRole('combobox', { name: 'Client', exact: true }).click();
  await page.getByRole('option', { name: 'Cedarline Foods, LLC' }).click();
  await expect(row(1)).toContainText('The name speaks of Alderfield Optics, LLC');
  await dialog.getByRole('button', { name: `Use Alderfield Optics, LLC for ${names[1]}` }).click();
  await expect(row(1)).not.toContainText('The name speaks of');
  await submit(dialog).click();
  await expect(dialog).toBeHidden();
  expect(await page.evaluate('window.clicked')).toBeLessThanOrEqual(8);

  const filed = await firm.api.get<Record<string, unknown>[]>('/api/files');
  expect(
    names.map((name) => {
      const { clientId, reportTypeName, period } = filed.find(({ originalName }) => originalName === name) ?? {};
      return [clientId, reportTypeName, period];
    }),
  ).toEqual([
    [alder?.id, 'Form 940', '2025'],
    [alder?.id, 'W-2', '2025'],
    [birch?.id, 'Form 945', '2024'],
    [birch?.id, 'Deposit Notice', '2025-Q3'],
    [cedar?.id, 'Certified Register', '2025-03-14'],
  ]);
});

test('the fields above the list fill only files without their own, and a report without a type is asked about', {
  tag: '@full',
}, async ({ signIn }) => {
  const clients = await Promise.all(
    ['Juniper Vale Dental', 'Kestrel Rock Mining'].map((name, nth) =>
      firm.api.post<{ id: number; name: string }>('/api/clients', {
        name: `${name}, LLC`,
        address: '4 Orchard Lane, Dayton, OH 45402',
        phone: '(937)-555-0118',
        federalId: `08-666777${nth}`,
        stateId: 'OH-72',
        email: 'books@example.com',
        employeeCount: 4,
        startDate: '2025-01-31',
      }),
    ),
  );
  const [juniper, kestrel] = clients.map(({ id }) => id);
  const names = ['Juniper Vale Dental 2025.txt', 'Kestrel Rock Mining.txt', 'scan 0017.txt', 'scan 0018.txt'].map(
    (name) => `${process.pid} ${name}`,
  );
  const page = await signIn(ADMIN, { at: '/file-upload' });
  await expect(page.getByRole('button', { name: 'Upload Files' })).toBeVisible();
  await (await drag(page, names))();
  const dialog = page.getByRole('dialog', { name: 'Add Data' });
  const row = (nth: number) => items(dialog).filter({ hasText: names[nth] as string });
  const client = dialog.getByRole('combobox', { name: 'Client Name', exact: true });
  const status = dialog.getByText(/ (needs|need) a client$/);
  await expect(row(1)).toContainText('Kestrel Rock Mining, LLC');
  await expect(submit(dialog)).toBeDisabled();
  await expect(status).toHaveText('2 files need a client');

  await test.step('Enter takes the first match; leaving takes the only one, or keeps what was typed', async () => {
    await client.fill('no such client');
    await client.press('Tab');
    await expect(dialog.getByText('Nothing matches “no such client”.', { exact: false })).toBeVisible();
    await expect(client).toHaveValue('no such client');
    await client.fill('juniper vale');
    await client.press('Enter');
    await expect(client).toHaveValue('Juniper Vale Dental, LLC');
    await expect(dialog, 'nothing is sent').toBeVisible();
    await client.fill(firm.clients[0].name);
    await client.press('Tab');
    await expect(client).toHaveValue(firm.clients[0].name);
  });
  await expect(row(0), 'what its name proposes stays').toContainText('Juniper Vale Dental, LLC');
  await expect(row(1)).toContainText('Kestrel Rock Mining, LLC');
  for (const nth of [2, 3]) await expect(row(nth)).toContainText(firm.clients[0].name);
  await expect(status).toHaveCount(0);
  await expect(dialog.getByText('2 of 4 files keep a client of their own.')).toBeVisible();

  await test.step('one client for all is an act of its own', async () => {
    const useForAll = dialog.getByRole('button', { name: 'Use for all 4 files: client' });
    await useForAll.click();
    for (const nth of [0, 1, 2, 3]) await expect(row(nth)).toContainText(firm.clients[0].name);
    await expect(useForAll).toHaveCount(0);
    await dialog.getByRole('button', { name: `Use Juniper Vale Dental, LLC for ${names[0]}` }).click();
    await dialog.getByRole('button', { name: `Use Kestrel Rock Mining, LLC for ${names[1]}` }).click();
  });

  const question = dialog.getByRole('alert');
  const type = dialog.getByRole('combobox', { name: 'Report Type', exact: true });
  await test.step('a type or the question', async () => {
    await submit(dialog).click();
    await expect(question).toContainText('4 files have no report type. Without a type, clients cannot see them.');
    expect(await axeFaultsOnTheWay(page)).toEqual([]);
    await question.getByRole('button', { name: 'Choose a type' }).click();
    await expect(question).toHaveCount(0);
    await expect(type).toBeFocused();
    await submit(dialog).click();
    await question.getByRole('button', { name: 'Upload anyway' }).click();
    await expect(dialog).toBeHidden();
  });

  const stored = await firm.api.get<{ originalName: string; clientId: number }[]>('/api/files');
  const clientOf = (name: string) => stored.find(({ originalName }) => originalName === name)?.clientId;
  expect(names.map(clientOf)).toEqual([juniper, kestrel, firm.clients[0].id, firm.clients[0].id]);

  await test.step('staff see that clients do not, and can list such reports alone', async () => {
    const mark = 'Not visible to clients';
    await expect(
      table(page)
        .getByRole('row')
        .filter({ hasText: names[2] as string }),
    ).toContainText(mark);
    await choose(page, page.locator('main'), 'Report Type', 'Without type');
    await expect(page).toHaveURL(/reportType=none/);
    await expect(
      table(page)
        .getByRole('row')
        .filter({ hasText: names[2] as string }),
    ).toContainText(mark);
    await expect(table(page).getByRole('row').filter({ hasNotText: mark }), 'the head alone').toHaveCount(1);
    expect(await axeFaultsOnTheWay(page)).toEqual([]);
    await page.goto(`/cpa-dashboard?reportType=none&client=${juniper}`);
    await expect(page.getByRole('button', { name: 'Without type' })).toHaveAttribute('aria-pressed', 'true');
    await page.getByRole('link', { name: names[0] as string }).click();
    await expect(page.getByRole('heading', { name: names[0] as string })).toContainText(mark);
  });
  const viewer = await signIn(firm.clientUser, { at: '/cpa-dashboard?reportType=none' });
  // Not those of the sidebar, which unfold besides.
  await expect(viewer.getByRole('main').getByRole('button', { name: firm.reportTypes[0].name })).toBeVisible();
  await expect(viewer.getByRole('button', { name: 'Without type' })).toHaveCount(0);
});
