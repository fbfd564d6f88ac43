// What was kept back from pay, and for whom.
import type { Form } from './form.ts';

export const deductions: Form = {
  name: 'Deductions',
  reportTypes: ['Deductions & Garnishments', 'Deductions', 'Garnishments'],
  titles: [],
  headings: [
    'Deductions & Garnishments',
    'Deductions and Garnishments',
    'Deduction Register',
    'Deduction Report',
    'Deductions Report',
    'Deductions Register',
    'Deduction Listing',
    'Garnishment Report',
    'Garnishment Register',
    'Employee Deductions',
    'Employee Deduction Report',
    'Payroll Deduction Report',
    'Garnishments and Deductions',
  ],
  laterPages: [],
  period: 'payDate',
};
