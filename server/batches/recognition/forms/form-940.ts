// The yearly return of federal unemployment tax.
import type { Form } from './form.ts';

export const form940: Form = {
  name: '940',
  reportTypes: ['Form 940'],
  titles: [
    'Employers Annual Federal Unemployment (FUTA) Tax Return',
    'Employers Annual Federal Unemployment Tax Return',
  ],
  headings: ['Form 940'],
  laterPages: [
    'Determine your FUTA tax before adjustments',
    'Report your FUTA tax liability by quarter',
    'Instructions for Schedule A (Form 940)',
    'Form 940-V Payment Voucher',
    'Form 940-V',
  ],
  period: 'year',
};
