// The sum of a company’s W-2c.
import type { Form } from './form.ts';

export const formW3c: Form = {
  name: 'W-3c',
  reportTypes: ['W-3c', 'W-2c / W-3c', 'W-3', 'W-2 / W-3', 'W-2'],
  titles: ['Transmittal of Corrected Wage and Tax Statements'],
  headings: ['Form W-3c', 'W-3c'],
  laterPages: [],
  period: 'year',
  anywhere: true,
  correction: true,
  goesWith: ['W-2c'],
};
