// The states of upload dialogs, and of the panel that they leave their files to.
import { createHash } from 'node:crypto';
import type { ScreenState } from './screen.ts';
import { press } from './states.ts';

const chosenFiles = [
  { name: 'Larkspur_W-2_2026.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 one') },
  {
    name: 'A_scan_of_every_supporting_document_for_the_third_quarter_without_a_single_space_in_its_name_2026-09-30.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7 two'),
  },
  { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') },
];

export const uploadWithFiles = (button: string): ScreenState => ({
  name: 'upload-with-files',
  alone: true,
  open: async (page) => {
    await press(page, button);
    const form = page.getByRole('dialog');
    const choosing = page.waitForEvent('filechooser');
    await form.getByRole('button', { name: 'Add File' }).click();
    const chooser = await choosing;
    if (chooser.isMultiple()) await chooser.setFiles(chosenFiles);
    else await chooser.setFiles(chosenFiles.slice(0, 1));
    await form
      .getByRole('button', { name: /^Remove / })
      .first()
      .waitFor();
  },
});

/** One of them empty, and two there already. */
export const uploadRows: ScreenState = {
  name: 'upload-rows',
  alone: true,
  open: async (page) => {
    const there = {
      id: 1,
      clientId: 1,
      clientName: 'Larkspur Bakery',
      fileType: 'report',
      reportTypeId: null,
      reportTypeName: null,
      documentType: null,
      period: null,
      contentType: 'application/pdf',
      uploadedAt: '2026-11-03T15:00:00.000Z',
      createdAt: '2026-11-03T15:00:00.000Z',
      uploadedById: 1,
      uploaderName: 'Rosa Okafor',
    };
    const sha256 = createHash('sha256').update('Notes').digest('hex');
    await page.route('**/api/files/already-there', (route) => {
      const { files } = route.request().postDataJSON() as { files: { name: string }[] };
      const found = files.flatMap(({ name }, nth) => {
        if (name.startsWith('Larkspur')) return [{ nth, file: { ...there, originalName: name, size: 1, sha256: '0' } }];
        return name === 'notes.txt' ? [{ nth, file: { ...there, originalName: name, size: 5, sha256 } }] : [];
      });
      return route.fulfill({ json: { found } });
    });
    await press(page, 'Upload Files');
    const form = page.getByRole('dialog');
    await form.getByRole('combobox', { name: 'Client Name', exact: true }).click();
    await page.getByRole('listbox').getByRole('option').first().click();
    for (const file of [...chosenFiles, { name: 'Empty.pdf', mimeType: 'application/pdf', buffer: Buffer.from('') }]) {
      const choosing = page.waitForEvent('filechooser');
      await form.getByRole('button', { name: 'Add File' }).click();
      await (await choosing).setFiles(file);
    }
    await form.getByText('same content').waitFor();
  },
};

/** Asks about reports without a type. */
export const uploadQuestion: ScreenState = {
  name: 'upload-question',
  alone: true,
  open: async (page) => {
    await uploadRows.open(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByRole('button', { name: 'Upload anyway' }).waitFor();
  },
};

/** Left to the panel, every file has failed. */
export const uploadPanel: ScreenState = {
  name: 'upload-panel',
  alone: true,
  open: async (page) => {
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    await page.route('**/api/files', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      await left;
      return route.fulfill({ status: 500, json: { message: 'Internal Server Error', code: 'internal' } });
    });
    await uploadRows.open(page);
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: 'Upload', exact: true }).click();
    await form.getByRole('button', { name: 'Upload anyway' }).click();
    await form.getByRole('button', { name: 'Continue in background' }).click();
    leave();
    await page.getByRole('region', { name: 'Uploads', exact: true }).getByRole('button', { name: 'Retry' }).waitFor();
  },
};
