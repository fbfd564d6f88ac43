// Deleting without regret: Undo in the toast of every list that deletes, and the screen of the trash.
import { expect, type Page } from '@playwright/test';
import { apiAs } from './api.ts';
import { axeFaultsOnTheWay } from './axe.ts';
import { type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { changeAnswers, failCalls, holdCalls } from './stub.ts';
import { notifications, readError, readToast, toastOf } from './toast.ts';

let firm: Firm;

test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin, { reports: 3 });
});

const dialogOf = (page: Page) => page.getByRole('dialog');
const undo = (page: Page) => notifications(page).getByRole('button', { name: 'Undo' });
const table = (page: Page) => page.getByRole('table', { name: 'Trash' });

async function confirmDeletion(page: Page, by: string): Promise<void> {
  const day = new Date(Date.now() + 30 * 24 * 60 * 60_000);
  const date = day.toLocaleDateString('en-US', { day: '2-digit', month: '2-digit', year: 'numeric' });
  await expect(dialogOf(page).getByText(`can be restored from the Trash until ${date}, by ${by}.`)).toBeVisible();
  await dialogOf(page).getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(dialogOf(page)).toHaveCount(0);
}

test('a wrong delete of one file is undone by one click', async ({ signIn }) => {
  const [report] = firm.reports;
  const page = await signIn(firm.cpa, { at: `/file-upload?q=${report?.name}` });
  const row = page.getByRole('row').filter({ hasText: report?.name ?? 'none' });
  await row.getByRole('button', { name: `Delete ${report?.name}` }).click();
  await expect(dialogOf(page)).toContainText('Are you sure you want to delete this file?');
  await confirmDeletion(page, 'whoever may delete it');
  await expect(row).toHaveCount(0);
  await expect(toastOf(page, 'status').getByRole('paragraph')).toHaveText('File deleted successfully');

  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await undo(page).click();
  await readToast(page, 'status', ['File restored successfully']);
  await expect(row).toHaveCount(1);
});

test('Undo is reached by the keyboard: by its keys, and by Tab, while the toast waits for who is in it', {
  tag: '@full',
}, async ({ signIn }) => {
  const [, report] = firm.reports;
  const page = await signIn(firm.cpa, { at: '/file-upload?q=Journal' });
  const row = page.getByRole('row').filter({ hasText: report?.name ?? 'none' });
  const remove = async () => {
    await row.getByRole('button', { name: `Delete ${report?.name}` }).click();
    await confirmDeletion(page, 'whoever may delete it');
    await expect(undo(page)).toBeVisible();
  };
  await remove();
  // A tick box takes no text, so the keys are not meant for it.
  await page.getByRole('checkbox', { name: 'Select all on this page' }).focus();
  await page.keyboard.press('Control+z');
  await readToast(page, 'status', ['File restored successfully']);
  await expect(row).toHaveCount(1);
  await remove();
  await undo(page).focus();
  await page.keyboard.press('Enter');
  await readToast(page, 'status', ['File restored successfully']);
  await expect(row).toHaveCount(1);
});

test('several files come back together, from the page of one file too, and documents as well', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn(firm.cpa, { at: '/file-upload?q=Journal' });
  await expect(page.getByRole('row')).toHaveCount(4);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(dialogOf(page).getByText('They can be restored')).toBeVisible();
  await confirmDeletion(page, 'whoever may delete them');
  await expect(toastOf(page, 'status').getByRole('paragraph')).toHaveText('3 files deleted successfully');
  await undo(page).click();
  await readToast(page, 'status', ['3 files restored successfully']);
  await expect(page.getByRole('row')).toHaveCount(4);

  const [report] = firm.reports;
  await page.goto(`/cpa-dashboard/report/${report?.id}`);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await confirmDeletion(page, 'whoever may delete it');
  await undo(page).click();
  await readToast(page, 'status', ['File restored successfully']);
  await page.goto(`/cpa-dashboard/report/${report?.id}`);
  await expect(page.getByRole('heading', { name: report?.name ?? '' })).toBeVisible();
});

test('a Client takes back the deletion of an own document', { tag: '@full' }, async ({ signIn, server }) => {
  const own = await apiAs(server.origin, firm.clientUser);
  const fields = { clientId: firm.clients[0].id, fileType: 'company_document', documentType: 'Correspondence' };
  await own.upload(fields, 'Letter.txt', Buffer.from('Dear firm'));
  const page = await signIn(firm.clientUser, { at: '/firm-documents' });
  await page.getByRole('button', { name: 'Delete Letter.txt' }).click();
  await confirmDeletion(page, 'you or an Admin');
  await undo(page).click();
  await readToast(page, 'status', ['File restored successfully']);
  await expect(page.getByRole('button', { name: 'Delete Letter.txt' })).toBeVisible();
  await page.goto('/trash');
  // Whoever may delete no client reads of none.
  await expect(page.getByText(/^Deleted files are here for \d+ days$/)).toBeVisible();
  const kinds = page.getByRole('combobox', { name: 'Kind' }).getByRole('option');
  await expect(kinds).toHaveText(['All Kinds', 'Reports', 'Company Documents']);
});

test('the trash lists what was deleted, and restores a client with its people', async ({ signIn }) => {
  const [client] = firm.clients;
  const page = await signIn(ADMIN, { at: `/clients?q=${client.name}` });
  await page.getByRole('button', { name: `Delete ${client.name}` }).click();
  await confirmDeletion(page, 'an Admin');
  await expect(undo(page)).toBeVisible();
  await undo(page).click();
  await readToast(page, 'status', ['Client restored successfully']);
  await expect(page.getByRole('button', { name: `Delete ${client.name}` })).toBeVisible();

  await page.getByRole('button', { name: `Delete ${client.name}` }).click();
  await confirmDeletion(page, 'an Admin');
  await page.getByRole('navigation').getByRole('link', { name: 'Trash' }).click();
  await expect(page.getByRole('main').getByRole('heading', { name: 'Trash' })).toBeVisible();
  await test.step('a question goes with the page that it was asked on', async () => {
    await page.getByRole('button', { name: `Delete ${client.name} for ever` }).click();
    await expect(dialogOf(page)).toContainText('for ever?');
    await page.goBack();
    await expect(page).toHaveURL(/\/clients\?q=/);
    await expect(dialogOf(page)).toHaveCount(0);
    await page.goForward();
    await expect(page.getByRole('main').getByRole('heading', { name: 'Trash' })).toBeVisible();
  });
  await page.getByRole('searchbox', { name: 'Search the trash' }).fill(client.name);
  const row = table(page).getByRole('row').filter({ hasText: client.name });
  await expect(row).toContainText('Client with');
  const pass = await changeAnswers(page, /\/api\/clients\/\d+\/restore$/, (back: object) => ({
    ...back,
    withoutType: 2,
  }));
  await row.getByRole('button', { name: `Restore ${client.name}` }).click();
  const lost = '2 reports came back without a type: their type was deleted meanwhile.';
  await readToast(page, 'status', [`Client restored successfully. ${lost}`]);
  await pass();
  await expect(page.getByText('Nothing in the trash matches your search and filters.')).toBeVisible();
  // Same person, same password.
  await signIn(firm.clientUser, { at: '/client-reports' });
});

test('what a colleague deleted is restored together, and an Admin ends the rest for ever', async ({
  signIn,
  server,
}) => {
  const own = await seedFirm(server.origin, { reports: 4 });
  const [kept, back, ended, quick] = own.reports;
  for (const { id } of own.reports) await own.api.delete(`/api/files/${id}`);
  const cpa = await signIn(own.cpa, { at: '/trash', failures: [409] });
  // Four rows below that of the names.
  await expect(table(cpa).getByRole('row')).toHaveCount(5);
  await test.step('of two that are restored one after the other, both say what came of it', async () => {
    const ofEnded = new RegExp(`/api/files/${ended?.id}/restore$`);
    const pass = await failCalls(cpa, ofEnded, { status: 409, message: 'The vault is shut.' });
    const release = await holdCalls(cpa, ofEnded);
    const slow = cpa.getByRole('button', { name: `Restore ${ended?.name}` });
    await slow.click();
    await cpa.getByRole('button', { name: `Restore ${quick?.name}` }).click();
    await readToast(cpa, 'status', ['File restored successfully']);
    await expect(slow, 'is under way still').toBeDisabled();
    release();
    await readError(cpa, 'Failed to restore file: The vault is shut.');
    await expect(slow).toBeEnabled();
    await pass();
    await expect(table(cpa).getByRole('row')).toHaveCount(4);
  });
  await expect(cpa.getByRole('button', { name: /for ever$/ })).toHaveCount(0);
  for (const file of [kept, back]) await cpa.getByRole('checkbox', { name: `Select ${file?.name}` }).check();
  await cpa.getByRole('button', { name: 'Restore', exact: true }).last().click();
  await readToast(cpa, 'status', ['2 restored successfully']);
  await expect(table(cpa).getByRole('row')).toHaveCount(2);

  const page = await signIn(ADMIN, { at: `/trash?q=${ended?.name}`, failures: [409] });
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('Reports');
  const row = table(page).getByRole('row').filter({ hasText: own.clients[0].name });
  const [client] = own.clients;
  const link = row.getByRole('link', { name: client.name });
  await expect(link).toHaveAttribute('href', `/clients/${client.id}`);
  await row.getByRole('button', { name: `Delete ${ended?.name} for ever` }).click();
  await expect(dialogOf(page)).toContainText('Nobody can restore it after this.');
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await dialogOf(page).getByRole('button', { name: 'Delete for Ever' }).click();
  await readToast(page, 'status', ['Deleted for ever']);
  await expect(row).toHaveCount(0);
  await page.getByRole('button', { name: 'Clear Filters' }).click();
  await expect(page).toHaveURL(/\/trash$/);

  await test.step('of several, what does not fit or cannot go is left and named, and the others are done', async () => {
    const client = { name: `Leaving Elm ${own.clients[0].name}`, address: '4 Elm Street, Dayton, OH 45402' };
    const { id: clientId } = await own.api.post<{ id: number }>('/api/clients', {
      ...client,
      phone: '(937)-555-0119',
      federalId: '08-1112229',
      stateId: 'OH-9',
      email: 'elm@example.com',
      employeeCount: 1,
      startDate: '2025-01-31',
    });
    const trashed = async (name: string, ofClient: number) => {
      const fields = { clientId: ofClient, fileType: 'company_document', documentType: 'Correspondence' };
      const { id } = await own.api.upload(fields, name, Buffer.from(name));
      await own.api.delete(`/api/files/${id}`);
      return { id, name };
    };
    const fits = await trashed('Leaving and back.txt', own.clients[0].id);
    const stays = await trashed('Leaving last.txt', own.clients[0].id);
    const homeless = await trashed('Leaving homeless.txt', clientId);
    await own.api.delete(`/api/clients/${clientId}`);
    await page.goto('/trash?q=Leaving');
    await expect(table(page).getByRole('row')).toHaveCount(5);
    const ofHomeless = table(page).getByRole('row').filter({ hasText: homeless.name });
    await expect(ofHomeless.getByRole('link'), 'it has no page').toHaveCount(0);
    const tick = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();

    for (const { name } of [fits, homeless]) await tick(name);
    await page.getByRole('button', { name: 'Restore', exact: true }).last().click();
    await readError(
      page,
      `Failed to restore: ${homeless.name} (The client of this file is in the trash. Restore the client first, or choose another client for the file.) 1 is done, 1 is not.`,
    );
    await expect(table(page).getByRole('row')).toHaveCount(4);
    await expect(page.getByRole('button', { name: `Restore ${fits.name}` })).toHaveCount(0);

    // The one that was not restored is ticked still.
    for (const name of [stays.name, client.name]) await tick(name);
    const pass = await failCalls(page, new RegExp(`/api/files/${stays.id}/purge$`), {
      status: 409,
      message: 'The vault is shut.',
    });
    const forEver = page.getByRole('button', { name: 'Delete for Ever', exact: true }).last();
    await forEver.click();
    await expect(dialogOf(page)).toContainText('Delete 3 for ever?');
    await expect(dialogOf(page)).toContainText('With a client go its people, and all of its files');
    await expect(dialogOf(page)).toContainText('Nobody can restore them after this.');
    await dialogOf(page).getByRole('button', { name: 'Delete for Ever' }).click();
    await readError(page, `Failed to delete for ever: ${stays.name} (The vault is shut.) 2 are done, 1 is not.`);
    await expect(table(page).getByRole('row')).toHaveCount(2);
    await pass();
    await forEver.click();
    await expect(dialogOf(page)).toContainText(`Delete ${stays.name} for ever?`);
    await dialogOf(page).getByRole('button', { name: 'Delete for Ever' }).click();
    await readToast(page, 'status', ['Deleted for ever']);
    await expect(page.getByText('Nothing in the trash matches your search and filters.')).toBeVisible();
  });
});

test('what does not fit any more asks where to, and comes back there', async ({ signIn }) => {
  const [, other] = firm.clients;
  const name = `Elder Street ${Date.now()}`;
  const facts = {
    name,
    address: '4 Elder Street, Dayton, OH 45402',
    phone: '(937)-555-0119',
    federalId: '08-1112229',
    stateId: 'OH-9',
    email: 'elder@example.com',
    employeeCount: 1,
    startDate: '2025-01-31',
  };
  const { id } = await firm.api.post<{ id: number }>('/api/clients', facts);
  const fields = { clientId: id, fileType: 'company_document', documentType: 'Correspondence' };
  const file = await firm.api.upload(fields, 'Homeless.txt', Buffer.from('Dear firm'));
  await firm.api.delete(`/api/files/${file.id}`);
  await firm.api.delete(`/api/clients/${id}`);
  await firm.api.post('/api/clients', facts);

  const page = await signIn(ADMIN, { at: '/trash?q=Homeless', failures: [409, 409] });
  await page.getByRole('button', { name: 'Put Homeless.txt on hold' }).click();
  await dialogOf(page).getByRole('textbox', { name: 'Why' }).fill('Audit');
  await dialogOf(page).getByRole('button', { name: 'Put on Hold' }).click();
  await readToast(page, 'status', ['The hold is set']);
  await expect(table(page).getByRole('row').nth(1)).toContainText('On hold');
  await expect(page.getByRole('button', { name: 'Delete Homeless.txt for ever' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Lift the hold on Homeless.txt' }).click();
  await dialogOf(page).getByRole('button', { name: 'Lift Hold' }).click();
  await readToast(page, 'status', ['Hold lifted']);
  const restore = dialogOf(page).getByRole('button', { name: 'Restore', exact: true });
  await page.getByRole('button', { name: 'Restore Homeless.txt' }).click();
  await expect(dialogOf(page)).toContainText('The client of this file is in the trash');
  await expect(restore).toBeDisabled();
  await dialogOf(page).getByRole('combobox', { name: 'Client' }).fill(other.name);
  await page.getByRole('option', { name: other.name }).click();
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await restore.click();
  await readToast(page, 'status', ['File restored successfully']);

  const taken = 'Another client, with the federal ID 08-1112229, has this name by now';
  await page.goto(`/trash?q=${name}`);
  await test.step('whoever has left the page by then is told by a toast', async () => {
    const answer = await holdCalls(page, /\/api\/clients\/\d+\/restore$/);
    await page.getByRole('button', { name: `Restore ${name}` }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Activity', exact: true }).click();
    await expect(page.getByRole('table', { name: 'Activity Log' })).toBeVisible();
    answer();
    await expect(toastOf(page, 'alert')).toContainText(`Failed to restore client: ${taken}`);
    await page.goto(`/trash?q=${name}`);
  });
  await page.getByRole('button', { name: `Restore ${name}` }).click();
  await expect(dialogOf(page)).toContainText(taken);
  // Nothing was typed: nothing is asked.
  await dialogOf(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(dialogOf(page)).toHaveCount(0);
  await page.getByRole('button', { name: `Restore ${name}` }).click();
  await dialogOf(page).getByRole('textbox', { name: 'Client Name' }).fill(`Portland ${name}`);
  await restore.click();
  await readToast(page, 'status', ['Client restored successfully']);
  await expect(page.getByText('Nothing in the trash matches your search and filters.')).toBeVisible();
});

test('who may delete nothing has no trash in the navigation', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn(firm.outsider, { at: '/' });
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Activity' })).toBeVisible();
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Trash' })).toHaveCount(0);
});

test('what is on hold stays: put with a reason, told to whom it concerns, and lifted', async ({ signIn }) => {
  const [report] = firm.reports;
  const name = report?.name ?? '';
  const page = await signIn(ADMIN, { at: `/file-upload?q=${name}`, failures: [409] });
  await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByRole('button', { name: 'Put on Hold' }).click();
  await dialogOf(page).getByRole('button', { name: 'Put on Hold' }).click();
  await expect(dialogOf(page)).toContainText('Please say why');
  const why = dialogOf(page).getByRole('textbox', { name: 'Why' });
  await why.fill('Audit of 2025');
  // A reason is one line: Enter sends it.
  await why.press('Enter');
  await readToast(page, 'status', ['The hold is set']);
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row.getByRole('img', { name: 'This file is on hold and cannot be deleted' })).toBeVisible();
  await expect(row.getByRole('button', { name: `Delete ${name}` })).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search files by name' }).fill('');
  await page.getByRole('checkbox', { name: 'On hold' }).check();
  // Other files of the firm may be on hold as well; what is not is left out.
  await expect(page.getByText('Hold: On hold')).toBeVisible();
  await expect(row).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: firm.reports[1]?.name ?? '' })).toHaveCount(0);

  const client = await signIn(firm.clientUser, { at: `/cpa-dashboard/report/${report?.id}` });
  await expect(client.getByRole('region', { name: 'On hold' })).toHaveText(
    'This file is on hold and cannot be deleted.',
  );

  await row.getByRole('link', { name, exact: true }).click();
  const notice = page.getByRole('region', { name: 'On hold' });
  await expect(notice).toContainText('Audit of 2025');
  await page.getByRole('button', { name: 'Upload correction' }).click();
  await expect(dialogOf(page)).toContainText('The earlier file is on hold: it cannot be replaced');
  await expect(dialogOf(page).getByRole('checkbox', { name: 'Replace it' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  expect(await axeFaultsOnTheWay(page)).toEqual([]);
  await notice.getByRole('button', { name: 'Lift Hold' }).click();
  await dialogOf(page).getByRole('button', { name: 'Lift Hold' }).click();
  await readToast(page, 'status', ['Hold lifted']);
  await expect(notice).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Put on Hold' })).toBeVisible();

  await page.goto(`/clients/${firm.clients[0].id}`);
  await page.getByRole('button', { name: 'Put on Hold' }).click();
  await dialogOf(page).getByRole('textbox', { name: 'Why' }).fill('A lawsuit');
  await dialogOf(page).getByRole('button', { name: 'Put on Hold' }).click();
  await expect(notice).toContainText('The client is on hold');

  await test.step('a file of it is put on hold too, so that it stays once the client is on hold no more', async () => {
    await page.goto(`/cpa-dashboard/report/${report?.id}`);
    const too = page.getByRole('button', { name: 'Put File on Hold Too' });
    await too.click();
    await expect(dialogOf(page)).toContainText('Its client is on hold already.');
    await dialogOf(page).getByRole('textbox', { name: 'Why' }).fill('Audit of 2026');
    await dialogOf(page).getByRole('button', { name: 'Put on Hold' }).click();
    await readToast(page, 'status', ['The hold is set']);
    await expect(notice).toHaveCount(2);
    await expect(too).toHaveCount(0);
    expect(await axeFaultsOnTheWay(page)).toEqual([]);
    const own = page.getByRole('region', { name: 'On hold', exact: true });
    await own.getByRole('button', { name: 'Lift Hold' }).click();
    await expect(dialogOf(page)).toContainText('Unless another hold keeps it, it may be deleted');
    await dialogOf(page).getByRole('button', { name: 'Lift Hold' }).click();
    await readToast(page, 'status', ['Hold lifted']);
    await expect(own).toHaveCount(0);
    await expect(too).toBeVisible();
    await page.goto(`/clients/${firm.clients[0].id}`);
  });
  await notice.getByRole('button', { name: 'Lift Hold' }).click();
  await dialogOf(page).getByRole('button', { name: 'Lift Hold' }).click();
  await expect(notice).toHaveCount(0);

  await test.step('of several the dialog stays, with its reason, for those that could not be put on hold', async () => {
    const fields = { clientId: firm.clients[0].id, fileType: 'report', reportTypeId: firm.reportTypes[0].id };
    const upload = (file: string) => firm.api.upload(fields, file, Buffer.from(file));
    const [held, stopped] = await Promise.all([upload('Kept aside 1.txt'), upload('Kept aside 2.txt')]);
    await page.goto('/file-upload?q=Kept%20aside');
    for (const nth of [1, 2]) await page.getByRole('checkbox', { name: `Select Kept aside ${nth}.txt` }).check();
    const placing = /\/api\/holds$/;
    await page.route(placing, (route) =>
      route.request().postDataJSON().id === stopped.id
        ? route.fulfill({ status: 409, json: { message: 'It is in use.', code: 'gone_meanwhile' } })
        : route.fallback(),
    );
    await page.getByRole('button', { name: 'Put on Hold' }).click();
    const why = dialogOf(page).getByRole('textbox', { name: 'Why' });
    const put = dialogOf(page).getByRole('button', { name: 'Put on Hold' });
    await why.fill('Audit of 2026');
    await put.click();
    await readError(page, 'Failed to put on hold: Kept aside 2.txt (It is in use.) 1 is done, 1 is not.');
    await expect(page.getByRole('dialog', { name: 'Put Kept aside 2.txt on hold?' })).toBeVisible();
    await expect(why).toHaveValue('Audit of 2026');
    await page.unroute(placing);
    await put.click();
    await readToast(page, 'status', ['The hold is set']);
    await expect(dialogOf(page)).toHaveCount(0);
    for (const { id } of [held, stopped]) {
      const holds = await firm.api.get<{ id: number; reason: string }[]>(`/api/holds?fileId=${id}&inForce=true`);
      expect(holds.map(({ reason }) => reason)).toEqual(['Audit of 2026']);
      for (const hold of holds) await firm.api.post(`/api/holds/${hold.id}/lift`, {});
    }
  });
});
