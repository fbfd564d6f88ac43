// The dialog of a client: adding, changing, other names, and what of it is not lost.
import { expect, type Page } from '@playwright/test';
import { apiAs } from './api.ts';
import { addClient, facts, LIST, pressOnAndOn, row, search } from './clients-page.ts';
import { letPass, letPassUntil, stopClock } from './clock.ts';
import { UNREACHABLE } from './failing-calls.ts';
import { seedFirm } from './firm.ts';
import { stepInFull, test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { holdCalls, listenForCalls, loseAnswer } from './stub.ts';
import { readError, readToast, SAVED_BEFORE, toastOf } from './toast.ts';

/** MM/DD/YYYY of today, as the browser's clock has it. */
const today = (page: Page) =>
  page.evaluate(() => new Date().toLocaleDateString('en-US', { month: '2-digit', day: '2-digit', year: 'numeric' }));

/** Pastes a number from elsewhere, with country code, where the focus is. */
const PASTE_NUMBER = `
  const clipboardData = new DataTransfer();
  clipboardData.setData('text', '+1 937 555 0123');
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
`;

test('a client is added: defaults, faults at their fields, busy, and a fresh form the next time', async ({
  signIn,
  server,
}) => {
  const page = await signIn(ADMIN, { at: null, fresh: true, offline: true });
  await page.clock.install();
  await page.goto('/clients?q=aster');
  const opener = page.getByRole('button', { name: 'Add Client' });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: 'Add New Client' });
  const field = (label: string) => dialog.getByLabel(label, { exact: true });
  await expect(field('Client Name')).toBeFocused();
  await expect(field('Client Name')).toHaveAttribute('placeholder', 'Company name');
  await expect(field('Address')).toHaveAttribute('placeholder', 'Full address');
  await expect(field('Phone Number')).toHaveAttribute('placeholder', '(XXX)-XXX-XXXX');
  await expect(field('Federal ID')).toHaveAttribute('placeholder', 'XX-XXXXXXX');
  await expect(field('State ID')).toHaveAttribute('placeholder', 'State ID number');
  await expect(field('Number of Employees')).toHaveValue('0');
  await expect(field('Start Date')).toHaveValue(await today(page));
  await expect(dialog.locator('label')).toHaveText([
    /^Client Name/,
    /^Address/,
    /^Phone Number/,
    /^Federal ID/,
    /^State ID/,
    /^Email/,
    /^Number of Employees/,
    /^Start Date/,
    'Other Names',
  ]);

  await test.step('every fault is shown at its field, and the first has the focus', async () => {
    await expect(field('Client Name')).toHaveAttribute('aria-required', 'true');
    await field('Client Name').fill('A');
    await field('Address').fill('Oak');
    await field('Phone Number').pressSequentially('93755');
    await field('Federal ID').pressSequentially('12345');
    await field('Email').fill('nobody');
    await field('Number of Employees').fill('-3');
    await dialog.getByRole('button', { name: 'Clear date' }).click();
    await dialog.getByRole('button', { name: 'Save Client' }).click();
    const faults: Record<string, string> = {
      'Client Name': 'Name must be at least 2 characters',
      Address: 'Address must be at least 5 characters',
      'Phone Number': 'Phone must be in format: (XXX)-XXX-XXXX',
      'Federal ID': 'Federal ID must be in format: XX-XXXXXXX',
      'State ID': 'State ID is required',
      Email: 'Invalid email address',
      'Number of Employees': 'Employee count must be a positive number',
      'Start Date': 'Start date is required',
    };
    for (const [label, fault] of Object.entries(faults)) {
      await expect.soft(field(label)).toHaveAccessibleDescription(fault);
      await expect.soft(field(label)).toHaveAttribute('aria-invalid', 'true');
    }
    await expect(field('Client Name')).toBeFocused();
  });

  await test.step('it is saved once, however often the button is pressed', async () => {
    await field('Client Name').fill('Aster & Sons');
    await field('Address').fill('9 Mill Street, Dayton, OH 45402');
    await field('Phone Number').focus();
    await page.evaluate(PASTE_NUMBER);
    await expect(field('Phone Number')).toHaveValue('(937)-555-0123');
    await field('Federal ID').fill('');
    await field('Federal ID').pressSequentially('081234567');
    await field('State ID').fill('OH-77');
    await field('Email').fill('aster@example.com');
    await field('Number of Employees').fill('1204');
    // The calendar opens on request, and Escape closes it alone; what is no date stays to be mended.
    const calendar = page.getByRole('button', { name: 'Next month' });
    await field('Number of Employees').press('Tab');
    await expect(field('Start Date')).toBeFocused();
    await expect(calendar).toBeHidden();
    await page.keyboard.press('Alt+ArrowDown');
    await letPassUntil(page, () => calendar.isVisible());
    await page.keyboard.press('Escape');
    await letPassUntil(page, () => calendar.isHidden());
    await expect(dialog.getByText('Discard unsaved changes?')).toHaveCount(0);
    await field('Start Date').fill('13/45/2026');
    await field('Start Date').press('Tab');
    await expect(field('Start Date')).toHaveValue('13/45/2026');
    await expect(field('Start Date')).toHaveAccessibleDescription('Enter a date as MM/DD/YYYY');
    await field('Start Date').fill('3/1/2024');
    await field('Start Date').press('Tab');
    await expect(field('Start Date')).toHaveValue('03/01/2024');

    const writes = listenForCalls(page, /\/api\/clients$/);
    const go = await holdCalls(page, /\/api\/clients$/);
    await stopClock(page);
    const listed = listenForCalls(page, LIST);
    const stop = await pressOnAndOn(page, 'Save Client');
    await letPass(page, 50);
    await expect(dialog.getByRole('button', { name: 'Saving...' })).toBeDisabled();
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    await page.keyboard.press('Escape');
    await letPass(page, 500);
    await expect(dialog).toBeVisible();
    go();
    await letPassUntil(page, () => toastOf(page, 'status').isVisible());
    await letPass(page, 450);
    await expect(dialog).toBeHidden();
    await stop();
    await expect(opener).toBeFocused();
    // The list is asked for again half a second after the save.
    expect(listed).toHaveLength(0);
    await letPass(page, 50);
    await expect.poll(() => listed.length).toBe(1);
    await readToast(page, 'status', ['Client created successfully']);
    await page.clock.resume();
    await expect(row(page, 'Aster & Sons')).toContainText('(937)-555-0123');
    await expect(row(page, 'Aster & Sons').getByRole('cell')).toHaveText([
      'Aster & Sons',
      'aster@example.com',
      '(937)-555-0123',
      '08-1234567',
      '1,204',
      '03/01/2024',
      '',
    ]);
    expect(writes).toHaveLength(1);
    expect(writes[0]?.postDataJSON()).toMatchObject({
      employeeCount: 1204,
      startDate: '2024-03-01',
      phone: '(937)-555-0123',
    });
  });

  await opener.click();
  await expect(field('Client Name')).toHaveValue('');
  await expect(field('Phone Number')).toHaveValue('');
  await expect(field('Number of Employees')).toHaveValue('0');
  await expect(field('Start Date')).toHaveValue(await today(page));
  await expect(field('Client Name')).toHaveAccessibleDescription('');

  await test.step('one whose answer was lost is not made twice', async () => {
    await field('Client Name').fill('Aster Tile LLC');
    await field('Address').fill('11 Mill Street, Dayton, OH 45402');
    await field('Phone Number').pressSequentially('9375550124');
    await field('Federal ID').pressSequentially('081234568');
    await field('State ID').fill('OH-78');
    await field('Email').fill('tile@example.com');
    await page.route(/\/api\/clients$/, loseAnswer, { times: 1 });
    const save = dialog.getByRole('button', { name: 'Save Client' });
    await save.click();
    await readError(page, `Failed to create client: ${UNREACHABLE}`);
    // The list behind has it already.
    const rows = page.getByRole('row', { includeHidden: true });
    await expect(rows.filter({ hasText: 'Aster Tile LLC' })).toHaveCount(1);
    await save.click();
    await readError(page, `Failed to create client: ${SAVED_BEFORE}`);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(row(page, 'Aster Tile LLC')).toHaveCount(1);
    const api = await apiAs(server.origin);
    const [there] = await api.get<{ id: number }[]>('/api/clients?q=Aster%20Tile');
    await api.delete(`/api/clients/${there?.id}`);
  });
});

test('a client is changed: prefilled, guarded, and the server’s fault is at its field', async ({ signIn, server }) => {
  const api = await apiAs(server.origin);
  const { id, name } = await addClient(api, 'Bramble Print Works');
  const page = await signIn(ADMIN, { at: '/clients', failures: [400, 404] });
  await search(page).fill('bramble');
  await expect(page).toHaveURL(/q=bramble/);
  const opener = page.getByRole('button', { name: `Edit ${name}` });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: 'Edit Client' });
  const field = (label: string) => dialog.getByLabel(label, { exact: true });
  const filled: Record<string, string> = {
    'Client Name': name,
    Address: facts.address,
    'Phone Number': facts.phone,
    'Federal ID': facts.federalId,
    'State ID': facts.stateId,
    Email: facts.email,
    'Number of Employees': '1204',
    'Start Date': '01/31/2025',
  };
  for (const [label, value] of Object.entries(filled)) await expect(field(label)).toHaveValue(value);

  await test.step('work that is not saved is not lost by a slip', async () => {
    await field('Client Name').fill('Bramble Press');
    await page.keyboard.press('Escape');
    await expect(dialog.getByText('Discard unsaved changes?')).toBeVisible();
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await page.goBack();
    await expect(dialog.getByText('Discard unsaved changes?')).toBeVisible();
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await expect(page).toHaveURL(/\/clients\?q=bramble/);
    await expect(field('Client Name')).toHaveValue('Bramble Press');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
    await opener.click();
    await expect(field('Client Name')).toHaveValue(name);
  });

  await test.step('the server refuses a field', async () => {
    await page.route(`**/api/clients/${id}`, (route) =>
      route.fulfill({
        status: 400,
        json: { message: 'Closed street', code: 'invalid', requestId: 'x', fields: { address: 'Closed street' } },
      }),
    );
    await field('Client Name').fill('Bramble Press');
    await dialog.getByRole('button', { name: 'Save Client' }).click();
    await expect(field('Address')).toHaveAccessibleDescription('Closed street');
    await expect(field('Address')).toBeFocused();
    await readError(page, 'Failed to update client: Closed street');
    await page.unrouteAll();
  });

  await dialog.getByRole('button', { name: 'Save Client' }).click();
  await expect(row(page, 'Bramble Press')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit Bramble Press' })).toBeFocused();
  await readToast(page, 'status', ['Client updated successfully']);

  await stepInFull('somebody else has deleted it meanwhile', async () => {
    await page.getByRole('button', { name: 'Edit Bramble Press' }).click();
    await field('State ID').fill('OH-78');
    const { token } = await page.evaluate(() => ({ token: localStorage.getItem('token') }));
    await fetch(`${server.origin}/api/clients/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    });
    await dialog.getByRole('button', { name: 'Save Client' }).click();
    await readError(page, 'Failed to update client: Not found.');
    await expect(row(page, 'Bramble Press')).toHaveCount(0);
    await expect(field('State ID')).toHaveValue('OH-78');
  });
});

test('other names are entered in the dialog, and uploads and searches know the client by them', async ({
  signIn,
  server,
}) => {
  const firm = await seedFirm(server.origin, { reports: 0 });
  const [client] = firm.clients;
  // Letters alone: a number could be the tag of another test.
  const short = `Zq${[...client.name.replace(/\D/g, '')].map((digit) => String.fromCharCode(97 + Number(digit))).join('')}`;
  const page = await signIn(ADMIN, { at: `/clients?q=${encodeURIComponent(client.name)}` });
  const dialog = page.getByRole('dialog', { name: 'Edit Client' });
  const names = dialog.getByLabel('Other Names');

  await page.getByRole('button', { name: `Edit ${client.name}` }).click();
  await names.fill('x');
  await names.press('Enter');
  await dialog.getByRole('button', { name: 'Save Client' }).click();
  await expect(dialog.getByText('Each other name must be at least 2 characters')).toBeVisible();
  await expect(names).toBeFocused();
  await names.press('Backspace');
  await expect(dialog.getByText('Each other name must be at least 2 characters')).toHaveCount(0);
  // Too many are said to be, and none is left out without a word.
  const many = Array.from({ length: 21 }, (_, nth) => `Name ${nth + 1}`);
  await names.fill(many.join(';'));
  await names.press('Enter');
  await expect(dialog.getByText('Name 21', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Save Client' }).click();
  await expect(dialog.getByText('Please enter at most 20 other names')).toBeVisible();
  for (let left = many.length; left > 0; left -= 1) await names.press('Backspace');
  await expect(dialog.getByText('Name 1', { exact: true })).toHaveCount(0);
  // What is typed and not entered yet is not thrown away either.
  await names.fill('Half of');
  await names.press('Escape');
  await expect(dialog.getByText('Discard unsaved changes?')).toBeVisible();
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(dialog.getByText('Half of', { exact: true })).toBeVisible();
  await names.press('Backspace');
  await expect(dialog.getByText('Half of', { exact: true })).toHaveCount(0);
  await names.pressSequentially(`${short};Second Name`);
  await names.press('Enter');
  await dialog.getByRole('button', { name: 'Save Client' }).click();
  await readToast(page, 'status', ['Client updated successfully']);
  await search(page).fill(short.toUpperCase());
  await expect(row(page, client.name)).toContainText(`Also: ${short}`);
  await page.getByRole('link', { name: client.name }).click();
  await expect(page.getByRole('main').getByText(`${short}; Second Name`)).toBeVisible();

  const cpa = await signIn(firm.cpa, { at: '/file-upload' });
  await cpa.getByRole('button', { name: 'Upload Files' }).click();
  const upload = cpa.getByRole('dialog', { name: 'Add Data' });
  const choosing = cpa.waitForEvent('filechooser');
  await upload.getByRole('button', { name: 'Add File' }).click();
  const file = { name: `${short}_journal.txt`, mimeType: 'text/plain', buffer: Buffer.from('Journal') };
  await (await choosing).setFiles(file);
  await expect(upload.getByRole('listitem')).toContainText(`Proposed: ${client.name}`);
});
