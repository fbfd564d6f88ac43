// The report types that payroll firms usually file under, without the schemas: the overview offers them on its first load.

/** A start for a new firm. */
export const USUAL_REPORT_TYPES = [
  'Payroll Journal',
  'Payroll Register',
  'Payroll Summary',
  'Employee Earnings',
  'Tax Liability',
  'Deposit Confirmation (EFTPS)',
  'Direct Deposit / ACH',
  'Deductions & Garnishments',
  'Form 941',
  'Form 940',
  'Form 943',
  'Form 944',
  'Form 945',
  'W-2 / W-3',
  '1099-NEC / 1096',
  'State Quarterly (withholding, SUTA)',
  'Tax Notice',
] as const;
