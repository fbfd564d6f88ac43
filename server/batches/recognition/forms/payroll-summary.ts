// The totals of a run or a longer time.
import type { Form } from './form.ts';

export const payrollSummary: Form = {
  name: 'Payroll summary',
  reportTypes: ['Payroll Summary', 'Summary'],
  titles: [],
  headings: [
    'Payroll Summary',
    'Payroll Summary Report',
    'Summary of Payroll',
    'Quarterly Payroll Summary',
    'Annual Payroll Summary',
    'Payroll Totals Summary',
  ],
  laterPages: [],
  period: 'payDate',
};
