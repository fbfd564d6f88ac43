// Who was paid what in a run.
import type { Form } from './form.ts';

export const payrollRegister: Form = {
  name: 'Payroll register',
  reportTypes: ['Payroll Register', 'Register'],
  titles: [],
  headings: [
    'Payroll Register',
    'Payroll Register Report',
    'Payroll Register Detail',
    'Detailed Payroll Register',
    'Payroll Check Register',
    'Check Register',
  ],
  // Of what was bought there are registers of checks too.
  shared: {
    headings: ['Check Register'],
    words: /\b(?:payrolls?|employees?|paychecks?|wages|earnings|gross|net pay)\b/i,
  },
  laterPages: [],
  period: 'payDate',
};
