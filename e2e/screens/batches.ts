// The screens of batches: a batch in review, and answers in which it is in every other state.
import type { Page, Route } from '@playwright/test';
import type { BatchDetails, BatchFileRow, BatchRow, DocumentRow, RecallResult } from '#contract/batches.ts';
import type { Screen, ScreenState } from './screen.ts';
import { press, pressInBar } from './states.ts';
import { suggestions } from './suggestions.ts';

const BATCH = /\/api\/batches\/\d+$/;
const DOCUMENTS = /\/api\/batches\/\d+\/documents(?:\?|$)/;
const LIST = '**/api/batches?*';

interface Told {
  readonly batch?: Partial<BatchRow>;
  readonly file?: Partial<BatchFileRow>;
  readonly document?: Partial<DocumentRow>;
  readonly leftOut?: BatchDetails['leftOut'];
}

const reworded = async (route: Route, change: (answer: unknown) => unknown) => {
  if (route.request().method() !== 'GET') return route.fallback();
  const response = await route.fetch();
  // The page asks again and again: whatever it asked last may be on its way when the state is left, and is answered there.
  await route.fulfill({ response, json: change(await response.json()) }).catch((error: Error) => {
    if (!/already handled|has been closed/.test(error.message)) throw error;
  });
};

/** The page of the batch with other answers. */
const told = (name: string, told: Told, open: (page: Page) => Promise<unknown>): ScreenState => ({
  name,
  alone: true,
  open: async (page) => {
    await page.route(BATCH, (route) =>
      reworded(route, (answer) => {
        const { batch, files, leftOut } = answer as BatchDetails;
        return {
          batch: { ...batch, ...told.batch },
          files: files.map((file) => ({ ...file, ...told.file })),
          leftOut: told.leftOut ?? leftOut,
        };
      }),
    );
    await page.route(DOCUMENTS, (route) =>
      reworded(route, (answer) => (answer as DocumentRow[]).map((document) => ({ ...document, ...told.document }))),
    );
    await page.reload();
    await open(page);
  },
  close: async (page) => {
    await page.unroute(BATCH);
    await page.unroute(DOCUMENTS);
  },
});

const dialogOf = (page: Page) => page.getByRole('dialog');
const shows = (text: string) => (page: Page) => page.getByText(text).first().waitFor();

const released: Told = {
  batch: { state: 'released', released: 4, toCheck: 0, ready: 0 },
  document: { state: 'released', releasedFileId: 1, reviewedByName: 'Rosa Okafor' },
};

const recalled: RecallResult = {
  recalled: 4,
  alreadyGone: 1,
  accesses: [
    {
      documentId: 1,
      fileName: 'Payroll Journal 2026-11-20 - Larkspur Bakery.pdf',
      clientId: 1,
      clientName: 'Larkspur Bakery',
      action: 'download',
      userName: 'Ingrid Vale',
      at: '2026-11-20T16:04:00.000Z',
    },
    {
      documentId: 1,
      fileName: 'Payroll Journal 2026-11-20 - Larkspur Bakery.pdf',
      clientId: 1,
      clientName: 'Larkspur Bakery',
      action: 'view',
      userName: 'Ingrid Vale',
      at: '2026-11-20T16:03:00.000Z',
    },
  ],
};

const taken = {
  reason: 'Figures of the week before',
  at: '2026-11-20T16:05:00.000Z',
  byName: 'Rosa Okafor',
};

const openRecall = async (page: Page) => {
  await press(page, /^Recall All/);
  await dialogOf(page).getByRole('textbox', { name: 'Why' }).waitFor();
};

const batchesStates: readonly ScreenState[] = [
  {
    name: 'empty',
    alone: true,
    open: async (page) => {
      await page.route(LIST, (route) => route.fulfill({ json: [], headers: { 'X-Total-Count': '0' } }));
      await page.reload();
      await page.getByText('No batches yet').waitFor();
    },
    close: (page) => page.unroute(LIST),
  },
];

const batchStates: readonly ScreenState[] = [
  {
    name: 'document',
    only: 'phone',
    open: async (page) => {
      await page.getByRole('option').nth(1).click();
      await page.getByRole('button', { name: 'Back to the documents' }).waitFor();
    },
  },
  {
    name: 'keys',
    alone: true,
    open: async (page) => {
      await page.keyboard.press('?');
      await dialogOf(page).getByRole('region', { name: 'On this page' }).waitFor();
    },
  },
  told(
    'adding',
    {
      batch: { state: 'adding', leftOut: 2 },
      file: { state: 'waiting', pages: null, unreadable: null },
      leftOut: [
        { name: 'March/notes.txt', reason: 'empty' },
        { name: 'runs_of_all_companies_2026-11-20.zip/last month.zip', reason: 'zipInZip' },
      ],
    },
    shows('Add Files'),
  ),
  told(
    'reading',
    { batch: { state: 'reading', progress: 42 }, file: { state: 'waiting', pages: null, unreadable: null } },
    shows('You may leave this page meanwhile.'),
  ),
  told(
    'not-read',
    { batch: { state: 'reading', fault: 'Reading ended before it was done. Read the batch again.' } },
    shows('Read Again'),
  ),
  told(
    'already-there',
    {
      document: {
        alreadyThere: { fileId: 1, name: 'Journal 2026-11-20.pdf', only: true, onHold: false },
        correction: true,
        correctsFileId: 1,
      },
    },
    shows('Already there'),
  ),
  {
    name: 'ticked',
    alone: true,
    open: async (page) => {
      const ticks = page.getByRole('option').locator('[data-tick]');
      await ticks.nth(0).click();
      await ticks.nth(1).click();
      await page.getByText('2 ticked').waitFor();
    },
  },
  {
    name: 'set-ticked',
    alone: true,
    open: async (page) => {
      await page.getByRole('option').locator('[data-tick]').nth(0).click();
      await pressInBar(page.getByRole('region', { name: 'Ticked documents' }), 'Set Client, Type or Period');
      await dialogOf(page).getByRole('combobox', { name: 'Client' }).waitFor();
    },
  },
  told(
    'same-bytes',
    {
      document: {
        sameBytes: {
          fileId: 1,
          name: 'Journal 2026-11-20.pdf',
          clientName: 'Larkspur Bakery of Dayton LLC',
          of: 'pages',
        },
      },
    },
    shows('Already there'),
  ),
  told(
    'remember',
    {
      document: {
        clientName: 'Larkspur Bakery',
        reportTypeName: 'Timesheets of the field crews',
        rememberable: { type: 'Weekly Hours Report by Crew and Shift', client: 'Larkspur Bakery of Dayton LLC' },
      },
    },
    async (page) => {
      const words = page.getByRole('button', { name: /^Remember: pages headed/ });
      const option = page.getByRole('option').nth(1);
      await words.or(option).first().waitFor();
      // On a phone the list is a step of its own.
      if (!(await words.isVisible())) await option.click();
      await words.waitFor();
    },
  ),
  told(
    'release',
    {
      batch: { accepted: 4, toCheck: 0, ready: 0 },
      document: { state: 'accepted', clientId: 1, fault: 'The client is in the trash.' },
    },
    async (page) => {
      await press(page, /^Release Accepted/);
      await dialogOf(page).getByText('will become files of').waitFor();
    },
  ),
  told('releasing', { batch: { releasing: 3, released: 1 }, document: { state: 'releasing' } }, shows('Releasing')),
  told('released', released, shows('Recall All')),
  told(
    'recalled-documents',
    { batch: { state: 'recalled', recalled: 4, toCheck: 0, ready: 0 }, document: { state: 'recalled', recall: taken } },
    shows('Figures of the week before'),
  ),
  told('recall', released, openRecall),
  told('recalled', released, async (page) => {
    const call = '**/api/batches/*/recall';
    await page.route(call, (route) => route.fulfill({ json: recalled }));
    await openRecall(page);
    await dialogOf(page).getByRole('textbox', { name: 'Why' }).fill('Figures of the week before');
    await dialogOf(page).getByRole('button', { name: 'Recall', exact: true }).click();
    await dialogOf(page).getByText('Who had opened what').waitFor();
    await page.unroute(call);
  }),
];

export const batchesScreens: readonly Screen[] = [
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
];
