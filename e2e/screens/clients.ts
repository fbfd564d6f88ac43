// The screens of clients.
import type { Screen, ScreenState } from './screen.ts';
import { dialog, failing, faults, overtaken, press } from './states.ts';

/** An import with two faults in three rows. */
const importWithFaults = (button: string, rows: string): ScreenState => ({
  name: 'import-faults',
  alone: true,
  open: async (page) => {
    await press(page, button);
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: 'Or paste rows here' }).fill(rows);
    await form.getByRole('button', { name: 'Preview' }).click();
    await form.getByRole('region', { name: 'What is wrong' }).waitFor();
  },
});

const CLIENT_ROWS = [
  'Company,FEIN,Address,Phone,Email,State ID,Employees,Fax',
  'Alder Row Cafe LLC,08-7654321,"4 Orchard Lane, Dayton, OH 45402",(937)-555-0117,books@example.com,OH-11,12,none',
  'Birch Lane Books,08-765432,"6 Orchard Lane, Dayton, OH 45402",(937)-555-0118,nobody,OH-12,4,none',
].join('\n');

export const clientsScreens: readonly Screen[] = [
  {
    name: 'clients',
    path: '/clients',
    heading: 'Client Management',
    states: [
      dialog('add', 'Add Client'),
      faults('faults', 'Add Client', 'Save Client'),
      dialog('import', 'Import clients'),
      importWithFaults('Import clients', CLIENT_ROWS),
      dialog('edit', /^Edit /),
      dialog('delete', /^Delete /),
      failing('failing', '**/api/clients?*'),
      overtaken('overtaken', 'Save Client'),
    ],
  },
  {
    name: 'client',
    path: ({ clientId }) => (clientId === 0 ? undefined : `/clients/${clientId}`),
    heading: /\S/,
    states: [dialog('edit', 'Edit'), dialog('upload', 'Upload Files')],
  },
  { name: 'clients-searched', path: '/clients?q=nothing+like+it', heading: 'Client Management', states: [] },
];

export const cpaClient: Screen = {
  name: 'cpa-client',
  path: ({ clientId }) => (clientId === 0 ? undefined : `/clients/${clientId}`),
  heading: /\S/,
  states: [],
};
