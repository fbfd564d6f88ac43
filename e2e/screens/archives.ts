// The states of screens on which ZIPs are prepared, by stubbed answers.
import type { ArchiveRow } from '#contract/archives.ts';
import { refuse } from '#contract/errors.ts';
import type { ScreenState } from './screen.ts';

const ARCHIVES = '**/api/archives';

const archive: ArchiveRow = {
  id: 3,
  state: 'ready',
  name: 'Larkspur Bakery-2025.zip',
  filesAsked: 3210,
  files: 3208,
  sizeBytes: 418_301_442,
  progress: null,
  reason: null,
  createdAt: '2026-11-20T15:04:00.000Z',
  readyAt: '2026-11-20T15:06:00.000Z',
  expiresAt: '2026-11-21T15:06:00.000Z',
};
const preparing: ArchiveRow = {
  ...archive,
  id: 2,
  state: 'preparing',
  name: null,
  files: null,
  sizeBytes: null,
  progress: 42,
  readyAt: null,
};

/** The list of prepared ZIPs, with one of each kind. */
export const archives: ScreenState = {
  name: 'archives',
  alone: true,
  open: async (page) => {
    const failed = { ...preparing, id: 1, state: 'failed', reason: refuse('archive_outdated').message };
    await page.route(ARCHIVES, (route) => route.fulfill({ json: [archive, preparing, failed] }));
    await page.reload();
    await page.getByRole('button', { name: /^Prepared ZIPs/ }).click();
    await page.getByRole('dialog', { name: 'Prepared ZIPs' }).getByText('42%').waitFor();
  },
  close: (page) => page.unroute(ARCHIVES),
};

/** A ZIP becomes ready while the page is open. */
export const archiveReady: ScreenState = {
  name: 'archive-ready',
  alone: true,
  open: async (page) => {
    let asked = 0;
    await page.route(ARCHIVES, (route) => {
      asked += 1;
      return route.fulfill({ json: [asked === 1 ? { ...preparing, id: archive.id } : archive] });
    });
    await page.reload();
    await page.getByRole('status').getByRole('button', { name: 'Download' }).waitFor();
  },
  close: (page) => page.unroute(ARCHIVES),
};
