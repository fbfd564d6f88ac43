// Every screen, with its dialogs and other states, judged by axe against WCAG 2.2 AA: in both colour schemes, wide and on a phone.
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures.ts';
import { layScreens, PROVOKED, settle, walk } from './screens.ts';

type AxeResults = Awaited<ReturnType<AxeBuilder['analyze']>>;
type RunOptions = Parameters<AxeBuilder['options']>[0];

/** A walk through many screens: much more than a single test, also on a slow machine. */
test.setTimeout(300_000);

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const WIDE = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const OPTIONS: RunOptions = { resultTypes: ['violations'], preload: false };

/** Which rules are broken, each with the elements that break it. */
function told({ violations }: AxeResults): string[] {
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Judges a page again; the axe that AxeBuilder brought is still there. */
const again = (page: Page, runOnly: NonNullable<RunOptions['runOnly']>) =>
  page.evaluate<AxeResults>(`axe.run(${JSON.stringify({ ...OPTIONS, runOnly })})`);

/** Everything in light, the colours once more in dark, where nothing else differs, and everything on a phone. */
async function expectAccessible(page: Page, what: string): Promise<void> {
  const builder = new AxeBuilder({ page }).setLegacyMode(true).options({ ...OPTIONS, runOnly: TAGS });
  expect.soft(told(await builder.analyze()), what).toEqual([]);

  await page.emulateMedia({ colorScheme: 'dark' });
  await settle(page);
  expect.soft(told(await again(page, { type: 'rule', values: ['color-contrast'] })), `${what}, dark`).toEqual([]);

  await page.setViewportSize(PHONE);
  await settle(page);
  expect.soft(told(await again(page, TAGS)), `${what}, dark, on a phone`).toEqual([]);

  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(WIDE);
}

const laid = new Map<string, ReturnType<typeof layScreens>>();

/** One firm for all the tests of a server. */
function firmOf(origin: string) {
  const firm = laid.get(origin) ?? layScreens(origin);
  laid.set(origin, firm);
  return firm;
}

for (const visitor of ['admin', 'cpa', 'client', 'outsider'] as const) {
  test(`every screen of ${visitor} is accessible`, async ({ signIn, server }) => {
    const { landmarks, people } = await firmOf(server.origin);
    const page = await signIn(people[visitor], { ...PROVOKED, viewport: WIDE });
    await walk(page, visitor, landmarks, (name) => expectAccessible(page, name));
  });
}

test('the menu of a phone is accessible', async ({ signIn, server }) => {
  const { landmarks, people } = await firmOf(server.origin);
  for (const visitor of ['admin', 'client'] as const) {
    const page = await signIn(people[visitor], { ...PROVOKED, viewport: PHONE });
    const wanted = (name: string) => name.endsWith('-drawer');
    await walk(page, visitor, landmarks, (name) => expectAccessible(page, name), { width: 'phone', wanted });
  }
});

test('the screens before sign-in are accessible', async ({ browser, server }) => {
  const context = await browser.newContext({ baseURL: server.origin, viewport: WIDE });
  const page = await context.newPage();
  const nowhere = { reportId: 0, clientId: 0, username: '' };
  await walk(page, 'signed out', nowhere, (name) => expectAccessible(page, name));
  await context.close();
});
