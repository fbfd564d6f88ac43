// What taxes a run or quarter gave rise to.
import type { Form } from './form.ts';

export const taxLiability: Form = {
  name: 'Tax liability',
  reportTypes: ['Tax Liability', 'Tax Liabilities'],
  titles: [],
  headings: [
    'Tax Liability',
    'Tax Liability Report',
    'Tax Liability Summary',
    'Payroll Tax Liability',
    'Payroll Tax Liability Report',
    'Payroll Liability Report',
    'Tax Liabilities',
    'Payroll Tax Liabilities',
    'Payroll Liability Balances',
    'Statement of Tax Liability',
    'Summary of Tax Liabilities',
  ],
  laterPages: [],
  period: 'quarter',
};
