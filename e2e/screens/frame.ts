// The states of the frame around every screen: its menus, what the keyboard opens, and a lost connection.
import type { ScreenState } from './screen.ts';
import { press } from './states.ts';

export const drawer: ScreenState = {
  name: 'drawer',
  alone: true,
  open: async (page) => {
    await press(page, 'Open menu');
    await page.getByRole('dialog').getByRole('navigation').waitFor();
  },
  only: 'phone',
};

export const folded: ScreenState = {
  name: 'folded',
  open: (page) => press(page, 'Collapse sidebar'),
  close: (page) => press(page, 'Expand sidebar'),
  only: 'wide',
};

export const palette: ScreenState = {
  name: 'palette',
  alone: true,
  open: async (page) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').fill('la');
    await page.getByRole('option').first().waitFor();
  },
};

export const shortcuts: ScreenState = {
  name: 'shortcuts',
  alone: true,
  open: async (page) => {
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  },
};

export const offline: ScreenState = {
  name: 'offline',
  alone: true,
  open: async (page) => {
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
  },
  close: (page) => page.context().setOffline(false),
};
