// Every form and report that is known.
import { deductions } from './deductions.ts';
import { depositConfirmation } from './deposit-confirmation.ts';
import { directDeposit } from './direct-deposit.ts';
import { employeeEarnings } from './employee-earnings.ts';
import type { Form } from './form.ts';
import { form940 } from './form-940.ts';
import { form941 } from './form-941.ts';
import { form941X } from './form-941-x.ts';
import { form943 } from './form-943.ts';
import { form943X } from './form-943-x.ts';
import { form944 } from './form-944.ts';
import { form944X } from './form-944-x.ts';
import { form945 } from './form-945.ts';
import { form945X } from './form-945-x.ts';
import { form1096 } from './form-1096.ts';
import { form1099Nec } from './form-1099-nec.ts';
import { formW2 } from './form-w-2.ts';
import { formW2c } from './form-w-2c.ts';
import { formW3 } from './form-w-3.ts';
import { formW3c } from './form-w-3c.ts';
import { payrollJournal } from './payroll-journal.ts';
import { payrollRegister } from './payroll-register.ts';
import { payrollSummary } from './payroll-summary.ts';
import { scheduleB } from './schedule-b.ts';
import { stateQuarterly } from './state-quarterly.ts';
import { taxLiability } from './tax-liability.ts';
import { taxNotice } from './tax-notice.ts';

export const FORMS: readonly Form[] = [
  deductions,
  depositConfirmation,
  directDeposit,
  employeeEarnings,
  form1096,
  form1099Nec,
  form940,
  form941X,
  form941,
  form943X,
  form943,
  form944X,
  form944,
  form945X,
  form945,
  formW2,
  formW2c,
  formW3,
  formW3c,
  payrollJournal,
  payrollRegister,
  payrollSummary,
  scheduleB,
  stateQuarterly,
  taxLiability,
  taxNotice,
];
