// What a contractor was paid in a year.
import type { Form } from './form.ts';

export const form1099Nec: Form = {
  name: '1099-NEC',
  reportTypes: ['1099-NEC', '1099-NEC / 1096', '1099'],
  titles: ['Form 1099-NEC Nonemployee Compensation'],
  // 'Nonemployee compensation' by itself is a box of other forms and a column of reports.
  headings: ['Form 1099-NEC', '1099-NEC', '1099-NEC Nonemployee Compensation'],
  laterPages: ['Instructions for Recipient', 'Instructions for Payer'],
  period: 'year',
  anywhere: true,
  perPerson: true,
  goesWith: ['1096'],
};
