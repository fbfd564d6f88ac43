// What a person already sees on a screen stays where it is when the data arrives, however late.
import { expect, type Page } from '@playwright/test';
import { apiAs, apiWith } from './api.ts';
import { letPass, stopClock } from './clock.ts';
import { seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { type LayoutShift, watchLayoutShifts } from './layout-shift.ts';
import { seedScreens } from './screens/seed.ts';
import { isScreen, walk } from './screens.ts';
import { enrolThroughApi } from './second-factor.ts';
import { ADMIN, startServer } from './server.ts';
import { settle } from './settle.ts';
import { holdCalls } from './stub.ts';
import { test as base } from './visit.ts';

test.setTimeout(240_000);
test.describe.configure({ mode: 'parallel' });

/**
 * How many frames a call waits. A second has 60 at most: on any machine the router shows that it waits by then, and for as long as it
 * has to (150 and 200 ms, `web/app/router.tsx`); and what waits has been drawn.
 */
const LATE_FRAMES = 30;
/** Nothing moves at all. What appears where nothing stood moves nothing, and the browser does not count less than 3 px. */
const MOVED_MAX = 0;

/** So tall that hardly anything stands below its edge: the browser counts what moves in sight. */
const HEIGHT = 1800;
/** Desks, a tablet both ways, and a phone. */
const WIDTHS = [1440, 1280, 1024, 820, 390];
const TALL = { width: 1440, height: HEIGHT } as const;

/**
 * Runs in the page before anything else does. Whoever holds answers on their way to the page instead switches the browser's
 * caches off, and each load takes twice as long.
 */
const ANSWER_LATE = `
  const { fetch } = window;
  window.fetch = async (...asked) => {
    for (let frame = 0; frame < ${LATE_FRAMES}; frame += 1) await new Promise(requestAnimationFrame);
    return fetch(...asked);
  };
`;

const answerLate = (page: Page) => page.addInitScript({ content: ANSWER_LATE });

function expectSteady(name: string, seen: readonly LayoutShift[]): void {
  const moved = seen.reduce((sum, { value }) => sum + value, 0);
  expect.soft(moved, `${name}: ${JSON.stringify(seen)}`).toBeLessThanOrEqual(MOVED_MAX);
}

async function seedFirmOf(origin: string) {
  const firm = await seedScreens(origin);
  const api = await apiAs(origin);
  // The widest word of the log.
  await api.post('/api/activity-logs', { action: 'download', fileId: firm.fixtureIds.reportId });
  // More of them than the grey columns of the permissions, one with a name of several lines.
  for (const name of ['Bookkeeper', 'Payroll and quarterly filings reviewer for every office', 'Archivist']) {
    await api.post('/api/roles', { name });
  }
  return firm;
}

const seeded = new Map<string, ReturnType<typeof seedFirmOf>>();

/** One firm for all the tests of a server. */
function firmOf(origin: string) {
  const firm = seeded.get(origin) ?? seedFirmOf(origin);
  seeded.set(origin, firm);
  return firm;
}

for (const visitor of ['admin', 'cpa', 'client'] as const) {
  for (const width of WIDTHS) {
    test(`no screen of ${visitor} moves when its data arrives late, ${width} wide`, async ({ signIn, server }) => {
      const { fixtureIds, people } = await firmOf(server.origin);
      const page = await signIn(people[visitor], { at: null, viewport: { width, height: HEIGHT } });
      const shifts = await watchLayoutShifts(page);
      await answerLate(page);
      const look = async (name: string) => expectSteady(name, await shifts());
      await walk(page, visitor, fixtureIds, look, { wanted: isScreen });
    });
  }
}

for (const visitor of ['admin', 'cpa'] as const) {
  test(`the home of ${visitor} does not move for uploads that name another company`, async ({ signIn, server }) => {
    const { people } = await firmOf(server.origin);
    const page = await signIn(people[visitor], { at: null, viewport: TALL });
    await page.route('**/api/files/marked?*', (route) =>
      route.fulfill({ headers: { 'x-total-count': '2' }, json: [] }),
    );
    const shifts = await watchLayoutShifts(page);
    await answerLate(page);
    await page.goto('/');
    const card = visitor === 'cpa' ? /^Marked Uploads 2/ : '2 uploads name another company';
    await expect(page.getByRole('link', { name: card })).toBeVisible();
    await settle(page);
    expectSteady('home', await shifts());
  });
}

test('report types that do not come hold no page up, and unfold when asked for once they do', async ({
  signIn,
  server,
}) => {
  const firm = await seedFirm(server.origin, { reports: 1 });
  const [type] = firm.reportTypes;
  const page = await signIn(firm.clientUser);
  const release = await holdCalls(page, /\/api\/report-types/);
  await page.goto('/client-reports');
  await expect(page.getByRole('heading', { name: 'Reports', exact: true }).first()).toBeVisible();
  release();
  const menu = page.getByRole('navigation', { name: 'Main' });
  const toggle = menu.getByRole('button', { name: 'Report types' });
  await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  await toggle.click();
  await menu.getByRole('button', { name: type.name, exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`reportType=${type.id}`));

  // With the next page they unfold by themselves.
  await toggle.click();
  await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  await page.reload();
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
});

test('a page whose code comes at once replaces the one before, later code is waited for with a spinner, and nothing moves', async ({
  signIn,
}) => {
  const page = await signIn(ADMIN, { at: null, fresh: true, viewport: TALL });
  const shifts = await watchLayoutShifts(page);
  await page.clock.install();
  await page.goto('/');
  const heading = (name: string) => page.getByRole('main').getByRole('heading', { name, exact: true });
  await expect(heading('Welcome, Administrator')).toBeVisible();
  await settle(page);
  await stopClock(page);
  const spinner = page.getByRole('main').getByRole('status').filter({ hasText: 'Loading...' });
  const go = (path: string) => page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);

  await test.step('at once: within 150 ms', async () => {
    const release = await holdCalls(page, /\/assets\/clients-[^/]*\.js$/);
    await go('/clients');
    await letPass(page, 140);
    await expect(heading('Welcome, Administrator')).toBeVisible();
    expect(await spinner.count()).toBe(0);
    release();
    await expect(heading('Client Management')).toBeVisible();
  });

  await test.step('later: the spinner stays for at least 200 ms', async () => {
    const release = await holdCalls(page, /\/assets\/jobs-[^/]*\.js$/);
    await go('/jobs');
    await letPass(page, 140);
    await expect(heading('Client Management')).toBeVisible();
    await letPass(page, 20);
    await expect(spinner).toBeVisible();
    const arriving = page.waitForResponse(/\/assets\/jobs-[^/]*\.js$/);
    release();
    await (await arriving).finished();
    await letPass(page, 170);
    await expect(spinner).toBeVisible();
    await letPass(page, 40);
    await expect(heading('Background Jobs')).toBeVisible();
    expect(await spinner.count()).toBe(0);
  });

  await page.clock.resume();
  await settle(page);
  expectSteady('from page to page', await shifts());
});

// Its own server: SAFEGUARDS is said at the start, for everybody.
const guarded = base.extend<object, object>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to see what a fixture depends on
    async ({}, use) => {
      const server = await startServer({ SAFEGUARDS: 'on' });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
});

guarded('nor do the account settings with SAFEGUARDS=on', async ({ visit, server }) => {
  const { token } = await enrolThroughApi(server.origin, ADMIN);
  const user = await apiWith(server.origin, token).get('/api/auth/me');
  const page = await visit({ viewport: TALL });
  const shifts = await watchLayoutShifts(page);
  await page.addInitScript(
    (session) => {
      for (const [key, value] of Object.entries(session)) localStorage.setItem(key, value);
    },
    { token, user: JSON.stringify(user) },
  );
  await answerLate(page);
  await page.goto('/account-settings');
  const last = page.getByRole('list', { name: 'Recent activity on this account' });
  await expect(last.getByRole('listitem').first()).toBeVisible();
  expectSteady('account settings', await shifts());
});
