// The correction of a 944.
import type { Form } from './form.ts';

export const form944X: Form = {
  name: '944-X',
  reportTypes: ['Form 944-X', '944 Amendment', 'Form 944'],
  titles: [
    'Adjusted Employers Annual Federal Tax Return or Claim for Refund',
    'Adjusted Employers Annual Federal Tax Return',
  ],
  headings: ['Form 944-X', '944-X'],
  laterPages: [],
  period: 'year',
  correction: true,
};
