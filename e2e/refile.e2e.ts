// Re-filing (docs/behaviour.md, Files): from a list, from the page of a report, by keyboard, on a phone, and what it refuses.
import { expect, type Page } from '@playwright/test';
import { apiAs } from './api.ts';
import { axeFaultsOnTheWay } from './axe.ts';
import { type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { makePdf } from './pdf.ts';
import { ADMIN } from './server.ts';
import { settle } from './settle.ts';
import { answerList, holdCalls } from './stub.ts';
import { readError, readToast } from './toast.ts';

let firm: Firm;

test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin, { reports: 3 });
});

const REFILED = ['File re-filed successfully'];
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Re-file', exact: true });
const submit = (page: Page) => dialog(page).getByRole('button', { name: 'Re-file', exact: true });
const field = (page: Page, name: string) => dialog(page).getByRole('combobox', { name, exact: true });
const nameField = (page: Page) => dialog(page).getByRole('textbox', { name: 'File Name' });

async function choose(page: Page, name: string, option: string): Promise<void> {
  await field(page, name).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

const reportOf = (nth: number) => firm.reports[nth] ?? { id: 0, name: '' };
const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) });

test('what is typed before the name of its client is known is not taken away by it', async ({ signIn }) => {
  const [first, second] = firm.clients;
  const name = `Typed over ${first.id}.txt`;
  const fields = { clientId: first.id, fileType: 'report', reportTypeId: firm.reportTypes[0].id };
  await firm.api.upload(fields, name, Buffer.from(name));
  const page = await signIn(ADMIN, { at: null });
  // As among thousands: it is none of the first ones.
  await answerList(page, /\/api\/clients\?/, []);
  const release = await holdCalls(page, /\/api\/clients\/\d+$/);
  await page.goto('/file-upload');
  await page.getByRole('button', { name: `Re-file ${name}` }).click();
  await field(page, 'Client Name').fill(second.name);
  release();
  await expect(field(page, 'Client Name')).toHaveAttribute('data-in-force', first.name);
  await settle(page);
  await expect(field(page, 'Client Name')).toHaveValue(second.name);
});

test('a CPA puts a report under the client and type where it belongs, on its page', async ({ signIn }) => {
  const report = reportOf(0);
  const [first, second] = firm.clients;
  const page = await signIn(firm.cpa, { at: `/cpa-dashboard/report/${report.id}`, failures: [409] });
  const details = page.getByRole('complementary', { name: 'About this file' });
  await expect(details.getByRole('definition').filter({ hasText: first.name })).toBeVisible();
  await expect(details.getByRole('definition').nth(3), 'it has no period').toHaveText('—');
  await details.getByRole('button', { name: 'Re-file', exact: true }).click();
  await expect(nameField(page)).toHaveValue(report.name);
  // Nothing has changed yet.
  await expect(submit(page)).toBeDisabled();

  await test.step('clients and types in reach are offered, and a type must be', async () => {
    await field(page, 'Client Name').click();
    await expect(page.getByRole('option')).toHaveText([first.name, second.name]);
    await page.getByRole('option', { name: second.name }).click();
    await choose(page, 'Report Type', firm.reportTypes[1].name);
    await choose(page, 'File Type', 'Company Document');
    await expect(field(page, 'Document Type')).toBeVisible();
    await choose(page, 'File Type', 'Report');
    await expect(submit(page)).toBeDisabled();
    await choose(page, 'Report Type', firm.reportTypes[1].name);
  });

  await test.step('and may have another name and a period', async () => {
    // The stem alone is selected.
    await nameField(page).focus();
    await page.keyboard.type('Corrected');
    await expect(nameField(page)).toHaveValue('Corrected.pdf');
    await choose(page, 'Period', 'Year');
    await choose(page, 'Year', '2025');
    // It contradicts the type, and is kept.
    const doubt = dialog(page).getByRole('status').filter({ hasText: 'is for a quarter' });
    await expect(doubt).toContainText(`${firm.reportTypes[1].name} is for a quarter. 2025?`);
    await choose(page, 'Period', 'Pay Date');
    await dialog(page).getByRole('textbox', { name: 'Pay Date' }).fill('05/31/2025');
    await page.keyboard.press('Tab');
    await doubt.getByRole('button', { name: 'Change to Q2 2025' }).click();
    await expect(doubt).toHaveCount(0);
    await expect(field(page, 'Quarter')).toHaveValue('Q2');
    await choose(page, 'Period', 'Year');
    await doubt.getByRole('button', { name: 'Keep 2025' }).click();
    await expect(doubt).toHaveCount(0);
  });

  await submit(page).click();
  // Its page names the client that it was filed under.
  await expect(dialog(page).getByRole('alert')).toContainText(`not ${second.name}`);
  await dialog(page)
    .getByRole('button', { name: `Keep under ${second.name}...: Corrected.pdf` })
    .click();
  await dialog(page)
    .getByRole('textbox', { name: `Why is it ${second.name}’s?` })
    .fill('They were merged');
  await dialog(page).getByRole('button', { name: 'Keep', exact: true }).click();
  await readToast(page, 'status', REFILED);
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Corrected.pdf', exact: true })).toBeVisible();
  await expect(details.getByRole('definition').filter({ hasText: /^2025$/ })).toBeVisible();
  await expect(details.getByRole('definition').filter({ hasText: second.name })).toBeVisible();
  await expect(details.getByRole('definition').filter({ hasText: firm.reportTypes[1].name })).toBeVisible();

  const clientPage = await signIn(firm.clientUser, { at: `/cpa-dashboard/report/${report.id}`, failures: [404] });
  await expect(clientPage.getByText('File not found')).toBeVisible();
});

test('an Admin re-files from the list, by keyboard, and the row goes where it belongs', { tag: '@full' }, async ({
  signIn,
}) => {
  const report = reportOf(1);
  const page = await signIn(ADMIN, { at: `/file-upload?client=${firm.clients[0].id}`, failures: [412] });
  await page.getByRole('checkbox', { name: `Select ${report.name}` }).check();
  await expect(page.getByText('1 selected')).toBeVisible();
  await row(page, report.name)
    .getByRole('button', { name: `Re-file ${report.name}` })
    .focus();
  await page.keyboard.press('Enter');
  await expect(field(page, 'Client Name')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(field(page, 'File Type')).toBeFocused();
  // A key pressed before the list has opened and marked an option is lost.
  const expectMarked = (option: string) =>
    expect(page.getByRole('option', { name: option, exact: true })).toHaveAttribute('data-combobox-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await expectMarked('Report');
  await page.keyboard.press('ArrowDown');
  await expectMarked('Company Document');
  await page.keyboard.press('Enter');
  await expect(field(page, 'File Type')).toHaveValue('Company Document');
  await page.keyboard.press('Tab');
  await expect(field(page, 'Document Type')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expectMarked('Tax Return');
  await page.keyboard.press('Enter');
  await expect(field(page, 'Document Type')).toHaveValue('Tax Return');
  await submit(page).focus();
  await page.keyboard.press('Enter');
  await readToast(page, 'status', REFILED);
  await expect(row(page, report.name)).toHaveCount(0);
  // What has left the list is not deleted with it.
  await expect(page.getByText('1 selected')).toHaveCount(0);
  await page.getByRole('radio', { name: 'Company Documents' }).click();
  await expect(row(page, report.name)).toBeVisible();

  await test.step('files without a period get one together', async () => {
    const upload = (name: string, { id: reportTypeId }: { id: number }) =>
      firm.api.upload({ clientId: firm.clients[1].id, fileType: 'report', reportTypeId }, name, Buffer.from(name));
    const [plain, quarterly] = firm.reportTypes;
    await Promise.all([upload('Early run.txt', plain), upload('Late run.txt', quarterly)]);
    await page.goto(`/file-upload?client=${firm.clients[1].id}&period=none`);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).first().check();
    await page.getByRole('button', { name: 'Set Period', exact: true }).click();
    const period = page.getByRole('dialog', { name: 'Set the period of 2 files' });
    await expect(period.getByRole('button', { name: 'Set Period' })).toBeDisabled();
    const chooseKind = async (kind: string) => {
      await period.getByRole('combobox', { name: 'Period' }).click();
      await page.getByRole('option', { name: kind, exact: true }).click();
    };
    await chooseKind('Quarter');
    await page.keyboard.press('Escape');
    await period.getByRole('button', { name: 'Discard' }).click();
    await expect(period).toHaveCount(0);
    await page.getByRole('button', { name: 'Set Period', exact: true }).click();
    await expect(period.getByRole('button', { name: 'Set Period' })).toBeDisabled();
    // It contradicts the type of one of them.
    await chooseKind('Year');
    const doubt = period.getByRole('status').filter({ hasText: `${quarterly.name} is for a quarter` });
    await expect(doubt).toBeVisible();
    await chooseKind('Quarter');
    await expect(doubt).toHaveCount(0);
    await period.getByRole('button', { name: 'Set Period' }).click();
    await readToast(page, 'status', ['Period of 2 files set successfully']);
    await expect(page.getByText('No files match your search and filters.')).toBeVisible();

    // What a colleague has changed or deleted since is left out and named, newest first as it was ticked.
    const taken = await upload('Taken run.txt', plain);
    const gone = await upload('Gone run.txt', plain);
    await upload('Next run.txt', plain);
    await page.reload();
    for (const name of ['Taken run.txt', 'Gone run.txt', 'Next run.txt']) await expect(row(page, name)).toBeVisible();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).first().check();
    await page.getByRole('button', { name: 'Set Period', exact: true }).click();
    const ofThree = page.getByRole('dialog', { name: 'Set the period of 3 files' });
    await ofThree.getByRole('combobox', { name: 'Period' }).click();
    await page.getByRole('option', { name: 'Quarter', exact: true }).click();
    await firm.api.put(`/api/files/${taken.id}`, { period: '2025' });
    await firm.api.delete(`/api/files/${gone.id}`);
    await ofThree.getByRole('button', { name: 'Set Period' }).click();
    await readError(
      page,
      'Failed to set the period: Somebody else has changed or deleted Gone run.txt, Taken run.txt meanwhile. 1 is done, 2 are not.',
    );
    await expect(ofThree).toHaveCount(0);
    await expect(page.getByText('No files match your search and filters.')).toBeVisible();
    await page.goto(`/file-upload?type=company_document&client=${firm.clients[0].id}`);
  });

  await test.step('unsaved choices are guarded', async () => {
    await row(page, report.name)
      .getByRole('button', { name: `Re-file ${report.name}` })
      .click();
    await choose(page, 'Document Type', 'Other');
    await page.keyboard.press('Escape');
    await dialog(page).getByRole('button', { name: 'Discard' }).click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(row(page, report.name).getByRole('button', { name: `Re-file ${report.name}` })).toBeFocused();
  });

  await test.step('what a colleague has changed since is not overwritten unasked', async () => {
    await row(page, report.name)
      .getByRole('button', { name: `Re-file ${report.name}` })
      .click();
    await choose(page, 'Document Type', 'Other');
    await firm.api.put(`/api/files/${report.id}`, { documentType: 'Correspondence' });
    await submit(page).click();
    await expect(dialog(page).getByRole('alert')).toContainText('This was changed while you were working on it.');
    await dialog(page).getByRole('button', { name: 'Reload' }).click();
    await expect(field(page, 'Document Type')).toHaveValue('Correspondence');
    await expect(submit(page)).toBeDisabled();
    await choose(page, 'Document Type', 'Other');
    const theirs = { documentType: 'Tax Return', originalName: 'Renamed meanwhile.pdf' };
    await firm.api.put(`/api/files/${report.id}`, theirs);
    await submit(page).click();
    await expect(dialog(page).getByRole('alert')).toContainText('This was changed while you were working on it.');
    // What the dialog shows is kept, the name too.
    const kept = page.waitForRequest((request) => request.method() === 'PUT');
    await dialog(page).getByRole('button', { name: 'Keep mine' }).click();
    expect((await kept).postDataJSON()).toMatchObject({ documentType: 'Other', originalName: report.name });
    await readToast(page, 'status', REFILED);
    await expect(dialog(page)).toHaveCount(0);
    await expect(row(page, report.name)).toBeVisible();
  });
});

test('a Client user re-files the own documents alone, on a phone, and reads why it failed', { tag: '@full' }, async ({
  signIn,
  server,
}) => {
  const papers = { clientId: firm.clients[0].id, fileType: 'company_document' };
  await firm.api.upload(papers, 'From the firm.pdf', await makePdf(['From the firm']));
  const own = await apiAs(server.origin, firm.clientUser);
  const { id } = await own.upload(papers, 'My letter.pdf', await makePdf(['Mine']));

  const page = await signIn(firm.clientUser, {
    at: '/firm-documents',
    viewport: { width: 390, height: 844 },
    failures: [409],
  });
  await expect(page.getByRole('button', { name: 'Download From the firm.pdf' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Re-file From the firm.pdf' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Re-file My letter.pdf' }).click();
  // Documents are all that may be sent from here.
  await expect(field(page, 'File Type')).toHaveCount(0);
  await choose(page, 'Document Type', 'Correspondence');

  const sentence = 'This changed while you were working on it. Reload and try again.';
  await page.route(`**/api/files/${id}`, (route) =>
    route.fulfill({ status: 409, json: { message: sentence, code: 'gone_meanwhile', requestId: 'x' } }),
  );
  await submit(page).click();
  await readError(page, `Failed to re-file file: ${sentence}`);
  await page.unroute(`**/api/files/${id}`);
  await submit(page).click();
  await readToast(page, 'status', REFILED);
  const rows = await own.get<{ id: number; documentType: string | null }[]>('/api/files?fileType=company_document');
  expect(rows.find((file) => file.id === id)?.documentType).toBe('Correspondence');

  await page.goto(`/cpa-dashboard/report/${reportOf(2).id}`);
  await expect(page.getByRole('complementary', { name: 'About this file' }).getByText('Uploaded By')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Re-file' })).toHaveCount(0);
});

test('several ticked reports are put right together, and what may not be is left alone', async ({ signIn }) => {
  const names = ['Together 1.pdf', 'Together 2.pdf'];
  for (const [nth, name] of names.entries()) {
    const reportTypeId = firm.reportTypes[nth]?.id ?? 0;
    const fields = { clientId: firm.clients[0].id, fileType: 'report', reportTypeId };
    await firm.api.upload(fields, name, await makePdf([name]));
  }
  const page = await signIn(firm.cpa, { at: '/file-upload?q=Together', failures: [409, 500] });
  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByRole('button', { name: 'Re-file', exact: true }).click();
  const many = page.getByRole('dialog', { name: 'Re-file 2 files' });
  const send = many.getByRole('button', { name: 'Re-file', exact: true });
  await expect(send).toBeDisabled();
  // Each may stay as it is.
  await expect(many.locator('[aria-required="true"]')).toHaveCount(0);
  const widths = await many.getByRole('combobox').evaluateAll((fields) => fields.map((field) => field.clientWidth));
  expect(new Set(widths).size).toBe(1);
  await many.getByRole('combobox', { name: 'Client Name' }).fill(firm.clients[1].name);
  await page.getByRole('option', { name: firm.clients[1].name }).click();
  await many.getByRole('combobox', { name: 'Period' }).click();
  await page.getByRole('option', { name: 'Month', exact: true }).click();
  await many.getByRole('combobox', { name: 'Month', exact: true }).click();
  await page.getByRole('option', { name: 'March', exact: true }).click();
  // It contradicts the type of one of them, and is kept.
  const doubt = many.getByRole('status').filter({ hasText: 'is for a quarter' });
  await expect(doubt).toContainText(new RegExp(`${firm.reportTypes[1].name} is for a quarter\\. March \\d{4}\\?`));
  await doubt.getByRole('button', { name: /^Keep March / }).click();
  await expect(doubt).toHaveCount(0);
  await send.click();
  await readToast(page, 'status', ['2 files re-filed successfully']);
  for (const [nth, name] of names.entries()) {
    await expect(row(page, name)).toContainText(firm.clients[1].name);
    // What was not chosen stays.
    await expect(row(page, name)).toContainText(firm.reportTypes[nth]?.name ?? '');
    await expect(row(page, name)).toContainText(/March \d{4}/);
  }
  await page.getByRole('combobox', { name: 'Period' }).click();
  await page
    .getByRole('option', { name: /^April / })
    .first()
    .click();
  await expect(row(page, names[0] ?? '')).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Period' }).click();
  await page
    .getByRole('option', { name: /^March / })
    .first()
    .click();
  await expect(row(page, names[0] ?? '')).toBeVisible();
  await expect(page.getByText('2 selected')).toHaveCount(0);

  await test.step('those that name another client are asked about once, and kept or left out', async () => {
    const [first, second] = firm.clients;
    const place = { clientId: first.id, fileType: 'report', reportTypeId: firm.reportTypes[0].id };
    const [plain, kept, left] = ['Run plain.txt', 'Run kept.txt', 'Run left.txt'] as const;
    await firm.api.upload(place, plain, Buffer.from('Nobody is named'));
    for (const name of [kept, left]) await firm.api.upload(place, name, Buffer.from(`${first.name}\n${name}`));
    let isClosed = false;
    // From the start: a browser whose calls begin to be answered here may let the next one pass.
    await page.route(/\/api\/files\/\d+$/, (route) =>
      isClosed
        ? route.fulfill({
            status: 500,
            json: { message: 'The ledger is closed.', code: 'internal', requestId: 'stub' },
          })
        : route.fallback(),
    );
    await page.goto('/file-upload?q=Run');
    for (const name of [plain, kept, left]) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    await page.getByRole('button', { name: 'Re-file', exact: true }).click();
    const three = page.getByRole('dialog', { name: 'Re-file 3 files' });
    await three.getByRole('combobox', { name: 'Client Name' }).fill(second.name);
    await page.getByRole('option', { name: second.name }).click();
    await three.getByRole('button', { name: 'Re-file', exact: true }).click();
    await readToast(page, 'status', REFILED);
    const named = three.getByRole('group', { name: '2 files name another client' });
    await expect(named.getByRole('checkbox')).toHaveCount(2);
    await expect(named.getByText(`This document names ${first.name}`)).toHaveCount(2);
    await expect(three.getByRole('button', { name: 'Leave all out' })).toBeFocused();
    // Nothing is kept without a tick and a reason.
    await expect(three.getByRole('button', { name: 'Keep 0 of 2' })).toBeDisabled();
    await named.getByRole('checkbox', { name: kept }).check();
    await expect(three.getByRole('button', { name: 'Keep 1 of 2' })).toBeDisabled();
    expect(await axeFaultsOnTheWay(page)).toEqual([]);
    const reason = three.getByRole('textbox', { name: `Why is it ${second.name}’s?` });
    await reason.fill('They were merged');
    // What fails is asked about again, with the reason that was typed.
    isClosed = true;
    await page.keyboard.press('Enter');
    await readError(page, `Failed to re-file file: ${kept} (The ledger is closed.)`);
    isClosed = false;
    await expect(reason).toHaveValue('They were merged');
    await three.getByRole('button', { name: 'Keep', exact: true }).click();
    await readToast(page, 'status', REFILED);
    await expect(three).toHaveCount(0);
    for (const name of [plain, kept]) await expect(row(page, name)).toContainText(second.name);
    await expect(row(page, left)).toContainText(first.name);
    const log = await firm.api.get<{ details: string | null }[]>('/api/activity-logs?limit=20');
    const reasons = log.filter(
      ({ details }) => details?.includes('kept because: They were merged') && details.includes(kept),
    );
    expect(reasons).toHaveLength(1);
  });

  await test.step('what fails beside one that names another client is there to be tried again after the question', async () => {
    const [first, second] = firm.clients;
    const place = { clientId: first.id, fileType: 'report', reportTypeId: firm.reportTypes[0].id };
    const [naming, failing] = ['Beside naming.txt', 'Beside failing.txt'] as const;
    await firm.api.upload(place, naming, Buffer.from(`${first.name}\n${naming}`));
    const { id } = await firm.api.upload(place, failing, Buffer.from('Nobody is named beside it'));
    let isClosed = true;
    await page.route(`**/api/files/${id}`, (route) =>
      isClosed && route.request().method() === 'PUT'
        ? route.fulfill({
            status: 500,
            json: { message: 'The ledger is closed.', code: 'internal', requestId: 'stub' },
          })
        : route.fallback(),
    );
    await page.goto('/file-upload?q=Beside');
    for (const name of [naming, failing]) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    await page.getByRole('button', { name: 'Re-file', exact: true }).click();
    const two = page.getByRole('dialog', { name: 'Re-file 2 files' });
    await two.getByRole('combobox', { name: 'Client Name' }).fill(second.name);
    await page.getByRole('option', { name: second.name }).click();
    await two.getByRole('button', { name: 'Re-file', exact: true }).click();
    await readError(page, `Failed to re-file file: ${failing} (The ledger is closed.)`);
    await expect(two.getByRole('group', { name: '1 file names another client' })).toBeVisible();
    await two.getByRole('button', { name: 'Leave it out' }).click();
    const one = page.getByRole('dialog', { name: 'Re-file 1 file', exact: true });
    await expect(one.getByRole('combobox', { name: 'Client Name' })).toHaveValue(second.name);
    isClosed = false;
    await one.getByRole('button', { name: 'Re-file', exact: true }).click();
    await readToast(page, 'status', REFILED);
    await expect(one).toHaveCount(0);
    await expect(row(page, failing)).toContainText(second.name);
    await expect(row(page, naming)).toContainText(first.name);
  });

  const theirs = await signIn(firm.clientUser, { at: '/client-reports' });
  await theirs.getByRole('checkbox', { name: `Select ${reportOf(2).name}` }).check();
  await expect(theirs.getByRole('button', { name: 'Download ZIP' })).toBeVisible();
  await expect(theirs.getByRole('button', { name: 'Re-file', exact: true })).toHaveCount(0);
});
