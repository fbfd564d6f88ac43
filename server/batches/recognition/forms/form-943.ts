// The yearly return of those who employ farmworkers.
import type { Form } from './form.ts';

export const form943: Form = {
  name: '943',
  reportTypes: ['Form 943'],
  titles: ['Employers Annual Federal Tax Return for Agricultural Employees'],
  headings: ['Form 943'],
  laterPages: ['Form 943-V Payment Voucher', 'Form 943-V'],
  period: 'year',
};
