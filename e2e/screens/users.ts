// The screens of users.
import type { Screen, ScreenState } from './screen.ts';
import { dialog, faults, overtaken, press } from './states.ts';

/** The access of the first CPA, for somebody new. */
const takenOver: ScreenState = {
  name: 'like-a-colleague',
  alone: true,
  open: async (page) => {
    await press(page, 'Add User');
    const form = page.getByRole('dialog');
    await form.getByRole('combobox', { name: 'Same access as...' }).fill('CPA');
    await page.getByRole('option').filter({ hasText: '(' }).first().click();
    await form.getByText('Taken over from').waitFor();
  },
};

const newCpa: ScreenState = {
  name: 'new-cpa',
  alone: true,
  open: async (page) => {
    await press(page, 'Add User');
    const form = page.getByRole('dialog');
    await form.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'CPA', exact: true }).click();
    await form.getByRole('button', { name: 'Tick these' }).waitFor();
  },
};

/** A user to be added where there is neither client nor report type, with a password that was made. */
const userAlone: ScreenState = {
  name: 'add-alone',
  open: async (page) => {
    for (const list of ['**/api/clients?*', '**/api/report-types?*']) {
      await page.route(list, (route) => route.fulfill({ headers: { 'x-total-count': '0' }, json: [] }));
    }
    await page.reload();
    await page.getByRole('button', { name: 'Add User' }).click();
    await page.getByRole('link', { name: 'Add a client' }).waitFor();
    await page.getByRole('button', { name: 'Generate' }).click();
  },
  close: async (page) => {
    await page.unroute('**/api/clients?*');
    await page.unroute('**/api/report-types?*');
    await page.reload();
  },
};

/** The one page of somebody whose password was set by somebody else. */
const passwordWanted: ScreenState = {
  name: 'password-wanted',
  alone: true,
  open: async (page) => {
    await page.route('**/api/auth/me', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), mustChangePassword: true } });
    });
    await page.reload();
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
  },
  close: async (page) => {
    await page.unroute('**/api/auth/me');
    await page.reload();
  },
};

export const usersScreens: readonly Screen[] = [
  {
    name: 'users',
    path: '/users',
    heading: 'User Management',
    states: [
      dialog('add', 'Add User'),
      faults('faults', 'Add User', 'Create User'),
      dialog('import', 'Import users'),
      dialog('edit', /^Edit /),
      dialog('delete', /^Delete /),
      newCpa,
      takenOver,
      overtaken('overtaken', 'Update User'),
      userAlone,
      passwordWanted,
    ],
  },
  // One's own account, whose password is changed elsewhere.
  { name: 'users-own', path: '/users?q=admin', heading: 'User Management', states: [dialog('edit', /^Edit /)] },
];
