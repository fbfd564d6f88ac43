// The completeness board: what is expected is said, what is missing shows, and a hole is filled from where it is.
import { expect, type Page, type Route } from '@playwright/test';
import { boardPeriodName, lastQuarter, shiftBoardPeriod, yearsDueNow } from '#contract/completeness-words.ts';
import { addPerson, type Firm, type Named, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { answerList } from './stub.ts';
import { readToast } from './toast.ts';
import { addFile, textFile } from './uploads-page.ts';

// Its own firm: another's expectations would be on the board too.
test.use({ firmName: 'completeness' });
test.describe.configure({ mode: 'serial' });

const PERIOD = '2025-Q2';
let firm: Firm;

test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin, { reports: 0 });
});

const board = (page: Page) => page.getByRole('table', { name: 'Completeness' });
const journal = () => firm.reportTypes[0];
const form941 = () => firm.reportTypes[1];

test('what is expected of a client is said on its page, and a hole opens the upload with everything chosen', async ({
  signIn,
}) => {
  const [bakery] = firm.clients;
  const page = await signIn(ADMIN, { at: `/completeness?period=${PERIOD}`, failures: [412] });
  await expect(page.getByText('No expectations yet')).toBeVisible();
  await expect(page.getByRole('main').getByRole('button', { name: 'Propose from history' }).last()).toBeVisible();

  await page.goto(`/clients/${bakery.id}`);
  const dialog = page.getByRole('dialog', { name: `Expected of ${bakery.name}` });
  const allTypes = /\/api\/report-types\?sort=name$/;
  await answerList(page, allTypes, []);
  await page.reload();
  await page.getByRole('button', { name: 'Expectations' }).click();
  await expect(dialog.getByText('No report types available')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.unroute(allTypes);
  await page.reload();
  await page.getByRole('button', { name: 'Expectations' }).click();
  await dialog.getByRole('combobox', { name: `How often ${form941().name} is expected` }).selectOption('Quarterly');
  await expect(
    dialog.getByRole('textbox', { name: `Days after its period that ${form941().name} is due` }),
  ).toHaveValue('31 days');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await readToast(page, 'status', ['Expectations saved successfully']);
  await expect(dialog).toBeHidden();

  await test.step('what somebody else has said meanwhile is told, and theirs is taken or one’s own kept', async () => {
    const path = `/api/clients/${bakery.id}/expectations`;
    const one = ({ id: reportTypeId }: Named, dueDays: number) => ({
      reportTypeId,
      frequency: 'quarterly',
      dueDays,
      starts: null,
    });
    const theirs = { expectations: [one(form941(), 25), one(journal(), 5)] };
    const due = dialog.getByRole('textbox', { name: `Days after its period that ${form941().name} is due` });
    const told = dialog.getByRole('alert').getByText('This was changed while you were working on it.');
    const often = dialog.getByRole('combobox', { name: `How often ${journal().name} is expected` });
    await page.getByRole('button', { name: 'Expectations' }).click();
    await due.fill('20');
    await firm.api.put(path, theirs);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(told).toBeVisible();
    await dialog.getByRole('button', { name: 'Reload' }).click();
    await expect(due).toHaveValue('25 days');
    await expect(often).toHaveValue('quarterly');

    await often.selectOption('Not expected');
    await due.fill('31');
    await firm.api.put(path, { expectations: [one(journal(), 9)] });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(told).toBeVisible();
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await readToast(page, 'status', ['Expectations saved successfully']);
    await expect(dialog).toBeHidden();
    expect(await firm.api.get(path)).toMatchObject({ expectations: [one(form941(), 31)] });
  });

  await page.goto(`/completeness?period=${PERIOD}`);
  const cell = board(page).getByRole('button', { name: `${bakery.name}, ${form941().name}, Q2 2025: Missing` });
  await expect(cell).toHaveText('Missing');
  // The keyboard reaches it, and hears what is wrong.
  await cell.focus();
  await expect(page.getByRole('tooltip')).toContainText('Missing, was due 07/31/2025');
  await page.keyboard.press('Enter');
  const upload = page.getByRole('dialog', { name: 'Add Data' });
  await expect(upload.getByRole('combobox', { name: 'Client Name', exact: true })).toHaveValue(bakery.name);
  await expect(upload.getByRole('combobox', { name: 'Report Type', exact: true })).toHaveValue(form941().name);
  await expect(upload.getByRole('combobox', { name: 'Quarter', exact: true })).toHaveValue('Q2');
  await expect(upload.getByRole('combobox', { name: 'Year', exact: true })).toHaveValue('2025');
  const choosing = page.waitForEvent('filechooser');
  await upload.getByRole('button', { name: 'Add File' }).click();
  // Its name speaks of another period and type: what was chosen by the hole stays.
  await (await choosing).setFiles({
    name: 'Payroll Journal 2024-Q1.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('941'),
  });
  await upload.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(upload).toBeHidden();
  await expect(
    board(page).getByRole('button', { name: `${bakery.name}, ${form941().name}, Q2 2025: Late` }),
  ).toHaveText('Late');
  const [file] = await firm.api.get<{ period: string | null; reportTypeId: number }[]>(
    `/api/files?clientId=${bakery.id}`,
  );
  expect(file).toMatchObject({ period: PERIOD, reportTypeId: form941().id });

  await test.step('one of several is uploaded from their list, which makes room for the dialog', async () => {
    await page.goto('/completeness?period=2025');
    const several = board(page).getByRole('button', { name: `${bakery.name}, ${form941().name}` });
    const missing = page.getByRole('button', { name: `Upload ${form941().name}` });
    await several.click();
    await missing.first().click();
    await expect(upload.getByRole('combobox', { name: 'Client Name', exact: true })).toHaveValue(bakery.name);
    await expect(missing).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(upload).toBeHidden();
    await expect(several).toBeFocused();
  });

  await test.step('of a week, a pay date within it in the name of a file goes before its last day', async () => {
    const path = `/api/clients/${bakery.id}/expectations`;
    const quarterly = { reportTypeId: form941().id, frequency: 'quarterly', dueDays: 31, starts: null };
    const weekly = { reportTypeId: journal().id, frequency: 'weekly', dueDays: 5, starts: null };
    await firm.api.put(path, { expectations: [quarterly, weekly] });
    await page.goto('/completeness?period=2025-04');
    await board(page)
      .getByRole('button', { name: `${bakery.name}, ${journal().name}` })
      .click();
    await page.getByRole('button', { name: `Upload ${journal().name}, 04/07/2025 to 04/13/2025` }).click();
    const day = upload.getByRole('textbox', { name: 'Pay Date' });
    await expect(day).toHaveValue('04/13/2025');
    const [within, quarter] = ['Check 2025-04-11.txt', 'Summary Q1 2025.txt'] as const;
    for (const name of [within, quarter]) await addFile(page, upload, textFile(name));
    const item = (name: string) => upload.getByRole('listitem').filter({ hasText: name });
    await expect(item(within)).toContainText('Proposed: 04/11/2025');
    await expect(item(quarter)).toContainText('04/13/2025');
    await upload.getByRole('button', { name: 'Use for all 2 files: period' }).click();
    await expect(item(within)).toContainText('04/13/2025');
    await upload.getByRole('button', { name: `Remove ${quarter}` }).click();
    await upload.getByRole('button', { name: `Remove ${within}` }).click();
    await page.keyboard.press('Escape');
    await expect(upload).toBeHidden();
    await firm.api.put(path, { expectations: [quarterly] });
  });

  await test.step('a page that is no more, as where nothing is missing there by now, leads to the last one', async () => {
    await page.goto(`/completeness?period=${PERIOD}&page=2`);
    await expect(board(page).getByRole('rowheader', { name: new RegExp(bakery.name) })).toBeVisible();
    await expect(page).toHaveURL(`/completeness?period=${PERIOD}`);
  });

  await test.step('clients of one name are told apart, and neither is taken by its name alone', async () => {
    const facts = {
      name: 'Twin Oaks',
      address: '1 Orchard Lane, Dayton, OH 45402',
      phone: '(937)-555-0119',
      stateId: 'OH-91',
      email: 'oaks@example.com',
      employeeCount: 4,
      startDate: '2025-01-31',
    };
    const twin = (federalId: string) => firm.api.post<{ id: number }>('/api/clients', { ...facts, federalId });
    await twin('08-2220001');
    const second = await twin('08-2220002');
    const client = page.getByRole('combobox', { name: 'Client', exact: true });
    await client.fill('Twin Oaks');
    await expect(page.getByRole('option', { name: 'Twin Oaks (08-2220001)', exact: true })).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(page.getByText('2 match “Twin Oaks”. Choose one from the list.')).toBeVisible();
    await expect(page).toHaveURL(`/completeness?period=${PERIOD}`);
    await client.click();
    await page.getByRole('option', { name: 'Twin Oaks (08-2220002)', exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`client=${second.id}`));
    await expect(client).toHaveValue('Twin Oaks');
  });
});

test('filters are in the address, and the board leaves as CSV', { tag: '@full' }, async ({ signIn }) => {
  const [bakery, marine] = firm.clients;
  const page = await signIn(ADMIN, { at: `/completeness?period=${PERIOD}` });
  await page.getByRole('combobox', { name: 'State' }).selectOption('Missing');
  await expect(page).toHaveURL(/state=missing/);
  await expect(page.getByText('No clients match your filters.')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Clear Filters' }).click();
  await expect(board(page).getByRole('rowheader', { name: new RegExp(bakery.name) })).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^completeness-\d{4}-\d{2}-\d{2}\.csv$/);
  // What the heading counts is what the board is narrowed to.
  const late = page.getByText('Nothing missing for Q2 2025, 1 late', { exact: true });
  await expect(late).toBeVisible();
  const counting = page.waitForResponse(new RegExp(`/api/completeness/summary\\?.*clientId=${marine.id}`));
  await page.goto(`/completeness?period=${PERIOD}&client=${marine.id}`);
  await counting;
  await expect(page.getByText('No clients match your filters.')).toBeVisible();
  await expect(late).toHaveCount(0);
  await page.goto(`/completeness?period=${PERIOD}`);
  await page.getByRole('button', { name: 'Period after: Q3 2025' }).click();
  await expect(page).toHaveURL(/period=2025-Q3/);
  await expect(board(page).getByRole('button', { name: /Q3 2025: Missing/ })).toBeVisible();
});

test('the history proposes, a person corrects and saves, and the overview counts what is missing', async ({
  signIn,
}) => {
  const [, marine] = firm.clients;
  const today = new Date().toISOString().slice(0, 10);
  const quarter = lastQuarter(today);
  const fields = { clientId: marine.id, fileType: 'report', reportTypeId: journal().id, period: quarter };
  await firm.api.upload(fields, 'Journal.txt', Buffer.from('journal'));
  const page = await signIn(firm.cpa, { at: `/completeness?period=${quarter}` });
  const propose = page.getByRole('main').getByRole('button', { name: 'Propose from history' }).first();
  const dialog = page.getByRole('dialog', { name: 'Propose from history' });
  await test.step('clients that are not wanted, or have no proposals, do not keep the next ones away', async () => {
    const { id: reportTypeId, name: reportTypeName } = journal();
    const often = { frequency: 'quarterly', dueDays: 31, starts: '2026-01-01', seen: 7, lastPeriod: '2026-Q3' };
    const of = (clientId: number, clientName: string) => [
      { clientId, clientName, reportTypeId, reportTypeName, ...often },
    ];
    const answers = [
      { proposals: of(1, 'Unwanted LLC'), clients: 1000, more: true, last: { id: 7, name: 'Unwanted LLC' } },
      { proposals: [], clients: 1000, more: true, last: { id: 8, name: 'Without LLC' } },
      { proposals: of(9, 'Wanted LLC'), clients: 1, more: false, last: { id: 9, name: 'Wanted LLC' } },
    ];
    const asked: unknown[] = [];
    const answer = (route: Route) => {
      asked.push(route.request().postDataJSON());
      return route.fulfill({ json: answers[asked.length - 1] });
    };
    await page.route('**/api/completeness/proposals', answer);
    await propose.click();
    await expect(dialog.getByRole('group', { name: 'Unwanted LLC' })).toBeVisible();
    const skip = dialog.getByRole('button', { name: 'Skip These Clients' });
    // What was corrected and not saved is not skipped unasked.
    const due = dialog.getByRole('textbox', {
      name: `Days after its period that ${reportTypeName} of Unwanted LLC is due`,
    });
    await due.fill('45');
    await skip.click();
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await expect(due).toHaveValue('45 days');
    await skip.click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(dialog.getByRole('group', { name: 'Wanted LLC', exact: true })).toBeVisible();
    await expect(skip).toHaveCount(0);
    expect(asked).toEqual([{}, { after: { id: 7, name: 'Unwanted LLC' } }, { after: { id: 8, name: 'Without LLC' } }]);
    // A colleague has said meanwhile what is expected of that one.
    await page.route('**/api/completeness/expectations', (route) => {
      asked.push(route.request().postDataJSON());
      return route.fulfill({ json: { saved: 0, clients: 0 } });
    });
    await dialog.getByRole('button', { name: 'Save 1' }).click();
    await expect(page.getByText('Left as somebody else has saved it meanwhile: 1 report')).toBeVisible();
    await expect(dialog).toBeHidden();
    expect(asked.at(-1)).toMatchObject({ skipExisting: true });
    await page.unroute('**/api/completeness/expectations');
    await page.unroute('**/api/completeness/proposals', answer);
  });
  await propose.click();
  await expect(dialog.getByRole('group')).toHaveCount(1);
  const what = `${journal().name} of ${marine.name}`;
  await expect(dialog.getByRole('checkbox', { name: `Expect ${what}` })).toBeChecked();
  await expect(dialog.getByRole('combobox', { name: `How often ${what} is expected` })).toHaveValue('quarterly');
  await dialog.getByRole('textbox', { name: `Days after its period that ${what} is due` }).fill('366');
  await dialog.getByRole('button', { name: 'Save 1' }).click();
  await expect(dialog).toBeHidden();
  const delivered = board(page).getByRole('button', {
    name: `${marine.name}, ${journal().name}, ${boardPeriodName(quarter)}: Delivered`,
  });
  await expect(delivered).toHaveText('Delivered');
  await delivered.click();
  await expect(page.getByRole('heading', { name: 'Journal.txt' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to completeness' }).click();
  await expect(page).toHaveURL(new RegExp(`/completeness\\?.*period=${quarter}`));
  await expect(delivered).toBeVisible();

  const admin = await signIn(ADMIN);
  const card = admin.getByRole('main').getByRole('link').filter({ hasText: 'Missing Reports' });
  const years = yearsDueNow(today);
  await expect(card).toContainText(new RegExp(`\\dPast due in ${boardPeriodName(years)}`));
  const [count = ''] = /\d+(?=Past due)/.exec((await card.textContent()) ?? '') ?? [];
  await card.click();
  await expect(admin).toHaveURL(`/completeness?period=${years}&state=missing`);
  // The heading counts the same, and the filter says of which years.
  await expect(admin.getByText(`${count} missing for ${boardPeriodName(years)}`)).toBeVisible();
  await expect(admin.getByRole('combobox', { name: 'Period', exact: true })).toHaveValue(boardPeriodName(years));
  await admin.goto('/completeness');
  await expect(admin.getByText(`${count} missing for ${boardPeriodName(years)}`)).toBeVisible();

  await test.step('what came meanwhile is missing no longer to whoever comes back to the homes', async () => {
    await page.goto('/');
    await admin.goto('/');
    const ofCpa = page.getByRole('link', { name: /Missing Reports/ });
    await expect(card).toContainText(`Reports${count}Past due`);
    await expect(ofCpa).toContainText(`Reports${count}Past due`);
    const place = { clientId: firm.clients[0].id, fileType: 'report', reportTypeId: form941().id };
    const earlier = { ...place, period: shiftBoardPeriod(quarter, -1) };
    await firm.api.upload(earlier, 'Form 941.txt', Buffer.from('941'));
    for (const missing of [card, ofCpa]) {
      // A return moments after the last one is taken for the same.
      await expect(async () => {
        await missing.page().evaluate("window.dispatchEvent(new Event('focus'))");
        await expect(missing).toContainText(`Reports${Number(count) - 1}Past due`, { timeout: 2_000 });
      }).toPass();
    }
  });
});

test('staff see the board within their reach, and a Client user none', { tag: '@full' }, async ({ signIn, server }) => {
  const lacks = (what: string) => `You don't have access to any ${what}. Please contact your administrator.`;
  const outsider = await signIn(firm.outsider, { at: `/completeness?period=${PERIOD}&state=missing` });
  await expect(outsider.getByText(lacks('client details'))).toBeVisible();
  await expect(outsider.getByRole('main').getByRole('button', { name: 'Propose from history' })).toHaveCount(0);
  const client = await signIn(firm.clientUser, { at: '/completeness' });
  await expect(client.getByText('You do not have permission to see this.')).toBeVisible();
  await expect(client.getByRole('navigation').getByRole('link', { name: 'Completeness' })).toHaveCount(0);

  await test.step('whose lists are empty reads there, in Requests and in Batches what is lacking', async () => {
    const page = await signIn(await addPerson(server.origin, 'CPA', null, null));
    for (const path of ['/completeness', '/requests', '/batches']) {
      await page.goto(path);
      await expect(page.getByText(lacks('client details'))).toBeVisible();
    }
    const untyped = await signIn(await addPerson(server.origin, 'CPA', [firm.clients[1].id], null), { at: '/batches' });
    await expect(untyped.getByText(lacks('report types'))).toBeVisible();
    await expect(untyped.getByText('No batches yet')).toHaveCount(0);
    await untyped.goto('/requests');
    await expect(untyped.getByText('No open requests')).toBeVisible();
  });
});

test('on paper every report type is on the sheet, however many there are', async ({ signIn }) => {
  const [bakery] = firm.clients;
  const cells = Array.from({ length: 17 }, (_, nth) => ({
    reportTypeId: nth + 1,
    reportTypeName: `State Quarterly (withholding, SUTA) ${nth + 10}`,
    frequency: 'payDate',
    dueDays: 3,
    state: 'expected',
    reports: ['01', '02'].map((month) => ({
      period: `2026-${month}-15`,
      from: `2026-${month}-15`,
      to: `2026-${month}-28`,
      dueOn: `2026-${month}-28`,
      state: 'expected',
      deliveredAt: null,
      openedByClient: false,
      fileId: null,
    })),
  }));
  const page = await signIn(ADMIN);
  await answerList(page, /\/api\/completeness\?/, [
    { clientId: bakery.id, clientName: bakery.name, cells, owed: 3, owedDueOn: null },
  ]);
  await page.goto('/completeness?period=2026');
  const last = board(page).getByRole('columnheader').last();
  await expect(last).toHaveText('State Quarterly (withholding, SUTA) 26');
  await page.emulateMedia({ media: 'print' });
  // Letter, across, between its margins.
  await page.setViewportSize({ width: 943, height: 703 });
  const rightOf = (name: 'columnheader' | 'cell') =>
    board(page)
      .getByRole(name)
      .last()
      .evaluate((cell) => cell.getBoundingClientRect().right);
  expect(await rightOf('columnheader')).toBeLessThanOrEqual(943);
  expect(await rightOf('cell')).toBeLessThanOrEqual(943);
  // Upright, it is a card for each client.
  await page.setViewportSize({ width: 703, height: 943 });
  await expect(last).toBeHidden();
  await expect(board(page).getByRole('cell').last()).toContainText('2 of 2 expected');
});
