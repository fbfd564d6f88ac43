// The sum of a company’s W-2s.
import type { Form } from './form.ts';

export const formW3: Form = {
  name: 'W-3',
  reportTypes: ['W-3', 'W-2 / W-3', 'W-2'],
  titles: ['Transmittal of Wage and Tax Statements'],
  headings: ['Form W-3', 'W-3'],
  laterPages: [],
  period: 'year',
  anywhere: true,
  goesWith: ['W-2'],
};
