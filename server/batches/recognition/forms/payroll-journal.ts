// What a payroll run was booked as.
import type { Form } from './form.ts';

export const payrollJournal: Form = {
  name: 'Payroll journal',
  reportTypes: ['Payroll Journal', 'Journal'],
  titles: [],
  headings: [
    'Payroll Journal',
    'Payroll Journal Report',
    'Payroll Journal Entry',
    'Payroll Journal Summary',
    'Payroll Journal Detail',
  ],
  laterPages: [],
  period: 'payDate',
};
