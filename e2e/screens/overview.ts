// The first page after sign-in, with its guide through a new firm.
import { drawer, folded, offline, palette, shortcuts } from './frame.ts';
import { markedCard } from './marked-files.ts';
import type { Screen, ScreenState } from './screen.ts';
import { dialog, press, tab } from './states.ts';

const FIRST_STEPS = '**/api/overview/first-steps';
const allSteps = {
  signInChanged: true,
  supportAddress: true,
  reportTypes: true,
  clients: true,
  clientUser: true,
  sees: { id: 2, username: 'hank', fullName: 'Hank Mori' },
};

/** The guide through a firm with nobody but its Admin. */
const firstSteps: ScreenState = {
  name: 'first-steps',
  alone: true,
  open: async (page) => {
    await page.route(FIRST_STEPS, (route) =>
      route.fulfill({ json: { steps: { ...allSteps, clientUser: false, sees: null } } }),
    );
    await page.reload();
    await page.getByRole('region', { name: 'First steps' }).getByText('4 of 6 done').waitFor();
  },
  close: (page) => page.unroute(FIRST_STEPS),
};

/** Its end. */
const firstStepsDone: ScreenState = {
  name: 'first-steps-done',
  alone: true,
  open: async (page) => {
    await page.route(FIRST_STEPS, (route) => route.fulfill({ json: { steps: allSteps } }));
    await page.reload();
    await page.getByRole('region', { name: 'First steps' }).getByText('6 of 6 done').waitFor();
  },
  close: (page) => page.unroute(FIRST_STEPS),
};

export const overviewScreen: Screen = {
  name: 'overview',
  path: '/',
  heading: /^Welcome, /,
  states: [
    tab('uploads', 'Recent Uploads'),
    firstSteps,
    firstStepsDone,
    markedCard,
    drawer,
    folded,
    dialog('account-menu', /, account menu$/),
    palette,
    shortcuts,
    offline,
  ],
};

export const cpaDashboard: Screen = {
  name: 'cpa-dashboard',
  path: '/',
  heading: 'Dashboard',
  states: [
    {
      name: 'choose-client',
      open: async (page) => {
        await press(page, 'Choose client');
        await page.getByRole('listbox', { name: 'Clients' }).getByRole('option').first().waitFor();
      },
      close: (page) => page.keyboard.press('Escape'),
    },
  ],
};

export const clientDashboard: Screen = { name: 'client-dashboard', path: '/', heading: 'Dashboard', states: [drawer] };
