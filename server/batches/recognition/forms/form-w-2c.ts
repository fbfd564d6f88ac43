// The correction of a W-2.
import type { Form } from './form.ts';

export const formW2c: Form = {
  name: 'W-2c',
  reportTypes: ['W-2c', 'W-2c / W-3c', 'W-2', 'W-2 / W-3'],
  titles: ['W-2c Corrected Wage and Tax', 'Corrected Wage and Tax Statement'],
  headings: ['Form W-2c', 'W-2c'],
  laterPages: ['Notice to Employee', 'Employers, Please Note'],
  period: 'year',
  anywhere: true,
  perPerson: true,
  correction: true,
  goesWith: ['W-3c'],
};
