// How toasts behave (docs/behaviour.md, Screens: toasts): one at a time, five seconds, announced, closed by keyboard, kept while being read.
import { expect, type Page } from '@playwright/test';
import { letPass, letPassUntil, stopClock } from './clock.ts';
import { seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { holdCalls } from './stub.ts';
import { notifications, readError, TOLD_TWICE, type ToastKind, toastOf } from './toast.ts';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

const SAVED = 'File downloaded successfully';

test('one toast at a time, for five seconds', { tag: '@full' }, async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin);
  const [first, second] = firm.reports;
  const page = await signIn(firm.cpa, { at: '/file-upload', failures: [500], fresh: true });
  await page.getByRole('button', { name: `Download ${first?.name}` }).waitFor();
  await page.route('**/api/files/*/download', (route) =>
    route.request().url().includes(`/${second?.id}/`)
      ? route.fulfill({ status: 500, json: { message: 'The shelf is empty.', requestId: 'shelf-7' } })
      : route.fallback(),
  );
  await test.step('a failure is told on whichever page the person is by then', async () => {
    const answer = await holdCalls(page, /\/api\/files\/\d+\/download$/);
    await press(page, `Download ${second?.name}`);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Activity', exact: true }).click();
    await expect(page.getByRole('table', { name: 'Activity Log' })).toBeVisible();
    answer();
    await readError(page, 'Failed to download file: The shelf is empty.');
    await page.goto('/file-upload');
    await page.getByRole('button', { name: `Download ${first?.name}` }).waitFor();
  });
  await stopClock(page);
  const shown = (kind: ToastKind) => letPassUntil(page, () => toastOf(page, kind).isVisible());
  const showFirst = async () => {
    const download = page.getByRole('button', { name: `Download ${first?.name}`, exact: true });
    // The download before may not have ended yet.
    await letPassUntil(page, () => download.isEnabled());
    await download.click();
    await shown('status');
  };

  await test.step('the second replaces the first', async () => {
    await showFirst();
    await expect(toastOf(page, 'status')).toContainText(SAVED);
    await expect.soft(notifications(page).locator(TOLD_TWICE)).toHaveCount(0);
    await press(page, `Download ${second?.name}`);
    await shown('alert');
    await expect
      .soft(notifications(page).getByRole('paragraph'))
      .toHaveText(['Error', 'Failed to download file: The shelf is empty.']);
    await expect.soft(toastOf(page, 'status')).toHaveCount(0);
    await expect.soft(notifications(page).locator(TOLD_TWICE)).toHaveCount(0);
  });

  await test.step('a failure names the call, and goes when what failed works', async () => {
    await expect.soft(toastOf(page, 'alert').getByRole('button', { name: /^Request ID/ })).toContainText('shelf-7');
    await press(page, `View ${first?.name}`);
    await letPassUntil(page, async () => !(await toastOf(page, 'alert').isVisible()));
    await press(page, `Download ${second?.name}`);
    await letPassUntil(page, () => toastOf(page, 'alert').isVisible());
  });

  await test.step('it has five seconds of its own, not what was left of the first', async () => {
    await letPass(page, 4500);
    await expect.soft(toastOf(page, 'alert')).toBeVisible();
    await letPass(page, 600);
    await expect.soft(notifications(page).getByRole('paragraph')).toHaveCount(0);
  });

  await test.step('whoever points at it is still reading', async () => {
    await showFirst();
    await toastOf(page, 'status').hover();
    await letPass(page, 20_000);
    await expect.soft(toastOf(page, 'status')).toBeVisible();
    await page.mouse.move(1, 1);
    await letPass(page, 4900);
    await expect.soft(toastOf(page, 'status')).toBeVisible();
    await letPass(page, 200);
    await expect.soft(toastOf(page, 'status')).toHaveCount(0);
  });

  await test.step('it is above the bar of ticked rows', async () => {
    const bar = page.getByRole('region', { name: 'Selected uploaded files' });
    await page.setViewportSize({ width: 1280, height: 520 });
    const tick = () => page.getByRole('checkbox', { name: `Select ${first?.name}`, exact: true }).check();
    const expectApart = async () => {
      const [toast, ticked] = [await toastOf(page, 'status').boundingBox(), await bar.boundingBox()];
      // Above the bar, or below it where the bar is not at the end of the window.
      const above = (toast?.y ?? 0) + (toast?.height ?? 0) <= (ticked?.y ?? 0);
      const below = (toast?.y ?? 0) >= (ticked?.y ?? 0) + (ticked?.height ?? 0);
      expect([toast, ticked, above || below]).toEqual([toast, ticked, true]);
      await bar.getByRole('button', { name: 'Clear' }).click();
      await notifications(page).getByRole('button', { name: 'Dismiss' }).click();
    };
    await tick();
    await showFirst();
    await expectApart();
    // Also where the bar comes later.
    await showFirst();
    await tick();
    await expectApart();
  });

  await test.step('it is reached and put away by keyboard', async () => {
    await showFirst();
    const dismiss = notifications(page).getByRole('button', { name: 'Dismiss' });
    // From where the press was onwards: it is the last thing of the page.
    await page.evaluate('document.activeElement?.blur()');
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab');
      if (await dismiss.evaluate((element) => element.matches(':focus'))) break;
    }
    await expect(dismiss).toBeFocused();
    await letPass(page, 20_000);
    await expect.soft(toastOf(page, 'status')).toBeVisible();
    await page.keyboard.press('Enter');
    await expect.soft(toastOf(page, 'status')).toHaveCount(0);
    // Back to where it was before.
    await letPass(page, 200);
    await expect(page.locator('main:focus-within')).toHaveCount(1);
  });

  await test.step('and by the pointer', async () => {
    await showFirst();
    await notifications(page).getByRole('button', { name: 'Dismiss' }).click();
    await expect.soft(toastOf(page, 'status')).toHaveCount(0);
  });

  await test.step('it goes with whoever signs out', async () => {
    await showFirst();
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
    await letPassUntil(page, () => page.getByLabel('Username').isVisible());
    await letPass(page, 100);
    await expect(toastOf(page, 'status')).toHaveCount(0);
  });
});
