// Reads the one toast of a page, as people see or hear it.
import { expect, type Locator, type Page } from '@playwright/test';

/** How long a toast may take to come, on a busy machine too. */
const TOAST_WITHIN_MS = 8000;

/** An error is an alert, a success a status. */
export type ToastKind = 'alert' | 'status';

/** Where toasts appear. */
export function notifications(page: Page): Locator {
  return page.getByRole('region', { name: 'Notifications' });
}

/** The toast of this kind. */
export function toastOf(page: Page, kind: ToastKind): Locator {
  return notifications(page).getByRole(kind);
}

/** Expects a toast of exactly these paragraphs (its title first, where it has one), alone, and closes it. */
export async function readToast(page: Page, kind: ToastKind, words: readonly string[]): Promise<void> {
  await expect.soft(toastOf(page, kind).getByRole('paragraph')).toHaveText([...words], { timeout: TOAST_WITHIN_MS });
  const dismiss = notifications(page).getByRole('button', { name: 'Dismiss' });
  if (await dismiss.isVisible()) await dismiss.click();
  await expect.soft(dismiss).toHaveCount(0, { timeout: TOAST_WITHIN_MS });
}

/** Expects the destructive toast: 'Error' unless another title is stated. */
export function readError(page: Page, text: string, title = 'Error'): Promise<void> {
  return readToast(page, 'alert', [title, text]);
}
