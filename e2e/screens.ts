// Every screen of the portal: who sees it, at which address, and how its dialogs and other states are opened.
import { createHash } from 'node:crypto';
import { type Dialog, expect, type Page, type Request } from '@playwright/test';
import type { ArchiveRow } from '#contract/archives.ts';
import { refuse } from '#contract/errors.ts';
import type { OwnJobRow } from '#contract/jobs.ts';
import type { SuggestionRow } from '#contract/suggestions.ts';
import { type ApiCaller, apiAs } from './api.ts';
import { batchesStates, batchStates, seedBatch } from './batch-screens.ts';
import { seedFirm } from './firm.ts';
import { markedCard, markedFile, markedRow } from './marked-screens.ts';
import { makePdf } from './pdf.ts';
import type { ScreenState } from './screen-state.ts';
import { ADMIN } from './server.ts';
import { versions } from './version-screens.ts';

/** What the addresses of some screens name; each of them in the person's reach. */
export interface FixtureIds {
  /** A PDF. */
  readonly reportId: number;
  /** A CSV file, and one that no browser shows. */
  readonly tableId?: number;
  readonly archiveId?: number;
  /** In review. */
  readonly batchId?: number;
  /** With something to review. */
  readonly requestId?: number;
  readonly clientId: number;
  readonly username: string;
}

const UNBROKEN = 'Northfieldconsolidatedmanufacturinganddistributionholdingcompany';

export interface Screen {
  readonly name: string;
  /** Undefined where the firm has nothing of the kind. */
  readonly path: string | ((fixtureIds: FixtureIds) => string | undefined);
  /** A heading of the page itself. */
  readonly heading: string | RegExp;
  readonly states: readonly ScreenState[];
}

export type Visitor = 'signed out' | 'admin' | 'cpa' | 'client' | 'outsider';

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();

/** Opens a dialog by the first button of that name. */
const dialog = (name: string, button: string | RegExp): ScreenState => ({
  name,
  open: async (page) => {
    await press(page, button);
    await page.getByRole('dialog').waitFor();
  },
});

const tab = (name: string, label: string): ScreenState => ({
  name,
  open: (page) => page.getByRole('tab', { name: label, exact: true }).click(),
});

/** Sends the form of a dialog empty, so that every fault is below its field. */
const faults = (name: string, button: string, submit: string): ScreenState => ({
  name,
  open: async (page) => {
    await press(page, button);
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: submit, exact: true }).click();
    await form.getByRole('textbox').and(page.locator('[aria-invalid=true]')).first().waitFor();
  },
});

const chosenFiles = [
  { name: 'Larkspur_W-2_2026.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 one') },
  {
    name: 'A_scan_of_every_supporting_document_for_the_third_quarter_without_a_single_space_in_its_name_2026-09-30.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7 two'),
  },
  { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') },
];

/** The dialog with phrases, and one being added that stands there already. */
const phrases: ScreenState = {
  name: 'phrases',
  alone: true,
  open: async (page) => {
    await press(page, /^Edit phrases of Payroll Journal/);
    const form = page.getByRole('dialog');
    const field = form.getByRole('textbox', { name: 'Add a Phrase' });
    for (const phrase of ['Payroll ledger by employee', 'Crew ledger', `${UNBROKEN} hours`, 'crew ledger']) {
      await field.fill(phrase);
      await field.press('Enter');
    }
    await form.getByText('This phrase is in the list already').waitFor();
  },
};

/** An import with two faults in three rows. */
const importWithFaults = (button: string, rows: string): ScreenState => ({
  name: 'import-faults',
  alone: true,
  open: async (page) => {
    await press(page, button);
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: 'Or paste rows here' }).fill(rows);
    await form.getByRole('button', { name: 'Preview' }).click();
    await form.getByRole('region', { name: 'What is wrong' }).waitFor();
  },
});

const CLIENT_ROWS = [
  'Company,FEIN,Address,Phone,Email,State ID,Employees,Fax',
  'Alder Row Cafe LLC,08-7654321,"4 Orchard Lane, Dayton, OH 45402",(937)-555-0117,books@example.com,OH-11,12,none',
  'Birch Lane Books,08-765432,"6 Orchard Lane, Dayton, OH 45402",(937)-555-0118,nobody,OH-12,4,none',
].join('\n');

const uploadWithFiles = (button: string): ScreenState => ({
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

const otherRun = (id: number, originalName: string) => ({ id, originalName, uploadedAt: '2026-11-20T15:00:00.000Z' });

/** A file that corrects another one and is corrected itself, on its page. */
const corrected: ScreenState = {
  name: 'corrected',
  alone: true,
  open: async (page) => {
    await page.route('**/api/files/*/facts*', async (route) => {
      const answer = await route.fetch();
      const facts = (await answer.json()) as { file: object };
      const said = {
        corrects: otherRun(1, 'Journal 2026-11-13 first run.pdf'),
        correctedBy: otherRun(2, 'Journal 2026-11-13 third run.pdf'),
      };
      await route.fulfill({ json: { ...facts, file: { ...facts.file, ...said } } });
    });
    await page.reload();
    await page.getByRole('region', { name: 'Corrections' }).getByText('opened the earlier file').waitFor();
  },
};

/** What reviewers had remembered: one's own, or what waits for an Admin. */
const suggestions = (title: string, own: boolean): ScreenState => ({
  name: 'suggestions',
  alone: true,
  open: async (page) => {
    const row = (id: number, words: string, reportTypeName: string): SuggestionRow => ({
      id,
      kind: 'type',
      words,
      clientId: null,
      clientName: null,
      reportTypeId: 1,
      reportTypeName,
      byName: 'Rosa Okafor',
      own,
      createdAt: '2026-11-20T16:04:00.000Z',
    });
    const json = [
      row(1, 'Weekly Hours Report by Crew and Shift', 'Timesheets'),
      row(2, `${UNBROKEN} ledger`, UNBROKEN),
    ];
    await page.route('**/api/suggestions*', (route) => route.fulfill({ json, headers: { 'x-total-count': '2' } }));
    await page.reload();
    await page.getByRole('region', { name: title }).waitFor();
  },
});

/** Files that are corrected, and those that correct them, in a list. */
const correctedRows: ScreenState = {
  name: 'corrected',
  alone: true,
  open: async (page) => {
    await page.route('**/api/files?*', async (route) => {
      const answer = await route.fetch();
      const rows = (await answer.json()) as object[];
      const said = [{ corrects: otherRun(1, 'First run.pdf') }, { correctedBy: otherRun(2, 'Second run.pdf') }];
      const json = rows.map((row, nth) => ({ ...row, ...said[nth % 5] }));
      await route.fulfill({ response: answer, json });
    });
    await page.reload();
    await page.getByRole('img', { name: 'Corrected by Second run.pdf' }).first().waitFor();
  },
};

/** One of them empty, and two there already. */
const uploadRows: ScreenState = {
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
const uploadQuestion: ScreenState = {
  name: 'upload-question',
  alone: true,
  open: async (page) => {
    await uploadRows.open(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByRole('button', { name: 'Upload anyway' }).waitFor();
  },
};

/** Left to the panel, every file has failed. */
const uploadPanel: ScreenState = {
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

const list = (name: string, label: string): ScreenState => ({
  name,
  open: async (page) => {
    await page.getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('listbox').getByRole('option').first().waitFor();
  },
});

const calendar: ScreenState = {
  name: 'calendar',
  open: async (page) => {
    const more = page.getByRole('button', { name: 'More Filters' });
    if (await more.isVisible()) await more.click();
    await page.getByLabel('Start Date').press('Alt+ArrowDown');
    await page.getByRole('button', { name: 'Next month' }).waitFor();
  },
};

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
      await page.route('**/api/clients/*/expectations', (route) => route.fulfill({ json: [] }));
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
        route.fulfill({ json: { proposals, clients: 2, more: false } }),
      );
      await press(page, 'Propose from history');
      await page.getByRole('dialog').getByRole('button', { name: 'Save 3' }).waitFor();
    },
    close: (page) => page.unroute('**/api/completeness/proposals'),
  },
];

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

const drawer: ScreenState = {
  name: 'drawer',
  alone: true,
  open: async (page) => {
    await press(page, 'Open menu');
    await page.getByRole('dialog').getByRole('navigation').waitFor();
  },
  only: 'phone',
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
    await page
      .getByRole('region', { name: /^Selected / })
      .getByRole('button', { name: /^Delete/ })
      .click();
    await page.getByRole('dialog').waitFor();
  },
};

const palette: ScreenState = {
  name: 'palette',
  alone: true,
  open: async (page) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').fill('la');
    await page.getByRole('option').first().waitFor();
  },
};

/** The page of the firm with all of it typed, and a colour that is too light. */
const firmTyped: ScreenState = {
  name: 'typed',
  alone: true,
  open: async (page) => {
    const type = (label: string, text: string) => page.getByRole('textbox', { name: label, exact: true }).fill(text);
    await type('Name', `Harbor & Pine Payroll of ${UNBROKEN}`.slice(0, 60));
    await type('Color', '#ffe600');
    await type('Welcome text', `Welcome.\nYear-end forms are here from January 31.\n${UNBROKEN}`);
    await type('Address', '12 Harbor Street\nDayton, OH 45402');
    await type('Phone', '(937)-555-0100');
    await page.getByRole('button', { name: /^Use #/ }).waitFor();
  },
};

const FIRST_STEPS = '**/api/overview/first-steps';
const allSteps = {
  signInChanged: true,
  supportAddress: true,
  reportTypes: true,
  clients: true,
  clientUser: true,
  sees: { id: 2, username: 'hank', fullName: 'Hank Mori' },
};

/** The guide through a firm with nobody but its Admin. */
const firstSteps: ScreenState = {
  name: 'first-steps',
  alone: true,
  open: async (page) => {
    await page.route(FIRST_STEPS, (route) =>
      route.fulfill({ json: { steps: { ...allSteps, clientUser: false, sees: null } } }),
    );
    await page.reload();
    await page.getByRole('region', { name: 'First steps' }).getByText('4 of 6 done').waitFor();
  },
  close: (page) => page.unroute(FIRST_STEPS),
};

/** Its end. */
const firstStepsDone: ScreenState = {
  name: 'first-steps-done',
  alone: true,
  open: async (page) => {
    await page.route(FIRST_STEPS, (route) => route.fulfill({ json: { steps: allSteps } }));
    await page.reload();
    await page.getByRole('region', { name: 'First steps' }).getByText('6 of 6 done').waitFor();
  },
  close: (page) => page.unroute(FIRST_STEPS),
};

/** A user to be added where there is neither client nor report type, with a password that was made. */
const userAlone: ScreenState = {
  name: 'add-alone',
  open: async (page) => {
    for (const list of ['**/api/clients?*', '**/api/report-types?*']) {
      await page.route(list, (route) => route.fulfill({ headers: { 'x-total-count': '0' }, json: [] }));
    }
    await page.reload();
    await page.getByRole('button', { name: 'Add User' }).click();
    await page.getByRole('link', { name: 'Add a client' }).waitFor();
    await page.getByRole('button', { name: 'Generate' }).click();
  },
  close: async (page) => {
    await page.unroute('**/api/clients?*');
    await page.unroute('**/api/report-types?*');
    await page.reload();
  },
};

const shortcuts: ScreenState = {
  name: 'shortcuts',
  alone: true,
  open: async (page) => {
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  },
};

const folded: ScreenState = {
  name: 'folded',
  open: (page) => press(page, 'Collapse sidebar'),
  close: (page) => press(page, 'Expand sidebar'),
  only: 'wide',
};

const offline: ScreenState = {
  name: 'offline',
  alone: true,
  open: async (page) => {
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
  },
  close: (page) => page.context().setOffline(false),
};

/** The server ends the session behind the page's back. It comes last: the person is signed out. */
const expired: ScreenState = {
  name: 'expired',
  alone: true,
  open: async (page) => {
    await page.evaluate(
      `fetch('/api/auth/logout', { method: 'POST', headers: { authorization: 'Bearer ' + localStorage.getItem('token') } })`,
    );
    await page.getByRole('tab', { name: 'Who can see this?' }).click();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  },
};

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
const archives: ScreenState = {
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
const archiveReady: ScreenState = {
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

const failing = (name: string, calls: string): ScreenState => ({
  name,
  alone: true,
  open: async (page) => {
    await page.route(calls, (route) => route.fulfill({ status: 500, json: { message: 'The database is away' } }));
    await page.reload();
    await page.getByText('The database is away').first().waitFor();
  },
  close: (page) => page.unroute(calls),
});

const overtakenAnswer = (() => {
  const { status, code, message } = refuse('changed_meanwhile', { by: 'Dana Reyes', minutesAgo: 2 });
  return { status, json: { message, code, requestId: 'stubbed' } };
})();

/** A dialog whose row somebody else has saved meanwhile. */
const overtaken = (name: string, saveLabel: string): ScreenState => ({
  name,
  alone: true,
  open: async (page) => {
    await press(page, /^Edit /);
    const form = page.getByRole('dialog');
    const call = (url: URL) => /\/api\/(users|clients|roles)\/\d+$/.test(url.pathname);
    await page.route(call, (route) =>
      route.request().method() === 'PUT' ? route.fulfill(overtakenAnswer) : route.fallback(),
    );
    await form.getByRole('button', { name: saveLabel }).click();
    await form.getByRole('button', { name: 'Keep mine' }).waitFor();
    await page.unroute(call);
  },
});

/** The access of the first CPA, for somebody new. */
const takenOver: ScreenState = {
  name: 'like-a-colleague',
  alone: true,
  open: async (page) => {
    await press(page, 'Add User');
    const form = page.getByRole('dialog');
    await form.getByRole('combobox', { name: 'Same access as...' }).fill('CPA');
    await page.getByRole('option').filter({ hasText: '(' }).first().click();
    await form.getByText('Taken over from').waitFor();
  },
};

const newCpa: ScreenState = {
  name: 'new-cpa',
  alone: true,
  open: async (page) => {
    await press(page, 'Add User');
    const form = page.getByRole('dialog');
    await form.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'CPA', exact: true }).click();
    await form.getByRole('button', { name: 'Tick these' }).waitFor();
  },
};

/** The one page of somebody whose password was set by somebody else. */
const passwordWanted: ScreenState = {
  name: 'password-wanted',
  alone: true,
  open: async (page) => {
    await page.route('**/api/auth/me', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), mustChangePassword: true } });
    });
    await page.reload();
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
  },
  close: async (page) => {
    await page.unroute('**/api/auth/me');
    await page.reload();
  },
};

// What exists with SAFEGUARDS=on only, with stubbed answers.

const RECOVERY_CODES = Array.from({ length: 10 }, (_, nth) => `${nth}BCD-EFGH-JKMN-PQR${nth}`);

/** Stubs the calls of these paths below /api/auth, and removes the stubs at the end. */
const answered = (
  answers: Readonly<Record<string, { status?: number; json: unknown; headers?: Record<string, string> }>>,
  { name, open }: ScreenState,
): ScreenState => ({
  name,
  alone: true,
  open: async (page) => {
    for (const [path, answer] of Object.entries(answers)) {
      await page.route(`**/api/auth/${path}`, (route) => route.fulfill(answer));
    }
    await open(page);
  },
  close: async (page) => {
    for (const path of Object.keys(answers)) await page.unroute(`**/api/auth/${path}`);
  },
});

const challenge = (methods: readonly string[]) => ({
  json: { challenge: { token: 'challenge', methods, enrols: methods.length === 0, expiresAt: '2030-01-01T00:00:00Z' } },
});

/** The login page after a right password. */
const secondStep = (
  name: string,
  methods: readonly string[],
  open: (page: Page) => Promise<unknown>,
  more: Readonly<Record<string, { status?: number; json: unknown }>> = {},
) =>
  answered(
    { login: challenge(methods), ...more },
    {
      name,
      open: async (page) => {
        await page.getByLabel('Username').fill('somebody');
        await page.getByLabel('Password', { exact: true }).fill('something');
        await press(page, 'Login');
        await open(page);
      },
    },
  );

const { code, message } = refuse('locked_out', { minutes: 12 });
const lockedOut = answered(
  { login: { status: 429, json: { code, message } } },
  {
    name: 'locked-out',
    open: async (page) => {
      await page.getByLabel('Username').fill('somebody');
      await page.getByLabel('Password', { exact: true }).fill('something');
      await press(page, 'Login');
      await page.getByRole('main').getByText('Too many attempts').waitFor();
    },
  },
);

const appKey = {
  'factors/totp': {
    json: { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', url: 'otpauth://totp/Coffer:somebody?secret=JBSWY3DPEHPK3PXP' },
  },
};

const showKey = async (page: Page) => {
  await press(page, 'Authenticator app');
  await page.getByRole('img', { name: /^QR code/ }).waitFor();
};

const signInStates: readonly ScreenState[] = [
  secondStep('second-factor', ['totp', 'passkey', 'recovery'], (page) => page.getByLabel(/^Code from/).waitFor()),
  secondStep(
    'second-factor-wrong',
    ['totp', 'recovery'],
    async (page) => {
      await page.getByLabel(/^Code from/).fill('123456');
      await page.getByRole('alert').waitFor();
    },
    { 'second-factor': { status: 401, json: { code: 'wrong_code', message: 'This code or passkey is not right.' } } },
  ),
  secondStep('recovery-code', ['totp', 'recovery'], (page) => press(page, 'Use a recovery code')),
  secondStep('enrolment', [], (page) => page.getByRole('button', { name: 'Authenticator app' }).waitFor()),
  secondStep('enrolment-passkey', [], (page) => press(page, 'Passkey')),
  secondStep('enrolment-app', [], showKey, appKey),
  secondStep(
    'enrolment-codes',
    [],
    async (page) => {
      await showKey(page);
      await page.getByLabel(/^Code that/).fill('123456');
      await page.getByLabel('I have kept these codes').waitFor();
    },
    { ...appKey, 'factors/totp/confirm': { json: { recoveryCodes: RECOVERY_CODES, session: null } } },
  ),
];

const factors = {
  totp: true,
  passkeys: [
    { id: 1, name: 'Office laptop', createdAt: '2026-01-05T09:00:00Z', lastUsedAt: '2026-11-02T16:30:00Z' },
    { id: 2, name: 'Blue key', createdAt: '2026-10-05T09:00:00Z', lastUsedAt: null },
  ],
  recoveryCodesLeft: 8,
};

/** The account settings of a server with SAFEGUARDS=on. */
const guarded = (
  name: string,
  open: (page: Page) => Promise<unknown>,
  more: Readonly<Record<string, { status?: number; json: unknown }>> = {},
): ScreenState => {
  const state = answered(
    { factors: { json: factors }, ...more },
    {
      name,
      open: async (page) => {
        await page.route('**/account-settings', async (route) => {
          const response = await route.fetch();
          const body = (await response.text()).replace(
            'name="safeguards" content="off"',
            'name="safeguards" content="on"',
          );
          await route.fulfill({ response, body });
        });
        await page.reload();
        const section = page.getByRole('region', { name: 'Second factor', exact: true });
        await section.getByText('Blue key').waitFor();
        await section.scrollIntoViewIfNeeded();
        await open(page);
      },
    },
  );
  return {
    ...state,
    close: async (page) => {
      await page.unroute('**/account-settings');
      await state.close?.(page);
    },
  };
};

const event = (id: number, kind: string, more: Readonly<Record<string, unknown>> = {}) => ({
  id,
  kind,
  at: '2026-11-02T15:02:00Z',
  times: 1,
  lastAt: '2026-11-02T15:02:00Z',
  actorName: null,
  address: '203.0.113.7',
  device: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36',
  detail: null,
  ...more,
});

const often = (times: number) => ({ times, lastAt: '2026-11-02T15:58:00Z' });

/** One tab of what was done with the account. */
const accountTab = (name: string, label: string, rows: readonly object[], total = rows.length): ScreenState =>
  answered(
    { 'events*': { json: rows, headers: { 'x-total-count': String(total) } } },
    {
      name,
      open: async (page) => {
        await page.getByRole('tab', { name: label, exact: true }).click();
        const section = page.getByRole('region', { name: 'Recent activity on this account' });
        await (rows.length > 0 ? section.getByRole('listitem').first() : section.getByText('Nothing ')).waitFor();
        await section.scrollIntoViewIfNeeded();
      },
    },
  );

const eventStates: readonly ScreenState[] = [
  accountTab('refused', 'Refused', [
    event(9, 'denied', { ...often(1037), detail: 'open file 1999' }),
    event(8, 'denied', { ...often(37), detail: 'read client 900036', address: '2001:db8:85a3:8d3:1319:8a2e:370:7348' }),
    event(7, 'sign_in_failed', often(12)),
    event(6, 'second_factor_failed', { detail: 'authenticator app' }),
    event(5, 'denied', {
      detail: 'download files 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20',
    }),
  ]),
  accountTab(
    'changes',
    'Changes',
    [
      event(19, 'access_changed', {
        actorName: 'Administrator',
        address: null,
        device: null,
        detail: 'role CPA, clients',
      }),
      ...Array.from({ length: 9 }, (_, nth) => event(nth + 1, 'password_changed')),
    ],
    23,
  ),
  accountTab('no-refusals', 'Refused', []),
];

/** Runs in the page: the session was last used so long ago that it is about to end. */
const NEARLY_IDLE = `
  const { session } = JSON.parse(localStorage.getItem('user'));
  localStorage.setItem('sessionUsedAt', Date.now() - session.idleMaxMs + 150_000);
  document.dispatchEvent(new Event('visibilitychange'));
`;

/** Runs in the page: another tab has heard from the server that the session is about to end for its age. */
const NEARLY_OLD = `
  const user = JSON.parse(localStorage.getItem('user'));
  user.session.endsAt = new Date(Date.now() + 100_000).toISOString();
  localStorage.setItem('user', JSON.stringify(user));
  window.dispatchEvent(new StorageEvent('storage', { key: 'user' }));
`;

const ending: ScreenState = {
  name: 'ending',
  open: async (page) => {
    await settle(page);
    await page.evaluate(NEARLY_OLD);
    await page.getByRole('dialog', { name: 'Your session ends soon' }).waitFor();
  },
};

const noneMatch: ScreenState = {
  name: 'none-match',
  open: async (page) => {
    await page.getByPlaceholder('Search activity by user, client, file or details...').fill('nothing like it');
    await page.getByText('No activities match your search and filters.').waitFor();
  },
};

const OWN_JOBS = '**/api/session/jobs';

const ownJob: OwnJobRow = {
  id: 4,
  title: 'Prepare a ZIP',
  state: 'done',
  progress: null,
  fault: null,
  orderedAt: '2026-11-20T15:04:00.000Z',
  endedAt: '2026-11-20T15:06:00.000Z',
  made: { what: 'zip', id: 3, name: 'Larkspur Bakery-2025.zip' },
};

/** One of each state of what was ordered in the background. */
const backgroundWork: ScreenState = {
  name: 'background-work',
  alone: true,
  open: async (page) => {
    const batch = { what: 'batch', id: 2, name: 'All clients of the second half of July, once more.pdf' } as const;
    const rows: readonly OwnJobRow[] = [
      { ...ownJob, id: 7, title: 'Read a batch', state: 'waiting', endedAt: null, made: batch },
      { ...ownJob, id: 6, title: 'Release a batch', state: 'running', progress: 40, endedAt: null, made: batch },
      { ...ownJob, id: 5, state: 'failed', fault: refuse('archive_outdated').message, made: null },
      ownJob,
    ];
    await page.route(OWN_JOBS, (route) => route.fulfill({ json: rows, headers: { 'x-total-count': '4' } }));
    await page.reload();
    const section = page.getByRole('region', { name: 'Background work' });
    await section.getByRole('listitem').last().waitFor();
    await section.scrollIntoViewIfNeeded();
  },
  close: (page) => page.unroute(OWN_JOBS),
};

const accountStates: readonly ScreenState[] = [
  ...eventStates,
  backgroundWork,
  guarded('second-factor', async () => undefined),
  guarded('add-passkey', async (page) => {
    await press(page, 'Add a passkey');
    await page.getByRole('dialog').waitFor();
  }),
  guarded(
    'confirm-identity',
    async (page) => {
      for (const label of ['Current password', 'New password', 'Repeat new password']) {
        await page.getByLabel(label, { exact: true }).fill('a long password');
      }
      await press(page, 'Change Password');
      await page.getByRole('dialog', { name: 'Confirm that it is you' }).getByRole('textbox').waitFor();
    },
    { password: { status: 403, json: { code: 'reauth_required', message: 'Please confirm.' } } },
  ),
  guarded('idle', async (page) => {
    await settle(page);
    await page.evaluate(NEARLY_IDLE);
    await page.getByRole('dialog', { name: 'Are you still there?' }).waitFor();
  }),
];

const report = (id: number | undefined) => (id === undefined ? undefined : `/cpa-dashboard/report/${id}`);

/** The screens of each person, in the order of their sidebar. */
const screens: Readonly<Record<Visitor, readonly Screen[]>> = {
  'signed out': [
    {
      name: 'login',
      path: '/login',
      heading: 'Login',
      states: [
        {
          name: 'faults',
          open: async (page) => {
            await page.getByRole('button', { name: 'Login', exact: true }).click();
            await page.getByText('Username is required').waitFor();
          },
        },
        lockedOut,
        { name: 'forgot', open: (page) => page.getByText('Forgot password').click() },
        ...signInStates,
      ],
    },
    { name: 'end-mails', path: '/end-mails#reports.v1.nobody', heading: /^No more mails/, states: [] },
    { name: 'new-password', path: '/new-password', heading: 'New Password', states: [] },
    {
      name: 'invitation',
      path: '/invitation',
      heading: 'Invitation',
      states: [
        answered(
          {
            join: {
              status: 400,
              json: {
                code: 'invalid',
                message: 'x',
                requestId: 'r',
                fields: { newPassword: 'Password must be at least 6 characters' },
              },
            },
            invitation: {
              json: {
                username: 'rosa.okafor',
                fullName: 'Rosa Okafor',
                until: '2026-11-30T14:15:00Z',
                purpose: 'joining',
              },
            },
          },
          {
            name: 'choose',
            open: async (page) => {
              await page.goto(`/invitation#${'x'.repeat(43)}`);
              await press(page, 'Join');
              await page.getByText('Password must be at least 6 characters').waitFor();
            },
          },
        ),
      ],
    },
    { name: 'not-found-signed-out', path: '/nowhere', heading: '404 Page Not Found', states: [] },
  ],
  admin: [
    {
      name: 'overview',
      path: '/',
      heading: /^Welcome, /,
      states: [
        tab('uploads', 'Recent Uploads'),
        firstSteps,
        firstStepsDone,
        markedCard,
        drawer,
        folded,
        dialog('account-menu', /, account menu$/),
        palette,
        shortcuts,
        offline,
      ],
    },
    {
      name: 'clients',
      path: '/clients',
      heading: 'Client Management',
      states: [
        dialog('add', 'Add Client'),
        faults('faults', 'Add Client', 'Save Client'),
        dialog('import', 'Import clients'),
        importWithFaults('Import clients', CLIENT_ROWS),
        dialog('edit', /^Edit /),
        dialog('delete', /^Delete /),
        failing('failing', '**/api/clients?*'),
        overtaken('overtaken', 'Save Client'),
      ],
    },
    {
      name: 'client',
      path: ({ clientId }) => (clientId === 0 ? undefined : `/clients/${clientId}`),
      heading: /\S/,
      states: [dialog('edit', 'Edit'), dialog('upload', 'Upload Files')],
    },
    { name: 'clients-searched', path: '/clients?q=nothing+like+it', heading: 'Client Management', states: [] },
    {
      name: 'users',
      path: '/users',
      heading: 'User Management',
      states: [
        dialog('add', 'Add User'),
        faults('faults', 'Add User', 'Create User'),
        dialog('import', 'Import users'),
        dialog('edit', /^Edit /),
        dialog('delete', /^Delete /),
        newCpa,
        takenOver,
        overtaken('overtaken', 'Update User'),
        userAlone,
        passwordWanted,
      ],
    },
    // One's own account, whose password is changed elsewhere.
    { name: 'users-own', path: '/users?q=admin', heading: 'User Management', states: [dialog('edit', /^Edit /)] },
    {
      name: 'roles',
      path: '/roles',
      heading: 'Roles',
      states: [dialog('add', 'Add Role'), dialog('edit', /^Edit /), dialog('delete', /^Delete /)],
    },
    {
      name: 'permissions',
      path: '/permissions',
      heading: 'User Permissions',
      states: [dialog('edit', /^Edit /)],
    },
    {
      name: 'permissions-user',
      path: ({ username }) => `/permissions?tab=who&user=${username}`,
      heading: 'User Permissions',
      states: [],
    },
    {
      name: 'permissions-client',
      path: ({ clientId }) => `/permissions?tab=who&by=client&client=${clientId}`,
      heading: 'User Permissions',
      states: [],
    },
    {
      name: 'report-types',
      path: '/report-types',
      heading: 'Report Types',
      states: [
        dialog('add', 'Add Report Type'),
        dialog('import', 'Import report types'),
        dialog('phrases-empty', /^Edit phrases of/),
        phrases,
        suggestions('Suggested phrases', false),
        dialog('delete', /^Delete /),
      ],
    },
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
    {
      name: 'batches',
      path: '/batches',
      heading: 'Batches',
      states: [...batchesStates, suggestions('Remembered for your batches', true)],
    },
    {
      name: 'batch',
      path: ({ batchId }) => (batchId === undefined ? undefined : `/batches/${batchId}`),
      heading: /and 2 others/,
      states: batchStates,
    },
    { name: 'unopened', path: '/completeness/unopened', heading: 'Never Opened', states: [] },
    { name: 'completeness', path: '/completeness', heading: 'Completeness', states: boardStates },
    {
      name: 'requests',
      path: '/requests',
      heading: 'Requests',
      states: [
        dialog('new', 'New Request'),
        faults('new-faults', 'New Request', 'Send Request'),
        dialog('templates', 'Templates'),
      ],
    },
    {
      name: 'request',
      path: ({ requestId }) => (requestId === undefined ? undefined : `/requests/${requestId}`),
      heading: 'Year-end package',
      states: [dialog('edit', 'Edit'), dialog('send-back', /^Send back /), dialog('close', 'Close')],
    },
    { name: 'activity', path: '/activity', heading: 'Activity Log', states: [noneMatch] },
    {
      name: 'trash',
      path: '/trash',
      heading: 'Trash',
      states: [
        {
          name: 'none-match',
          open: async (page) => {
            await page.getByRole('searchbox', { name: 'Search the trash' }).fill('nothing is called this');
            await page.getByText('Nothing in the trash matches your search and filters.').waitFor();
          },
        },
      ],
    },
    { name: 'retention', path: '/retention', heading: 'Retention', states: [] },
    { name: 'jobs', path: '/jobs', heading: 'Background Jobs', states: [] },
    { name: 'mail', path: '/mail', heading: 'Mail', states: [] },
    { name: 'system', path: '/system', heading: 'System', states: [] },
    { name: 'help', path: '/help', heading: 'Help', states: [] },
    { name: 'firm', path: '/firm-settings', heading: 'Firm', states: [firmTyped] },
    { name: 'account', path: '/account-settings', heading: 'Account Settings Page', states: accountStates },
    { name: 'not-found', path: '/nowhere', heading: '404 Page Not Found', states: [] },
    { name: 'session', path: '/permissions', heading: 'User Permissions', states: [ending, expired] },
  ],
  cpa: [
    {
      name: 'cpa-dashboard',
      path: '/',
      heading: 'Dashboard',
      states: [
        {
          name: 'choose-client',
          open: async (page) => {
            await press(page, 'Choose client');
            await page.getByRole('listbox', { name: 'Clients' }).getByRole('option').first().waitFor();
          },
          close: (page) => page.keyboard.press('Escape'),
        },
      ],
    },
    {
      name: 'cpa-client',
      path: ({ clientId }) => (clientId === 0 ? undefined : `/clients/${clientId}`),
      heading: /\S/,
      states: [],
    },
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
    { name: 'cpa-firm-details', path: '/firm-details', heading: 'Company Details', states: [] },
    {
      name: 'cpa-firm-documents',
      path: '/firm-documents',
      heading: 'Firm Documents',
      states: [
        dialog('upload', 'Upload Document'),
        uploadWithFiles('Upload Document'),
        dialog('delete', /^Delete /),
        markedRow,
      ],
    },
  ],
  client: [
    { name: 'client-dashboard', path: '/', heading: 'Dashboard', states: [drawer] },
    {
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
            const change = { files: [], moreFiles: 1, newEntries: 0, changed: ['files'], ownChanged: [] };
            const body = `event: change\nid: 1-1\ndata: ${JSON.stringify(change)}\n\n`;
            const once = { times: 1 };
            await page.route(
              '**/api/events',
              (route) => route.fulfill({ contentType: 'text/event-stream', body }),
              once,
            );
            await page.reload();
            await page.getByRole('button', { name: 'This list has changed. Show' }).waitFor();
          },
        },
      ],
    },
    { name: 'client-requests', path: '/requests', heading: 'Requests', states: [] },
    {
      name: 'client-request',
      path: ({ requestId }) => (requestId === undefined ? undefined : `/requests/${requestId}`),
      heading: 'Year-end package',
      states: [dialog('does-not-apply', /does not apply$/)],
    },
    { name: 'client-report', path: ({ reportId }) => report(reportId), heading: /\S/, states: [] },
    { name: 'client-firm-details', path: '/firm-details', heading: 'Company Details', states: [] },
    { name: 'client-firm-documents', path: '/firm-documents', heading: 'Firm Documents', states: [] },
    { name: 'client-help', path: '/help', heading: 'Help', states: [] },
    { name: 'client-account', path: '/account-settings', heading: 'Account Settings Page', states: [] },
  ],
  outsider: [
    { name: 'outsider-overview', path: '/', heading: /^Welcome, /, states: [] },
    { name: 'outsider-clients', path: '/clients', heading: 'Client Management', states: [] },
    { name: 'outsider-firm-details', path: '/firm-details', heading: 'Company Details', states: [] },
    { name: 'outsider-batches', path: '/batches', heading: 'Batches', states: [] },
    { name: 'outsider-reports', path: '/cpa-dashboard', heading: 'Payroll Reports', states: [] },
  ],
};

/** A client for the trash. */
export const CLOSED_CLIENT = {
  name: 'Closed Lane Florist',
  address: '5 Orchard Lane, Dayton, OH 45402',
  phone: '(937)-555-0118',
  federalId: '08-1112228',
  stateId: 'OH-92',
  email: 'closed@example.com',
  employeeCount: 3,
  startDate: '2025-01-31',
};

/** A firm with names as long as names get, and the ids that the addresses of the screens need. */
export async function seedScreens(origin: string): Promise<{
  fixtureIds: FixtureIds;
  people: Readonly<Record<Exclude<Visitor, 'signed out'>, { username: string; password: string }>>;
}> {
  const firm = await seedFirm(origin, { reports: 3 });
  const { api, clients, reportTypes, cpa, clientUser, outsider, reports } = firm;
  const [client] = clients;
  await api.post('/api/clients', {
    name: `${UNBROKEN} & Sons ${clients[0].id}`,
    address: '4 Orchard Lane, Dayton, OH 45402',
    phone: '(937)-555-0119',
    federalId: '08-1112229',
    stateId: 'OH-91',
    email: `${UNBROKEN.toLowerCase()}@example.com`,
    employeeCount: 12_345,
    startDate: '2025-01-31',
  });
  await api.post('/api/report-types', { name: `${UNBROKEN} Summary ${clients[0].id}` });
  await api.put(`/api/report-types/${reportTypes[0].id}/phrases`, {
    phrases: [
      `Payroll ledger by employee ${client.id}`,
      `Hours by Crew and Shift ${client.id}`,
      `${UNBROKEN} weekly hours ${client.id}`,
    ],
  });
  const pdf = await makePdf([client.name]);
  await api.upload({ clientId: client.id, fileType: 'company_document' }, 'CP575 Notice.pdf', pdf);
  await api.upload({ clientId: client.id, fileType: 'company_document' }, `${UNBROKEN}_2026-09-30.pdf`, pdf);
  // One of the CPA's own: it may be deleted.
  await (await apiAs(origin, cpa)).upload({ clientId: client.id, fileType: 'company_document' }, 'Lease.pdf', pdf);
  const report = { clientId: client.id, fileType: 'report', reportTypeId: reportTypes[0].id };
  const table = await api.upload(
    { ...report, reportTypeId: reportTypes[1].id },
    'Employees.csv',
    Buffer.from(
      `Employee,Department,Hours,Rate,Gross wages\r\n${'"Doe, Jane",Bakery,80,24.50,1960.00\r\n'.repeat(40)}`,
    ),
  );
  const archive = await api.upload(
    { ...report, reportTypeId: reportTypes[1].id },
    'Bundle.zip',
    Buffer.from('504b0304140000000000000000000000000000000000000000000001000000', 'hex'),
  );
  // In the trash: a long name, and a client with a file of its own.
  const thrown = await api.upload(report, `${UNBROKEN}_deleted.pdf`, pdf);
  await api.delete(`/api/files/${thrown.id}`);
  const closed = await api.post<{ id: number }>('/api/clients', {
    ...CLOSED_CLIENT,
    name: `${CLOSED_CLIENT.name} ${clients[0].id}`,
  });
  const letter = await makePdf(['A letter that names nobody']);
  const last = await api.upload({ clientId: closed.id, fileType: 'company_document' }, 'Closing letter.pdf', letter);
  await api.delete(`/api/files/${last.id}`);
  await api.delete(`/api/clients/${closed.id}`);
  await api.upload(report, `${UNBROKEN}_${UNBROKEN}_PayrollJournal_2026-11-13.pdf`, pdf);
  return {
    fixtureIds: {
      reportId: reports[0]?.id ?? 0,
      tableId: table.id,
      archiveId: archive.id,
      batchId: await seedBatch(
        api,
        clients.map(({ name }, nth) => ({ name, federalId: `08-111222${nth + 1}` })),
      ),
      requestId: await seedRequest(api, await apiAs(origin, clientUser), client.id),
      clientId: client.id,
      username: cpa.username,
    },
    people: { admin: ADMIN, cpa, client: clientUser, outsider },
  };
}

/** A late request of which one item was sent, one sent back, one does not apply and one is open. */
export async function seedRequest(staff: ApiCaller, person: ApiCaller, clientId: number): Promise<number> {
  const items = ['Bank statements', `${UNBROKEN} adjustments`, 'Forms W-9 of contractors', 'Notices from tax agencies'];
  const { ids } = await staff.post<{ ids: [number] }>('/api/requests', {
    clientIds: [clientId],
    title: 'Year-end package',
    message: 'For the forms W-2 and 1099.',
    dueOn: '2026-01-15',
    items: items.map((name) => ({ name, note: 'January to December' })),
  });
  const [id] = ids;
  const { items: made } = await staff.get<{ items: { id: number }[] }>(`/api/requests/${id}`);
  const [sent = 0, back = 0, not = 0] = made.map((item) => item.id);
  for (const item of [sent, back]) {
    await person.upload({}, `${UNBROKEN}.pdf`, Buffer.from(`%PDF-1.7 ${item}`), `/api/request-items/${item}/files`);
  }
  await staff.post(`/api/request-items/${back}/decide`, { decision: 'sendBack', reason: 'The second page is missing' });
  await person.post(`/api/request-items/${not}/does-not-apply`, { note: 'We paid no contractors' });
  return id;
}

const awaited = new WeakMap<Page, Set<Request>>();

/** Tracks the calls that a page waits for. */
function watchCalls(page: Page): Set<Request> {
  const known = awaited.get(page);
  if (known) return known;
  const calls = new Set<Request>();
  awaited.set(page, calls);
  // The stream of changes ends with the page.
  const ends = (url: string) => url.includes('/api/') && !url.endsWith('/api/events');
  page.on('request', (request) => ends(request.url()) && calls.add(request));
  page.on('requestfinished', (request) => calls.delete(request));
  page.on('requestfailed', (request) => calls.delete(request));
  return calls;
}

/**
 * Runs in the page: how many animations run. What the latest answer adds is drawn in the next frame, and animations that
 * moving moves in the one after.
 */
const COUNT_MOVING = `(async () => {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  return document.getAnimations().filter(({ playState }) => playState === 'running').length;
})()`;

/** Waits until no call is pending and nothing moves: no skeleton row, spinner or opening dialog. */
export async function settle(page: Page): Promise<void> {
  const calls = watchCalls(page);
  const moving = () => page.evaluate<number>(COUNT_MOVING);
  await expect
    .poll(async () => calls.size + (await moving()) + calls.size, {
      message: `${page.url()} comes to rest`,
      intervals: [10, 30, 50, 100, 200],
    })
    .toBe(0);
}

/** An address that leads nowhere: on the way over it a screen forgets what was opened on it. */
const BETWEEN = '/between';

/** Goes to a screen and waits until it stands there filled. `within`: as a link of the portal would, without loading the page. */
async function visit(page: Page, path: string, heading: string | RegExp, within: boolean): Promise<void> {
  watchCalls(page);
  if (within) {
    const go = (to: string) => page.evaluate(`history.pushState({}, '', ${JSON.stringify(to)})`);
    await go(BETWEEN);
    await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor();
    await go(path);
  } else {
    await page.goto(path);
  }
  await page.getByRole('main').getByRole('heading', { name: heading, exact: true }).first().waitFor();
  await settle(page);
}

const STANDS_WITHIN_MS = 20_000;

export interface WalkOptions {
  /** The screens to walk through, by their names; all of them unless said otherwise. */
  readonly through?: readonly string[];
  /** False passes over a screen or state. */
  readonly wanted?: (name: string) => boolean;
  /** The width at which states are opened that exist at one kind only; 'wide' unless set. */
  readonly width?: 'wide' | 'phone';
  /** True goes from one screen to the next within the page, which costs a third of loading it. */
  readonly within?: boolean;
}

/** The failures that the states of the screens provoke, for `signIn`. */
export const PROVOKED = { failures: [401, 403, 412, 500], offline: true } as const;

/** A dialog with unsaved work is left on the way to the next. */
const leave = (question: Dialog) => void question.accept();

/** Walks a person through their screens and every state of them, and calls `look` at each, with its name. */
export async function walk(
  page: Page,
  visitor: Visitor,
  fixtureIds: FixtureIds,
  look: (name: string) => Promise<unknown>,
  { through = screenNames(visitor), wanted = () => true, width = 'wide', within = false }: WalkOptions = {},
): Promise<void> {
  let loaded = false;
  const go = async (path: string, heading: string | RegExp, alone = false) => {
    await visit(page, path, heading, within && loaded && !alone);
    loaded = !alone;
  };
  page.setDefaultTimeout(STANDS_WITHIN_MS);
  page.off('dialog', leave).on('dialog', leave);
  for (const screen of screens[visitor].filter(({ name }) => through.includes(name))) {
    const path = typeof screen.path === 'string' ? screen.path : screen.path(fixtureIds);
    if (path === undefined) continue;
    if (wanted(screen.name)) {
      await named(screen.name, async () => {
        await go(path, screen.heading);
        await look(screen.name);
      });
    }
    for (const state of screen.states) {
      const name = `${screen.name}-${state.name}`;
      if ((state.only ?? width) !== width || !wanted(name)) continue;
      await named(name, async () => {
        await go(path, screen.heading, state.alone);
        await state.open(page);
        await settle(page);
        await look(name);
        await state.close?.(page);
      });
    }
  }
}

/** An error names the screen it was thrown on. */
async function named(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
  }
}

/** The screens of a person, in the order of their sidebar. */
export const screenNames = (visitor: Visitor): readonly string[] => screens[visitor].map(({ name }) => name);

/** Whether a name is that of a screen itself and not of one of its states. */
export const isScreen = (name: string) =>
  Object.values(screens).some((list) => list.some((screen) => screen.name === name));
