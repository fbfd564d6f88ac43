// One file in the page (/cpa-dashboard/report/{id}): what is shown of each type, moving through the list, and who may.
import { crc32, deflateSync } from 'node:zlib';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import PDFDocument from 'pdfkit';
import { apiAs } from './api.ts';
import { type Firm, seedFirm } from './firm.ts';
import { stepInFull, test } from './fixtures.ts';
import { hasInk } from './pdf.ts';
import { answerList, listenForCalls } from './stub.ts';

let firm: Firm;
const ids = {
  long: 0,
  tooLong: 0,
  twelve: 0,
  image: 0,
  text: 0,
  table: 0,
  archive: 0,
  damaged: 0,
  locked: 0,
  document: 0,
};

function makePages(count: number, options: { userPassword?: string } = {}): Promise<Buffer> {
  const document = new PDFDocument({ size: 'LETTER', ...options });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
  });
  for (let page = 1; page <= count; page += 1) {
    if (page > 1) document.addPage();
    document.text(`Gross wages of page ${page}`);
  }
  document.end();
  return done;
}

function makePng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  const rows = deflateSync(Buffer.alloc(height * (width + 1), 120));
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
    const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  }
}

test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin, { reports: 3 });
  // Of the second report type, so that the first keeps its three.
  const fields = { clientId: firm.clients[0].id, fileType: 'report', reportTypeId: firm.reportTypes[1].id };
  const send = async (name: string, bytes: Uint8Array) => (await firm.api.upload(fields, name, bytes)).id;
  ids.long = await send('Long.pdf', await makePages(300));
  ids.twelve = await send('Twelve pages.pdf', await makePages(12));
  ids.tooLong = await send('Too long.pdf', await makePages(301));
  ids.image = await send('Receipt.png', makePng(2400, 1200));
  ids.text = await send('Notes.txt', Buffer.from('Dear client,\n    indented <b>words</b> & more\n'));
  const lines = Array.from(
    { length: 1_200 },
    (_, line) => `"${[1, 899].includes(line) ? 'Muñoz' : 'Doe'}, Jane ${line + 1}",Bakery,${line}.50`,
  );
  // As spreadsheets on Western machines write it, with empty lines between the rows, which are none.
  const parted = ['Employee,Department,Hours', ...lines.flatMap((line) => [line, ',,'])];
  ids.table = await send('Employees.csv', Buffer.from(parted.join('\r\n'), 'latin1'));
  ids.archive = await send(
    'Bundle.zip',
    Buffer.from('504b0304140000000000000000000000000000000000000000000001000000', 'hex'),
  );
  ids.damaged = await send('Damaged.pdf', Buffer.from('%PDF-1.7\nnothing that follows is a PDF'));
  ids.locked = await send('Locked.pdf', await makePages(1, { userPassword: 'open up' }));
  const papers = { clientId: firm.clients[0].id, fileType: 'company_document', documentType: 'Correspondence' };
  ids.document = (await firm.api.upload(papers, 'Letter.txt', Buffer.from('A letter'))).id;
});

const open = (page: Page, id: number, search = '') => page.goto(`/cpa-dashboard/report/${id}${search}`);
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

/** How often the log says that somebody viewed a file. */
async function views(id: number): Promise<number> {
  const entries = await firm.api.get<{ action: string }[]>(`/api/activity-logs?fileId=${id}&action=view`);
  return entries.length;
}

test('a PDF is opened from its list, read, and walked on from within the filters', async ({ signIn, server }) => {
  const [oldest, middle, newest] = firm.reports;
  // Of which nothing was sent: nobody has downloaded it.
  const announced = { action: 'download', fileId: middle?.id };
  await (await apiAs(server.origin, firm.clientUser)).post('/api/activity-logs', announced);
  const page = await signIn(firm.cpa, { at: `/cpa-dashboard?client=${firm.clients[0].id}` });
  await page.getByRole('link', { name: middle?.name ?? '' }).click();
  await expect(page).toHaveURL(new RegExp(`/report/${middle?.id}\\?.*type=${firm.reportTypes[0].id}`));

  await test.step('its words are in the page, to be selected', async () => {
    await expect(heading(page, middle?.name ?? '')).toBeVisible();
    const sheet = page.getByRole('group', { name: 'Page 1 of 1' });
    const words = sheet.getByText(middle?.name ?? '');
    await expect(words).toBeAttached();
    await words.selectText();
    expect(await page.evaluate('String(getSelection())')).toContain(middle?.name);
    await expect.poll(() => sheet.locator('canvas').evaluate(hasInk)).toBe(true);
    await expectAccessible(page);
  });

  await test.step('its facts and its activity are next to it; opening it makes one entry', async () => {
    const facts = page.getByRole('region', { name: 'Details' });
    for (const word of [
      firm.clients[0].name,
      firm.reportTypes[0].name,
      /^0\.00 MB \((<1|\d)\sKB\)$/,
      'PDF',
      'Administrator',
    ]) {
      await expect(facts.getByText(word, { exact: true })).toBeVisible();
    }
    await expect(page.getByRole('navigation', { name: 'Files of this list' })).toContainText('2 of 3');
    const entries = page.getByRole('region', { name: 'Activity' }).getByRole('listitem');
    await expect(entries).toHaveCount(2);
    await expect(entries.nth(0)).toContainText(`${firm.cpa.fullName}Viewed`);
    await expect(entries.nth(1)).toContainText('Uploaded');
    // Coming back to the window is no new view.
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole('button', { name: 'Zoom in' }).click();
    expect(await views(middle?.id ?? 0)).toBe(1);
  });

  await test.step('keys lead to the older and the newer file of the list, and no further', async () => {
    await page.keyboard.press('ArrowRight');
    await expect(heading(page, oldest?.name ?? '')).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: `${oldest?.name} opened` })).toBeAttached();
    await expect(page.getByRole('button', { name: 'Next file' })).toBeDisabled();
    await page.keyboard.press('j');
    await expect(page.getByRole('status').filter({ hasText: 'This is the last file of the list' })).toBeAttached();
    await page.keyboard.press('k');
    await expect(heading(page, middle?.name ?? '')).toBeVisible();
    await page.keyboard.press('k');
    await expect(heading(page, newest?.name ?? '')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Previous file' })).toBeDisabled();
    await expect(page).toHaveURL(new RegExp(`client=${firm.clients[0].id}.*type=${firm.reportTypes[0].id}`));
  });

  await test.step('where single keys are switched off, the arrows alone lead on', async () => {
    await page.evaluate("localStorage.setItem('singleKeyShortcuts', 'off')");
    await page.reload();
    await expect(page.getByRole('button', { name: /^Next file/ })).toHaveAttribute('aria-keyshortcuts', 'ArrowRight');
    const fit = page.getByRole('button', { name: 'Fit width' });
    await expect(fit).toHaveAttribute('aria-pressed', 'true');
    await page.keyboard.press('-');
    await page.keyboard.press('j');
    await expect(fit).toHaveAttribute('aria-pressed', 'true');
    await expect(heading(page, newest?.name ?? '')).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect(heading(page, middle?.name ?? '')).toBeVisible();
    await page.evaluate("localStorage.removeItem('singleKeyShortcuts')");
    await page.reload();
    await expect(heading(page, middle?.name ?? '')).toBeVisible();
    await page.keyboard.press('k');
    await expect(heading(page, newest?.name ?? '')).toBeVisible();
  });

  await test.step('whoever types in a field does not walk', async () => {
    const field = page.getByLabel('Page', { exact: true });
    await field.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('j');
    await expect(heading(page, newest?.name ?? '')).toBeVisible();
  });

  await test.step('a button keeps the focus, and the way back leads to the list with its filters', async () => {
    await page.getByRole('button', { name: 'Next file' }).click();
    await expect(heading(page, middle?.name ?? '')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Next file' })).toBeFocused();
    await page.getByRole('link', { name: 'Back to reports' }).click();
    await expect(page).toHaveURL(new RegExp(`/cpa-dashboard\\?client=${firm.clients[0].id}&reportType=\\d+$`));
    await expect(page.getByText('1-3 of 3')).toBeVisible();
  });

  await test.step('however many files were looked through, Back leads to the list', async () => {
    await page.getByRole('link', { name: newest?.name ?? '' }).click();
    await expect(page).toHaveTitle(`${newest?.name} · Coffer`);
    await page.keyboard.press('j');
    await expect(page).toHaveTitle(`${middle?.name} · Coffer`);
    await page.keyboard.press('j');
    await expect(heading(page, oldest?.name ?? '')).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(new RegExp(`/cpa-dashboard\\?client=${firm.clients[0].id}&reportType=\\d+$`));
    await expect(page).toHaveTitle('Reports · Coffer');
  });

  await test.step('an address with a search that no list takes as it is opens it all the same', async () => {
    await open(page, middle?.id ?? 0, `?type=report&q=%E2%80%AA${'x'.repeat(300)}`);
    await expect(heading(page, middle?.name ?? '')).toBeVisible();
  });
});

test('a PDF is printed whole, by its button and by the keys of the browser', async ({ signIn }) => {
  const page = await signIn(firm.cpa, { at: null });
  // A browser without a screen has no dialog for printing: what would be printed waits for its end.
  await page.addInitScript('window.printed = 0; window.print = () => { window.printed += 1; }');
  await open(page, ids.twelve);
  await expect(page.getByText('Gross wages of page 1', { exact: true })).toBeAttached();
  const printed = (times: number) => expect.poll(() => page.evaluate<number>('window.printed')).toBe(times);

  await page.getByRole('button', { name: 'Print' }).click();
  await printed(1);
  const paper = (await page.pdf({ format: 'Letter' })).toString('latin1');
  expect(paper.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(12);
  // Chromium tells the end of this as that of a print.
  await expect(page.getByRole('img', { name: 'Page 12' })).not.toBeAttached();

  await page.keyboard.press('Control+p');
  await printed(2);
  await page.evaluate('dispatchEvent(new Event("afterprint"))');

  // By the menu of the browser the page itself is printed, and says what is missing.
  const onPaper = page.getByText('Print, above the pages, prints all 12.');
  await expect(onPaper).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(onPaper).toBeVisible();
  // What is pressed is of no use there.
  await expect(page.getByRole('main').getByRole('button').filter({ visible: true })).toHaveCount(0);
  await page.emulateMedia({ media: null });

  await stepInFull('one of very many pages says where it can be printed', async () => {
    await open(page, ids.tooLong);
    await page.getByRole('button', { name: 'Print' }).click();
    await expect(page.getByRole('alert')).toContainText(
      'This file has 301 pages. Download it and print it from there.',
    );
  });
});

test('a long PDF draws only what is in sight', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn(firm.cpa, { at: null });
  await open(page, ids.long);
  const sheets = page.getByRole('group', { name: /^Page \d+ of 300$/ });
  await expect(page.getByText('Gross wages of page 1', { exact: true })).toBeAttached();
  expect(await sheets.count()).toBeLessThan(8);
  const field = page.getByLabel('Page', { exact: true });
  await field.fill('200');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Gross wages of page 200', { exact: true })).toBeInViewport();
  await expect(field).toHaveValue('200');
  expect(await sheets.count()).toBeLessThan(8);

  const sheet = page.getByRole('group', { name: 'Page 200 of 300' });
  const widthOf = async () => (await sheet.boundingBox())?.width ?? 0;
  const fitted = await widthOf();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(widthOf).toBeGreaterThan(fitted);
  await expect(page.getByText('Gross wages of page 200', { exact: true })).toBeInViewport();
  await page.keyboard.press('0');
  await expect.poll(widthOf).toBeCloseTo(fitted, 0);
  await page.keyboard.press('-');
  await expect.poll(widthOf).toBeLessThan(fitted);
  await page.getByRole('button', { name: 'Fit width' }).click();
  await expect.poll(widthOf).toBeCloseTo(fitted, 0);
  await page.getByRole('region', { name: 'Pages of Long.pdf' }).focus();
  await page.keyboard.press('End');
  await expect(field).toHaveValue('300');
});

test('images, texts and tables are shown; what cannot be shown says so', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn(firm.cpa, { at: null });

  await test.step('an image, fitted, larger with a click', async () => {
    await open(page, ids.image);
    const image = page.getByRole('img', { name: 'Receipt.png' });
    const widthOf = async () => (await image.boundingBox())?.width ?? 0;
    await expect.poll(widthOf).toBeGreaterThan(100);
    expect(await widthOf()).toBeLessThan(1_000);
    await page.getByRole('button', { name: 'Receipt.png' }).click();
    await expect.poll(widthOf).toBe(2_400);
    await page.getByRole('button', { name: 'Receipt.png' }).click();
    await expect.poll(widthOf).toBeLessThan(1_000);
  });

  await test.step('a text, as it was written', async () => {
    await open(page, ids.text);
    await expect(page.getByRole('region', { name: 'Text of Notes.txt' })).toContainText(
      'Dear client,\n    indented <b>words</b> & more',
    );
    await expect(page.getByRole('region', { name: 'Details' }).getByText('Plain text')).toBeVisible();
  });

  await test.step('a CSV, as a table of its first thousand rows', async () => {
    await open(page, ids.table);
    const table = page.getByRole('table', { name: 'Employees.csv' });
    await expect(table.getByRole('columnheader')).toHaveText(['Employee', 'Department', 'Hours']);
    await expect(table.getByRole('cell', { name: 'Doe, Jane 1', exact: true })).toBeVisible();
    await expect(table.getByRole('cell', { name: 'Muñoz, Jane 900', exact: true })).toBeVisible();
    await expect(table.getByRole('row')).toHaveCount(1_001);
    await expect(page.getByText('Only the first 1,000 rows are shown.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Open in new tab' })).toHaveCount(0);
    expect(await views(ids.table)).toBe(1);
  });

  await test.step('an archive is not shown, not fetched, and offered as a download', async () => {
    await open(page, ids.archive);
    await expect(page.getByText('This type of file cannot be shown here')).toBeVisible();
    await expectAccessible(page);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download file' }).click();
    expect((await download).suggestedFilename()).toBe('Bundle.zip');
    expect(await views(ids.archive)).toBe(0);
  });

  await test.step('a damaged PDF, and one behind a password', async () => {
    await open(page, ids.damaged);
    await expect(page.getByText('This file cannot be shown here')).toBeVisible();
    await open(page, ids.locked);
    const password = page.getByLabel('This PDF is protected by a password');
    await password.fill('wrong');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await expect(page.getByText('That password does not open it')).toBeVisible();
    await expect(password).toBeFocused();
    await password.fill('open up');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await expect(page.getByText('Gross wages of page 1', { exact: true })).toBeAttached();
  });

  await test.step('a company document leads back to the documents', async () => {
    await open(page, ids.document);
    await expect(page.getByText('A letter', { exact: true })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Details' }).getByText('Correspondence')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Back to documents' })).toBeVisible();
    const sidebar = page.getByRole('navigation', { name: 'Main' });
    await expect(sidebar.locator('[aria-current="page"]')).toHaveText('Firm Documents');
    // Only its uploader or an Admin deletes a company document.
    await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0);
  });
});

test('waiting, failing, trying again, a large file, and deleting', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn(firm.cpa, { at: null, failures: [404, 500, 503] });
  let facts: 'hang' | 'fail' | 'large' | 'pass' = 'hang';
  let bytes: 'hang' | 'fail' | 'pass' = 'hang';
  await page.route(/\/api\/files\/\d+\/facts/, async (route) => {
    if (facts === 'hang') return;
    if (facts === 'fail') return route.fulfill({ status: 500, json: { message: 'Not today', code: 'internal' } });
    if (facts === 'pass') return route.continue();
    const answer = await (await route.fetch()).json();
    return route.fulfill({ json: { ...answer, file: { ...answer.file, size: 64_000_000 } } });
  });
  await page.route(/\/api\/files\/\d+\/view/, async (route) => {
    if (bytes === 'hang') return;
    if (bytes === 'fail') return route.fulfill({ status: 503, json: { message: 'The disk is away', code: 'busy' } });
    return route.continue();
  });
  const place = `?type=${firm.reportTypes[1].id}`;
  await open(page, ids.text, place);
  await expect(page.getByRole('status', { name: 'Loading file...' })).toBeVisible();
  facts = 'fail';
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('Failed to open file');
  await expect(page.getByRole('alert')).toContainText('Not today');
  facts = 'pass';
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(heading(page, 'Notes.txt')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Loading file...' })).toBeVisible();
  bytes = 'fail';
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('The disk is away');
  bytes = 'pass';
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('Dear client,')).toBeVisible();

  await test.step('a large file loads on request', async () => {
    facts = 'large';
    const before = await views(ids.text);
    await page.reload();
    await expect(page.getByText('It is 61.04 MB, and may take a while to show.')).toBeVisible();
    expect(await views(ids.text)).toBe(before);
    await page.getByRole('button', { name: 'Show anyway' }).click();
    await expect(page.getByText('Dear client,')).toBeVisible();
    expect(await views(ids.text)).toBe(before + 1);
  });

  await test.step('a deleted file gives way to the next of the list', async () => {
    facts = 'pass';
    await open(page, ids.damaged, place);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Damaged.pdf?' });
    await expect(dialog).toContainText('Are you sure you want to delete this file?');
    await page.keyboard.press('k');
    await expect(heading(page, 'Damaged.pdf')).toBeVisible();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('File deleted successfully')).toBeVisible();
    await expect(heading(page, 'Bundle.zip')).toBeVisible();
    await expect(dialog).toHaveCount(0);
  });

  await test.step('one that somebody else has deleted is gone from the page, its name too', async () => {
    await expect(page).toHaveTitle(/^Bundle\.zip/);
    await firm.api.delete(`/api/files/${ids.archive}`);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog', { name: 'Delete Bundle.zip?' }).getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('File not found')).toBeVisible();
    await expect(page).not.toHaveTitle(/Bundle/);
  });
});

test('a Client user reads their own files on a phone, and finds nothing at the id of another company', {
  tag: '@full',
}, async ({ signIn }) => {
  const secret = firm.reports[3]?.id ?? 0;
  const page = await signIn(firm.clientUser, {
    at: '/client-reports',
    failures: [404],
    viewport: { width: 360, height: 780 },
  });
  await page.getByRole('link', { name: firm.reports[2]?.name ?? '' }).click();
  await expect(page.getByRole('group', { name: 'Page 1 of 1' }).getByText(firm.reports[2]?.name ?? '')).toBeAttached();
  await expect(page).toHaveURL(/type=report/);
  const ways = page.getByRole('navigation', { name: 'Files of this list' });
  await expect(ways.getByText(/^\d+ of \d+$/)).toBeInViewport({ ratio: 1 });
  for (const way of [/^Previous file/, /^Next file/]) {
    await expect(ways.getByRole('button', { name: way })).toBeInViewport({ ratio: 1 });
  }
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0);

  for (const id of [secret, 999_999]) {
    await open(page, id);
    await expect(page.getByText('File not found')).toBeVisible();
    await expect(page.getByText('It may have been deleted, or you do not have access to it.')).toBeVisible();
    await expect(page.getByText(/Secret/)).toHaveCount(0);
  }
  expect(await views(secret)).toBe(0);
  await page.getByRole('link', { name: 'Back to reports' }).click();
  await expect(page).toHaveURL(/\/client-reports$/);
});

test('the activity of a file ends with a way to the log', { tag: '@full' }, async ({ signIn, server }) => {
  const own = await seedFirm(server.origin, { reports: 1 });
  const [report] = own.reports;
  const entries = await own.api.get<unknown[]>('/api/activity-logs?limit=10');
  const page = await signIn(own.cpa, { at: null });
  const log = /\/api\/activity-logs\?.*fileId=/;
  const calls = listenForCalls(page, log);
  await answerList(page, log, entries, 1_200);
  await open(page, report?.id ?? 0);
  const activity = page.getByRole('region', { name: 'Activity', exact: true });
  const more = activity.getByRole('button', { name: 'Show more' });
  for (let presses = 0; presses < 25; presses += 1) {
    await expect(more).not.toHaveAttribute('aria-disabled', 'true');
    await more.click();
  }
  await activity.getByRole('link', { name: 'See the others in the log' }).click();
  await expect(page.getByRole('searchbox', { name: 'Search activity' })).toHaveValue(report?.name ?? '');
  await expect(page.getByRole('table', { name: 'Activity Log' })).toContainText(report?.name ?? '');
  const limits = calls.map((call) => Number(new URL(call.url()).searchParams.get('limit')));
  expect(Math.max(...limits)).toBe(1_000);

  // Of which nothing was sent, they are no acts.
  const announced = entries.map((entry) => Object.assign({}, entry, { announcedOnly: true }));
  await page.unroute(log);
  await answerList(page, log, announced);
  await open(page, report?.id ?? 0);
  await expect(activity).toContainText('No activities found');
  await expect(activity.getByRole('listitem')).toHaveCount(0);
});
