// An employee’s wages and taxes of a year.
import type { Form } from './form.ts';

export const formW2: Form = {
  name: 'W-2',
  reportTypes: ['W-2', 'W-2 / W-3'],
  titles: ['W-2 Wage and Tax', 'Wage and Tax Statement', 'Wage & Tax Statement'],
  // On the official sheet 'Wage and Tax' stands between the lines, so that the number reads together with 'Statement'.
  headings: ['Form W-2', 'W-2', 'W-2 Statement'],
  laterPages: ['Notice to Employee', 'Instructions for Employee', 'Employers, Please Note'],
  period: 'year',
  anywhere: true,
  perPerson: true,
  goesWith: ['W-3'],
};
