// The correction of a 945.
import type { Form } from './form.ts';

export const form945X: Form = {
  name: '945-X',
  reportTypes: ['Form 945-X', '945 Amendment', 'Form 945'],
  titles: [
    'Adjusted Annual Return of Withheld Federal Income Tax or Claim for Refund',
    'Adjusted Annual Return of Withheld Federal Income Tax',
  ],
  headings: ['Form 945-X', '945-X'],
  laterPages: [],
  period: 'year',
  correction: true,
};
