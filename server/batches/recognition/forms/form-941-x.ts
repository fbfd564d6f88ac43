// The correction of a 941.
import type { Form } from './form.ts';

export const form941X: Form = {
  name: '941-X',
  reportTypes: ['Form 941-X', '941 Amendment', 'Form 941'],
  titles: [
    'Adjusted Employers Quarterly Federal Tax Return or Claim for Refund',
    'Adjusted Employers Quarterly Federal Tax Return',
  ],
  headings: ['Form 941-X', '941-X'],
  laterPages: ['Enter the corrections for this quarter', 'Explain your corrections for this quarter'],
  period: 'quarter',
  correction: true,
};
