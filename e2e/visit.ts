// A browser without a session, for tests of what comes before sign-in, with a console without errors too.
import { type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { test as base } from './fixtures.ts';

interface VisitOptions extends Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'hasTouch'> {
  /** What the console may say: the failures that the test provokes. */
  noise?: RegExp;
}

interface Fixtures {
  /** Opens a page in a browser in which nobody has signed in. */
  visit(options?: VisitOptions): Promise<Page>;
}

export const test = base.extend<Fixtures>({
  visit: async ({ browser, server }, use) => {
    const noises: string[] = [];
    const contexts: { close(): Promise<void> }[] = [];
    await use(async ({ noise, ...options } = {}) => {
      const context = await browser.newContext({ baseURL: server.origin, ...options });
      contexts.push(context);
      const page = await context.newPage();
      page.on('pageerror', (error) => noises.push(String(error)));
      page.on('console', (message) => {
        if (message.type() !== 'error' && message.type() !== 'warning') return;
        if (!noise?.test(message.text())) noises.push(`${message.text()} (${message.location().url})`);
      });
      return page;
    });
    expect(noises, 'the browser console stays silent').toEqual([]);
    for (const context of contexts) await context.close();
  },
});
