// The wrong-client guard on the screen: a file that names another client is filed there, kept for a reason, or taken off.
import { expect, type Locator, type Page } from '@playwright/test';
import type { FileRow } from '#contract/files.ts';
import { axeFaultsOnTheWay } from './axe.ts';
import { type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { putToastAway, readToast } from './toast.ts';
import { addFile, items, openAddData, submit, textFile } from './uploads-page.ts';

let firm: Firm;
test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin, { reports: 0 });
});

const filed = async (name: string) =>
  (await firm.api.get<FileRow[]>('/api/files')).filter(({ originalName }) => originalName === name);

/** A file that names the second client. */
const namingSecond = (name: string) => textFile(name, `${firm.clients[1].name}\nPayroll summary\n${name}`);

/** Add Data for the first client, with a file that names the second, sent and stopped. */
async function stopped(page: Page, name: string): Promise<Locator> {
  const [chosen, named] = firm.clients;
  const dialog = await openAddData(page, { 'Client Name': chosen.name });
  await addFile(page, dialog, namingSecond(name));
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await dialog.getByRole('button', { name: 'Upload anyway' }).click();
  const words = `This document names ${named.name}`;
  await expect(items(dialog).filter({ hasText: words })).toBeVisible();
  await putToastAway(page);
  expect(await filed(name)).toEqual([]);
  return dialog;
}

test('a file that names another client is filed there by one press, and goes elsewhere only for a reason', async ({
  signIn,
}) => {
  const page = await signIn(ADMIN, { at: '/file-upload', failures: [409] });
  const name = `Guarded ${process.pid}.txt`;
  const dialog = await stopped(page, name);
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await dialog.getByRole('button', { name: `File under ${firm.clients[1].name}: ${name}` }).click();
  await readToast(page, 'status', ['File uploaded successfully']);
  await expect(dialog).toBeHidden();
  expect((await filed(name)).map(({ clientId }) => clientId)).toEqual([firm.clients[1].id]);

  const [elsewhere] = firm.clients;
  await page.getByRole('button', { name: `Re-file ${name}` }).click();
  const refiling = page.getByRole('dialog', { name: 'Re-file', exact: true });
  await refiling.getByRole('combobox', { name: 'Client Name', exact: true }).fill(elsewhere.name);
  await page.getByRole('option', { name: elsewhere.name, exact: true }).click();
  await refiling.getByRole('button', { name: 'Re-file', exact: true }).click();
  await expect(refiling.getByRole('alert')).toContainText(`This document names ${firm.clients[1].name}`);
  await expect(refiling.getByRole('button', { name: `File under ${firm.clients[1].name}: ${name}` })).toBeVisible();
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await refiling.getByRole('button', { name: `Keep under ${elsewhere.name}...: ${name}` }).click();
  await refiling.getByRole('textbox', { name: `Why is it ${elsewhere.name}’s?` }).fill('They paid for it');
  await refiling.getByRole('button', { name: 'Keep', exact: true }).click();
  await readToast(page, 'status', ['File re-filed successfully']);
  await expect(refiling).toBeHidden();
  expect((await filed(name)).map(({ clientId }) => clientId)).toEqual([elsewhere.id]);
});

test('it is kept for a reason, by keyboard alone, or taken off and stored nowhere', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn(ADMIN, { at: '/file-upload', failures: [409] });
  const name = `Kept ${process.pid}.txt`;
  const dialog = await stopped(page, name);
  const keep = dialog.getByRole('button', { name: `Keep under ${firm.clients[0].name}...: ${name}` });
  await keep.focus();
  await page.keyboard.press('Enter');
  const reason = dialog.getByRole('textbox', { name: `Why is it ${firm.clients[0].name}’s?` });
  await expect(reason).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Keep', exact: true })).toBeDisabled();
  await page.keyboard.type('It is the invoice for their roof');
  await page.keyboard.press('Enter');
  await readToast(page, 'status', ['File uploaded successfully']);
  expect((await filed(name)).map(({ clientId }) => clientId)).toEqual([firm.clients[0].id]);

  const other = `Taken off ${process.pid}.txt`;
  const again = await stopped(page, other);
  await test.step('where it is there already, that is said before it is sent', async () => {
    const place = { clientId: firm.clients[1].id, fileType: 'report' };
    const { id } = await firm.api.upload(place, other, namingSecond(other).buffer);
    await again.getByRole('button', { name: `File under ${firm.clients[1].name}: ${other}` }).click();
    await expect(items(again)).toContainText('same content');
    await expect(items(again).getByRole('radio', { name: 'Skip' })).toBeChecked();
    await expect(items(again)).not.toContainText('This document names');
    await expect(submit(again)).toBeDisabled();
    expect((await filed(other)).map((file) => file.id)).toEqual([id]);
    await firm.api.delete(`/api/files/${id}`);
  });
  await again.getByRole('button', { name: `Remove ${other}` }).click();
  await expect(items(again)).toHaveCount(0);
  expect(await filed(other)).toEqual([]);
});
