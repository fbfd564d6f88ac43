// What a person reads when something worked, and what they must confirm before something is deleted for good (`done` and `confirmations` of web/lib/messages.ts, and what screens say beside them).
import { expect, type Page } from '@playwright/test';
import { type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { makePdf } from './pdf.ts';
import { ADMIN } from './server.ts';
import { readToast } from './toast.ts';

// Many rows for one sign-in: long on a busy machine.
test.describe.configure({ timeout: 120_000 });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const readSuccess = (page: Page, text: string) => readToast(page, 'status', [text]);

/** The number that the names of this firm carry. */
const tagOf = (firm: Firm) => firm.clients[0].name.split(' ').at(-1) ?? '';

async function saveIn(page: Page, dialogName: string, submit: string, message: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: dialogName });
  await dialog.getByRole('button', { name: submit, exact: true }).click();
  await readSuccess(page, message);
  await expect.soft(dialog).toBeHidden();
}

interface Deletion {
  /** Whose delete button is pressed. */
  readonly name: string;
  readonly question: string;
  readonly message: string;
}

/** Cancels twice, by button and by key, which sends nothing; then confirms. */
async function deleteAfterAsking(page: Page, { name, question, message }: Deletion): Promise<void> {
  const sent: string[] = [];
  const note = (request: { method(): string; url(): string }) => {
    if (request.method() === 'DELETE') sent.push(request.url());
  };
  page.on('request', note);
  const opener = button(page, `Delete ${name}`);
  const dialog = page.getByRole('dialog');
  await opener.click();
  await expect.soft(dialog.getByText(question, { exact: true })).toBeVisible();
  await expect.soft(dialog).toContainText(name);
  await expect.soft(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.soft(dialog).toBeHidden();
  await expect.soft(opener).toBeFocused();
  await page.keyboard.press('Enter');
  await expect.soft(dialog.getByText(question, { exact: true })).toBeVisible();
  await expect.soft(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect.soft(dialog).toBeHidden();
  await expect.soft(opener).toBeFocused();
  expect.soft(sent, `nothing is sent before ${name} is given up`).toEqual([]);

  await opener.click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await readSuccess(page, message);
  await expect.soft(opener).toHaveCount(0);
  expect.soft(sent).toHaveLength(1);
  page.off('request', note);
}

async function download(page: Page, name: string, words: readonly string[]): Promise<void> {
  const saving = page.waitForEvent('download');
  await button(page, `Download ${name}`).first().click();
  expect.soft((await saving).suggestedFilename()).toBe(name);
  await readToast(page, 'status', words);
}

async function upload(page: Page, opener: string, dialogName: string, name: string): Promise<void> {
  await button(page, opener).click();
  const dialog = page.getByRole('dialog', { name: dialogName });
  const choosing = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Add File' }).click();
  await (await choosing).setFiles({ name, mimeType: 'application/pdf', buffer: await makePdf([name]) });
  await saveIn(page, dialogName, 'Upload', 'File uploaded successfully');
}

test('what an Admin adds, changes and deletes', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 0 });
  const tag = tagOf(firm);
  const admin = await signIn(ADMIN);

  await test.step('clients', async () => {
    const name = `Fernhill Optics ${tag}`;
    await admin.goto(`/clients?q=${encodeURIComponent(name)}`);
    await button(admin, 'Add Client').click();
    const dialog = admin.getByRole('dialog');
    await dialog.getByLabel('Client Name').fill(name);
    await dialog.getByLabel('Address').fill('4 Orchard Lane, Dayton, OH 45402');
    await dialog.getByLabel('Phone Number').pressSequentially('9375550114');
    await dialog.getByLabel('Federal ID').pressSequentially('081112224');
    await dialog.getByLabel('State ID').fill('OH-41');
    await dialog.getByLabel('Email').fill('books@example.com');
    await saveIn(admin, 'Add New Client', 'Save Client', 'Client created successfully');
    await button(admin, `Edit ${name}`).click();
    await dialog.getByLabel('Address').fill('5 Orchard Lane, Dayton, OH 45402');
    await saveIn(admin, 'Edit Client', 'Save Client', 'Client updated successfully');
    await deleteAfterAsking(admin, {
      name,
      question: 'Are you sure you want to delete this client? This will also delete all associated files and users.',
      message: 'Client deleted successfully',
    });
  });

  await test.step('users', async () => {
    const username = `fern.${tag}`;
    const fullName = `Fern Abara ${tag}`;
    await admin.goto(`/users?q=${username}`);
    await button(admin, 'Add User').click();
    const dialog = admin.getByRole('dialog');
    await dialog.getByLabel('Username').fill(username);
    await dialog.getByLabel('Password', { exact: true }).fill('secret enough');
    await dialog.getByLabel('Full Name').fill(fullName);
    await dialog.getByRole('combobox', { name: 'Role' }).click();
    await admin.getByRole('option', { name: 'CPA', exact: true }).click();
    await saveIn(admin, 'Add New User', 'Create User', 'User created successfully');
    await button(admin, `Edit ${fullName}`).click();
    await dialog.getByLabel('Password', { exact: true }).fill('another secret');
    await saveIn(admin, 'Edit User', 'Update User', 'User updated successfully');
    await deleteAfterAsking(admin, {
      name: fullName,
      question: 'Are you sure you want to delete this user?',
      message: 'User deleted successfully.',
    });
  });

  await test.step('roles', async () => {
    const name = `Bookkeeper ${tag}`;
    await admin.goto(`/roles?q=${tag}`);
    await button(admin, 'Add Role').click();
    await admin.getByRole('dialog').getByRole('textbox').fill(name);
    await saveIn(admin, 'Add Role', 'Create Role', 'Role created successfully');
    await button(admin, `Edit ${name}`).click();
    await admin.getByRole('dialog').getByRole('textbox').fill(`Senior ${name}`);
    await saveIn(admin, 'Edit Role', 'Update Role', 'Role updated successfully');
    await deleteAfterAsking(admin, {
      name: `Senior ${name}`,
      question: 'Are you sure you want to delete this role? This action cannot be undone.',
      message: 'Role deleted successfully',
    });
  });

  await test.step('report types', async () => {
    const name = `W-2 ${tag}`;
    await admin.goto(`/report-types?q=${encodeURIComponent(name)}`);
    await button(admin, 'Add Report Type').click();
    await admin.getByRole('dialog').getByRole('textbox').fill(name);
    await saveIn(admin, 'Add Report Type', 'Add', 'Report type added successfully');
    await deleteAfterAsking(admin, {
      name,
      question: 'Are you sure you want to delete this report type?',
      message: 'Report type deleted successfully',
    });
  });
});

test('files and documents, sent, saved and deleted', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 1 });
  const [client] = firm.clients;
  const journal = firm.reports[0]?.name ?? '';
  const [admin, cpa, clientUser] = await Promise.all([signIn(ADMIN), signIn(firm.cpa), signIn(firm.clientUser)]);

  await test.step('files', async () => {
    const name = `Payroll ${tagOf(firm)}.pdf`;
    await admin.goto(`/file-upload?client=${client.id}`);
    await upload(admin, 'Upload Files', 'Add Data', name);
    await download(admin, name, ['File downloaded successfully']);
    await deleteAfterAsking(admin, {
      name,
      question: 'Are you sure you want to delete this file?',
      message: 'File deleted successfully',
    });
  });

  await test.step('documents', async () => {
    const name = `Return ${tagOf(firm)}.pdf`;
    await clientUser.goto('/firm-documents');
    await upload(clientUser, 'Upload Document', 'Upload Document', name);
    await download(clientUser, name, ['File downloaded successfully']);
    await deleteAfterAsking(clientUser, {
      name,
      question: 'Are you sure you want to delete this document?',
      message: 'File deleted successfully',
    });
  });

  await test.step('reports', async () => {
    await cpa.goto('/cpa-dashboard');
    await download(cpa, journal, ['File downloaded successfully']);
    await clientUser.goto('/client-reports');
    await download(clientUser, journal, ['File downloaded successfully']);
  });

  await test.step('the overview', async () => {
    await admin.goto('/');
    await download(admin, journal, ['Success', 'File downloaded successfully']);
    await admin.getByRole('tab', { name: 'Recent Uploads' }).click();
    await download(admin, journal, ['Success', 'File downloaded successfully']);
  });
});
