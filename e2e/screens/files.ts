// The screens of all files.
import type { Page } from '@playwright/test';
import { archiveReady, archives } from './archives.ts';
import { correctedRows } from './corrections.ts';
import { markedRow } from './marked-files.ts';
import type { Screen, ScreenState } from './screen.ts';
import { dialog, list, pressInBar } from './states.ts';
import { uploadPanel, uploadQuestion, uploadRows, uploadWithFiles } from './uploads.ts';

const calendar: ScreenState = {
  name: 'calendar',
  open: async (page) => {
    const more = page.getByRole('button', { name: 'More Filters' });
    if (await more.isVisible()) await more.click();
    await page.getByLabel('Start Date').press('Alt+ArrowDown');
    await page.getByRole('button', { name: 'Next month' }).waitFor();
  },
};

const select = async (page: Page) => {
  await page
    .getByRole('checkbox', { name: /^Select all/ })
    .and(page.locator(':visible'))
    .first()
    .check();
  await page.getByRole('button', { name: 'Download ZIP' }).waitFor();
};

const selected: ScreenState = { name: 'selected', open: select };

const deleteSelected: ScreenState = {
  name: 'delete-selected',
  open: async (page) => {
    await select(page);
    await pressInBar(page.getByRole('region', { name: /^Selected / }), /^Delete/);
    await page.getByRole('dialog').waitFor();
  },
};

export const filesScreens: readonly Screen[] = [
  {
    name: 'files',
    path: '/file-upload',
    heading: 'Files',
    states: [
      dialog('upload', 'Upload Files'),
      uploadWithFiles('Upload Files'),
      uploadRows,
      uploadQuestion,
      uploadPanel,
      markedRow,
      dialog('refile', /^Re-file /),
      correctedRows,
      dialog('delete', /^Delete /),
      list('client-list', 'Client'),
      calendar,
      selected,
      deleteSelected,
      archives,
      archiveReady,
    ],
  },
  {
    name: 'files-documents',
    path: '/file-upload?type=company_document',
    heading: 'Files',
    states: [],
  },
];
