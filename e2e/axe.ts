// Checks a page with axe against WCAG 2.2 AA.
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { breadth } from '#server/testing/breadth.ts';

type AxeResults = Awaited<ReturnType<AxeBuilder['analyze']>>;
type RunOptions = Parameters<AxeBuilder['options']>[0];

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const OPTIONS: RunOptions = { resultTypes: ['violations'], preload: false };

/** Which rules are broken, each with the elements that break it. */
function violationLines({ violations }: AxeResults): string[] {
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

/** What sticks to an edge covers rows while they scroll by, for a moment: sizes are judged where everything has its own place. */
const unstick = `if (!window.axeUnstuck) {
  window.axeUnstuck = new CSSStyleSheet();
  axeUnstuck.replaceSync('main :is(thead th, section[data-shown]) { position: static !important }');
}
document.adoptedStyleSheets = [...document.adoptedStyleSheets, axeUnstuck];`;
const restick = 'document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== axeUnstuck);';

/** How many elements are on their way in or out: half seen, their colours are judged wrong. Spinners turn for ever. */
const moving = `document.getAnimations().filter(({ playState, effect }) =>
  playState === 'running' && effect?.getComputedTiming().endTime !== Infinity).length`;

/** The elements that break a rule of WCAG 2.2 A and AA, or one about colours alone. */
export async function axeFaults(page: Page, what: 'everything' | 'colours' = 'everything'): Promise<string[]> {
  const runOnly = what === 'everything' ? TAGS : { type: 'rule' as const, values: ['color-contrast'] };
  const options: RunOptions = { ...OPTIONS, runOnly };
  await expect.poll(() => page.evaluate(moving), 'everything stands still').toBe(0);
  await page.evaluate(unstick);
  try {
    return await analysed(page, options);
  } finally {
    await page.evaluate(restick);
  }
}

/** The same of a page that a journey passes, in `npm run test:full`: each run judges every screen once (`every-screen.e2e.ts`). */
export const axeFaultsOnTheWay = breadth(async (_page: Page): Promise<string[]> => [], axeFaults);

async function analysed(page: Page, options: RunOptions): Promise<string[]> {
  // To bring axe into a page costs twice as much as to run it; it stays as long as the page is not loaded anew.
  if (await page.evaluate<boolean>('"axe" in window')) {
    return violationLines(await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`));
  }
  return violationLines(await new AxeBuilder({ page }).setLegacyMode(true).options(options).analyze());
}
