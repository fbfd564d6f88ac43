// Requests as their tests meet them, on the home, in their list and on their own pages: days they are due, their items, and files sent for one.
import { expect, type Page } from '@playwright/test';

/** That many days from today, as the API has it. */
export const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export const itemOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name }).first();

/** Presses a button that asks for files, and gives it text files of these names. */
export async function choose(page: Page, button: string, ...names: readonly string[]): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  const chooser = await choosing;
  // A phone offers the camera beside its files only where neither is asked for alone.
  expect(chooser.isMultiple()).toBe(true);
  for (const only of ['accept', 'capture']) expect(await chooser.element().getAttribute(only)).toBeNull();
  await chooser.setFiles(names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })));
}
