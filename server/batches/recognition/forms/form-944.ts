// The yearly return of small employers.
import type { Form } from './form.ts';

export const form944: Form = {
  name: '944',
  reportTypes: ['Form 944'],
  titles: ['Employers Annual Federal Tax Return'],
  headings: ['Form 944'],
  laterPages: ['Form 944-V Payment Voucher', 'Form 944-V'],
  period: 'year',
};
