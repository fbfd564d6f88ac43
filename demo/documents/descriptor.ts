// Describes each file of the demo in a few fields, which determine its bytes.
import type { Day } from '../calendar.ts';

export const NOTICE_CODES = ['CP14', 'CP134B', 'CP134R', 'CP136', 'CP259', 'CP2100'] as const;
export type NoticeCode = (typeof NOTICE_CODES)[number];

export const LETTER_SUBJECTS = [
  'Engagement letter',
  'Year-end payroll checklist',
  'Unemployment rate change',
  'Question about overtime',
  'Reply to IRS notice',
  'Change of bank account',
  'Disengagement letter',
  'Merger of payroll accounts',
] as const;
export type LetterSubject = (typeof LETTER_SUBJECTS)[number];

export const PAPERS = ['EIN assignment', 'W-9', 'Form 8655', 'Workers comp audit', 'Voided check'] as const;
export type Paper = (typeof PAPERS)[number];

interface Common {
  /** Index into COMPANIES. */
  readonly company: number;
  /** The date the document bears, and the one in its metadata. */
  readonly preparedDay: Day;
}

export interface RunDocument extends Common {
  readonly kind: 'payroll-register' | 'payroll-journal' | 'direct-deposit' | 'ach-text' | 'register-csv';
  /** Position in the company's ledger. */
  readonly run: number;
}

export interface QuarterDocument extends Common {
  readonly kind:
    | 'payroll-summary'
    | 'tax-liability'
    | 'form-941'
    | 'form-941x'
    | 'state-return'
    | 'deposit-listing'
    | 'financial-statement'
    | 'combined-941';
  readonly year: number;
  readonly quarter: number;
}

export interface MonthDocument extends Common {
  readonly kind: 'deposit-confirmation' | 'deductions';
  readonly year: number;
  readonly month: number;
}

export interface YearDocument extends Common {
  readonly kind: 'form-940' | 'w2-set' | 'form-1099' | 'employee-earnings' | 'tax-return';
  readonly year: number;
}

export interface NoticeDocument extends Common {
  readonly kind: 'tax-notice';
  readonly notice: NoticeCode;
  readonly year: number;
  readonly quarter: number;
  /** Held under a phone rather than printed. */
  readonly photographed: boolean;
}

export interface LetterDocument extends Common {
  readonly kind: 'letter';
  readonly subject: LetterSubject;
}

export interface PaperDocument extends Common {
  readonly kind: 'paper';
  readonly paper: Paper;
}

/** Files that a portal meets and no payroll program makes. */
export interface OddFile extends Common {
  readonly kind: 'locked-roster' | 'photo' | 'renamed-program' | 'nothing';
}

export type DocumentDescriptor =
  | RunDocument
  | QuarterDocument
  | MonthDocument
  | YearDocument
  | NoticeDocument
  | LetterDocument
  | PaperDocument
  | OddFile;
