// A long list: the names of its columns stay in view, and on paper it says whose it is, what it was narrowed to, and when.
import { expect } from '@playwright/test';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { answerList } from './stub.ts';

/** The words, phone numbers and federal ids in cells of tables that begin on one line and end on another; those of names of files aside. */
const BROKEN_WORDS = `(() => {
  const broken = [];
  for (const cell of document.querySelectorAll('tbody td:not([data-cut])')) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      for (const { 0: word, index } of text.textContent.matchAll(/[a-z]{4,}|[(\\d][\\d()-]{8,}/gi)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
      }
    }
  }
  return broken;
})()`;

test('the names of the columns stay below the header while the rows scroll, and cover no focused row', async ({
  signIn,
  server,
}) => {
  const firm = await seedFirm(server.origin, { reports: 40 });
  const page = await signIn(ADMIN, { at: `/file-upload?client=${firm.clients[0].id}&size=100` });
  const table = page.getByRole('table', { name: 'Uploaded Files' });
  const column = table.getByRole('columnheader', { name: 'File Name' });
  await expect(table.getByRole('row').nth(20)).toBeVisible();
  const banner = await page.getByRole('banner').boundingBox();
  const lowest = () => column.evaluate((cell) => cell.getBoundingClientRect().bottom);

  const last = table.getByRole('row').last();
  await last.scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 10_000);
  await expect.poll(() => page.evaluate<number>('scrollY')).toBeGreaterThan(200);
  const top = await column.evaluate((cell) => cell.getBoundingClientRect().top);
  expect(top).toBeCloseTo((banner?.y ?? 0) + (banner?.height ?? 0), 0);

  // Back up by keyboard: what has the focus is never under the names.
  await last.getByRole('button').last().focus();
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press('Shift+Tab');
    const focused = await page.evaluate<number | null>(
      'document.activeElement.closest("tbody") ? document.activeElement.getBoundingClientRect().top : null',
    );
    if (focused !== null) expect(focused).toBeGreaterThanOrEqual((await lowest()) - 1);
  }
});

test('on paper: title, client, filters, day and person, and nothing to press', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 2 });
  const [first] = firm.clients;
  const page = await signIn(firm.cpa, { at: `/cpa-dashboard?client=${first.id}&q=pdf` });
  const table = page.getByRole('table');
  await expect(table.getByRole('row').nth(1)).toBeVisible();
  await expect(page.getByText(/^Printed/)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Columns' })).toBeVisible();

  await page.emulateMedia({ media: 'print' });
  // Letter, upright, between its margins.
  await page.setViewportSize({ width: 703, height: 943 });
  await page.evaluate('dispatchEvent(new Event("beforeprint"))');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('banner').getByText(first.name, { exact: true })).toBeVisible();
  await expect(page.getByText('Search: pdf')).toBeVisible();
  await expect(page.getByText(/^Printed \d\d\/\d\d\/\d{4} \d{1,2}:\d\d [AP]M by /)).toContainText(firm.cpa.fullName);
  await expect(table.getByRole('row').nth(1)).toBeVisible();
  // Of a long list it says which part this is.
  await expect(page.getByText(/^1-\d+ of \d+$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Columns' })).toBeHidden();
  // A table as on the screen, and no cards.
  await expect(table.getByRole('columnheader', { name: 'File Name' })).toBeVisible();
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(703);
  await expect(
    page.getByRole('button', { name: /^(Remove|Clear|Logout|Search|Download|Upload Files|View)/ }),
  ).toHaveCount(0);
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0);
});

test('no column of the log or of the trash is cut off, however long a name without a space is', async ({
  signIn,
  server,
}) => {
  const { api, clients } = await seedFirm(server.origin, { reports: 1 });
  const name = `${'Quarterly941Reconciliation'.repeat(6)}.txt`;
  const file = await api.upload({ clientId: clients[0].id, fileType: 'company_document' }, name, Buffer.from(name));
  await api.delete(`/api/files/${file.id}`);
  const page = await signIn(ADMIN, { at: null });
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 703, height: 943 });
  for (const path of ['/activity', '/trash']) {
    await page.goto(path);
    const table = page.getByRole('table');
    await expect(table.getByText(name).first()).toBeVisible();
    const right = await table.evaluate((element) => element.getBoundingClientRect().right);
    expect([path, right]).toEqual([path, Math.min(right, 703)]);
  }
});

test('narrow columns of paper break between words, in badges and links too', async ({ signIn, server }) => {
  const { api, clients } = await seedFirm(server.origin, { reports: 0 });
  const place = { clientId: clients[0].id, fileType: 'company_document', documentType: 'Financial Statement' };
  const file = await api.upload(place, 'StBrannoc_FinancialStatement_2026Q3.txt', Buffer.from('words'));
  const page = await signIn(ADMIN, { at: null });
  await answerList(page, /\/api\/files\?/, [{ ...file, clientName: 'St. Brannoc Community Church' }]);
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 703, height: 943 });
  await page.goto('/firm-documents');
  const row = page.getByRole('row').filter({ hasText: 'StBrannoc' });
  await expect(row.getByText('Financial Statement')).toBeVisible();
  expect(await page.evaluate<string[]>(BROKEN_WORDS)).toEqual([]);

  await page.goto(`/clients?q=${encodeURIComponent(clients[0].name)}`);
  await expect(page.getByRole('row').filter({ hasText: clients[0].name })).toContainText('(937)-555-0111');
  expect(await page.evaluate<string[]>(BROKEN_WORDS)).toEqual([]);
});

test('each sheet of a long list begins with the names of its columns', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 60 });
  const page = await signIn(ADMIN, { at: `/file-upload?client=${firm.clients[0].id}&size=100` });
  await expect(page.getByRole('table', { name: 'Uploaded Files' }).getByRole('row').nth(50)).toBeVisible();
  const printed = await getDocument({ data: new Uint8Array(await page.pdf({ format: 'Letter' })) }).promise;
  expect(printed.numPages).toBeGreaterThan(1);
  for (let number = 1; number <= printed.numPages; number += 1) {
    const { items } = await (await printed.getPage(number)).getTextContent();
    const words = items.map((item) => ('str' in item ? item.str : '')).join(' ');
    for (const name of [/File\s+Name/, /Upload\s+Date/, /File\s+Type/, /Seen\s+By/]) expect(words).toMatch(name);
  }
  await printed.loadingTask.destroy();
});

test('each sheet of a long board begins with the names of its report types, in whole words', async ({ signIn }) => {
  const types = [
    '1099-NEC / 1096',
    'Deductions & Garnishments',
    'Deposit Confirmation (EFTPS)',
    'Direct Deposit / ACH',
  ];
  types.push('Employee Earnings', 'Form 940', 'Form 941', 'Payroll Journal', 'Payroll Register', 'Payroll Summary');
  types.push('State Quarterly (withholding, SUTA)', 'Tax Liability', 'W-2 / W-3');
  const cells = types.map((reportTypeName, nth) => ({
    reportTypeId: nth + 1,
    reportTypeName,
    frequency: 'quarterly',
    dueDays: 3,
    state: 'expected',
    reports: ['Q3', 'Q4'].map((quarter) => ({
      period: `2026-${quarter}`,
      from: '2026-07-01',
      to: '2026-09-30',
      dueOn: '2026-10-31',
      state: 'expected',
      deliveredAt: null,
      openedByClient: false,
      fileId: null,
    })),
  }));
  const rows = Array.from({ length: 40 }, (_, nth) => ({
    clientId: nth + 1,
    clientName: `Northfield Dental ${nth + 1} LLC`,
    cells,
    owed: 0,
    owedDueOn: null,
  }));
  const page = await signIn(ADMIN, { at: null });
  await answerList(page, /\/api\/completeness\?/, rows);
  await page.goto('/completeness?period=2026');
  await expect(page.getByRole('columnheader', { name: 'W-2 / W-3' })).toBeAttached();
  const paper = await page.pdf({ format: 'Letter', landscape: true });
  const printed = await getDocument({ data: new Uint8Array(paper) }).promise;
  expect(printed.numPages).toBeGreaterThan(1);
  for (let number = 1; number <= printed.numPages; number += 1) {
    const { items } = await (await printed.getPage(number)).getTextContent();
    const words = items.map((item) => ('str' in item ? item.str : '')).join(' ');
    for (const type of types) for (const word of type.split(' ')) expect(words).toContain(word);
  }
  await printed.loadingTask.destroy();
});

test('on paper a line says what the filters of a list are set to, whichever list it is', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 2 });
  const [first] = firm.clients;
  const page = await signIn(ADMIN, { at: '/activity' });
  const print = async (path: string) => {
    await page.emulateMedia({ media: 'screen' });
    await page.goto(path);
    const bar = page.getByRole('search', { name: 'Filters' });
    await expect(bar).toBeVisible();
    if (path.includes('client=')) {
      const client = bar.getByRole('combobox', { name: 'Client' });
      await expect(client).toHaveValue(path.includes('client=all') ? 'All Clients' : first.name);
    }
    await page.emulateMedia({ media: 'print' });
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    await expect(bar).toBeHidden();
  };
  const line = (words: string) => page.getByText(words, { exact: true });
  const days = 'startDate=2026-02-03&endDate=2026-02-05';
  const printedDays = 'Start Date: 02/03/2026 · End Date: 02/05/2026';

  await print(`/trash?noun=report&${days}`);
  await expect(line(`Kind: Reports · ${printedDays}`)).toBeVisible();
  await print('/requests');
  await expect(line('State: Open')).toBeVisible();
  await print(`/activity?action=upload&client=${first.id}&${days}`);
  await expect(line(`Activity: Uploaded · Client: ${first.name} · ${printedDays}`)).toBeVisible();
  // Chips say it already.
  await print(`/file-upload?client=${first.id}`);
  await expect(line(`Client: ${first.name}`)).toHaveCount(2);
  await expect(line(`Client: ${first.name}`).filter({ visible: true })).toHaveCount(1);
  // Of all there is nothing to say.
  await print('/activity?client=all');
  await expect(page.getByText(/(Activity|Client|User|Dates): /)).toHaveCount(0);
});

test('an empty search is not printed, one that narrows the list is', async ({ signIn, server }) => {
  await seedFirm(server.origin, { reports: 2 });
  const page = await signIn(ADMIN, { at: '/activity' });
  for (const path of ['/activity', '/clients', '/users', '/roles', '/report-types', '/trash']) {
    await page.emulateMedia({ media: 'screen' });
    await page.goto(path);
    const search = page.getByRole('searchbox');
    await expect(search).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    await expect(search).toBeHidden();
  }
  await page.emulateMedia({ media: 'screen' });
  await page.goto('/clients?q=llc');
  await expect(page.getByRole('searchbox')).toHaveValue('llc');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('searchbox')).toBeVisible();
});
