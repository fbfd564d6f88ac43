// The screens of completeness: what was expected and is not there, and what nobody has opened.
import type { Page } from '@playwright/test';
import type { Screen, ScreenState } from './screen.ts';
import { press } from './states.ts';

const expectedReport = (period: string, state: string, more: Readonly<Record<string, unknown>> = {}) => ({
  period,
  from: '2026-07-01',
  to: '2026-09-30',
  dueOn: '2026-10-31',
  state,
  deliveredAt: null,
  openedByClient: false,
  fileId: null,
  ...more,
});
const there = { deliveredAt: '2026-10-20T15:00:00.000Z', fileId: 1 };
const boardCell = (reportTypeId: number, reportTypeName: string, ...reports: { readonly state: string }[]) => ({
  reportTypeId,
  reportTypeName,
  frequency: reports.length > 1 ? 'monthly' : 'quarterly',
  dueDays: 31,
  state: reports[0]?.state,
  reports,
});

/** The board with each state, and a cell with several reports. */
const boardRows: ScreenState = {
  name: 'board',
  alone: true,
  open: async (page) => {
    const months = ['2026-07-31', '2026-08-31', '2026-09-30'] as const;
    const journals = months.map((period, nth) =>
      expectedReport(period, nth === 0 ? 'missing' : 'opened', {
        from: `${period.slice(0, 8)}01`,
        to: period,
        ...(nth > 0 && { ...there, openedByClient: true }),
      }),
    );
    const rows = [
      {
        clientId: 1,
        clientName: 'Larkspur Bakery',
        cells: [
          boardCell(1, 'Form 941', expectedReport('2026-Q3', 'missing')),
          boardCell(2, 'Payroll Journal', ...journals),
          boardCell(3, 'State Quarterly Return', expectedReport('2026-Q3', 'expected')),
        ],
      },
      {
        clientId: 2,
        clientName: 'Tidewater Marine and Harbor Services of the Lower Peninsula Incorporated',
        cells: [
          boardCell(1, 'Form 941', expectedReport('2026-Q3', 'late', there)),
          boardCell(3, 'State Quarterly Return', expectedReport('2026-Q3', 'delivered', there)),
        ],
      },
    ];
    await page.route('**/api/completeness?**', (route) =>
      route.fulfill({ json: rows, headers: { 'x-total-count': '2' } }),
    );
    await page.reload();
    await page.getByRole('button', { name: /^Larkspur Bakery, Form 941/ }).waitFor();
  },
  close: (page) => page.unroute('**/api/completeness?**'),
};

const afterBoard = (name: string, button: RegExp, open: (page: Page) => Promise<unknown>): ScreenState => ({
  ...boardRows,
  name,
  open: async (page) => {
    await boardRows.open(page);
    await press(page, button);
    await open(page);
  },
});

const boardStates: readonly ScreenState[] = [
  boardRows,
  afterBoard('reports', /^Larkspur Bakery, Payroll Journal/, (page) =>
    page.getByRole('button', { name: /^Upload Payroll Journal/ }).waitFor(),
  ),
  afterBoard('upload', /^Larkspur Bakery, Form 941/, (page) =>
    page.getByRole('dialog', { name: 'Add Data' }).waitFor(),
  ),
  {
    name: 'expectations',
    alone: true,
    open: async (page) => {
      await boardRows.open(page);
      await page.route('**/api/clients/*/expectations', (route) =>
        route.fulfill({ json: { expectations: [], version: '0-0' } }),
      );
      await press(page, /^Expectations of Larkspur/);
      await page.getByRole('dialog').getByRole('list', { name: 'Report types' }).waitFor();
      await page
        .getByRole('dialog')
        .getByRole('combobox', { name: /^How often/ })
        .first()
        .selectOption('quarterly');
    },
    close: (page) => page.unroute('**/api/completeness?**'),
  },
  {
    name: 'proposals',
    alone: true,
    open: async (page) => {
      const proposal = { frequency: 'biweekly', dueDays: 3, starts: '2026-03-02', seen: 14, lastPeriod: '2026-11-13' };
      const proposals = [
        { clientId: 1, clientName: 'Larkspur Bakery', reportTypeId: 1, reportTypeName: 'Payroll Journal', ...proposal },
        {
          ...proposal,
          ...{ clientId: 1, clientName: 'Larkspur Bakery', reportTypeId: 2, reportTypeName: 'Form 941' },
          ...{ frequency: 'quarterly', dueDays: 31, seen: 7, lastPeriod: '2026-Q3' },
        },
        {
          clientId: 2,
          clientName: 'Tidewater Marine',
          reportTypeId: 1,
          reportTypeName: 'Payroll Journal',
          ...proposal,
        },
      ];
      await page.route('**/api/completeness/proposals', (route) =>
        route.fulfill({ json: { proposals, clients: 2, more: false, last: null } }),
      );
      await press(page, 'Propose from history');
      await page.getByRole('dialog').getByRole('button', { name: 'Save 3' }).waitFor();
    },
    close: (page) => page.unroute('**/api/completeness/proposals'),
  },
];

export const completenessScreens: readonly Screen[] = [
  { name: 'unopened', path: '/completeness/unopened', heading: 'Never Opened', states: [] },
  { name: 'completeness', path: '/completeness', heading: 'Completeness', states: boardStates },
];
