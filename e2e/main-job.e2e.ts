// The main job, as three people: an Admin sets the firm up and uploads, a CPA and a Client get what is theirs and no more.
import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { apiAs } from './api.ts';
import { test } from './fixtures.ts';
import { openInTab } from './open-in-tab.ts';
import { makePdf } from './pdf.ts';
import { ADMIN } from './server.ts';

const PASSWORD = 'secret enough';
const clientName = 'Harbor & Pine Bakery LLC';
const otherClientName = 'Acme Plumbing LLC';
const journal = 'HarborPine_PayrollJournal_2026-11-13_PP23.pdf';

// The firm starts with nothing in it.
test.use({ firmName: 'main job', environment: { SUPPORT_EMAIL: '' } });

async function openFromSidebar(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
}

async function fillClient(page: Page, name: string, federalId: string): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name: 'Add New Client' });
  await dialog.getByLabel('Client Name').fill(name);
  await dialog.getByLabel('Address').fill('12 Harbor Street, Portland, ME 04101');
  await dialog.getByLabel('Phone Number').pressSequentially('2075550142');
  await dialog.getByLabel('Federal ID').pressSequentially(federalId);
  await dialog.getByLabel('State ID').fill('ME-88121');
  await dialog.getByLabel('Email').fill('office@example.com');
  await dialog.getByLabel('Number of Employees').fill('12');
  return dialog;
}

async function downloadedBytes(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const arriving = page.waitForEvent('download');
  await press();
  const download = await arriving;
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test('an Admin sets up the firm by its guide, a CPA and a Client get their files and no others', async ({
  signIn,
  server,
}) => {
  const pdf = await makePdf([clientName, 'Payroll Journal', 'Check date 11/13/2026', 'Gross 12,352.50']);
  const admin = await signIn(ADMIN, { byHand: true });
  const guide = admin.getByRole('region', { name: 'First steps' });
  const home = () => openFromSidebar(admin, 'Dashboard');
  const go = (name: string) => guide.getByRole('link', { name, exact: true }).click();
  const expectDone = (count: number) => expect(guide.getByRole('status')).toHaveText(`${count} of 6 done`);

  await test.step('their own password, and where people write to', async () => {
    await expectDone(0);
    await expect(guide).toContainText('where people who cannot sign in write for help');
    await go('Change Password');
    await expect(admin.getByLabel('Current password', { exact: true })).toBeFocused();
    await admin.keyboard.type(ADMIN.password);
    await admin.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await admin.getByLabel('Repeat new password', { exact: true }).fill(PASSWORD);
    await admin.keyboard.press('Enter');
    await expect(admin.getByText('Password changed successfully')).toBeVisible();
    await home();
    await expectDone(1);
    await go('Set Address');
    const address = admin.getByRole('textbox', { name: 'Support address' });
    await expect(address).toBeFocused();
    await expect(address).toBeEditable();
    await admin.keyboard.type('help@example.com');
    await admin.keyboard.press('Enter');
    await expect(admin.getByText('What your firm shows was saved')).toBeVisible();
    await home();
    await expectDone(2);
  });

  await test.step('report types where they are, and clients from the dialog that lacks them', async () => {
    await guide.getByRole('button', { name: 'Add the 17 usual report types' }).click();
    await expectDone(3);
    await admin.goto('/requests');
    await admin.getByRole('button', { name: 'New Request' }).click();
    const request = admin.getByRole('dialog', { name: 'New Request' });
    await request.getByRole('link', { name: 'Add a client' }).click();
    const adding = admin.getByRole('dialog', { name: 'Add New Client' });
    await expect(adding.getByLabel('Client Name')).toBeFocused();
    await expect(request).toBeHidden();
    await admin.keyboard.press('Escape');
    await expect(adding).toBeHidden();
    await home();
    await go('Upload Files');
    const upload = admin.getByRole('dialog', { name: 'Add Data' });
    await upload.getByRole('link', { name: 'Add a client' }).click();
    const dialog = await fillClient(admin, clientName, '001234567');
    await dialog.getByRole('button', { name: 'Save and add another' }).click();
    await expect(admin.getByText('Client created successfully')).toBeVisible();
    await expect(dialog.getByLabel('Client Name')).toBeFocused();
    for (const empty of ['Client Name', 'Address', 'Federal ID', 'Email']) {
      await expect(dialog.getByLabel(empty)).toHaveValue('');
    }
    await fillClient(admin, otherClientName, '007654321');
    await dialog.getByRole('button', { name: 'Save Client' }).click();
    await expect(dialog).toBeHidden();
    for (const name of [clientName, otherClientName]) {
      await expect(admin.getByRole('cell', { name, exact: true })).toBeVisible();
    }
    await home();
    await expectDone(4);
  });

  await test.step('where nobody else is, nobody is offered to take the access over from', async () => {
    await admin.goto('/users?do=add');
    const dialog = admin.getByRole('dialog', { name: 'Add New User' });
    await expect(dialog.getByRole('checkbox', { name: clientName })).toBeVisible();
    await expect(dialog.getByRole('combobox', { name: 'Same access as...' })).toHaveCount(0);
    await admin.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await home();
  });

  const api = await apiAs(server.origin, { ...ADMIN, password: PASSWORD });
  const adminRole = (await api.get<{ id: number; name: string }[]>('/api/roles')).find(({ name }) => name === 'Admin');
  const second = { username: 'second', password: PASSWORD };
  await api.post('/api/users', { ...second, fullName: 'Second Admin', roleId: adminRole?.id });
  const colleague = await signIn(second, { at: null });
  const listening = colleague.context().waitForEvent('response', (answer) => /\/api\/events$/.test(answer.url()));
  await colleague.goto('/');
  await listening;
  const otherGuide = colleague.getByRole('region', { name: 'First steps' });
  const expectDoneForBoth = async (count: number) => {
    await home();
    await expectDone(count);
    // Nobody has touched that page.
    await expect(otherGuide.getByRole('status')).toHaveText(`${count} of 6 done`);
  };

  let clientPassword = '';
  await test.step('a Client with a password that is made, and a CPA after them with the same access', async () => {
    await expect(otherGuide.getByRole('status')).toHaveText('4 of 6 done');
    await go('Add User');
    const dialog = admin.getByRole('dialog', { name: 'Add New User' });
    const role = dialog.getByRole('combobox', { name: 'Role' });
    await expect(role).toHaveValue('Client');
    await expect(dialog.getByText('only where both lists below have it')).toBeVisible();
    await dialog.getByLabel('Username').fill('hank');
    await dialog.getByRole('button', { name: 'Generate' }).click();
    await dialog.getByLabel('Full Name').fill('Hank Mori');
    await dialog.getByRole('button', { name: 'Tick the report types' }).click();
    await dialog.getByRole('checkbox', { name: clientName }).check();
    await dialog.getByRole('button', { name: 'Create User' }).click();
    await expect(admin.getByText('User created successfully')).toBeVisible();
    clientPassword = await dialog.getByLabel('Password of Hank Mori (hank)').inputValue();

    await dialog.getByRole('button', { name: 'Add another' }).click();
    await expect(dialog.getByLabel('Username')).toBeFocused();
    await expect(dialog.getByLabel('Password of Hank Mori (hank)')).toHaveValue(clientPassword);
    await admin.keyboard.type('carla');
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByLabel('Full Name').fill('Carla Reyes');
    await expect(role).toHaveValue('Client');
    await role.click();
    await admin.getByRole('option', { name: 'CPA', exact: true }).click();
    await expect(dialog.getByRole('checkbox', { name: clientName })).toBeChecked();
    await expect(dialog.getByRole('checkbox', { name: 'Payroll Journal' })).toBeChecked();
    await dialog.getByRole('checkbox', { name: 'Must change the password' }).uncheck();
    await dialog.getByRole('button', { name: 'Create User' }).click();
    await expect(dialog).toBeHidden();
    await expect(admin.getByRole('cell', { name: 'Carla Reyes', exact: true })).toBeVisible();
    await expectDoneForBoth(5);
  });

  await test.step('a real PDF, and the guide is done for both Admins', async () => {
    await go('Upload Files');
    const dialog = admin.getByRole('dialog', { name: 'Add Data' });
    await expect(dialog.getByText('No files selected')).toBeVisible();
    await dialog.getByRole('combobox', { name: 'Client Name' }).click();
    await admin.getByRole('option', { name: clientName }).click();
    await dialog.getByRole('combobox', { name: 'Report Type' }).click();
    await admin.getByRole('option', { name: 'Payroll Journal' }).click();
    const choosing = admin.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'Add File' }).click();
    await (await choosing).setFiles({ name: journal, mimeType: 'application/pdf', buffer: pdf });
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
    await expect(admin.getByText('File uploaded successfully')).toBeVisible();
    await expect(dialog).toBeHidden();
    const row = admin.getByRole('row').filter({ hasText: journal });
    await expect(row).toContainText('Report - Payroll Journal');

    await expectDoneForBoth(6);
    await expect(guide).toContainText('Your firm is set up: Hank Mori sees a first report.');
    const opened = admin.waitForEvent('popup');
    await guide.getByRole('button', { name: 'See What Hank Mori Sees' }).click();
    const look = await opened;
    await expect(look.getByRole('region', { name: 'Look' })).toContainText('You are looking as Hank Mori');
    await expect(look.getByRole('link', { name: journal })).toBeVisible();
    await look.close();
    await guide.getByRole('button', { name: 'Dismiss', exact: true }).click();
    await expect(guide).toHaveCount(0);
    await expect(otherGuide).toHaveCount(0);
  });

  const clients = await api.get<{ id: number; name: string }[]>('/api/clients');
  const other = clients.find((client) => client.name === otherClientName)?.id ?? 0;
  const types = await api.get<{ id: number; name: string }[]>('/api/report-types');
  const type = types.find(({ name }) => name === 'Payroll Journal');
  const foreign = await api.upload(
    { clientId: other, fileType: 'report', reportTypeId: type?.id ?? 0 },
    'acme-secret.pdf',
    await makePdf([otherClientName, 'Payroll Journal', 'Check date 11/13/2026', 'Gross 9,000.00']),
  );

  await test.step('the CPA finds the file and downloads the same bytes', async () => {
    const cpa = await signIn({ username: 'carla', password: PASSWORD }, { byHand: true });
    await openFromSidebar(cpa, 'Reports');
    await cpa.getByRole('main').getByRole('button', { name: 'Payroll Journal', exact: true }).click();
    await expect(cpa.getByRole('heading', { name: `Payroll Journal Files for ${clientName}` })).toBeVisible();
    const row = cpa.getByRole('row').filter({ hasText: journal });
    const { name, bytes } = await downloadedBytes(cpa, () => row.getByRole('button', { name: 'Download' }).click());
    expect(name).toBe(journal);
    expect(bytes.equals(pdf)).toBe(true);
    await expect(cpa.getByText('acme-secret.pdf')).toHaveCount(0);
  });

  await test.step('the Client views and downloads it, and gets nothing of another client', async () => {
    const client = await signIn({ username: 'hank', password: clientPassword }, { failures: [404], byHand: true });
    await client.getByLabel('Current password', { exact: true }).fill(clientPassword);
    await client.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await client.getByLabel('Repeat new password', { exact: true }).fill(PASSWORD);
    await client.getByRole('button', { name: 'Change Password' }).click();
    await expect(client.getByRole('banner')).toContainText(clientName);
    await openFromSidebar(client, 'Reports');
    await expect(client.getByText('1 report(s) found')).toBeVisible();
    const row = client.getByRole('row').filter({ hasText: journal });
    const { bytes } = await downloadedBytes(client, () => row.getByRole('button', { name: 'Download' }).click());
    expect(bytes.equals(pdf)).toBe(true);

    await openInTab(client, () => row.getByRole('button', { name: 'View' }).click());

    const typed = await client.request.get(`/api/files/${foreign.id}/download`);
    expect(typed.status()).toBe(404);
    expect(await typed.text()).not.toContain('acme');
    await client.goto(`/client-reports?client=${other}&clientId=${other}`);
    await expect(client.getByText(journal)).toBeVisible();
    await expect(client.getByText('acme-secret.pdf')).toHaveCount(0);
  });

  await test.step('the log has all of it', async () => {
    await openFromSidebar(admin, 'Activity');
    const log = admin.getByRole('table');
    await expect(log.getByRole('row').filter({ hasText: `Downloaded file: ${journal}` })).toHaveCount(2);
    await expect(log.getByRole('row').filter({ hasText: `Viewed file: ${journal}` })).toHaveCount(1);
    await expect(log.getByRole('row').filter({ hasText: `Viewed file: ${journal}` })).toContainText('Hank Mori');
    await expect(log.getByRole('row').filter({ hasText: `Uploaded file: ${journal}` })).toHaveCount(1);
  });
});
