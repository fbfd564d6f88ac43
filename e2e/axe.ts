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

/** Every rule of WCAG 2.2 A and AA; returns what breaks them. */
export async function axeFaults(page: Page): Promise<string[]> {
  const builder = new AxeBuilder({ page }).setLegacyMode(true).options({ ...OPTIONS, runOnly: TAGS });
  return violationLines(await builder.analyze());
}

/** The same once more on a page that `axeFaults` has judged: the axe that it brought is still there. */
export async function axeFaultsAgain(page: Page, what: 'everything' | 'colours'): Promise<string[]> {
  const runOnly = what === 'everything' ? TAGS : { type: 'rule', values: ['color-contrast'] };
  return violationLines(await page.evaluate<AxeResults>(`axe.run(${JSON.stringify({ ...OPTIONS, runOnly })})`));
}
