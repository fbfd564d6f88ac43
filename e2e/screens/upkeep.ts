// The screens by which a firm is kept in order: its log, its trash, its jobs and mail, and its own page.
import type { Screen, ScreenState } from './screen.ts';
import { UNBROKEN } from './unbroken.ts';

const noneMatch: ScreenState = {
  name: 'none-match',
  open: async (page) => {
    await page.getByPlaceholder('Search activity by user, client, file or details...').fill('nothing like it');
    await page.getByText('No activities match your search and filters.').waitFor();
  },
};

/** The page of the firm with all of it typed, and a colour that is too light. */
const firmTyped: ScreenState = {
  name: 'typed',
  alone: true,
  open: async (page) => {
    const type = (label: string, text: string) => page.getByRole('textbox', { name: label, exact: true }).fill(text);
    await type('Name', `Harbor & Pine Payroll of ${UNBROKEN}`.slice(0, 60));
    await type('Color', '#ffe600');
    await type('Welcome text', `Welcome.\nYear-end forms are here from January 31.\n${UNBROKEN}`);
    await type('Address', '12 Harbor Street\nDayton, OH 45402');
    await type('Phone', '(937)-555-0100');
    await page.getByRole('button', { name: /^Use #/ }).waitFor();
  },
};

export const upkeepScreens: readonly Screen[] = [
  { name: 'activity', path: '/activity', heading: 'Activity Log', states: [noneMatch] },
  {
    name: 'trash',
    path: '/trash',
    heading: 'Trash',
    states: [
      {
        name: 'none-match',
        open: async (page) => {
          await page.getByRole('searchbox', { name: 'Search the trash' }).fill('nothing is called this');
          await page.getByText('Nothing in the trash matches your search and filters.').waitFor();
        },
      },
    ],
  },
  { name: 'retention', path: '/retention', heading: 'Retention', states: [] },
  { name: 'jobs', path: '/jobs', heading: 'Background Jobs', states: [] },
  { name: 'mail', path: '/mail', heading: 'Mail', states: [] },
  { name: 'system', path: '/system', heading: 'System', states: [] },
  { name: 'help', path: '/help', heading: 'Help', states: [] },
  { name: 'firm', path: '/firm-settings', heading: 'Firm', states: [firmTyped] },
];
