// What each employee earned in a year or quarter.
import type { Form } from './form.ts';

export const employeeEarnings: Form = {
  name: 'Employee earnings',
  reportTypes: ['Employee Earnings', 'Earnings Record'],
  titles: [],
  headings: [
    'Employee Earnings',
    'Employee Earnings Record',
    'Employee Earnings Report',
    'Employee Earnings Summary',
    'Employee Earnings Statement',
    'Earnings Record',
    'Employee Earnings History',
    'Individual Earnings Record',
  ],
  laterPages: [],
  period: 'year',
  stubs: /\bstatement$/i,
};
