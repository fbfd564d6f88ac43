// A file opened in a tab of its own, recognised by the server's answer: not every Chromium shows a PDF by itself.
import { expect, type Page } from '@playwright/test';

/** Presses what opens a PDF and returns the requested address; the tab is closed again. */
export async function openInTab(page: Page, press: () => Promise<unknown>): Promise<string> {
  const context = page.context();
  const opening = context.waitForEvent('page');
  const serving = context.waitForEvent('response', (response) => /\/api\/files\/\d+\?.*view=true/.test(response.url()));
  await press();
  const tab = await opening;
  const answer = await serving;
  expect(answer.status()).toBe(200);
  const headers = await answer.allHeaders();
  expect(headers['content-type']).toBe('application/pdf');
  expect(headers['content-disposition']).toMatch(/^inline/);
  await tab.close();
  return new URL(answer.url()).pathname;
}
