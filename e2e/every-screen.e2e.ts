// Every screen is judged by axe. In `npm run test:full` with its dialogs and other states, in both colour schemes, wide and on a phone;
// nothing is cut or scrolls sideways on a tablet, a phone or at 400 %, and fingers hit what they mean.
import { expect, type Page } from '@playwright/test';
import { breadth } from '#server/testing/breadth.ts';
import { axeFaults } from './axe.ts';
import { test } from './fixtures.ts';
import { CUT_AT_THE_SIDE, outOfReach, SMALL_TARGETS } from './reflow.ts';
import { seedScreens } from './screens/seed.ts';
import { isScreen, PROVOKED, screenNames, walk } from './screens.ts';
import { settle } from './settle.ts';

/** A walk through several screens: much more than a single test, also on a slow machine. */
test.setTimeout(420_000);
test.describe.configure({ mode: 'parallel' });

/** So many that a page is seldom loaded anew, and so few that two workers end together. */
const SCREENS_AT_ONCE = 4;

function inGroups(names: readonly string[]): readonly string[][] {
  const groups = Math.ceil(names.length / SCREENS_AT_ONCE);
  return Array.from({ length: groups }, (_, nth) => names.slice(nth * SCREENS_AT_ONCE, (nth + 1) * SCREENS_AT_ONCE));
}

/** So tall that the bar of the ticked rows lies over none: axe takes what is scrolled under it for covered. */
const WIDE = { width: 1280, height: 1800 };
/** Upright and across: the sidebar leaves 580 and 784 px. */
const TABLETS = [
  { width: 820, height: 1180 },
  { width: 1024, height: 768 },
];
const PHONE = { width: 360, height: 740 };
/** 1280 x 1024 at 400 % (WCAG 1.4.10). */
const ZOOMED = ['at 400 %', { width: 320, height: 256 }] as const;
const NARROW = [['at 360', PHONE], ZOOMED] as const;
/** Whether a name is looked at: each screen as it opens, or everything about it. */
const isWanted = breadth(isScreen, () => true);

/** Colors fade into one another only once the page has heard of it, which is a moment later. */
async function turnDark(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await settle(page);
}

/** What a narrow window does to the page as it stands. */
async function expectReflow(page: Page, what: string): Promise<void> {
  for (const [name, size] of NARROW) {
    await page.setViewportSize(size);
    await settle(page);
    expect.soft(await page.evaluate(CUT_AT_THE_SIDE), `${what} ${name}`).toEqual([]);
  }
  expect.soft(await page.evaluate(SMALL_TARGETS), `targets of ${what}`).toEqual([]);
  expect.soft(await outOfReach(page), `${what} ${ZOOMED[0]}`).toEqual([]);
}

async function expectAccessible(page: Page, what: string): Promise<void> {
  expect.soft(await page.evaluate(CUT_AT_THE_SIDE), `${what} at ${WIDE.width}`).toEqual([]);
  if (isScreen(what)) {
    await expect.soft(page.getByRole('heading', { level: 1 }), `headings of ${what}`).toHaveCount(1);
    const sidebar = page.getByRole('navigation', { name: 'Main' });
    const isMarked = (await sidebar.count()) > 0 && what !== 'not-found';
    await expect.soft(sidebar.locator('[aria-current="page"]'), `marked for ${what}`).toHaveCount(isMarked ? 1 : 0);
  }
  expect.soft(await axeFaults(page), what).toEqual([]);
}

/** Everything in light, by their colours, where nothing else differs, in dark; screens themselves also on tablets and a phone. */
async function expectSound(page: Page, what: string): Promise<void> {
  await expectAccessible(page, what);

  await turnDark(page);
  expect.soft(await axeFaults(page, 'colours'), `${what}, dark`).toEqual([]);

  for (const size of isScreen(what) ? TABLETS : []) {
    await page.setViewportSize(size);
    await settle(page);
    expect.soft(await page.evaluate(CUT_AT_THE_SIDE), `${what} at ${size.width}`).toEqual([]);
  }

  if (isScreen(what)) {
    await page.setViewportSize(PHONE);
    await settle(page);
    expect.soft(await axeFaults(page), `${what}, dark, on a phone`).toEqual([]);
  }
  await expectReflow(page, what);

  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(WIDE);
}

const expectWell = breadth(expectAccessible, expectSound);

const seeded = new Map<string, ReturnType<typeof seedScreens>>();

/** One firm for all the tests of a server. */
function firmOf(origin: string) {
  const firm = seeded.get(origin) ?? seedScreens(origin);
  seeded.set(origin, firm);
  return firm;
}

/** Screens that another visitor of the list opens too, or the same one at another address: a usual run judges each screen once. */
const AGAIN: readonly string[] = [
  'clients-searched',
  'users-own',
  'files-documents',
  'session',
  'cpa-client',
  'client-dashboard',
  'client-report',
  'client-requests',
  'client-firm-details',
  'client-firm-documents',
  'client-account',
  'outsider-overview',
  'outsider-clients',
  'outsider-firm-details',
  'outsider-batches',
  'outsider-reports',
];
const isJudged = breadth(
  (name: string) => !AGAIN.includes(name),
  () => true,
);

for (const visitor of ['admin', 'cpa', 'client', 'outsider'] as const) {
  for (const through of inGroups(screenNames(visitor).filter(isJudged))) {
    test(`${visitor}: ${through.join(', ')}: accessible${breadth('', ', and fit tablets, a phone and 400 % zoom')}`, async ({
      signIn,
      server,
    }) => {
      const { fixtureIds, people } = await firmOf(server.origin);
      const page = await signIn(people[visitor], { at: null, ...PROVOKED, viewport: WIDE });
      await walk(page, visitor, fixtureIds, (name) => expectWell(page, name), {
        through,
        within: true,
        wanted: isWanted,
      });
    });
  }
}

test('the menu of a phone is accessible, and fits it', { tag: '@full' }, async ({ signIn, server }) => {
  const { fixtureIds, people } = await firmOf(server.origin);
  for (const visitor of ['admin', 'client'] as const) {
    const page = await signIn(people[visitor], { at: null, ...PROVOKED, viewport: PHONE });
    const look = async (name: string) => {
      expect.soft(await axeFaults(page), name).toEqual([]);
      await turnDark(page);
      expect.soft(await axeFaults(page, 'colours'), `${name}, dark`).toEqual([]);
      await expectReflow(page, name);
    };
    const wanted = (name: string) => name.endsWith('-drawer');
    await walk(page, visitor, fixtureIds, look, { width: 'phone', wanted });
  }
});

test('the screens before sign-in are accessible', async ({ browser, server }) => {
  const context = await browser.newContext({ baseURL: server.origin, viewport: WIDE });
  const page = await context.newPage();
  const nowhere = { reportId: 0, clientId: 0, username: '' };
  await walk(page, 'signed out', nowhere, (name) => expectWell(page, name), { within: true, wanted: isWanted });
  await context.close();
});
