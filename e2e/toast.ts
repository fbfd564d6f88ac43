// Reads the one toast of a page, as people see or hear it.
import { expect, type Locator, type Page } from '@playwright/test';

/** An error is an alert, a success a status. */
export type ToastKind = 'alert' | 'status';

/** Where toasts appear. */
export function notifications(page: Page): Locator {
  return page.getByRole('region', { name: 'Notifications' });
}

/** The toast of this kind. The status stands before its words do. */
export function toastOf(page: Page, kind: ToastKind): Locator {
  const region = notifications(page).getByRole(kind);
  return region.filter({ has: page.getByRole('paragraph') });
}

/** Whether nothing lies over the middle of a part, such as a toast. */
export const isInSight = (part: Locator): Promise<boolean> =>
  part.evaluate((node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return node.contains(node.ownerDocument.elementFromPoint(left + width / 2, top + height / 2));
  });

const ANNOUNCED = ':is([aria-live], [role="status"], [role="alert"])';

/** What is announced within something that is announced itself: some screen readers say it twice. */
export const TOLD_TWICE = `${ANNOUNCED} ${ANNOUNCED}`;

/** Expects a toast of exactly these paragraphs (its title first, where it has one), alone, and closes it. */
export async function readToast(page: Page, kind: ToastKind, words: readonly string[]): Promise<void> {
  await expect.soft(toastOf(page, kind).getByRole('paragraph')).toHaveText([...words]);
  await putToastAway(page);
}

/** Closes the toast, where it still stands. */
export async function putToastAway(page: Page): Promise<void> {
  const dismiss = notifications(page).getByRole('button', { name: 'Dismiss' });
  // In one go: between a look and a press its five seconds may end.
  await dismiss.evaluateAll((buttons) => {
    for (const button of buttons) button.click();
  });
  await expect.soft(dismiss).toHaveCount(0);
}

/** Of what was sent twice, the first time with a lost answer. */
export const SAVED_BEFORE =
  'Your first try seems to have been saved, although no answer came. Look for it in the list before you save it again.';

/** Expects the destructive toast: 'Error' unless another title is stated. */
export function readError(page: Page, text: string, title = 'Error'): Promise<void> {
  return readToast(page, 'alert', [title, text]);
}
