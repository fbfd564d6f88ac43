// That a tax deposit was taken.
import type { Form } from './form.ts';

export const depositConfirmation: Form = {
  name: 'Deposit confirmation',
  reportTypes: ['Deposit Confirmation (EFTPS)', 'Deposit Confirmation', 'EFTPS', 'Deposits', 'Tax Deposit'],
  titles: ['Electronic Federal Tax Payment System'],
  headings: [
    'Deposit Confirmation',
    'EFTPS Deposits',
    'EFTPS Deposit Report',
    'Tax Deposits',
    'Tax Deposit Confirmation',
    'EFTPS Deposit Confirmation',
    'EFTPS Payment Confirmation',
    'Federal Tax Deposit Confirmation',
    'Payment Confirmation',
    'EFT Acknowledgement Number',
    'Deposit Acknowledgement',
    'EFTPS Acknowledgement',
    'Tax Payment Confirmation',
    'Federal Tax Deposit Receipt',
  ],
  shared: {
    headings: ['Deposit Confirmation', 'Payment Confirmation', 'Deposit Acknowledgement'],
    words: /\btax(?! id)|\beft(?:ps)?\b|\birs\b|internal revenue|\b94[0-5]\b/i,
  },
  laterPages: [],
  period: 'payDate',
};
