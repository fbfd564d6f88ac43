// The screen of report types, with the phrases by which they are recognised.
import type { Screen, ScreenState } from './screen.ts';
import { dialog, press } from './states.ts';
import { suggestions } from './suggestions.ts';
import { UNBROKEN } from './unbroken.ts';

/** The dialog with phrases, and one being added that stands there already. */
const phrases: ScreenState = {
  name: 'phrases',
  alone: true,
  open: async (page) => {
    await press(page, /^Edit phrases of Payroll Journal/);
    const form = page.getByRole('dialog');
    const field = form.getByRole('textbox', { name: 'Add a Phrase' });
    for (const phrase of ['Payroll ledger by employee', 'Crew ledger', `${UNBROKEN} hours`, 'crew ledger']) {
      await field.fill(phrase);
      await field.press('Enter');
    }
    await form.getByText('This phrase is in the list already').waitFor();
  },
};

export const reportTypesScreen: Screen = {
  name: 'report-types',
  path: '/report-types',
  heading: 'Report Types',
  states: [
    dialog('add', 'Add Report Type'),
    dialog('import', 'Import report types'),
    dialog('phrases-empty', /^Edit phrases of/),
    phrases,
    suggestions('Suggested phrases', false),
    dialog('delete', /^Delete /),
  ],
};
