// The main job, as three people: an Admin sets the firm up and uploads, a CPA and a Client get what is theirs and no more.
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
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
test.use({ firmName: 'main job' });

async function openFromSidebar(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
}

async function addClient(page: Page, name: string, federalId: string): Promise<void> {
  await page.getByRole('button', { name: 'Add Client' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add New Client' });
  await dialog.getByLabel('Client Name').fill(name);
  await dialog.getByLabel('Address').fill('12 Harbor Street, Portland, ME 04101');
  await dialog.getByLabel('Phone Number').pressSequentially('2075550142');
  await dialog.getByLabel('Federal ID').pressSequentially(federalId);
  await dialog.getByLabel('State ID').fill('ME-88121');
  await dialog.getByLabel('Email').fill('office@example.com');
  await dialog.getByLabel('Number of Employees').fill('12');
  await dialog.getByRole('button', { name: 'Save Client' }).click();
  await expect(page.getByText('Client created successfully')).toBeVisible();
  await expect(page.getByRole('cell', { name, exact: true })).toBeVisible();
}

async function addUser(page: Page, user: { username: string; fullName: string; role: string }): Promise<void> {
  await page.getByRole('button', { name: 'Add User' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add New User' });
  await dialog.getByLabel('Username').fill(user.username);
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByLabel('Full Name').fill(user.fullName);
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: user.role, exact: true }).click();
  await dialog.getByRole('checkbox', { name: clientName }).check();
  await dialog.getByRole('checkbox', { name: 'Payroll Journal' }).check();
  await dialog.getByRole('checkbox', { name: 'Must change the password' }).uncheck();
  await dialog.getByRole('button', { name: 'Create User' }).click();
  await expect(page.getByText('User created successfully')).toBeVisible();
  await expect(page.getByRole('cell', { name: user.fullName, exact: true })).toBeVisible();
}

async function downloadedBytes(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const arriving = page.waitForEvent('download');
  await press();
  const download = await arriving;
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test('an Admin sets up the firm, a CPA and a Client get their files and no others', async ({ signIn, server }) => {
  const pdf = await makePdf([clientName, 'Payroll Journal', 'Check date 11/13/2026', 'Gross 12,352.50']);
  const admin = await signIn(ADMIN, { byHand: true });

  await test.step('the Admin adds clients, a report type and users', async () => {
    await openFromSidebar(admin, 'Clients');
    await expect(admin.getByText('No clients found. Add a client to get started.')).toBeVisible();
    await addClient(admin, clientName, '001234567');
    await addClient(admin, otherClientName, '007654321');

    await openFromSidebar(admin, 'Report Types');
    await admin.getByRole('button', { name: 'Add Report Type' }).click();
    const dialog = admin.getByRole('dialog', { name: 'Add Report Type' });
    await dialog.getByRole('textbox').fill('  Payroll Journal ');
    await dialog.getByRole('button', { name: 'Add', exact: false }).last().click();
    await expect(admin.getByText('Report type added successfully')).toBeVisible();
    await expect(admin.getByRole('cell', { name: 'Payroll Journal', exact: true })).toBeVisible();

    await openFromSidebar(admin, 'Users');
    await addUser(admin, { username: 'carla', fullName: 'Carla Reyes', role: 'CPA' });
    await addUser(admin, { username: 'hank', fullName: 'Hank Mori', role: 'Client' });
  });

  await test.step('the Admin uploads a real PDF', async () => {
    await openFromSidebar(admin, 'File Upload');
    await admin.getByRole('button', { name: 'Upload Files' }).click();
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
  });

  const api = await apiAs(server.origin);
  const clients = await api.get<{ id: number; name: string }[]>('/api/clients');
  const other = clients.find((client) => client.name === otherClientName)?.id ?? 0;
  const [type] = await api.get<{ id: number }[]>('/api/report-types');
  const foreign = await api.upload(
    { clientId: other, fileType: 'report', reportTypeId: type?.id ?? 0 },
    'acme-secret.pdf',
    await makePdf([otherClientName, 'Payroll Journal', 'Check date 11/13/2026', 'Gross 9,000.00']),
  );

  await test.step('the CPA finds the file and downloads the same bytes', async () => {
    const cpa = await signIn({ username: 'carla', password: PASSWORD }, { byHand: true });
    await openFromSidebar(cpa, 'Reports');
    await expect(cpa.getByRole('heading', { name: `Payroll Journal Files for ${clientName}` })).toBeVisible();
    const row = cpa.getByRole('row').filter({ hasText: journal });
    const { name, bytes } = await downloadedBytes(cpa, () => row.getByRole('button', { name: 'Download' }).click());
    expect(name).toBe(journal);
    expect(bytes.equals(pdf)).toBe(true);
    await expect(cpa.getByText('acme-secret.pdf')).toHaveCount(0);
  });

  await test.step('the Client views and downloads it, and gets nothing of another client', async () => {
    const client = await signIn({ username: 'hank', password: PASSWORD }, { failures: [404], byHand: true });
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
