// The command palette and the sheet of shortcuts as their tests meet them.
import { expect, type Page } from '@playwright/test';

export const palette = (page: Page) => page.getByRole('dialog', { name: 'Search', exact: true });
export const words = (page: Page) => palette(page).getByRole('combobox', { name: /^Search pages, clients/ });
export const shortcutSheet = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });

export const searchButton = (page: Page) => page.getByRole('button', { name: 'Search', exact: true });

/** The page listens for keys once its frame is there. */
export async function frameStands(page: Page): Promise<void> {
  await expect(searchButton(page)).toBeVisible();
}

export async function openPalette(page: Page): Promise<void> {
  await frameStands(page);
  await expect(palette(page)).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await expect(words(page)).toBeFocused();
}
