// The layouts of the corpus: what payroll programs, agencies and banks print. They share nothing with the recognisers.
import type { Layout } from './drawing.ts';
import { form940, form1099, notice, official941, stateForm, w2 } from './form-layouts.ts';
import { longRegister, monthlyJournal, runLiability, spacedJournal } from './paper-layouts.ts';
import { deposit, directDeposit, journal, liability, register, scanned, summary } from './report-layouts.ts';

export const LAYOUTS: readonly Layout[] = [
  official941,
  journal,
  register,
  w2,
  notice,
  deposit,
  summary,
  stateForm,
  scanned,
  form1099,
  liability,
  form940,
  directDeposit,
  spacedJournal,
  longRegister,
  runLiability,
  monthlyJournal,
];
