// A batch that two people work on: what one decides the other sees, and with four eyes one releases what the other accepted.
import { expect, type Page } from '@playwright/test';
import { apiAs } from './api.ts';
import { axeFaultsOnTheWay } from './axe.ts';
import { choose, group, known, list, pane, press, printFile, reviewed, selected, unknown } from './batch-page.ts';
import { seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { hasInk } from './pdf.ts';
import { ADMIN } from './server.ts';
import { holdCalls } from './stub.ts';
import { readToast } from './toast.ts';

test('two people review one batch: what one decides the other sees, and nobody overwrites it', {
  tag: '@full',
}, async ({ signIn, server }) => {
  // Of clients of their own: where another test has filed the same run, nothing is accepted together.
  const { clients, cpa } = await seedFirm(server.origin, { reports: 0 });
  const [larkspur, tidewater] = clients;
  const page = await signIn(cpa, { at: '/batches' });
  const notes = { name: 'notes.txt', bytes: Buffer.from(`Notes ${cpa.id} that name nobody`) };
  await choose(page, [{ name: 'two.pdf', bytes: await printFile([unknown]) }, notes]);
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

  await test.step('Set is about what was there when its dialog opened, and then about what the toast has told of', async () => {
    await list(other).focus();
    await other.keyboard.press('c');
    const dialog = other.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Client' }).fill(tidewater.name);
    await other.getByRole('option', { name: tidewater.name, exact: true }).click();
    await pick(page, larkspur.name);
    await expect(selected(page)).toContainText(larkspur.name);
    // Shown behind the dialog by then; of a colleague's batch it is asked every ten seconds.
    const behind = other.getByRole('listbox', { name: 'Documents', includeHidden: true });
    await expect(behind).toContainText(larkspur.name);
    const set = dialog.getByRole('button', { name: 'Set', exact: true });
    await set.click();
    await readToast(other, 'alert', [
      'Error',
      'Somebody else has changed one of these documents meanwhile. Nothing was changed: they are shown as they are now.',
    ]);
    await set.click();
    await readToast(other, 'status', ['1 document changed']);
    await expect(dialog).toHaveCount(0);
    await expect(selected(other)).toContainText(tidewater.name);
  });

  await test.step('what comes of a colleague while one’s own decision is on its way was not looked at, nor what comes after the toast', async () => {
    const overtaken =
      'Somebody else has changed one of these documents meanwhile. Nothing was changed: they are shown as they are now.';
    await expect(selected(page)).toContainText(tidewater.name);
    await list(other).focus();
    await other.keyboard.press('Shift+ArrowDown');
    await expect(selected(other)).toContainText('notes.txt');
    const decided = await holdCalls(other, /\/documents\/decide$/);
    await pick(other, larkspur.name);
    await list(other).focus();
    await other.keyboard.press('c');
    const dialog = other.getByRole('dialog', { name: 'Set for 2 documents' });
    await dialog.getByRole('combobox', { name: 'Client' }).fill(tidewater.name);
    await other.getByRole('option', { name: tidewater.name, exact: true }).click();
    const behind = other.getByRole('listbox', { name: 'Documents', includeHidden: true });
    const first = behind.getByRole('option', { includeHidden: true }).first();
    await pick(page, larkspur.name);
    await expect(selected(page)).toContainText(larkspur.name);
    decided();
    await expect(first).toContainText(larkspur.name);
    const set = dialog.getByRole('button', { name: 'Set', exact: true });
    await set.click();
    await readToast(other, 'alert', ['Error', overtaken]);
    await pick(page, tidewater.name);
    await expect(first).toContainText(tidewater.name);
    await set.click();
    await readToast(other, 'alert', ['Error', overtaken]);
    await set.click();
    await readToast(other, 'status', ['2 documents changed']);
    await expect(dialog).toHaveCount(0);
  });

  await other.keyboard.press('Escape');
  const drop = pane(other).getByRole('button', { name: 'Drop', exact: true });
  await drop.click();
  // Told, not asked for: pages that are told of changes do not ask.
  await expect(group(page, 'Dropped, 1')).toBeVisible({ timeout: 5_000 });
  await expect(selected(other)).not.toContainText('notes.txt');
  await drop.click();
  // Nothing is left of it to review.
  await expect(page.getByText('All dropped', { exact: true })).toBeVisible();
});

test('with four eyes, what one person accepted is released by a colleague with the same reach', {
  tag: '@full',
}, async ({ signIn, server }) => {
  const own = await seedFirm(server.origin, { reports: 0 });
  const [larkspur, second] = own.clients;
  const reach = own.clients.map(({ id }) => id);
  const types = own.reportTypes.map(({ id }) => id);
  const role = await own.api.post<{ id: number }>('/api/roles', { name: `Releasers ${own.cpa.id}` });
  const capabilities = ['reports.upload', 'batches.manage', 'batches.release'];
  await own.api.put('/api/permissions', { roleId: role.id, capabilities });
  const colleague = { username: `releaser.${own.cpa.id}`, password: 'browser test' };
  const person = { ...colleague, fullName: 'Noa Lindqvist', roleId: role.id };
  await own.api.post('/api/users', { ...person, clientIds: reach, reportTypeIds: types });
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
    const other = await signIn(colleague, { at: '/batches' });
    const row = other.getByRole('row').filter({ hasText: 'four eyes.pdf' });
    await expect(row).toContainText(own.cpa.fullName);
    await press(page, 'Accept All Ready (2)');
    await expect(group(page, 'Accepted, 2')).toContainText(larkspur.name);
    await expect(pane(page).getByText('You accepted it, so somebody else releases it.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Release Accepted' })).toBeDisabled();
    expect(await axeFaultsOnTheWay(page)).toEqual([]);

    // Their list has what is decided meanwhile: of a colleague's batch it is asked every ten seconds.
    await expect(row).toContainText('2 accepted');
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
    // Who may not delete reports recalls none, and who reads no log of others does not read that nobody opened it.
    await expect(pane(other).getByText('You do not see what others open.')).toBeVisible();
    await expect(other.getByRole('button', { name: /^Recall/ })).toHaveCount(0);
  } finally {
    const api = await apiAs(server.origin, ADMIN);
    await api.put('/api/firm-settings', { fourEyes: false });
  }
  const theirs = await signIn(own.cpa, { at: '/permissions' });
  await expect(theirs.getByRole('switch', { name: 'Four eyes' })).toBeDisabled();
});
