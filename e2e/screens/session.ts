// The end of a session, met on any screen.
import { settle } from '../settle.ts';
import type { Screen, ScreenState } from './screen.ts';

/** Runs in the page: another tab has heard from the server that the session is about to end for its age. */
const NEARLY_OLD = `
  const user = JSON.parse(localStorage.getItem('user'));
  user.session.endsAt = new Date(Date.now() + 100_000).toISOString();
  localStorage.setItem('user', JSON.stringify(user));
  window.dispatchEvent(new StorageEvent('storage', { key: 'user' }));
`;

const ending: ScreenState = {
  name: 'ending',
  open: async (page) => {
    await settle(page);
    await page.evaluate(NEARLY_OLD);
    await page.getByRole('dialog', { name: 'Your session ends soon' }).waitFor();
  },
};

/** The server ends the session behind the page's back. It comes last: the person is signed out. */
const expired: ScreenState = {
  name: 'expired',
  alone: true,
  open: async (page) => {
    await page.evaluate(
      `fetch('/api/auth/logout', { method: 'POST', headers: { authorization: 'Bearer ' + localStorage.getItem('token') } })`,
    );
    await page.getByRole('tab', { name: 'Who can see this?' }).click();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  },
};

export const sessionScreen: Screen = {
  name: 'session',
  path: '/permissions',
  heading: 'User Permissions',
  states: [ending, expired],
};
