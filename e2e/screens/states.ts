// The states that screens of several nouns have: a dialog, a tab, an open list, faults, and what the server refuses or fails at.
import type { Locator, Page } from '@playwright/test';
import { refuse } from '#contract/errors.ts';
import type { ScreenState } from './screen.ts';

/** Presses the first button of that name. */
export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();

/** Presses the first button of that name in a bar of which a phone has some buttons in a menu. */
export async function pressInBar(bar: Locator, name: string | RegExp): Promise<void> {
  await bar.waitFor();
  const more = bar.getByRole('button', { name: 'More' });
  if (await more.isVisible()) await more.click();
  await bar.getByRole('button', { name }).first().click();
}

/** Opens a dialog by the first button of that name. */
export const dialog = (name: string, button: string | RegExp): ScreenState => ({
  name,
  open: async (page) => {
    await press(page, button);
    await page.getByRole('dialog').waitFor();
  },
});

export const tab = (name: string, label: string): ScreenState => ({
  name,
  open: (page) => page.getByRole('tab', { name: label, exact: true }).click(),
});

/** Sends the form of a dialog empty, so that every fault is below its field. */
export const faults = (name: string, button: string, submit: string): ScreenState => ({
  name,
  open: async (page) => {
    await press(page, button);
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: submit, exact: true }).click();
    await form.getByRole('textbox').and(page.locator('[aria-invalid=true]')).first().waitFor();
  },
});

export const list = (name: string, label: string): ScreenState => ({
  name,
  open: async (page) => {
    await page.getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('listbox').getByRole('option').first().waitFor();
  },
});

export const failing = (name: string, calls: string): ScreenState => ({
  name,
  alone: true,
  open: async (page) => {
    await page.route(calls, (route) => route.fulfill({ status: 500, json: { message: 'The database is away' } }));
    await page.reload();
    await page.getByText('The database is away').first().waitFor();
  },
  close: (page) => page.unroute(calls),
});

const overtakenAnswer = (() => {
  const { status, code, message } = refuse('changed_meanwhile', { by: 'Dana Reyes', minutesAgo: 2 });
  return { status, json: { message, code, requestId: 'stubbed' } };
})();

/** A dialog whose row somebody else has saved meanwhile. */
export const overtaken = (name: string, saveLabel: string): ScreenState => ({
  name,
  alone: true,
  open: async (page) => {
    await press(page, /^Edit /);
    const form = page.getByRole('dialog');
    const call = (url: URL) => /\/api\/(users|clients|roles)\/\d+$/.test(url.pathname);
    await page.route(call, (route) =>
      route.request().method() === 'PUT' ? route.fulfill(overtakenAnswer) : route.fallback(),
    );
    await form.getByRole('button', { name: saveLabel }).click();
    await form.getByRole('button', { name: 'Keep mine' }).waitFor();
    await page.unroute(call);
  },
});

/** Stubs the calls of these paths below /api/auth, and removes the stubs at the end. */
export const answered = (
  answers: Readonly<Record<string, { status?: number; json: unknown; headers?: Record<string, string> }>>,
  { name, open }: ScreenState,
): ScreenState => ({
  name,
  alone: true,
  open: async (page) => {
    for (const [path, answer] of Object.entries(answers)) {
      await page.route(`**/api/auth/${path}`, (route) => route.fulfill(answer));
    }
    await open(page);
  },
  close: async (page) => {
    for (const path of Object.keys(answers)) await page.unroute(`**/api/auth/${path}`);
  },
});
