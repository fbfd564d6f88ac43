// The days of a 941 on which taxes arose; filed with it.
import type { Form } from './form.ts';

export const scheduleB: Form = {
  name: 'Schedule B',
  reportTypes: ['Schedule B', 'Form 941'],
  titles: ['Report of Tax Liability for Semiweekly Schedule Depositors'],
  headings: ['Schedule B (Form 941)', 'Form 941 Schedule B'],
  laterPages: [],
  period: 'quarter',
  goesWith: ['941', '941-X'],
};
