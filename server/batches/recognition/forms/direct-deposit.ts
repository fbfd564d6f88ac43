// Which pay went to which account.
import type { Form } from './form.ts';

export const directDeposit: Form = {
  name: 'Direct deposit',
  reportTypes: ['Direct Deposit / ACH', 'Direct Deposit', 'ACH'],
  titles: [],
  headings: [
    'Direct Deposit',
    'Direct Deposit Register',
    'Direct Deposit Report',
    'Direct Deposit Listing',
    'Direct Deposit Summary',
    'Direct Deposit Confirmation',
    'Direct Deposit / ACH',
    'ACH Report',
    'ACH File Summary',
    'ACH Origination Report',
    'ACH Batch Report',
    'ACH Transmittal',
    'ACH Direct Deposit Register',
  ],
  laterPages: [],
  period: 'payDate',
};
