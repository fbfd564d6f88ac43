// A letter of an agency to the taxpayer.
import type { Form } from './form.ts';

export const taxNotice: Form = {
  name: 'Tax notice',
  reportTypes: ['Tax Notice', 'Notice', 'Agency Notice', 'Tax Notices'],
  titles: [],
  headings: [
    'Notice of Unpaid Balance',
    'Notice of Contribution Rate',
    'Notice of Tax Rate',
    'Unemployment Tax Rate Notice',
    'Contribution Rate Notice',
    'Notice of Assessment',
    'Notice of Employer Contribution Rate',
    'Notice of Deficiency',
    'Notice of Intent to Levy',
    'Penalty Notice',
    'Notice of Penalty',
    'Tax Rate Notice',
  ],
  laterPages: [],
  codes: /^(?!cp575)(?:cp\d{2,4}[a-z]?|972cg|lt\d{2}|letter\d{3,4}c?)$/,
  period: 'quarter',
  // A rate is a year's. The quarter that such a letter speaks of is the first one to be paid at it.
  yearly: /\brate\b/i,
};
