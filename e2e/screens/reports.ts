// The screens of reports: their lists, and the page of one.
import { archiveReady, archives } from './archives.ts';
import { corrected } from './corrections.ts';
import { versions } from './file-versions.ts';
import { drawer } from './frame.ts';
import { markedFile } from './marked-files.ts';
import type { Screen, ScreenState } from './screen.ts';
import { press } from './states.ts';

/** The first report type that has files. */
const filled: ScreenState = {
  name: 'filled',
  open: async (page) => {
    const types = page.locator('fieldset', { hasText: 'Select Report Type:' }).locator('button');
    const choice = page.getByRole('combobox', { name: 'Select Report Type:' });
    for (const type of await types.all()) {
      // A phone has a list in place of the buttons.
      if (await type.isVisible()) await type.click();
      else await choice.selectOption({ label: (await type.textContent()) ?? '' });
      await page.locator('table[aria-busy=false]').waitFor({ state: 'attached' });
      if (
        (await page
          .getByRole('table')
          .getByRole('button', { name: /^Download / })
          .count()) > 0
      )
        return;
    }
    throw new Error('No report type has files');
  },
};

const report = (id: number | undefined) => (id === undefined ? undefined : `/cpa-dashboard/report/${id}`);

export const cpaReportsScreens: readonly Screen[] = [
  {
    name: 'cpa-reports',
    path: '/cpa-dashboard',
    heading: 'Payroll Reports',
    states: [filled, drawer, archives, archiveReady],
  },
  {
    name: 'cpa-report',
    path: ({ reportId }) => report(reportId),
    heading: /\S/,
    states: [markedFile, corrected, versions],
  },
  { name: 'cpa-report-table', path: ({ tableId }) => report(tableId), heading: /\S/, states: [] },
  { name: 'cpa-report-unshown', path: ({ archiveId }) => report(archiveId), heading: /\S/, states: [] },
];

export const clientReports: Screen = {
  name: 'client-reports',
  path: '/client-reports',
  heading: 'Reports',
  states: [
    {
      name: 'filters',
      open: async (page) => {
        await press(page, 'Show Filters');
        await page.getByRole('button', { name: 'Reset Filters' }).waitFor();
      },
    },
    {
      name: 'changed',
      alone: true,
      open: async (page) => {
        const nothing = { files: [], newEntries: 0, ownChanged: [], clients: [], roles: [] };
        const change = { ...nothing, moreFiles: 1, changed: ['files'] };
        const body = `event: change\nid: 1-1\ndata: ${JSON.stringify(change)}\n\n`;
        const once = { times: 1 };
        await page.route('**/api/events', (route) => route.fulfill({ contentType: 'text/event-stream', body }), once);
        await page.reload();
        await page.getByRole('button', { name: 'This list has changed. Show' }).waitFor();
      },
    },
  ],
};

export const clientReport: Screen = {
  name: 'client-report',
  path: ({ reportId }) => report(reportId),
  heading: /\S/,
  states: [],
};
