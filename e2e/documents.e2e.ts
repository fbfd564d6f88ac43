// The Firm Documents screen (docs/behaviour.md, Files: Firm Documents): its states, the Document Library, who may delete, and sending documents.
import { expect, type Page } from '@playwright/test';
import { apiAs } from './api.ts';
import { type Firm, seedFirm } from './firm.ts';
import { stepInFull, test } from './fixtures.ts';
import { makePdf } from './pdf.ts';
import { ADMIN } from './server.ts';
import { holdCalls } from './stub.ts';
import { readError, readToast } from './toast.ts';

const LIST = /\/api\/files\?/;
const TYPES = ['Tax Return', 'Financial Statement', 'Supporting Document', 'Correspondence', 'Other'];

let firm: Firm;

test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin, { reports: 0 });
});

const table = (page: Page) => page.getByRole('table', { name: 'Document Library' });
const row = (page: Page, name: string) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: new RegExp(`^${name.replaceAll('.', '[.]')}( New)?$`) }) });

async function sendAs(
  server: { origin: string },
  person: { username: string; password: string },
  clientId: number,
  name: string,
  documentType?: string,
  bytes?: Uint8Array,
): Promise<void> {
  const api = await apiAs(server.origin, person);
  const fields = { clientId, fileType: 'company_document', ...(documentType === undefined ? {} : { documentType }) };
  await api.upload(fields, name, bytes ?? (await makePdf([name])));
}

test('says that it loads, why it fails, and that there is nothing', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn(firm.clientUser, { at: null, failures: [503] });
  await page.route(LIST, (route) =>
    route.fulfill({ status: 503, json: { message: 'The server is busy.', code: 'busy' } }),
  );
  const release = await holdCalls(page, LIST);
  await page.goto('/firm-documents');
  await expect(page.getByText('Loading documents...')).toBeVisible();
  release();
  const fault = page.getByRole('main').getByRole('alert');
  await expect(fault).toContainText('Failed to fetch documents');
  await expect(fault).toContainText('The server is busy.');
  await page.unroute(LIST);
  await fault.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('No documents found', { exact: true })).toBeVisible();
  await expect(page.getByText('Upload documents to get started', { exact: true })).toBeVisible();

  const outsider = await signIn(firm.outsider, { at: '/firm-documents' });
  await expect(
    outsider.getByText("You don't have access to any client details. Please contact your administrator."),
  ).toBeVisible();
  await expect(outsider.getByText('Upload documents to get started')).toHaveCount(0);
  await expect(outsider.getByRole('button', { name: 'Upload Document' })).toHaveCount(0);
  await expect(outsider.getByRole('combobox', { name: 'Select Client' })).toHaveCount(0);
});

test('shows for every document its client, type, size, day and sender', async ({ signIn, server }) => {
  const [client, other] = firm.clients;
  for (const type of TYPES) await sendAs(server, ADMIN, other.id, `A ${type}.pdf`, type);
  await sendAs(server, ADMIN, other.id, 'Untyped.pdf');
  await sendAs(server, ADMIN, client.id, 'Ledger scan.bin', 'Other', new Uint8Array(1_572_864));
  await sendAs(server, ADMIN, firm.stranger.id, 'Not theirs.pdf');

  const page = await signIn(firm.cpa, { at: '/firm-documents' });
  await expect(page.getByRole('heading', { name: 'Document Library' })).toBeVisible();
  await expect(table(page).getByRole('columnheader')).toHaveText([
    '',
    'Document Name',
    'Client',
    'Type',
    'Size',
    'Uploaded',
    'Period',
    'Uploaded By',
    'Actions',
  ]);
  for (const type of TYPES) await expect(row(page, `A ${type}.pdf`).getByRole('cell').nth(3)).toHaveText(type);
  await expect(row(page, 'Untyped.pdf').getByRole('cell').nth(3)).toHaveText('Other');
  const cells = row(page, 'Ledger scan.bin').getByRole('cell');
  await expect(cells.nth(2)).toHaveText(client.name);
  await expect(cells.nth(4)).toHaveText('1.50 MB');
  await expect(cells.nth(5)).toHaveText(/^\d{2}\/\d{2}\/\d{4}$/);
  await expect(cells.nth(7)).toHaveText('Administrator');
  const lines = await cells.nth(7).evaluate((cell) => {
    const range = cell.ownerDocument.createRange();
    range.selectNodeContents(cell);
    return range.getClientRects().length;
  });
  expect(lines, 'no name is broken within a word').toBe(1);
  await expect(page.getByText('Not theirs.pdf')).toHaveCount(0);

  await test.step('the chosen client is in the address', async () => {
    await page.getByRole('combobox', { name: 'Select Client' }).click();
    await page.getByRole('option', { name: client.name, exact: true }).click();
    await expect(page.getByText('1-1 of 1')).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`client=${client.id}`));
    await page.goBack();
    await expect(page.getByText('1-7 of 7')).toBeVisible();
    const bySize = page.getByRole('columnheader', { name: 'Size' });
    await bySize.getByRole('button').click();
    await bySize.getByRole('button').click();
    await expect(bySize).toHaveAttribute('aria-sort', 'descending');
    await expect(table(page).getByRole('row').nth(1)).toContainText('Ledger scan.bin');
  });

  await test.step('who of the client sees each, and whether it was opened, is a column for whoever chooses it, and not read before', async () => {
    const read: string[] = [];
    page.on('request', (request) => read.push(request.url()));
    await page.reload();
    await expect(page.getByText('1-7 of 7')).toBeVisible();
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    const choice = page.getByRole('dialog', { name: 'Columns' });
    await expect(choice.getByRole('checkbox', { name: 'Seen By' })).not.toBeChecked();
    expect(read.filter((url) => url.includes('/api/files/readers'))).toEqual([]);
    await choice.getByRole('checkbox', { name: 'Seen By' }).check();
    await expect(choice.getByRole('button', { name: 'Show all' })).toBeDisabled();
    await expect(choice, 'rows have grown with the column').toBeInViewport();
    await page.keyboard.press('Escape');
    await page.reload();
    await expect(table(page).getByRole('columnheader').nth(8)).toHaveText('Seen By');
    await expect(cells.nth(8)).toHaveText('1 person, not opened');
    await expect(row(page, 'Untyped.pdf').getByRole('cell').nth(8)).toHaveText('Nobody');
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await choice.getByRole('checkbox', { name: 'Seen By' }).uncheck();
    await choice.getByRole('button', { name: 'Show all' }).click();
    await page.keyboard.press('Escape');
    await expect(table(page).getByRole('columnheader')).toHaveCount(10);
  });

  await test.step('a document opens among those of this list, to which its way back leads', async () => {
    await row(page, 'Ledger scan.bin').getByRole('link', { name: 'Ledger scan.bin' }).click();
    const walk = page.getByRole('navigation', { name: 'Files of this list' });
    await expect(walk).toContainText('1 of 7');
    await walk.getByRole('link', { name: 'Back to documents' }).click();
    await expect(page).toHaveURL('/firm-documents?sort=-size');
    await expect(page.getByText('1-7 of 7')).toBeVisible();
  });

  await stepInFull('Client users choose a client too, and so do Admins', async () => {
    const clientPage = await signIn(firm.clientUser, { at: '/firm-documents' });
    await expect(clientPage.getByRole('combobox', { name: 'Select Client' })).toBeVisible();
    await expect(row(clientPage, 'Ledger scan.bin New')).toBeVisible();
    await expect(row(clientPage, 'Untyped.pdf')).toHaveCount(0);
    const admin = await signIn(ADMIN, { at: '/firm-documents' });
    await expect(row(admin, 'Not theirs.pdf')).toBeVisible();
    await expect(admin.getByRole('combobox', { name: 'Select Client' })).toHaveValue('All Clients');
    await expect(row(admin, 'Not theirs.pdf').getByRole('link', { name: 'Not theirs.pdf' })).toBeVisible();
  });
});

test('offers to delete to an Admin and to the sender alone', { tag: '@full' }, async ({ signIn, server }) => {
  const own = await seedFirm(server.origin, { reports: 0 });
  const [client] = own.clients;
  await sendAs(server, own.cpa, client.id, 'From the CPA.pdf');
  await sendAs(server, own.clientUser, client.id, 'From the client.pdf');
  await sendAs(server, own.clientUser, client.id, 'Also from the client.pdf');

  const cpa = await signIn(own.cpa, { at: '/firm-documents' });
  await expect(row(cpa, 'From the CPA.pdf').getByRole('button', { name: /^Delete / })).toBeVisible();
  await expect(row(cpa, 'From the client.pdf').getByRole('button', { name: /^View / })).toBeVisible();
  await expect(row(cpa, 'From the client.pdf').getByRole('button', { name: /^Delete / })).toHaveCount(0);
  await cpa.getByRole('checkbox', { name: 'Select all on this page' }).check();
  const question = cpa.getByRole('dialog');
  await cpa.getByRole('button', { name: 'Delete 1 of 3' }).click();
  await expect(question).toContainText('Are you sure you want to delete this document?');
  await expect(question).toContainText('2 selected files you may not delete will stay.');
  await question.getByRole('button', { name: 'Delete' }).click();
  await readToast(cpa, 'status', ['File deleted successfully']);
  await expect(row(cpa, 'From the CPA.pdf')).toHaveCount(0);
  await expect(cpa.getByRole('region', { name: 'Selected document library' }).getByRole('status')).toHaveText(
    '2 selected',
  );

  const sender = await signIn(own.clientUser, { at: '/firm-documents', failures: [500] });
  const failing = /\/api\/files\/\d+$/;
  await sender.route(failing, (route) =>
    route.fulfill({ status: 500, json: { message: 'Internal Server Error', code: 'internal' } }),
  );
  await sender.getByRole('button', { name: 'Delete From the client.pdf', exact: true }).click();
  await expect(sender.getByRole('dialog')).toContainText('Are you sure you want to delete this document?');
  await sender.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await readError(sender, 'Failed to delete file: Internal Server Error');
  await sender.unroute(failing);

  const admin = await signIn(ADMIN, { at: `/firm-documents?client=${client.id}` });
  for (const name of ['From the client.pdf', 'Also from the client.pdf']) {
    await admin.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
  }
  await admin.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(admin.getByRole('dialog')).toContainText('Are you sure you want to delete these 2 documents?');
  await admin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await readToast(admin, 'status', ['2 files deleted successfully']);
  // The client has none left: nothing was filtered away.
  await expect(admin.getByText('No documents found', { exact: true })).toBeVisible();
  await expect(admin.getByText('Upload documents to get started', { exact: true })).toBeVisible();
  // What had the focus is gone with the rows: the next step has it.
  await expect(admin.getByRole('button', { name: 'Clear Filters' })).toBeFocused();
});

test('Upload Document sends several files at once, under a client and a type', async ({ signIn, server }) => {
  const own = await seedFirm(server.origin, { reports: 0 });
  const page = await signIn(own.cpa, { at: '/firm-documents' });
  await page.getByRole('button', { name: 'Upload Document' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload Document' });
  const submit = dialog.getByRole('button', { name: 'Upload', exact: true });
  await expect(dialog.getByRole('combobox', { name: 'Report Type' })).toHaveCount(0);
  await expect(submit).toBeDisabled();
  await dialog.getByRole('combobox', { name: 'Client Name' }).click();
  await page.getByRole('option', { name: own.clients[0].name, exact: true }).click();
  await dialog.getByRole('combobox', { name: 'Document Type' }).click();
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText(TYPES);
  await page.getByRole('option', { name: 'Correspondence' }).click();
  const choosing = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Add File' }).click();
  const chooser = await choosing;
  expect(chooser.isMultiple()).toBe(true);
  const chosen = ['Letter one.txt', 'Letter two.txt', 'Letter three.txt'];
  await chooser.setFiles(chosen.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })));
  await expect(dialog.getByRole('listitem')).toContainText(chosen);
  await submit.click();
  await readToast(page, 'status', ['File uploaded successfully']);
  await expect(dialog).toBeHidden();
  for (const name of chosen) {
    await expect(row(page, name)).toContainText('Correspondence');
    await expect(row(page, name)).toContainText(own.cpa.fullName);
  }

  await test.step('a drop anywhere opens the dialog too', async () => {
    // As text: the page's own types are not those of a test.
    const dataTransfer = await page.evaluateHandle(`(() => {
      const carried = new DataTransfer();
      carried.items.add(new File(['words'], 'Dropped.txt', { type: 'text/plain' }));
      return carried;
    })()`);
    await page.getByRole('main').dispatchEvent('dragenter', { dataTransfer });
    await page.getByText('Drop files to upload').dispatchEvent('drop', { dataTransfer });
    await expect(dialog.getByRole('listitem')).toContainText(['Dropped.txt']);
  });
});
