// Corrections (docs/behaviour.md, Files): chosen at the upload or later, and shown on both files and in lists.
import { expect, type Locator, type Page } from '@playwright/test';
import type { FileRow } from '#contract/files.ts';
import { drop } from './batch-page.ts';
import { type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { makePdf } from './pdf.ts';
import { readToast } from './toast.ts';
import { addFile, choose, items, openAddData } from './uploads-page.ts';

let firm: Firm;
let given = 0;

test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin, { reports: 0 });
});

const freshName = (what: string) => {
  given += 1;
  return `${what} no ${process.pid} ${given}.pdf`;
};
const PERIOD = '2026-Q1';
const store = async (name: string, more: Record<string, string | number> = {}) => {
  const fields = {
    clientId: firm.clients[0].id,
    fileType: 'report',
    reportTypeId: firm.reportTypes[0].id,
    period: PERIOD,
    ...more,
  };
  return { name, ...(await firm.api.upload(fields, name, await makePdf([name]))) };
};

/** Add Data with a report of that year. */
async function openWithReport(page: Page, name: string, year: string): Promise<Locator> {
  const dialog = await openAddData(page, {
    'Client Name': firm.clients[0].name,
    'Report Type': firm.reportTypes[0].name,
    Period: 'Year',
    Year: year,
  });
  const buffer = Buffer.from(await makePdf([name]));
  await addFile(page, dialog, { name, mimeType: 'application/pdf', buffer });
  return dialog;
}

const storedAs = async (name: string) => {
  const all = await firm.api.get<FileRow[]>(`/api/files?clientId=${firm.clients[0].id}`);
  return all.find(({ originalName }) => originalName === name);
};
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('a correction is proposed by its name, and both files say so afterwards', async ({ signIn }) => {
  const earlier = await store(freshName('Journal'), { period: '2025' });
  const clientPage = await signIn(firm.clientUser, { at: `/cpa-dashboard/report/${earlier.id}` });
  await expect(clientPage.getByRole('heading', { name: earlier.name })).toBeVisible();
  await expect(clientPage.locator('canvas').first()).toBeVisible();

  const later = freshName('Journal corrected');
  const page = await signIn(firm.cpa, { at: '/file-upload' });
  const dialog = await openWithReport(page, later, '2025');
  await expect(items(dialog)).toContainText(`Proposed: Corrects ${earlier.name}`);
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await readToast(page, 'status', ['File uploaded successfully']);
  expect((await storedAs(later))?.corrects).toMatchObject({ id: earlier.id });

  await test.step('in the list, in words', async () => {
    await expect(row(page, earlier.name).getByRole('img', { name: `Corrected by ${later}` })).toHaveText('Corrected');
    await expect(row(page, later).getByRole('img', { name: `Correction of ${earlier.name}` })).toHaveText('Correction');
  });

  await test.step('on the page of the correction, with who opened the earlier file', async () => {
    const from = `/clients/${firm.clients[0].id}`;
    await page.goto(`/cpa-dashboard/report/${(await storedAs(later))?.id}?from=${encodeURIComponent(from)}`);
    const said = page.getByRole('region', { name: 'Corrections' });
    await expect(said).toContainText(`Corrects ${earlier.name}`);
    await expect(said).toContainText(`1 person opened the earlier file: ${firm.clientUser.fullName}`);
    await said.getByRole('link', { name: earlier.name }).click();
  });

  await test.step('on the page of the earlier file', async () => {
    const said = page.getByRole('region', { name: 'Corrections' });
    await expect(said).toContainText(`Corrected by ${later}, on `);
    await expect(page.getByRole('heading', { name: earlier.name })).toBeVisible();
    await said.getByRole('link', { name: later }).click();
    await expect(page.getByRole('heading', { name: later })).toBeVisible();
    // The way back is that of the file that led here.
    await expect(page.getByRole('link', { name: 'Back to client' })).toHaveAttribute(
      'href',
      `/clients/${firm.clients[0].id}`,
    );
  });

  await test.step('to the Client too, who is not told who opened it', async () => {
    await clientPage.goto(`/cpa-dashboard/report/${(await storedAs(later))?.id}`);
    const said = clientPage.getByRole('region', { name: 'Corrections' });
    await expect(said).toContainText(`Corrects ${earlier.name}`);
    await expect(said).not.toContainText('opened');
  });
});

test('on its page, a report is corrected by one file that is dropped, and only by who may send reports', {
  tag: '@full',
}, async ({ signIn }) => {
  const earlier = await store(freshName('Register'), { period: '2022' });
  const [byButton, byDrop] = [freshName('Second register'), freshName('Third register')];
  const page = await signIn(firm.cpa, { at: `/cpa-dashboard/report/${earlier.id}` });
  await expect(page.getByRole('heading', { name: earlier.name })).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Upload Correction' });
  const said = page.getByRole('region', { name: 'Corrections' });
  const send = async (name: string) => {
    await expect(items(dialog)).toContainText(`Corrects ${earlier.name}`);
    for (const [field, value] of [
      ['Client Name', firm.clients[0].name],
      ['Report Type', firm.reportTypes[0].name],
      ['Year', '2022'],
    ] as const) {
      await expect(dialog.getByRole('combobox', { name: field })).toHaveValue(value);
    }
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
    await readToast(page, 'status', ['File uploaded successfully']);
    await expect(said).toContainText(`Corrected by ${name}`);
    const { clientId, reportTypeId, period, corrects } = (await storedAs(name)) as FileRow;
    const place = { clientId: firm.clients[0].id, reportTypeId: firm.reportTypes[0].id, period: '2022' };
    expect({ clientId, reportTypeId, period, corrects: corrects?.id }).toEqual({ ...place, corrects: earlier.id });
  };

  await page.getByRole('button', { name: 'Upload correction' }).click();
  await expect(dialog.getByText(`Corrects ${earlier.name}, which stays`)).toBeVisible();
  const choosing = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Add File' }).click();
  await (await choosing).setFiles({
    name: byButton,
    mimeType: 'application/pdf',
    buffer: Buffer.from(await makePdf([byButton])),
  });
  await send(byButton);

  await drop(page, [{ name: byDrop, bytes: Buffer.from(await makePdf([byDrop])) }]);
  await send(byDrop);

  const theirs = await signIn(firm.clientUser, { at: `/cpa-dashboard/report/${earlier.id}` });
  await expect(theirs.getByRole('heading', { name: earlier.name })).toBeVisible();
  await expect(theirs.getByRole('button', { name: 'Upload correction' })).toHaveCount(0);
});

test('a report is replaced from its page: the earlier one stays there for staff, leads to the newest, and is put back', async ({
  signIn,
}) => {
  const earlier = await store(freshName('Summary'), { period: '2021' });
  const later = freshName('Second summary');
  const page = await signIn(firm.cpa, { at: `/cpa-dashboard/report/${earlier.id}` });
  await page.getByRole('button', { name: 'Upload correction' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload Correction' });
  await dialog.getByRole('checkbox', { name: 'Replace it' }).check();
  await dialog.getByRole('textbox', { name: 'Why it is replaced' }).fill('Wrong rate');
  const choosing = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Add File' }).click();
  const bytes = Buffer.from(await makePdf([later]));
  await (await choosing).setFiles({ name: later, mimeType: 'application/pdf', buffer: bytes });
  await expect(items(dialog)).toContainText(`Replaces ${earlier.name}`);
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await readToast(page, 'status', ['File uploaded successfully']);
  const newest = await storedAs(later);
  expect(await storedAs(earlier.name)).toBeUndefined();

  const versions = page.getByRole('region', { name: 'Earlier versions' });
  await test.step('the same address leads to the newest, with a sentence', async () => {
    await expect(page.getByRole('heading', { name: later })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Replaced' })).toContainText('The file you asked for was replaced.');
    await expect(versions.getByRole('listitem')).toContainText([earlier.name]);
    await expect(versions).toContainText(`Replaced by ${firm.cpa.fullName}`);
    await expect(versions).toContainText('Wrong rate');
    await expect(versions).toContainText('Opened by nobody of the client');
    const saving = page.waitForEvent('download');
    await versions.getByRole('button', { name: `Download ${earlier.name}` }).click();
    expect((await saving).suggestedFilename()).toBe(earlier.name);
  });

  await test.step('a Client user is led there too, and is shown no earlier version', async () => {
    const theirs = await signIn(firm.clientUser, { at: `/cpa-dashboard/report/${earlier.id}` });
    await expect(theirs.getByRole('heading', { name: later })).toBeVisible();
    await expect(theirs.getByText('The file you asked for was replaced.')).toBeVisible();
    await expect(theirs.getByRole('region', { name: 'Earlier versions' })).toHaveCount(0);
    await theirs.close();
  });

  await test.step('by mistake: it is put back, and the newer one goes to the trash', async () => {
    await page.goto(`/cpa-dashboard/report/${newest?.id}`);
    await versions.getByRole('button', { name: `Put back ${earlier.name}` }).click();
    const asks = page.getByRole('dialog', { name: `Put back ${earlier.name}?` });
    await asks.getByRole('radio', { name: 'Move it to the trash' }).check();
    // What was chosen and left is not chosen the next time.
    await page.keyboard.press('Escape');
    await expect(asks).toHaveCount(0);
    await versions.getByRole('button', { name: `Put back ${earlier.name}` }).click();
    await expect(asks.getByRole('radio', { name: 'Keep both' })).toBeChecked();
    await asks.getByRole('radio', { name: 'Move it to the trash' }).check();
    await asks.getByRole('button', { name: 'Put back' }).click();
    await readToast(page, 'status', ['Earlier version put back']);
    await expect(page.getByRole('heading', { name: earlier.name })).toBeVisible();
    expect((await storedAs(earlier.name))?.id).toBe(earlier.id);
    expect(await storedAs(later)).toBeUndefined();
  });

  await test.step('a stored file takes its place in Re-file, and Undo takes that back', async () => {
    const other = await store(freshName('Third summary'), { period: '2021' });
    await page.goto(`/cpa-dashboard/report/${other.id}`);
    await page.getByRole('button', { name: 'Re-file', exact: true }).click();
    const refiling = page.getByRole('dialog', { name: 'Re-file', exact: true });
    const submit = refiling.getByRole('button', { name: 'Re-file', exact: true });
    const replace = refiling.getByRole('checkbox', { name: 'Replace it' });
    await choose(page, refiling, 'Corrects', new RegExp(earlier.name));
    await submit.click();
    await readToast(page, 'status', ['File re-filed successfully']);
    await expect(refiling).toHaveCount(0);
    // Chosen and discarded, it is not chosen the next time.
    await page.getByRole('button', { name: 'Re-file', exact: true }).click();
    await replace.check();
    await page.keyboard.press('Escape');
    await refiling.getByRole('button', { name: 'Discard' }).click();
    await expect(refiling).toHaveCount(0);
    await page.getByRole('button', { name: 'Re-file', exact: true }).click();
    await expect(replace).not.toBeChecked();
    await expect(submit).toBeDisabled();
    await replace.check();
    await submit.click();
    await expect(versions).toContainText(earlier.name);
    await page.getByRole('button', { name: 'Undo' }).click();
    await readToast(page, 'status', ['Earlier version put back']);
    await expect(versions).toHaveCount(0);
    expect((await storedAs(earlier.name))?.id).toBe(earlier.id);
  });
});

test('of several earlier files nothing is proposed: a person chooses, or chooses none', { tag: '@full' }, async ({
  signIn,
}) => {
  const [first, second] = [
    await store(freshName('Run'), { period: '2024' }),
    await store(freshName('Run'), { period: '2024' }),
  ];
  const [later, plain] = [freshName('Run corrected'), freshName('Run corrected')];
  const page = await signIn(firm.cpa, { at: '/file-upload' });
  const dialog = await openWithReport(page, later, '2024');
  await expect(items(dialog)).not.toContainText('Corrects');
  await dialog.getByRole('button', { name: `Change ${later}` }).click();
  const fields = dialog.getByRole('group', { name: `Filed under: ${later}` });
  await fields.getByRole('combobox', { name: 'Corrects' }).click();
  // Of two runs of one name it says for when each is.
  await page.getByRole('option', { name: `${second.name} (${firm.reportTypes[0].name}, 2024)`, exact: true }).click();
  await expect(items(dialog)).toContainText(`Corrects ${second.name}`);
  await expect(items(dialog)).not.toContainText('Proposed:');
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await readToast(page, 'status', ['File uploaded successfully']);
  expect((await storedAs(later))?.corrects).toMatchObject({ id: second.id });

  await test.step('what is proposed can be refused', async () => {
    await store(freshName('Lone'), { period: '2023' });
    const again = await openWithReport(page, plain, '2023');
    await expect(items(again)).toContainText('Proposed:');
    await again.getByRole('button', { name: `Change ${plain}` }).click();
    await again.getByRole('combobox', { name: 'Corrects' }).click();
    await page.getByRole('option', { name: 'No other file' }).click();
    await expect(items(again)).not.toContainText('Proposed:');
    await again.getByRole('button', { name: 'Upload', exact: true }).click();
    await readToast(page, 'status', ['File uploaded successfully']);
    expect((await storedAs(plain))?.corrects).toBeNull();
  });

  await test.step('and re-filing changes it afterwards, and takes it back', async () => {
    await page.goto(`/cpa-dashboard/report/${(await storedAs(later))?.id}`);
    const said = page.getByRole('region', { name: 'Corrections' });
    const refiling = page.getByRole('dialog', { name: 'Re-file', exact: true });
    const refile = async (option: string | RegExp) => {
      await page.getByRole('button', { name: 'Re-file', exact: true }).click();
      await choose(page, refiling, 'Corrects', option);
      await refiling.getByRole('button', { name: 'Re-file', exact: true }).click();
      await readToast(page, 'status', ['File re-filed successfully']);
      await expect(refiling).toBeHidden();
    };
    await refile(new RegExp(first.name));
    await expect(said).toContainText(`Corrects ${first.name}`);
    await expect(said).toContainText('Nobody has opened the earlier file.');
    await refile('No other file');
    await expect(said).toHaveCount(0);
  });
});
