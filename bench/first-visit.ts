// What a visit costs on a phone, the first one and a later one: bytes on the wire, and when the first and the largest content are there, in
// a real browser.
import { type Browser, type BrowserContextOptions, type CDPSession, chromium, type Page } from '@playwright/test';
import { addressOf } from '#contract/addresses.ts';
import config from '../playwright.config.ts';
import { startApplication } from './children.ts';
import type { Engine } from './engines.ts';
import { Broken, median } from './load.ts';
import { mark, ms, say, sayTable } from './report.ts';
import { PASSWORD, seed, USERS } from './seed.ts';
import type { Settings } from './settings.ts';

const FILES = 10_000;
const SIGN_IN_MAX_BYTES = 200_000;
const LARGEST_MAX_MS = 2_000;

/** The phone and the line of Lighthouse's own profile: 1.6 Mbit/s, 150 ms there and back, a processor four times as slow. */
const LINE = { downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8, latency: 150, offline: false };
const SLOWER = 4;
const PHONE: BrowserContextOptions = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
};

interface Visit {
  readonly page: string;
  /** Nobody: the sign-in page. */
  readonly who?: keyof typeof USERS;
  readonly path: string;
  readonly maxBytes?: number;
}

const visits: readonly Visit[] = [
  { page: 'sign-in', path: '/login', maxBytes: SIGN_IN_MAX_BYTES },
  { page: 'overview (admin)', who: 'admin', path: '/' },
  { page: 'Dashboard (cpa)', who: 'cpa', path: '/' },
  { page: 'Dashboard (client)', who: 'client', path: '/' },
  { page: 'Reports (client)', who: 'client', path: '/client-reports' },
];

interface Cost {
  readonly bytes: number;
  readonly requests: number;
  readonly firstMs: number;
  readonly largestMs: number;
}

/** Runs in the page: when the first content was painted and when the largest, in ms after the navigation began. */
const PAINTS = `new Promise((resolve) => {
  const first = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
  new PerformanceObserver((list) => resolve([first, list.getEntries().at(-1).startTime]))
    .observe({ type: 'largest-contentful-paint', buffered: true });
})`;

/** A page is there when nothing was under way for this long. */
const QUIET_MS = 1_000;
const THERE_WITHIN_MS = 60_000;

/** Follows all that comes over the wire from now on, headers included. */
async function followWire(session: CDPSession) {
  const counted = { bytes: 0, requests: 0 };
  const open = new Set<string>();
  let changedAt = Date.now();
  const ended = (requestId: string) => {
    open.delete(requestId);
    changedAt = Date.now();
  };
  await session.send('Network.enable');
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    // Open for as long as the page is.
    if (new URL(request.url).pathname !== addressOf('changes.follow').path) open.add(requestId);
    changedAt = Date.now();
  });
  session.on('Network.loadingFailed', ({ requestId }) => ended(requestId));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    ended(requestId);
    counted.bytes += encodedDataLength;
    counted.requests += 1;
  });
  const quiet = async () => {
    for (const endMs = Date.now() + THERE_WITHIN_MS; open.size > 0 || Date.now() - changedAt < QUIET_MS; ) {
      if (Date.now() > endMs) throw new Broken('The page never came to rest');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  return { counted, quiet };
}

/** `cached`: the browser has seen the page before, and keeps what it may. */
async function visitOnce(
  browser: Browser,
  options: BrowserContextOptions,
  { path, cached }: { readonly path: string; readonly cached: boolean },
): Promise<Cost> {
  // A context of its own has nothing in its cache.
  const context = await browser.newContext(options);
  try {
    if (cached) {
      const before = await context.newPage();
      await before.goto(path, { waitUntil: 'load' });
      await (await followWire(await context.newCDPSession(before))).quiet();
      await before.close();
    }
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const { counted, quiet } = await followWire(session);
    await session.send('Network.emulateNetworkConditions', LINE);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await page.goto(path, { waitUntil: 'load' });
    await quiet();
    const [firstMs, largestMs] = await page.evaluate<[number, number]>(PAINTS);
    if (new URL(page.url()).pathname !== path) throw new Broken(`${path} led to ${page.url()}`);
    return { ...counted, firstMs, largestMs };
  } finally {
    await context.close();
  }
}

async function signIn(page: Page, origin: string, who: keyof typeof USERS): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Username').fill(USERS[who]);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await page.waitForURL(`${origin}/`);
}

/** Seeds a firm with the data folder `dataDir`, and prints a line for each page. */
export async function measureFirstVisits(engine: Engine, dataDir: string, { screenRounds }: Settings): Promise<void> {
  const databaseUrl = await engine.createDatabase(dataDir);
  await seed({ databaseUrl, dataDir }, FILES);
  const { origin, stop } = await startApplication(dataDir, [], { DATABASE_URL: databaseUrl });
  const browser = await chromium.launch(config.use?.launchOptions ?? {});
  const rows: string[][] = [];
  try {
    for (const { page: name, who, path, maxBytes } of visits) {
      const options: BrowserContextOptions = { ...PHONE, baseURL: origin };
      if (who !== undefined) {
        const context = await browser.newContext(options);
        await signIn(await context.newPage(), origin, who);
        options.storageState = await context.storageState();
        await context.close();
      }
      for (const cached of [false, true]) {
        const costs: Cost[] = [];
        for (let round = 0; round < screenRounds; round += 1) {
          costs.push(await visitOnce(browser, options, { path, cached }));
        }
        const bytes = Math.max(...costs.map((cost) => cost.bytes));
        const largestMs = median(costs.map((cost) => cost.largestMs));
        const fits = maxBytes === undefined || bytes <= maxBytes;
        rows.push([
          `${name}, ${cached ? 'again' : 'first'}`,
          (bytes / 1000).toFixed(1),
          String(costs[0]?.requests ?? 0),
          ms(median(costs.map((cost) => cost.firstMs))),
          ms(largestMs),
          `${maxBytes === undefined ? '' : `<= ${maxBytes / 1000} KB, `}< ${LARGEST_MAX_MS.toLocaleString('en-US')} ms`,
          mark(fits && largestMs < LARGEST_MAX_MS),
        ]);
      }
    }
  } finally {
    await browser.close();
    await stop();
  }
  sayTable(
    `Visits on ${engine.title}, the first with nothing cached, ${screenRounds} times each: a phone on 1.6 Mbit/s, 150 ms away, its processor slowed ${SLOWER} times`,
    ['', 'KB on the wire', 'requests', 'first content ms', 'largest content ms', 'target', ''],
    rows,
  );
  say('The slowed processor is this machine’s: on a busy one the times say more of it than of the page.');
}
