// The command `npm run screenshots`: a picture of every screen and dialog, in both colour schemes and two widths, into screenshots/.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContextOptions, chromium, expect, type Page } from '@playwright/test';
import config from '../playwright.config.ts';
import { apiAs } from './api.ts';
import { login } from './fixtures.ts';
import { hasInk } from './pdf.ts';
import type { FixtureIds, Visitor } from './screens/screen.ts';
import { CLOSED_CLIENT, seedBatch, seedRequest } from './screens/seed.ts';
import { walk } from './screens.ts';
import { startServer } from './server.ts';

const ROOT = resolve(import.meta.dirname, '..');
const OUTPUT = join(ROOT, 'screenshots');
const README_IMAGES = join(ROOT, 'docs/images');
const PASSWORD = 'coffer-demo-2026';

const USAGE = `npm run screenshots [-- <name>...] [-- --scheme light|dark] [-- --width wide|phone] [-- --readme]
  <name>    screens or states alone, as their files are named: files, clients-add; a screen brings its states
  --readme  the pictures of the README, into docs/images`;

/** Accounts of the demo. */
const people: Readonly<Record<Exclude<Visitor, 'signed out'>, string>> = {
  admin: 'admin',
  cpa: 'r.okafor',
  client: 'ingrid.castellan',
  outsider: 'l.farrow',
};

const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = {
  wide: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
} as const;

const { values: flags, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    scheme: { type: 'string' },
    width: { type: 'string' },
    readme: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const wanted = (name: string) => names.length === 0 || names.some((one) => name === one || name.startsWith(`${one}-`));

interface FoundFile {
  readonly id: number;
  readonly clientId: number;
  readonly originalName: string;
}

/** The demo deletes nothing: one of each kind, so that there is something to see. */
async function fillTrash(origin: string): Promise<void> {
  const api = await apiAs(origin, { username: 'admin', password: PASSWORD });
  for (const fileType of ['report', 'company_document']) {
    const [file] = await api.get<FoundFile[]>(`/api/files?fileType=${fileType}&limit=1&sort=uploadedAt`);
    if (file) await api.delete(`/api/files/${file.id}`);
  }
  const { id } = await api.post<{ id: number }>('/api/clients', CLOSED_CLIENT);
  await api.delete(`/api/clients/${id}`);
}

/** A batch in review, of the first clients. */
async function dropBatch(origin: string): Promise<void> {
  const api = await apiAs(origin, { username: 'admin', password: PASSWORD });
  await seedBatch(api, await api.get<{ name: string; federalId: string }[]>('/api/clients?limit=6'));
}

/** What the history of the demo proposes is expected, but of one client: there is something left to propose. */
async function fillBoard(origin: string): Promise<void> {
  const api = await apiAs(origin, { username: 'admin', password: PASSWORD });
  const { proposals } = await api.post<{ proposals: { clientId: number }[] }>('/api/completeness/proposals', {});
  const last = proposals.at(-1)?.clientId;
  const expectations = proposals.flatMap((proposal) => {
    const { clientId, reportTypeId, frequency, dueDays, starts } = proposal as Record<string, unknown>;
    return clientId === last ? [] : [{ clientId, reportTypeId, frequency, dueDays, starts }];
  });
  if (expectations.length > 0) await api.post('/api/completeness/expectations', { expectations });
}

/** A request of the last days, with answers of one of the client's people. */
async function askClient(origin: string): Promise<void> {
  const api = await apiAs(origin, { username: 'admin', password: PASSWORD });
  const person = await apiAs(origin, { username: people.client, password: PASSWORD });
  const [client] = await person.get<{ id: number }[]>('/api/clients?limit=1');
  if (client) await seedRequest(api, person, client.id);
}

async function fixtureIdsOf(origin: string, username: string): Promise<FixtureIds> {
  const api = await apiAs(origin, { username, password: PASSWORD });
  const files = await api.get<FoundFile[]>('/api/files?fileType=report&limit=500');
  const ending = (pattern: RegExp) => files.find(({ originalName }) => pattern.test(originalName));
  const pdf = ending(/[.]pdf$/i) ?? files[0];
  const table = ending(/[.]csv$/i);
  const archive = ending(/[.](zip|xlsx|docx)$/i);
  const [batch] = username === people.admin ? await api.get<{ id: number }[]>('/api/batches') : [];
  // Of the accounts that open a request's page; the outsider sees none.
  const [request] = [people.admin, people.client].includes(username)
    ? await api.get<{ id: number }[]>('/api/requests?review=true&limit=1')
    : [];
  return {
    reportId: pdf?.id ?? 0,
    clientId: pdf?.clientId ?? 0,
    username: people.cpa,
    ...(table ? { tableId: table.id } : {}),
    ...(archive ? { archiveId: archive.id } : {}),
    ...(batch ? { batchId: batch.id } : {}),
    ...(request ? { requestId: request.id } : {}),
  };
}

async function signedIn(browser: Browser, options: BrowserContextOptions, username: string): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto('/login');
  await login(page, { username, password: PASSWORD });
  await page.waitForURL(`${options.baseURL}/`);
  return page;
}

const DRAWN_WITHIN_MS = 10_000;

/** Takes a picture once the first page of a PDF in it is drawn: the others are drawn when they come into view. */
async function shoot(page: Page, path: string): Promise<void> {
  const sheet = page.locator('canvas').first();
  // The sheet is before there is anything to draw on.
  if ((await page.getByRole('group', { name: /^Page 1 of/ }).count()) > 0) {
    await expect
      .poll(() => sheet.evaluate(hasInk), { timeout: DRAWN_WITHIN_MS, message: `${path} is drawn` })
      .toBe(true);
  }
  await page.screenshot({ path });
}

async function shootAll(browser: Browser, origin: string): Promise<number> {
  // A complete run leaves no picture of a removed screen.
  if (names.length === 0 && !flags.scheme && !flags.width) rmSync(OUTPUT, { recursive: true, force: true });
  mkdirSync(OUTPUT, { recursive: true });
  let taken = 0;
  for (const [width, viewport] of Object.entries(WIDTHS) as [keyof typeof WIDTHS, (typeof WIDTHS)['wide']][]) {
    for (const colorScheme of SCHEMES) {
      if ((flags.scheme ?? colorScheme) !== colorScheme || (flags.width ?? width) !== width) continue;
      const options = { baseURL: origin, viewport, colorScheme };
      const keep = (page: Page) => async (name: string) => {
        await shoot(page, join(OUTPUT, `${name}-${width}-${colorScheme}.png`));
        taken += 1;
      };
      const anyone = await (await browser.newContext(options)).newPage();
      const nowhere = { reportId: 0, clientId: 0, username: '' };
      await walk(anyone, 'signed out', nowhere, keep(anyone), { width, wanted });
      await anyone.context().close();
      for (const [visitor, username] of Object.entries(people) as [keyof typeof people, string][]) {
        const fixtureIds = await fixtureIdsOf(origin, username);
        const page = await signedIn(browser, options, username);
        await walk(page, visitor, fixtureIds, keep(page), { width, wanted });
        await page.context().close();
      }
    }
  }
  return taken;
}

/** Few and light: they are part of the repository. */
async function shootForReadme(browser: Browser, origin: string): Promise<number> {
  mkdirSync(README_IMAGES, { recursive: true });
  const options: BrowserContextOptions = {
    baseURL: origin,
    viewport: WIDTHS.wide,
    deviceScaleFactor: 1.25,
    colorScheme: 'light',
  };
  const shots = [
    ['admin', { overview: 'overview', files: 'files' }],
    ['cpa', { 'cpa-report': 'report' }],
  ] as const;
  let taken = 0;
  for (const [visitor, files] of shots) {
    const page = await signedIn(browser, options, people[visitor]);
    const fixtureIds = await fixtureIdsOf(origin, people[visitor]);
    const fileOf = new Map(Object.entries(files));
    await walk(
      page,
      visitor,
      fixtureIds,
      async (name) => {
        await shoot(page, join(README_IMAGES, `${fileOf.get(name)}.png`));
        taken += 1;
      },
      { wanted: (name) => fileOf.has(name) },
    );
    await page.context().close();
  }
  return taken;
}

if (flags.help) {
  process.stdout.write(`${USAGE}\n`);
} else {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-screenshots-'));
  const demo = join(folder, 'demo');
  execFileSync(process.execPath, [join(ROOT, 'demo/main.ts'), '--small', '--dir', demo], { stdio: 'ignore' });
  const server = await startServer({ DATA_DIR: demo }, { passwords: 'as in use' });
  // What is odd or endless is for the pictures of all screens.
  if (!flags.readme) {
    await fillTrash(server.origin);
    await dropBatch(server.origin);
    await askClient(server.origin);
  }
  await fillBoard(server.origin);
  const browser = await chromium.launch(config.use?.launchOptions ?? {});
  try {
    const taken = flags.readme ? await shootForReadme(browser, server.origin) : await shootAll(browser, server.origin);
    process.stdout.write(`${taken} pictures in ${flags.readme ? 'docs/images' : 'screenshots'}/\n`);
  } finally {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
