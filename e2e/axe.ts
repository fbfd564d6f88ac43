// Checks a page with axe against WCAG 2.2 AA.
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

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

/** The elements that break a rule of WCAG 2.2 A and AA, or one about colours alone. */
export async function axeFaults(page: Page, what: 'everything' | 'colours' = 'everything'): Promise<string[]> {
  const runOnly = what === 'everything' ? TAGS : { type: 'rule' as const, values: ['color-contrast'] };
  const options = { ...OPTIONS, runOnly };
  // To bring axe into a page costs twice as much as to run it; it stays as long as the page is not loaded anew.
  if (await page.evaluate<boolean>('"axe" in window')) {
    return violationLines(await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`));
  }
  return violationLines(await new AxeBuilder({ page }).setLegacyMode(true).options(options).analyze());
}
