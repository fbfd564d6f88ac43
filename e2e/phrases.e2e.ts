// Phrases of report types, and what a reviewer has remembered: kept in a dialog, taught in review, proposed in the next batch.
import { expect, type Page } from '@playwright/test';
import type { BatchDetails, BatchRow, DocumentRow } from '#contract/batches.ts';
import type { ReportTypeRow } from '#contract/report-types.ts';
import { type ApiCaller, apiAs } from './api.ts';
import { axeFaultsOnTheWay } from './axe.ts';
import { type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { makePages } from './pdf.ts';
import { ADMIN } from './server.ts';
import { readToast } from './toast.ts';

let firm: Firm;
test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin);
});

const READ_WITHIN_MS = 30_000;

const phrasesOf = async (id: number) =>
  (await firm.api.get<ReportTypeRow[]>('/api/report-types')).find((type) => type.id === id)?.phrases;

const openPhrases = async (page: Page, name: string) => {
  await page.getByRole('button', { name: `Edit phrases of ${name}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Phrases of ${name}` });
  const field = dialog.getByRole('textbox', { name: 'Add a Phrase' });
  await expect(field).toBeFocused();
  return { dialog, field, save: dialog.getByRole('button', { name: 'Save', exact: true }) };
};

test('an Admin keeps the phrases of a report type, by keyboard', async ({ signIn }) => {
  const [journal, quarterly] = firm.reportTypes;
  const own = `Crew hours ${journal.id}`;
  await firm.api.put(`/api/report-types/${quarterly.id}/phrases`, { phrases: [`Taken heading ${quarterly.id}`] });
  const page = await signIn(ADMIN, { at: `/report-types?q=${encodeURIComponent(journal.name)}`, failures: [409, 412] });
  const row = page.getByRole('row', { name: new RegExp(journal.name) });
  await expect(row).not.toContainText(own);

  const { dialog, field, save } = await openPhrases(page, journal.name);
  await expect(dialog.getByText('No phrases yet')).toBeVisible();
  await expect(dialog.getByText(`Pages with one of these phrases are proposed as ${journal.name}.`)).toBeVisible();
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await field.fill('941');
  await field.press('Enter');
  await expect(
    dialog.getByText('Each phrase needs at least 4 letters, or it would be found on every page'),
  ).toBeVisible();
  await field.fill(own);
  await field.press('Enter');
  const list = dialog.getByRole('list', { name: 'Phrases' });
  await expect(list.getByRole('listitem')).toHaveText([own]);
  await expect(field).toHaveValue('');
  await field.fill(own.toUpperCase());
  await field.press('Enter');
  await expect(dialog.getByText('This phrase is in the list already')).toBeVisible();
  expect(await axeFaultsOnTheWay(page)).toEqual([]);

  // Another type has it: nothing is saved, and the list says which one.
  await field.fill(`taken heading ${quarterly.id}`);
  await save.click();
  const taken = `${quarterly.name} has the phrase "taken heading ${quarterly.id}" already. Remove it there first.`;
  await expect(dialog.getByText(taken)).toBeVisible();
  await readToast(page, 'alert', ['Error', `Failed to save the phrases: ${taken}`]);
  expect(await phrasesOf(journal.id)).toEqual([]);
  // What is typed is saved with the rest.
  await field.fill(`Shift hours ${journal.id}`);
  await field.press('Tab');
  await save.press('Enter');
  await readToast(page, 'status', ['Phrases saved successfully']);
  await expect(row).toContainText(`"${own}", "Shift hours ${journal.id}"`);

  const again = await openPhrases(page, journal.name);
  await again.dialog.getByRole('button', { name: `Remove ${own}`, exact: true }).press('Enter');
  await expect(again.field).toBeFocused();
  await again.field.press('Enter');
  await readToast(page, 'status', ['Phrases saved successfully']);
  await expect(row).not.toContainText(own);
  expect(await phrasesOf(journal.id)).toEqual([`Shift hours ${journal.id}`]);

  await test.step('what somebody else has added meanwhile is not lost unseen', async () => {
    const late = await openPhrases(page, journal.name);
    const theirs = [`Shift hours ${journal.id}`, `Remembered meanwhile ${journal.id}`];
    await firm.api.put(`/api/report-types/${journal.id}/phrases`, { phrases: theirs });
    await late.field.fill(own);
    await late.save.click();
    await expect(late.dialog.getByText('This was changed while you were working on it.')).toBeVisible();
    await late.dialog.getByRole('button', { name: 'Reload' }).click();
    await expect(late.dialog.getByRole('list', { name: 'Phrases' }).getByRole('listitem')).toHaveText(theirs);
    await expect(late.field).toHaveValue(own);
    await late.save.click();
    await readToast(page, 'status', ['Phrases saved successfully']);
    expect(await phrasesOf(journal.id)).toEqual([...theirs, own]);
  });

  await test.step('what is typed while that is asked is what "Keep mine" saves', async () => {
    const before = (await phrasesOf(journal.id)) ?? [];
    const asked = await openPhrases(page, journal.name);
    await firm.api.put(`/api/report-types/${journal.id}/phrases`, { phrases: [`Theirs alone ${journal.id}`] });
    await asked.field.fill(`First wording ${journal.id}`);
    await asked.save.click();
    await expect(asked.dialog.getByText('This was changed while you were working on it.')).toBeVisible();
    await asked.field.fill(`Second wording ${journal.id}`);
    await asked.dialog.getByRole('button', { name: 'Keep mine' }).click();
    await readToast(page, 'status', ['Phrases saved successfully']);
    expect(await phrasesOf(journal.id)).toEqual([...before, `Second wording ${journal.id}`]);
  });
  await firm.api.put(`/api/report-types/${journal.id}/phrases`, { phrases: [] });
  await firm.api.put(`/api/report-types/${quarterly.id}/phrases`, { phrases: [] });
});

test('a CPA sees the phrases and changes none; a Client sees none', { tag: '@full' }, async ({ signIn }) => {
  const [journal] = firm.reportTypes;
  const phrase = `Seen by staff ${journal.id}`;
  await firm.api.put(`/api/report-types/${journal.id}/phrases`, { phrases: [phrase] });
  const cpa = await signIn(firm.cpa, { at: '/report-types' });
  await expect(cpa.getByRole('row', { name: new RegExp(journal.name) })).toContainText(phrase);
  await expect(cpa.getByRole('button', { name: /^Edit phrases/ })).toHaveCount(0);
  const client = await signIn(firm.clientUser, { at: '/report-types' });
  await expect(client.getByRole('row', { name: new RegExp(journal.name) })).toBeVisible();
  await expect(client.getByText(phrase)).toHaveCount(0);
  await firm.api.put(`/api/report-types/${journal.id}/phrases`, { phrases: [] });
});

/** A batch of one page, read. */
async function readBatch(api: ApiCaller, lines: readonly string[]): Promise<{ id: number; document: DocumentRow }> {
  const { id } = await api.post<BatchRow>('/api/batches', { name: 'Hours of the week' });
  await api.upload({}, 'hours.pdf', await makePages([lines]), `/api/batches/${id}/files`);
  await api.post(`/api/batches/${id}/read`);
  await expect
    .poll(async () => (await api.get<BatchDetails>(`/api/batches/${id}`)).batch.state, { timeout: READ_WITHIN_MS })
    .toBe('review');
  const [document] = await api.get<DocumentRow[]>(`/api/batches/${id}/documents`);
  if (document === undefined) throw new Error('The batch has no document');
  return { id, document };
}

test('what a reviewer remembers proposes the next batch', { tag: '@full' }, async ({ signIn, server }) => {
  const [client] = firm.clients;
  const [journal] = firm.reportTypes;
  const heading = `Crew Ledger of Larkspur`;
  const name = `Brightwater ${client.id} Diner LLC`;
  const lines = (week: string) => [heading, name, 'Check Date: 01/30/2026', `Week ${week}`];
  const first = await readBatch(firm.api, lines('one'));
  const page = await signIn(ADMIN, { at: `/batches/${first.id}` });
  const pane = page.getByRole('region', { name: 'Document', exact: true });
  const remember = pane.getByRole('region', { name: 'Remember this' });
  await expect(pane.getByRole('combobox', { name: 'Client' })).toBeVisible();
  await expect(remember).toHaveCount(0);

  await pane.getByRole('combobox', { name: 'Client' }).fill(client.name);
  await page.getByRole('option', { name: client.name, exact: true }).click();
  await pane.getByRole('combobox', { name: 'Report Type' }).click();
  await page.getByRole('option', { name: journal.name, exact: true }).click();
  const ofType = remember.getByRole('button', { name: `Remember: pages headed “${heading}” are ${journal.name}` });
  const ofClient = remember.getByRole('button', { name: `Remember: “${name}” is ${client.name}` });
  await expect(ofClient).toBeVisible();
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await ofType.click();
  await readToast(page, 'status', [
    `Remembered: pages headed “${heading}” are ${journal.name}. Change it under Report Types, Edit phrases.`,
  ]);
  await expect(ofType).toHaveCount(0);
  await ofClient.press('Enter');
  await readToast(page, 'status', [`Remembered: “${name}” is ${client.name}. Change it in the client’s Other Names.`]);
  await expect(remember).toHaveCount(0);
  expect(await phrasesOf(journal.id)).toEqual([heading]);

  const cpa = await apiAs(server.origin, firm.cpa);
  const second = await readBatch(cpa, lines('two'));
  expect(second.document).toMatchObject({ clientId: client.id, reportTypeId: journal.id, reasons: ['oneSignal'] });

  await firm.api.put(`/api/report-types/${journal.id}/phrases`, { phrases: [] });
});

test('a CPA has something remembered for the own batches, and an Admin accepts one and declines the other', async ({
  signIn,
  server,
}) => {
  const [client] = firm.clients;
  const [journal] = firm.reportTypes;
  const heading = 'Crew Roster of Larkspur';
  const name = `Zenith ${client.id} Foods LLC`;
  const cpa = await apiAs(server.origin, firm.cpa);
  const first = await readBatch(cpa, [heading, name, 'Week one']);
  const page = await signIn(firm.cpa, { at: `/batches/${first.id}` });
  const pane = page.getByRole('region', { name: 'Document', exact: true });
  await pane.getByRole('combobox', { name: 'Client' }).fill(client.name);
  await page.getByRole('option', { name: client.name, exact: true }).click();
  await pane.getByRole('combobox', { name: 'Report Type' }).click();
  await page.getByRole('option', { name: journal.name, exact: true }).click();
  const remember = pane.getByRole('region', { name: 'Remember this' });
  const typeWords = `pages headed “${heading}” are ${journal.name}`;
  const clientWords = `“${name}” is ${client.name}`;
  const told = (words: string) =>
    `Remembered for your batches: ${words}. It is suggested for everybody’s, and you can take it back under Batches.`;
  const ofType = remember.getByRole('button', { name: `Remember: ${typeWords}` });
  await expect(ofType).toBeVisible();
  await ofType.click();
  await readToast(page, 'status', [told(typeWords)]);
  await remember.getByRole('button', { name: `Remember: ${clientWords}` }).press('Enter');
  await readToast(page, 'status', [told(clientWords)]);
  await expect(remember).toHaveCount(0);
  const second = await readBatch(cpa, [heading, name, 'Week two']);
  expect(second.document).toMatchObject({ clientId: client.id, reportTypeId: journal.id });
  expect(await phrasesOf(journal.id)).toEqual([]);

  const admin = await signIn(ADMIN, { at: '/' });
  await admin.getByRole('link', { name: '1 phrase is suggested by reviewers' }).click();
  const phrases = admin.getByRole('region', { name: 'Suggested phrases' });
  await expect(phrases.getByRole('listitem')).toContainText([`${typeWords}Suggested by ${firm.cpa.fullName}`]);
  expect(await axeFaultsOnTheWay(admin)).toEqual([]);
  await phrases.getByRole('button', { name: `Accept: ${typeWords}` }).click();
  await readToast(admin, 'status', [`Accepted for everybody: ${typeWords}.`]);
  await expect(phrases).toHaveCount(0);
  await expect(admin.locator(':focus')).toHaveCount(1);
  // Other journeys have types of theirs: with those there are several pages.
  await admin.goto(`/report-types?q=${encodeURIComponent(journal.name)}`);
  await expect(admin.getByRole('row', { name: new RegExp(journal.name) })).toContainText(`"${heading}"`);

  // What is left is the CPA's to take back, until an Admin has said something about it.
  await page.goto('/batches');
  const own = page.getByRole('region', { name: 'Remembered for your batches' });
  await expect(own.getByRole('listitem')).toContainText([clientWords]);
  await expect(own.getByRole('button', { name: `Take back: ${clientWords}` })).toBeEnabled();
  await admin.goto('/clients');
  const names = admin.getByRole('region', { name: 'Suggested other names' });
  await names.getByRole('button', { name: `Decline: ${clientWords}` }).click();
  await readToast(admin, 'status', [`Declined: ${clientWords}.`]);
  await expect(names).toHaveCount(0);
  await firm.api.put(`/api/report-types/${journal.id}/phrases`, { phrases: [] });
});
