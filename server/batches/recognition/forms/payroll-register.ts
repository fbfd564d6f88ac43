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
  laterPages: [],
  period: 'payDate',
};
