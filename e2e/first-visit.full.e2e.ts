// What a browser really loads on the first visit to each page, since `size-limit` only reads the chunks; and that the heavy parts load later.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures.ts';
import { seedScreens } from './screens/seed.ts';
import { isScreen, walk } from './screens.ts';
import { settle } from './settle.ts';

/** A walk through many screens: much more than a single test, also on a slow machine. */
test.setTimeout(300_000);

const WEB = resolve(import.meta.dirname, '../dist/web');
const LOGIN_MAX_BYTES = 152_000;
/** Of everything, headers included, as it travels. */
const LOGIN_PAGE_MAX_BYTES = 200_000;
const SCREEN_MAX_BYTES = 306_000;
/** Its forms stand on the page itself, so that it brings what checks them. */
const ACCOUNT_MAX_BYTES = 331_000;
const mostBytes = (name: string) => (/(^|-)account$/.test(name) ? ACCOUNT_MAX_BYTES : SCREEN_MAX_BYTES);

const compressed = new Map<string, number>();

function compressedBytes(path: string): number {
  const known = compressed.get(path) ?? gzipSync(readFileSync(join(WEB, path)), { level: 9 }).length;
  compressed.set(path, known);
  return known;
}

/** The scripts that a page requested since its latest navigation. */
function watchScripts(page: Page) {
  const asked = new Set<string>();
  page.on('request', (request) => {
    if (request.isNavigationRequest()) asked.clear();
    if (request.resourceType() === 'script') asked.add(new URL(request.url()).pathname);
  });
  return () => [...asked];
}

const sum = (paths: readonly string[]) => paths.reduce((total, path) => total + compressedBytes(path), 0);

test('the login page stays light', async ({ browser, server }) => {
  const context = await browser.newContext({ baseURL: server.origin });
  const page = await context.newPage();
  const scripts = watchScripts(page);
  await page.goto('/login');
  await expect(page.getByLabel('Username')).toBeVisible();
  await settle(page);
  expect(scripts().length).toBeGreaterThan(1);
  expect(sum(scripts())).toBeLessThan(LOGIN_MAX_BYTES);
  await context.close();
});

test('the login page comes compressed, in less than 200 KB altogether', async ({ browser, server }) => {
  const context = await browser.newContext({ baseURL: server.origin });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const sizes = new Map<string, number>();
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength));
  const plain: string[] = [];
  // A typeface is compressed in itself.
  page.on('response', (response) => {
    const length = Number(response.headers()['content-length'] ?? 0);
    if (length > 1_024 && response.headers()['content-encoding'] === undefined && !response.url().endsWith('.woff2'))
      plain.push(response.url());
  });
  await page.goto('/login');
  await expect(page.getByLabel('Username')).toBeVisible();
  await settle(page);
  expect(plain).toEqual([]);
  expect(sizes.size).toBeGreaterThan(3);
  expect([...sizes.values()].reduce((total, size) => total + size, 0)).toBeLessThan(LOGIN_PAGE_MAX_BYTES);
  await context.close();
});

test('every screen stays light, and loads viewer and palette only when they are used', async ({ signIn, server }) => {
  const { fixtureIds, people } = await seedScreens(server.origin);
  for (const visitor of ['admin', 'cpa', 'client'] as const) {
    const page = await signIn(people[visitor], { fresh: true });
    const scripts = watchScripts(page);
    // A report shows its pages at once, as a batch does: the viewer draws them, and does not count.
    const wanted = (name: string) => isScreen(name) && !/-report(-|$)|^batch$/.test(name);
    await walk(
      page,
      visitor,
      fixtureIds,
      async (name) => {
        const paths = scripts();
        expect.soft(paths.length, name).toBeGreaterThan(1);
        expect.soft(sum(paths), name).toBeLessThan(mostBytes(name));
        expect
          .soft(
            // By its name, since the hash behind it may say anything.
            paths.filter((path) => /pdf|palette|spotlight/i.test(path.replace(/-.{8}\.js$/, ''))),
            name,
          )
          .toEqual([]);
      },
      { wanted },
    );
  }
});
