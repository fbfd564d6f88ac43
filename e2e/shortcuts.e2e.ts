// Keyboard shortcuts: single keys that go places and search the page, the sheet that lists them, and that they can be turned off.
import { expect } from '@playwright/test';
import { letPass, stopClock } from './clock.ts';
import { type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { frameStands, openPalette, shortcutSheet } from './palette-page.ts';
import { ADMIN } from './server.ts';

let firm: Firm;

test.beforeAll(async ({ server }) => {
  firm = await seedFirm(server.origin, { reports: 0 });
});

test('single keys go places, search the page and can be turned off', async ({ signIn }) => {
  const page = await signIn(ADMIN, { fresh: true });
  await frameStands(page);
  await stopClock(page);
  const go = async (key: string) => {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
  };
  for (const [key, path] of [
    ['c', '/clients'],
    ['u', '/users'],
    ['f', '/file-upload'],
    ['r', '/cpa-dashboard'],
    ['a', '/activity'],
    ['d', '/'],
  ] as const) {
    await go(key);
    await expect(page).toHaveURL(path);
  }

  await test.step('the second key comes within 1.5 seconds', async () => {
    await page.keyboard.press('g');
    await letPass(page, 1_600);
    await page.keyboard.press('u');
    await letPass(page, 500);
    await expect(page).toHaveURL('/');
    await page.keyboard.press('g');
    await letPass(page, 1_400);
    await page.keyboard.press('u');
    await expect(page).toHaveURL('/users');
  });

  await test.step('the slash focuses the search box; letters typed there are letters', async () => {
    await go('c');
    await page.clock.resume();
    const search = page.getByRole('searchbox', { name: 'Search clients' });
    await expect(search).toBeVisible();
    await page.keyboard.press('/');
    await expect(search).toBeFocused();
    await page.keyboard.type('gu?');
    await expect(search).toHaveValue('gu?');
    await expect(shortcutSheet(page)).toHaveCount(0);
    await expect(page).toHaveURL(/\/clients/);
  });

  await test.step('a dialog keeps the keys to itself', async () => {
    await page.getByRole('button', { name: 'Add Client' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add New Client' });
    await dialog.getByRole('button', { name: 'Cancel' }).focus();
    await go('u');
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await expect(page).toHaveURL(/\/clients/);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('the sheet lists them, and leads to where they are turned off', async () => {
    await page.getByRole('main').focus();
    await page.keyboard.press('?');
    const sheet = shortcutSheet(page);
    await expect(sheet.getByRole('region', { name: 'Go to' })).toContainText(/Users\s*G\s*then\s*U/);
    await sheet.getByRole('link', { name: 'Turn them off' }).click();
    await expect(page).toHaveURL('/account-settings');
    await expect(sheet).toBeHidden();
    const on = page.getByRole('checkbox', { name: 'Single-key shortcuts' });
    await expect(on).toBeChecked();
    await on.uncheck({ force: true });
    await page.reload();
    await frameStands(page);
    await expect(on).not.toBeChecked();
    await go('c');
    await page.keyboard.press('?');
    await openPalette(page);
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL('/account-settings');
    await expect(shortcutSheet(page)).toHaveCount(0);
  });
});

test('a CPA has the keys of the own pages and no others', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn(firm.cpa, { fresh: true });
  await frameStands(page);
  await page.keyboard.press('?');
  const going = shortcutSheet(page).getByRole('region', { name: 'Go to' });
  await expect(going).toContainText('Reports');
  await expect(going).not.toContainText('Users');
  await page.keyboard.press('Escape');
  await expect(shortcutSheet(page)).toBeHidden();
  await stopClock(page);
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await expect(page).toHaveURL('/firm-details');
});
