// Batches: one print file of three companies reaches each of them, checked, and is recalled; by mouse, by keyboard alone, and not by everybody.
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { RELEASING_ENDED } from '#contract/batch-words.ts';
import { apiAs } from './api.ts';
import { axeFaultsOnTheWay } from './axe.ts';
import { choose, drop, group, list, pane, press, reviewed, roomInRows, selected } from './batch-page.ts';
import { addPerson, type Firm, seedFirm } from './firm.ts';
import { stepInFull, test } from './fixtures.ts';
import { hasInk, makePages } from './pdf.ts';
import { ADMIN } from './server.ts';
import { readToast, toastOf } from './toast.ts';

let firm: Firm;
let made = 0;

test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin);
});

interface Company {
  readonly name: string;
  readonly federalId: string;
}

const unknown: Company = { name: 'Kestrel Joinery LLC', federalId: '07-5550123' };

/** Two pages for each company, as a payroll program prints them; each file has bytes of its own. */
function printFile(companies: readonly Company[]): Promise<Buffer> {
  made += 1;
  return makePages(
    companies.flatMap(({ name, federalId }) =>
      [1, 2].map((page) => [
        name,
        `Federal ID ${federalId}`,
        'Payroll Journal',
        `Check Date 11/20/2026    Page ${page} of 2`,
        `Run ${made}`,
        `Employee ${page}    1,200.00    94.51    1,105.49`,
      ]),
    ),
  );
}

/** Of a button that takes something away. */
const RED = 'rgb(201, 42, 42)';

const known = (of = firm) => of.clients.map(({ name }, nth): Company => ({ name, federalId: `08-111222${nth + 1}` }));

test('a print file reaches each company, checked by a person, and is recalled', async ({ signIn }) => {
  const [larkspur, tidewater] = firm.clients;
  const page = await signIn(firm.cpa, { at: '/batches', failures: [500] });
  await expect(page.getByText('No batches yet')).toBeVisible();
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await choose(page, [{ name: 'payrun-2026-11.pdf', bytes: await printFile([...known(), unknown]) }]);
  await expect(page).toHaveURL(/\/batches\/\d+$/);
  await reviewed(page);
  await expect(page.getByRole('heading', { name: /payrun-2026-11\.pdf/ }).first()).toBeVisible();

  await expect(group(page, 'Ready, 2')).toContainText(larkspur.name);
  await expect(group(page, 'To check, 1')).toContainText('No client');
  // The first to check is in view, with its own pages of the file.
  await expect(selected(page)).toContainText('Pages 5-6');
  await expect(pane(page).getByRole('group', { name: 'Page 5 of 6' })).toBeVisible();
  await expect.poll(() => pane(page).locator('canvas').first().evaluate(hasInk)).toBe(true);
  const reason = /Nothing in it names a client|It names another company/;
  await expect(pane(page).getByText(reason)).toBeVisible();
  await expect(selected(page), 'said in the row too').toContainText(reason);
  const rooms = await roomInRows(page);
  expect(rooms).toHaveLength(3);
  for (const room of rooms) expect(Math.abs(room), 'as high as what stands in it').toBeLessThan(2);
  expect(await axeFaultsOnTheWay(page)).toEqual([]);

  // A wrong guess is put right by hand.
  const client = pane(page).getByRole('combobox', { name: 'Client' });
  await client.fill(tidewater.name);
  await page.getByRole('option', { name: tidewater.name, exact: true }).click();
  await expect(group(page, 'To check, 1')).toContainText(tidewater.name);
  await pane(page).getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(group(page, 'Accepted, 1')).toContainText(tidewater.name);
  await press(page, 'Accept All Ready (2)');
  await readToast(page, 'status', ['2 documents accepted']);

  // Left of a release that was killed for good, they are released again by the same button.
  await page.route(/\/api\/batches\/\d+(?:\/documents)?(?:\?|$)/, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    const json = Array.isArray(body)
      ? body.map((document) => ({ ...document, state: 'releasing' }))
      : { ...body, batch: { ...body.batch, accepted: 0, releasing: 3, fault: RELEASING_ENDED } };
    await route.fulfill({ response, json });
  });
  await page.reload();
  await expect(page.getByRole('alert')).toContainText(RELEASING_ENDED);
  await expect(page.getByText('Releasing failed', { exact: true })).toBeVisible();
  const dialog = page.getByRole('dialog');
  await press(page, 'Release Again (3)');
  await expect(dialog).toContainText('3 documents will become files of 2 clients');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.unrouteAll({ behavior: 'wait' });
  await page.reload();

  await press(page, 'Release Accepted (3)');
  await expect(dialog).toContainText('3 documents will become files of 2 clients');
  const release = dialog.getByRole('button', { name: 'Release', exact: true });
  await expect(release).not.toHaveCSS('background-color', RED);
  await release.click();
  await expect(group(page, 'Released, 3')).toBeVisible({ timeout: 30_000 });
  await readToast(page, 'status', ['3 documents released']);
  await expect(pane(page).getByText('Released as').getByRole('link')).toHaveAttribute(
    'href',
    /\/cpa-dashboard\/report\/\d+/,
  );

  // The client's user sees exactly theirs.
  const theirs = await signIn(firm.clientUser, { at: '/client-reports' });
  const files = theirs.getByRole('table').getByRole('row').filter({ hasText: '2026' });
  const mine = theirs.getByRole('link', { name: new RegExp(`Payroll Journal.*${larkspur.name}`) });
  await expect(mine).toHaveCount(1);
  await expect(theirs.getByText(tidewater.name)).toHaveCount(0);
  expect(await files.count()).toBeGreaterThan(0);
  await mine.click();
  await expect.poll(() => theirs.locator('canvas').first().evaluate(hasInk)).toBe(true);
  await expect(theirs.getByText('of 2', { exact: true })).toBeVisible();

  // What cannot be done any more is not there.
  for (const name of [/^Accept All Ready/, /^Release Accepted/]) {
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  }
  await group(page, 'Released, 3').getByRole('option').filter({ hasText: tidewater.name }).first().click();
  await expect(pane(page).getByRole('combobox')).toHaveCount(0);
  await expect(pane(page).getByRole('definition').first()).toContainText(tidewater.name);

  // One of them alone: that is said at the document, and not over all of them.
  await pane(page).getByRole('button', { name: 'Recall This Document' }).click();
  await dialog.getByRole('textbox', { name: 'Why' }).fill('Wrong week');
  const recall = dialog.getByRole('button', { name: 'Recall', exact: true });
  await expect(recall).toHaveCSS('background-color', RED);
  await recall.click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(group(page, 'Recalled, 1')).toBeVisible();
  await expect(group(page, 'Recalled, 1')).toContainText('Wrong week');
  await expect(pane(page).getByText(`Recalled by ${firm.cpa.fullName}, `)).toContainText(': Wrong week');
  await expect(page.getByText('2 released · 1 recalled', { exact: false })).toBeVisible();

  // What is on hold stays, and holds no other back.
  const fileId = Number(/\d+/.exec(new URL(theirs.url()).pathname)?.[0]);
  const hold = await firm.api.post<{ id: number }>('/api/holds', { kind: 'file', id: fileId, reason: 'Audit of 2026' });
  await page.reload();
  await press(page, 'Recall 1 of 2');
  await expect(dialog).toContainText('Recall 1 document?');
  await expect(dialog).toContainText(
    '1 of 2 released is on hold and stays where it is. What is recalled is taken from everybody',
  );
  await dialog.getByRole('textbox', { name: 'Why' }).fill('Figures of the week before');
  await dialog.getByRole('button', { name: 'Recall', exact: true }).click();
  await expect(dialog.getByText('1 document taken from everybody.')).toBeVisible();
  await expect(dialog.getByText('Nobody has opened it')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByText('1 released · 2 recalled', { exact: false })).toBeVisible();
  await press(page, 'Recall');
  await expect(dialog).toContainText('Its file is on hold, so nothing is recalled.');
  await expect(dialog.getByRole('button', { name: 'Recall', exact: true })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await firm.api.post(`/api/holds/${hold.id}/lift`, {});
  await page.reload();

  await press(page, 'Recall');
  await dialog.getByRole('textbox', { name: 'Why' }).fill('Figures of the week before');
  await dialog.getByRole('button', { name: 'Recall', exact: true }).click();
  await expect(dialog.getByText('1 document taken from everybody.')).toBeVisible();
  await expect(dialog.getByRole('listitem').filter({ hasText: `${firm.clientUser.fullName} opened` })).toHaveCount(1);
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  // Each keeps its own reason.
  await expect(
    group(page, 'Recalled, 3').getByRole('option').filter({ hasText: 'Figures of the week before' }),
  ).toHaveCount(2);
  await expect(group(page, 'Recalled, 3').getByRole('option').filter({ hasText: 'Wrong week' })).toHaveCount(1);
  await expect(pane(page).getByText(`Recalled by ${firm.cpa.fullName}, `)).toBeVisible();

  // What it says stays to be had once everything is recalled.
  const saving = page.waitForEvent('download');
  await press(page, 'Certificate');
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^Certificate of .+\.pdf$/);
  expect((await readFile(await saved.path())).subarray(0, 5).toString()).toBe('%PDF-');
  await page.route('**/api/batches/*/certificate', (route) =>
    route.fulfill({ status: 500, json: { message: 'Out of order' } }),
  );
  await press(page, 'Certificate');
  await expect(toastOf(page, 'alert')).toContainText('Failed to save the certificate');
  await page.unroute('**/api/batches/*/certificate');

  await press(page, 'Discard');
  await expect(dialog).toContainText('What was recalled stays recalled.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  // Put right, they are accepted one after the other, or together after a question.
  await list(page).focus();
  await page.keyboard.press('a');
  await expect(group(page, 'Accepted, 1')).toBeVisible();
  await expect(group(page, 'Recalled, 2').getByRole('option', { selected: true })).toHaveCount(1);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('a');
  await expect(dialog).toContainText('Accept 2 documents?');
  await expect(dialog).toContainText('All of them were recalled: the reason is in the row of each.');
  await expect(dialog).toContainText('Left out: 1 accepted before.');
  await dialog.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(group(page, 'Accepted, 3')).toContainText('Wrong week');

  await theirs.goto('/client-reports');
  await expect(theirs.getByRole('table').first()).toBeVisible();
  await expect(mine).toHaveCount(0);
});

test('the keyboard alone: chosen, split, joined, accepted and dropped', async ({ signIn }) => {
  const [larkspur, tidewater] = firm.clients;
  const page = await signIn(firm.cpa, { at: '/batches' });
  await drop(page, [
    { name: 'keys.pdf', bytes: await printFile([...known(), unknown]) },
    { name: 'notes.txt', bytes: Buffer.from('Notes that name nobody') },
  ]);
  await reviewed(page);
  await expect(page.getByRole('heading', { name: 'keys.pdf and others' }).first()).toBeVisible();
  const key = (name: string) => page.keyboard.press(name);
  await expect(selected(page)).toContainText('Pages 5-6');

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog').getByRole('region', { name: 'On this page' })).toContainText('Drop');
  await key('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await list(page).focus();
  // Without a client nothing is accepted: its field is where the focus goes.
  await key('a');
  await expect(toastOf(page, 'alert')).toContainText('Please select a client');
  const client = pane(page).getByRole('combobox', { name: 'Client' });
  await expect(client).toBeFocused();
  await page.keyboard.type(larkspur.name);
  const option = page.getByRole('option', { name: larkspur.name, exact: true });
  await expect(option).toBeVisible();
  await key('Enter');
  await expect(list(page)).toBeFocused();
  await expect(selected(page)).toContainText(larkspur.name);

  // Split at its second page, which is gone to first.
  await pane(page).getByRole('textbox', { name: 'Page' }).fill('6');
  await key('Enter');
  await expect(pane(page).getByRole('button', { name: 'Split at Page 6' })).toBeVisible();
  await list(page).focus();
  await key('s');
  await expect(group(page, 'To check, 3')).toContainText('Page 6');
  await key('j');
  await expect(selected(page)).toContainText('Page 6');
  await key('b');
  await expect(group(page, 'To check, 2')).toContainText('Pages 5-6');
  await expect(selected(page)).toContainText('Pages 5-6');
  // Held down, it accepts no other.
  await page.keyboard.down('Enter');
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect(group(page, 'Accepted, 1')).toContainText(larkspur.name);
  // On to the next: what no client is named in is dropped.
  await expect(selected(page)).toContainText('notes.txt');
  await key('d');
  await expect(group(page, 'Dropped, 1')).toContainText('notes.txt');
  await expect(selected(page)).toContainText(larkspur.name);
  await key('Shift+A');
  await readToast(page, 'status', ['2 documents accepted']);
  await expect(group(page, 'Accepted, 3')).toContainText(tidewater.name);

  // In a field letters are letters.
  await key('c');
  await page.keyboard.type('d');
  await expect(client).toHaveValue('d');
  await key('Escape');
  await key('Escape');
  await expect(list(page)).toBeFocused();
  await expect(group(page, 'Accepted, 3')).toBeVisible();
});

test('several are ticked, filed, accepted and released together, and what is there already is skipped', async ({
  signIn,
}) => {
  const [larkspur] = firm.clients;
  const [journals] = firm.reportTypes;
  const page = await signIn(firm.cpa, { at: '/batches' });
  const key = (name: string) => page.keyboard.press(name);
  const ticked = () => list(page).getByRole('option', { checked: true });
  const bar = page.getByRole('region', { name: 'Ticked documents' });
  const run = { name: 'several.pdf', bytes: await printFile([...known(), unknown]) };
  await choose(page, [run, { name: 'notes.txt', bytes: Buffer.from(`Notes ${made} that name nobody`) }]);
  await reviewed(page);
  await list(page).focus();
  await key('Space');
  await key('Shift+ArrowDown');
  await expect(ticked()).toHaveCount(2);
  await expect(bar).toContainText('2 ticked');
  await expect(bar).toContainText('Left out: 2 without a client');
  await expect(bar.getByRole('button', { name: 'Accept 0' })).toBeDisabled();
  // None of them goes half way.
  await key('a');
  await expect(toastOf(page, 'alert')).toContainText('None of them can be accepted together');

  await key('c');
  const dialog = page.getByRole('dialog');
  const client = dialog.getByRole('combobox', { name: 'Client' });
  await expect(client).toBeFocused();
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await page.keyboard.type(larkspur.name);
  await page.getByRole('option', { name: larkspur.name, exact: true }).click();
  await dialog.getByRole('combobox', { name: 'Report Type' }).fill(journals.name);
  await page.getByRole('option', { name: journals.name, exact: true }).click();
  await dialog.getByRole('button', { name: 'Set', exact: true }).click();
  await readToast(page, 'status', ['2 documents changed']);
  await expect(dialog).toHaveCount(0);
  await expect(group(page, 'To check, 2').getByRole('option').filter({ hasText: larkspur.name })).toHaveCount(2);
  await list(page).focus();
  await key('a');
  await readToast(page, 'status', ['2 documents accepted.']);
  await expect(group(page, 'Accepted, 2')).toBeVisible();
  await expect(bar).toHaveCount(0);

  // All of the list, and none.
  await key('Control+a');
  await expect(ticked()).toHaveCount(4);
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await expect(bar).toContainText('Left out: 2 accepted before.');
  await key('Escape');
  await expect(ticked()).toHaveCount(0);
  // By mouse: one, and all up to another.
  await group(page, 'Ready, 2').locator('[data-tick]').first().click();
  await group(page, 'Accepted, 2')
    .getByRole('option')
    .first()
    .click({ modifiers: ['Shift'] });
  await expect(ticked()).toHaveCount(3);
  await key('r');
  await expect(dialog).toContainText('Release 1 document?');
  await expect(dialog).toContainText('2 ticked are not accepted and stay as they are.');
  await dialog.getByRole('button', { name: 'Release', exact: true }).click();
  await expect(group(page, 'Released, 1')).toBeVisible({ timeout: 30_000 });
  await expect(ticked()).toHaveCount(2);
  // Of the same place as the one that is released now: that one is decided by itself, and stays ticked.
  await expect(bar).toContainText('Left out: 1 there already.');
  await bar.getByRole('button', { name: 'Accept 1' }).click();
  await expect(group(page, 'Accepted, 2')).toBeVisible();
  await expect(ticked()).toHaveCount(1);
  await bar.getByRole('button', { name: 'Clear' }).click();
  await group(page, 'Already there, 1').getByRole('option').click();
  // What is on hold is not replaced, and that is said where it would be offered.
  const choices = pane(page).getByRole('group', { name: 'What becomes of this one' });
  await expect(choices.getByRole('button', { name: 'Replace it' })).toBeVisible();
  const earlier = await pane(page).getByText('Already there:').getByRole('link').getAttribute('href');
  const id = Number(/\d+/.exec(earlier ?? '')?.[0]);
  const hold = await firm.api.post<{ id: number }>('/api/holds', { kind: 'file', id, reason: 'Audit of 2026' });
  await page.reload();
  await expect(choices).toContainText('The earlier file is on hold: it cannot be replaced until the hold is lifted.');
  await expect(choices.getByRole('button', { name: 'Replace it' })).toHaveCount(0);
  await list(page).focus();
  await key('e');
  await expect(toastOf(page, 'alert')).toContainText('The earlier file is on hold');
  await firm.api.post(`/api/holds/${hold.id}/lift`, {});
  await list(page).focus();
  await key('n');
  await expect(group(page, 'Accepted, 3')).toBeVisible();
  await key('r');
  await dialog.getByRole('button', { name: 'Release', exact: true }).click();
  await expect(group(page, 'Released, 4')).toBeVisible({ timeout: 30_000 });
  await expect(dialog).toHaveCount(0);
  await key('l');
  await expect(dialog).toContainText('Recall');
  await key('Escape');

  await stepInFull(
    'dropped once more: its pages are there, and the second copy is skipped unless somebody says otherwise',
    async () => {
      await page.goto('/batches');
      await choose(page, [run]);
      await reviewed(page);
      await expect(group(page, 'Already there, 3')).toBeVisible();
      await expect(pane(page).getByText('The same pages of this file were released already')).toBeVisible();
      await expect(choices.getByRole('button', { name: 'Skip it (proposed)' })).toBeVisible();
      await expect(choices.getByRole('button', { pressed: true })).toHaveCount(0);
      await expect(pane(page).getByRole('button', { name: 'Accept', exact: true })).toHaveCount(0);
      expect(await axeFaultsOnTheWay(page)).toEqual([]);
      await list(page).focus();
      await key('Enter');
      await expect(group(page, 'Dropped, 1')).toBeVisible();
      await key('n');
      await expect(group(page, 'Accepted, 1')).toBeVisible();
      await choices.getByRole('button', { name: 'Skip it' }).click();
      await expect(group(page, 'Dropped, 2')).toBeVisible();
      // All of it is taken back at once.
      await list(page).focus();
      await key('Control+a');
      await bar.getByRole('button', { name: 'Back to Check 3' }).click();
      await readToast(page, 'status', ['3 documents are to be checked again']);
      await expect(group(page, 'Already there, 3')).toBeVisible();
      await expect(bar.getByRole('button', { name: /^Back to Check/ })).toHaveCount(0);
    },
  );
});

test('two people review one batch: what one decides the other sees, and nobody overwrites it', {
  tag: '@full',
}, async ({ signIn, server }) => {
  // Of clients of their own: where another test has filed the same run, nothing is accepted together.
  const { clients, cpa } = await seedFirm(server.origin, { reports: 0 });
  const [larkspur, tidewater] = clients;
  const page = await signIn(cpa, { at: '/batches' });
  await choose(page, [{ name: 'two.pdf', bytes: await printFile([unknown]) }]);
  await reviewed(page);
  // Before the other page asks again.
  const other = await signIn(ADMIN, { at: new URL(page.url()).pathname, failures: [409] });
  await reviewed(other);
  const pick = async (on: Page, name: string) => {
    await pane(on).getByRole('combobox', { name: 'Client' }).fill(name);
    await on.getByRole('option', { name, exact: true }).click();
  };
  // What the other page is told comes too late.
  const told = Promise.withResolvers<void>();
  await other.route(/\/api\/batches\/\d+\/documents(?:\?|$)/, async (route) => {
    await told.promise;
    await route.continue().catch(() => {});
  });
  await pick(page, larkspur.name);
  await expect(selected(page)).toContainText(larkspur.name);
  await pick(other, tidewater.name);
  told.resolve();
  await readToast(other, 'alert', [
    'Error',
    'Somebody else has changed this document meanwhile. It is shown as it is now.',
  ]);
  await expect(selected(other)).toContainText(larkspur.name);
  // Of several at once none is decided unseen, and they stay ticked.
  const late = Promise.withResolvers<void>();
  await other.route(/\/documents\/decide$/, async (route) => {
    await late.promise;
    await route.continue();
  });
  await list(other).focus();
  await other.keyboard.press('Space');
  await other.keyboard.press('a');
  await pick(page, tidewater.name);
  await expect(selected(page)).toContainText(tidewater.name);
  late.resolve();
  await readToast(other, 'alert', [
    'Error',
    'Somebody else has changed one of these documents meanwhile. Nothing was changed: they are shown as they are now.',
  ]);
  await expect(list(other).getByRole('option', { checked: true })).toContainText(tidewater.name);
  await other.unroute(/\/documents\/decide$/);
  await other.keyboard.press('Escape');
  await pane(other).getByRole('button', { name: 'Drop', exact: true }).click();
  // Told, not asked for: pages that are told of changes do not ask.
  await expect(group(page, 'Dropped, 1')).toBeVisible({ timeout: 5_000 });
});

test('with four eyes, what one person accepted is released by a colleague with the same reach', {
  tag: '@full',
}, async ({ signIn, server }) => {
  const own = await seedFirm(server.origin, { reports: 0 });
  const [larkspur, second] = own.clients;
  const reach = own.clients.map(({ id }) => id);
  const types = own.reportTypes.map(({ id }) => id);
  const colleague = await addPerson(server.origin, 'CPA', reach, types);
  const admin = await signIn(ADMIN, { at: '/permissions' });
  const fourEyes = admin.getByRole('switch', { name: 'Four eyes' });
  await expect(fourEyes).not.toBeChecked();
  await fourEyes.press('Space');
  await readToast(admin, 'status', ['Four eyes are on']);
  await expect(fourEyes).toBeChecked();
  await expect(fourEyes).toBeFocused();
  try {
    const page = await signIn(own.cpa, { at: '/batches' });
    await choose(page, [{ name: 'four eyes.pdf', bytes: await printFile(known(own)) }]);
    await reviewed(page);
    await press(page, 'Accept All Ready (2)');
    await expect(group(page, 'Accepted, 2')).toContainText(larkspur.name);
    await expect(pane(page).getByText('You accepted it, so somebody else releases it.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Release Accepted' })).toBeDisabled();
    expect(await axeFaultsOnTheWay(page)).toEqual([]);

    const other = await signIn(colleague, { at: '/batches' });
    const row = other.getByRole('row').filter({ hasText: 'four eyes.pdf' });
    await expect(row).toContainText(own.cpa.fullName);
    await row.getByRole('link').click();
    // Of the second document the pages alone, which are the third and fourth of the file: a PDF of their own.
    await group(other, 'Accepted, 2').getByRole('option').filter({ hasText: second.name }).click();
    await expect(pane(other).getByRole('group', { name: 'Page 1 of 2' })).toBeVisible();
    await expect.poll(() => pane(other).locator('canvas').first().evaluate(hasInk)).toBe(true);
    await expect(other.getByRole('button', { name: 'Discard' })).toHaveCount(0);
    expect(await axeFaultsOnTheWay(other)).toEqual([]);
    await press(other, 'Release Accepted (2)');
    await other.getByRole('dialog').getByRole('button', { name: 'Release', exact: true }).click();
    await expect(group(other, 'Released, 2')).toBeVisible({ timeout: 30_000 });
  } finally {
    const api = await apiAs(server.origin, ADMIN);
    await api.put('/api/firm-settings', { fourEyes: false });
  }
  const theirs = await signIn(own.cpa, { at: '/permissions' });
  await expect(theirs.getByRole('switch', { name: 'Four eyes' })).toBeDisabled();
});

test('what cannot be read, or is there twice, is said', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn(firm.cpa, { at: '/batches', offline: true });
  const damaged = Buffer.from('%PDF-1.7 and nothing that belongs to one');
  await page.route('**/api/batches/*/read', (route) => route.abort());
  await choose(page, [
    { name: 'damaged.pdf', bytes: damaged },
    { name: 'copy of damaged.pdf', bytes: damaged },
  ]);
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

test('who may not work with batches has none of it', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn(firm.clientUser, { at: '/batches' });
  await expect(page.getByText('You do not have permission to see this.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Batches' })).toHaveCount(0);
  await page.goto('/batches/1');
  await expect(page.getByText('You do not have permission to see this.')).toBeVisible();
});

test('of four thousand documents only those in sight are drawn, and all that are ready are accepted', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn(firm.cpa, { at: '/batches' });
  const many: { id: number; state: string }[] = [];
  await page.route(/\/api\/batches\/\d+\/documents(?:\?|$)/, async (route) => {
    if (many.length === 0) {
      const [first] = (await (await route.fetch()).json()) as { id: number; state: string }[];
      const states = ['toCheck', 'ready', 'ready', 'ready'];
      const name = (nth: number) => `Document ${nth + 1}.pdf`;
      for (let nth = 0; nth < 4000; nth += 1)
        many.push({
          ...first,
          id: nth + 1,
          name: name(nth),
          state: states[Math.floor(nth / 1000)],
        } as (typeof many)[number]);
    }
    const asked = new URL(route.request().url()).searchParams;
    const [from, count] = [Number(asked.get('offset')), Number(asked.get('limit'))];
    await route.fulfill({ json: many.slice(from, from + count), headers: { 'X-Total-Count': '4000' } });
  });
  let accepted = 0;
  await page.route(/\/documents\/decide$/, async (route) => {
    const { ids } = route.request().postDataJSON() as { ids: number[] };
    accepted += ids.length;
    const chosen = new Set(ids);
    const rows = many.filter(({ id }) => chosen.has(id));
    for (const row of rows) row.state = 'accepted';
    await route.fulfill({ json: rows });
  });
  await choose(page, [{ name: 'many.pdf', bytes: await printFile([unknown]) }]);
  await reviewed(page);
  await expect(group(page, 'To check, 1,000')).toBeVisible();
  await list(page).focus();
  for (let nth = 0; nth < 50; nth += 1) await page.keyboard.press('j');
  await expect(selected(page)).toContainText('Document 51.pdf');
  expect(await list(page).getByRole('option').count()).toBeLessThan(60);
  await expect(selected(page)).toBeInViewport();
  await page.getByRole('button', { name: 'Accept All Ready (3,000)' }).click();
  await expect(page.getByText('3000 documents accepted')).toBeVisible();
  expect(accepted).toBe(3000);
  await expect(page.getByRole('button', { name: 'Release Accepted (3,000)' })).toBeEnabled();
});
