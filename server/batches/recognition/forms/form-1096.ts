// The sum of a company’s 1099s.
import type { Form } from './form.ts';

export const form1096: Form = {
  name: '1096',
  reportTypes: ['1096', '1099-NEC / 1096', '1099'],
  titles: [
    'Annual Summary and Transmittal of US Information Returns',
    'Annual Summary and Transmittal of U.S. Information Returns',
    // The official form breaks it here. What stands above is the beginning of another form's title too.
    'U.S. Information Returns',
  ],
  headings: ['Form 1096'],
  laterPages: [],
  period: 'year',
  goesWith: ['1099-NEC'],
};
