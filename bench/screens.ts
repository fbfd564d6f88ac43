// How soon a click on each screen shows its first rows, in a real browser on a large firm, and how much is fetched for it.
import { chromium, type Page, type Response } from '@playwright/test';
import config from '../playwright.config.ts';
import { startApplication } from './children.ts';
import type { Engine } from './engines.ts';
import { Broken, median } from './load.ts';
import { mark, ms, say, sayTable } from './report.ts';
import { PASSWORD, seed, USERS } from './seed.ts';

const FILES = 100_000;
const FIRM = { clients: 1_000, clientUsers: 498 };
const FIRST_ROWS_MAX_MS = 300;
/** The largest page that a screen offers. */
const ROWS_MAX = 100;
const SHOWN_WITHIN_MS = 20_000;

interface Visit {
  readonly screen: string;
  /** Where the click is made; the page is reloaded, so that nothing is cached from an earlier visit. */
  readonly from: string;
  /** The link that is clicked, by its name, or the button. */
  readonly link: string | RegExp;
  readonly role?: 'link' | 'button';
  /** Matches in the page as soon as the first rows are there, and never before. */
  readonly rows: string;
  /** The longest list that it may fetch; a checklist needs all of its entries. */
  readonly rowsMax?: number;
}

const ROWS = 'main tbody tr:not([data-skeleton])';

const visits: Readonly<Record<keyof typeof USERS, readonly Visit[]>> = {
  admin: [
    { screen: 'Dashboard', from: '/account-settings', link: 'Dashboard', rows: ROWS },
    { screen: 'Clients', from: '/account-settings', link: 'Clients', rows: ROWS },
    { screen: 'Users', from: '/account-settings', link: 'Users', rows: ROWS },
    {
      screen: 'Add User: checklists of all clients',
      from: '/users',
      link: 'Add User',
      role: 'button',
      rows: '[role=dialog] fieldset input[type=checkbox]',
      rowsMax: FIRM.clients,
    },
    { screen: 'Roles', from: '/account-settings', link: 'Roles', rows: ROWS },
    {
      screen: 'User Permissions',
      from: '/account-settings',
      link: 'User Permissions',
      rows: 'main tbody td:not([aria-hidden])',
    },
    { screen: 'Report Types', from: '/account-settings', link: 'Report Types', rows: ROWS },
    { screen: 'File Upload', from: '/account-settings', link: 'File Upload', rows: ROWS },
    { screen: 'Reports', from: '/account-settings', link: 'Reports', rows: ROWS },
    { screen: 'Firm Documents', from: '/account-settings', link: 'Firm Documents', rows: ROWS },
    { screen: 'Activity', from: '/account-settings', link: 'Activity', rows: ROWS },
    {
      screen: 'Account Setting',
      from: '/clients',
      link: 'Account Setting',
      rows: 'main [aria-label="Signed-in devices"] li',
    },
  ],
  cpa: [
    { screen: 'Dashboard', from: '/account-settings', link: 'Dashboard', rows: ROWS },
    { screen: 'Reports', from: '/account-settings', link: 'Reports', rows: ROWS },
    { screen: 'one report', from: '/cpa-dashboard', link: /\.pdf$/, rows: 'main aside dd' },
    { screen: 'Firm Details', from: '/account-settings', link: 'Firm Details', rows: 'main dl dd' },
    { screen: 'Firm Documents', from: '/account-settings', link: 'Firm Documents', rows: ROWS },
  ],
  client: [
    { screen: 'Dashboard', from: '/account-settings', link: 'Dashboard', rows: ROWS },
    { screen: 'Reports', from: '/account-settings', link: 'Reports', rows: ROWS },
    { screen: 'Firm Details', from: '/account-settings', link: 'Firm Details', rows: 'main dl dd' },
    { screen: 'Firm Documents', from: '/account-settings', link: 'Firm Documents', rows: ROWS },
  ],
};

/** Runs in the page: from the next click to the frame after the first rows are there, in milliseconds. */
const timeClick = (rows: string) => `
  window.firstRows = new Promise((shown) => {
    addEventListener('click', ({ timeStamp }) => {
      const look = () => {
        if (document.querySelector(${JSON.stringify(rows)})) setTimeout(() => shown(performance.now() - timeStamp));
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    }, { capture: true, once: true });
  });
  undefined;
`;

interface Answer {
  readonly sizeBytes: number;
  readonly rows: number;
}

/** The longest list in an answer, however deep. */
function longestList(value: unknown): number {
  if (Array.isArray(value)) return Math.max(value.length, ...value.map(longestList));
  if (value === null || typeof value !== 'object') return 0;
  return Math.max(0, ...Object.values(value).map(longestList));
}

async function readAnswer(response: Response): Promise<Answer> {
  const body = await response.body();
  return { sizeBytes: body.length, rows: longestList(JSON.parse(body.toString())) };
}

/** One click: how long until the first rows, and what was answered until the page came to rest. */
async function visitOnce(page: Page, { screen, from, link, role = 'link', rows }: Visit) {
  await page.goto(from);
  await page.waitForLoadState('networkidle');
  const answers: Promise<Answer>[] = [];
  const listen = (response: Response) => {
    const isData = new URL(response.url()).pathname.startsWith('/api/');
    if (isData && response.headers()['content-type']?.includes('json')) answers.push(readAnswer(response));
  };
  page.on('response', listen);
  await page.evaluate(timeClick(rows));
  await page
    .getByRole(role, typeof link === 'string' ? { name: link, exact: true } : { name: link })
    .first()
    .click();
  const tookMs = await Promise.race([
    page.evaluate<number>('firstRows'),
    new Promise<never>((_, reject) => {
      setTimeout(
        () => reject(new Broken(`${screen} showed no rows within ${SHOWN_WITHIN_MS} ms`)),
        SHOWN_WITHIN_MS,
      ).unref();
    }),
  ]);
  await page.waitForLoadState('networkidle');
  page.off('response', listen);
  const read = await Promise.all(answers);
  return {
    tookMs,
    sizeBytes: read.reduce((sum, answer) => sum + answer.sizeBytes, 0),
    rows: Math.max(0, ...read.map((answer) => answer.rows)),
  };
}

async function visitRow(page: Page, who: string, visit: Visit, rounds: number): Promise<string[]> {
  // The first one warms the server and puts the code of the screen into the browser's cache.
  await visitOnce(page, visit);
  const times: number[] = [];
  let last = { sizeBytes: 0, rows: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const { tookMs, ...fetched } = await visitOnce(page, visit);
    times.push(tookMs);
    last = fetched;
  }
  const p50 = median(times);
  const { rowsMax = ROWS_MAX } = visit;
  return [
    `${visit.screen} (${who})`,
    ms(p50),
    ms(Math.max(...times)),
    (last.sizeBytes / 1000).toFixed(1),
    String(last.rows),
    `< ${FIRST_ROWS_MAX_MS} ms, <= ${rowsMax} rows`,
    mark(p50 < FIRST_ROWS_MAX_MS && last.rows <= rowsMax),
  ];
}

/** Seeds a firm with the data folder `dataDir`, and prints a line for each screen of each person. Throws Broken where a screen stays empty. */
export async function measureScreens(engine: Engine, dataDir: string, rounds: number): Promise<void> {
  const databaseUrl = await engine.createDatabase(dataDir);
  await seed({ databaseUrl, dataDir }, FILES, FIRM);
  const application = await startApplication(dataDir, [], { DATABASE_URL: databaseUrl });
  const browser = await chromium.launch(config.use?.launchOptions ?? {});
  const rows: string[][] = [];
  try {
    for (const who of ['admin', 'cpa', 'client'] as const) {
      const page = await browser.newPage({ baseURL: application.origin, viewport: { width: 1440, height: 900 } });
      await page.goto('/login');
      await page.getByLabel('Username').fill(USERS[who]);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Login', exact: true }).click();
      await page.waitForURL(`${application.origin}/`);
      for (const visit of visits[who]) rows.push(await visitRow(page, who, visit, rounds));
      await page.close();
    }
  } finally {
    await browser.close();
    await application.stop();
  }
  sayTable(
    `Screens on ${engine.title}: from the click to the first rows, ${rounds} times, with ${FIRM.clients.toLocaleString('en-US')} clients, ` +
      `${(FIRM.clientUsers + 2).toLocaleString('en-US')} users and ${FILES.toLocaleString('en-US')} files`,
    ['', 'p50 ms', 'max ms', 'KB of JSON', 'rows in the largest answer', 'target', ''],
    rows,
  );
  say(`Each click is made on a page loaded anew: the code comes from the browser's cache, the data from the server.`);
}
