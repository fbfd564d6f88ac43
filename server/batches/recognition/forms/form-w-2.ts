// An employee’s wages and taxes of a year.
import type { Form } from './form.ts';

export const formW2: Form = {
  name: 'W-2',
  reportTypes: ['W-2', 'W-2 / W-3'],
  titles: ['W-2 Wage and Tax', 'Wage and Tax Statement', 'Wage & Tax Statement'],
  headings: ['Form W-2', 'W-2'],
  laterPages: ['Notice to Employee', 'Instructions for Employee'],
  period: 'year',
  anywhere: true,
  perPerson: true,
  goesWith: ['W-3'],
};
