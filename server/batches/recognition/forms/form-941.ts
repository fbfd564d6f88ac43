// The quarterly return of federal taxes.
import type { Form } from './form.ts';

export const form941: Form = {
  name: '941',
  reportTypes: ['Form 941'],
  titles: ['Employers Quarterly Federal Tax Return'],
  headings: ['Form 941'],
  laterPages: [
    'Tell us about your deposit schedule and tax liability for this quarter',
    'Form 941-V Payment Voucher',
    'Form 941-V',
  ],
  period: 'quarter',
};
