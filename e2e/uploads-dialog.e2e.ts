// The dialog to send files (docs/behaviour.md, Files: uploading): what it asks for, who has it, and files that are dropped anywhere.
import { expect } from '@playwright/test';
import { table } from './files-page.ts';
import { addPerson, type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { readError, readToast } from './toast.ts';
import { addFile, choose, drag, freshNames, items, openAddData, submit, textFile } from './uploads-page.ts';

let firm: Firm;

test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin, { reports: 0 });
});

test('Add Data asks for what is needed and no more', async ({ signIn }) => {
  const page = await signIn(firm.cpa, { at: '/file-upload' });
  const dialog = await openAddData(page);
  await expect(dialog.getByText('No files selected')).toBeVisible();
  await expect(dialog.getByRole('combobox', { name: 'Client Name' })).toHaveAttribute(
    'placeholder',
    'Select Client Name',
  );
  await expect(dialog.getByRole('combobox', { name: 'Report Type' })).toHaveAttribute(
    'placeholder',
    'Select Report Type',
  );
  await expect(submit(dialog)).toBeDisabled();
  await expect(submit(dialog), 'no heavier than what can be pressed').toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');

  const [name = ''] = freshNames(1);
  await addFile(page, dialog, textFile(name));
  await expect(items(dialog)).toContainText([name]);
  await expect(submit(dialog), 'no client is chosen').toBeDisabled();
  await choose(page, dialog, 'Client Name', firm.clients[1].name);
  await expect(submit(dialog)).toBeEnabled();
  await dialog.getByRole('button', { name: `Remove ${name}` }).click();
  await expect(dialog.getByText('No files selected')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Add File' })).toBeFocused();
  await expect(submit(dialog), 'no file is picked').toBeDisabled();
  // The same file again, after it was removed.
  await addFile(page, dialog, textFile(name));
  await expect(items(dialog)).toHaveCount(1);

  await choose(page, dialog, 'File Type', 'Company Document');
  await expect(dialog.getByRole('combobox', { name: 'Report Type' })).toHaveCount(0);
  await expect(dialog.getByRole('combobox', { name: 'Document Type' })).toBeVisible();
  await submit(dialog).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Upload Files' })).toBeFocused();
  await readToast(page, 'status', ['File uploaded successfully']);
  await page.getByRole('radio', { name: 'Company Documents' }).check();
  await expect(table(page).getByRole('row').filter({ hasText: name })).toContainText(firm.clients[1].name);
});

test('without a client or a report type, people read whom to ask, and nothing is offered that they cannot send', {
  tag: '@full',
}, async ({ signIn, server }) => {
  const page = await signIn(await addPerson(server.origin, 'CPA', null, null), { at: '/file-upload' });
  await expect(page.getByText("You don't have access to any client details.")).toBeVisible();
  await expect(page.getByRole('button', { name: 'Upload Files' })).toHaveCount(0);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search', exact: true });
  await palette.getByRole('combobox').fill('upload');
  await expect(palette.getByRole('option', { name: 'File Upload', exact: true })).toBeVisible();
  await expect(palette.getByRole('option', { name: /^Upload / })).toHaveCount(0);

  const [client] = firm.clients;
  const untyped = await signIn(await addPerson(server.origin, 'CPA', [client.id], null), { at: '/file-upload' });
  await expect(untyped.getByText("You don't have access to any report types.")).toBeVisible();
  const dialog = await openAddData(untyped);
  await expect(dialog.getByRole('combobox', { name: 'Client Name' })).toHaveValue(client.name);
  await expect(dialog.getByRole('combobox', { name: 'Document Type' })).toBeVisible();
  await expect(dialog.getByRole('combobox', { name: /^(File|Report) Type$/ })).toHaveCount(0);

  await untyped.goto(`/clients/${client.id}`);
  await expect(untyped.getByText("You don't have access to any report types.")).toBeVisible();
  await untyped.goto('/completeness/unopened');
  await expect(untyped.getByText("You don't have access to any report types.")).toBeVisible();
  await untyped.goto('/cpa-dashboard');
  await expect(untyped.getByText("You don't have access to any report types.")).toBeVisible();
  await expect(untyped.getByRole('button', { name: 'Upload Files' })).toHaveCount(0);
});

test('files dropped anywhere open the dialog with them, under the client and type of the screen', async ({
  signIn,
}) => {
  const [first = '', second = '', third = ''] = freshNames(3);
  const page = await signIn(firm.cpa, { at: `/file-upload?client=${firm.clients[1].id}&type=company_document` });
  await expect(page.getByRole('button', { name: 'Upload Files' })).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Add Data' });
  const veil = page.getByText('Drop files to upload');

  const drop = await drag(page, [first, second]);
  await expect(veil).toBeVisible();
  await page.getByRole('main').dispatchEvent('dragleave');
  await expect(veil).toBeHidden();
  await drag(page, [first]);
  await expect(veil).toBeVisible();
  await drop();
  await expect(dialog).toBeVisible();
  await expect(veil).toBeHidden();
  await expect(items(dialog)).toContainText([first, second]);
  await expect(dialog.getByRole('combobox', { name: 'Client Name' })).toHaveValue(firm.clients[1].name);
  await expect(dialog.getByRole('combobox', { name: 'File Type' })).toHaveValue('Company Document');

  // Two files whose names differ in case alone are two.
  const loud = third.toUpperCase();
  const more = await drag(page, [second, third, loud]);
  await expect(veil).toBeVisible();
  await more();
  await expect(items(dialog)).toContainText([first, second, third, loud]);
  await expect(dialog.getByText(`Already in the list: ${second}`)).toBeVisible();
  await submit(dialog).click();
  await readToast(page, 'status', ['File uploaded successfully']);
  for (const name of [third, loud]) {
    await expect(table(page).getByRole('button', { name: `Delete ${name}`, exact: true })).toBeVisible();
  }

  await test.step('text is no file, and a question has the floor', async () => {
    const dataTransfer = await page.evaluateHandle(`(() => {
      const carried = new DataTransfer();
      carried.setData('text/plain', 'words');
      return carried;
    })()`);
    await page.getByRole('main').dispatchEvent('dragenter', { dataTransfer });
    await expect(veil).toBeHidden();
    await page.getByRole('button', { name: `Delete ${first}` }).click();
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
    await drag(page, [first]);
    await expect(veil).toBeHidden();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('cells from a spreadsheet, a picture too, are text in a field; elsewhere a file is taken', async () => {
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const pasteInto = (place: string) =>
      page.evaluate<boolean>(`(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', 'Harbor');
        clipboardData.items.add(new File(['cells'], 'image.png', { type: 'image/png' }));
        const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
        ${place}.dispatchEvent(paste);
        return paste.defaultPrevented;
      })()`);
    const search = page.getByRole('searchbox', { name: 'Search files by name' });
    await search.focus();
    expect(await pasteInto('document.activeElement')).toBe(false);
    await expect(dialog).toBeHidden();
    expect(await pasteInto('document.body')).toBe(true);
    await expect(items(dialog)).toContainText(['image.png']);
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('of a folder with nothing but what a system put there, that is said', async () => {
    await page.evaluate(`void Object.defineProperty(File.prototype, 'webkitRelativePath', {
      get() { return 'March/' + this.name; },
    })`);
    const folder = await drag(page, ['._run.pdf', 'desktop.ini']);
    await expect(veil).toBeVisible();
    await folder();
    await readError(page, 'There is nothing in this folder that can be uploaded.');
    await expect(items(dialog)).toHaveCount(0);
  });

  const outsider = await signIn(firm.outsider, { at: '/file-upload' });
  await expect(outsider.getByText("You don't have access to any client details.")).toBeVisible();
  await drag(outsider, [first]);
  await expect(outsider.getByText('Drop files to upload')).toHaveCount(0);

  await test.step('where nothing takes files, one that is dropped does not replace the page', async () => {
    await outsider.goto('/account');
    await expect(outsider.getByRole('heading', { level: 1 })).toBeVisible();
    const isRefused = await outsider.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['words'], 'W-2.txt'));
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.body.dispatchEvent(drop);
      return drop.defaultPrevented;
    })()`);
    expect(isRefused).toBe(true);
  });
});
