// The correction of a 943.
import type { Form } from './form.ts';

export const form943X: Form = {
  name: '943-X',
  reportTypes: ['Form 943-X', '943 Amendment', 'Form 943'],
  titles: [
    'Adjusted Employers Annual Federal Tax Return for Agricultural Employees or Claim for Refund',
    'Adjusted Employers Annual Federal Tax Return for Agricultural Employees',
  ],
  headings: ['Form 943-X', '943-X'],
  laterPages: [],
  period: 'year',
  correction: true,
};
