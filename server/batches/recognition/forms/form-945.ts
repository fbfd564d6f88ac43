// The yearly return of tax withheld from what is not wages.
import type { Form } from './form.ts';

export const form945: Form = {
  name: '945',
  reportTypes: ['Form 945'],
  titles: ['Annual Return of Withheld Federal Income Tax'],
  headings: ['Form 945'],
  laterPages: ['Form 945-V Payment Voucher', 'Form 945-V'],
  period: 'year',
};
