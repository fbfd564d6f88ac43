// What is known of a form or report, as data: one file each, read by one interpreter (page-type.ts).
import type { PeriodKind } from '#contract/period.ts';

export interface Form {
  /** As screens show it: '941-X', 'Payroll Journal'. */
  readonly name: string;
  /** What a firm may call the report type it goes to, the closest name first; compared as names of files are. */
  readonly reportTypes: readonly string[];
  /** The official title, in words that stand nowhere else as a line of their own. It stands on the first page alone. */
  readonly titles: readonly string[];
  /** Shorter names that head a page, first or later, where they stand by themselves. */
  readonly headings: readonly string[];
  /** Those of them that head other papers too: a page says one of `words` besides. */
  readonly shared?: { readonly headings: readonly string[]; readonly words: RegExp };
  /** Words that only its later pages begin with. */
  readonly laterPages: readonly string[];
  /** Numbers of notices, such as CP134B: a word of this form on a line that says notice. */
  readonly codes?: RegExp;
  readonly period: PeriodKind | null;
  /** Headings of those that are for a year, whatever the others are for. */
  readonly yearly?: RegExp;
  /** Headings that what is handed out with a pay has too: with one day of pay and a year, nobody knows which it is for. */
  readonly stubs?: RegExp;
  /** Some file it for each month: the day on which its period ends does not say that it is a quarter. */
  readonly orMonthly?: true;
  /** The title may stand anywhere on the page, not only in its upper part. */
  readonly anywhere?: true;
  /** One page or more for each person: all of a company's that follow each other are one document. */
  readonly perPerson?: true;
  /** It replaces what was filed before. */
  readonly correction?: true;
  /** The forms that it is filed with: it goes on with the document before it where that is one of these, of one report type. */
  readonly goesWith?: readonly string[];
}

/** What is filed for one kind of period. */
export const isReturn = (form: Form | null): form is Form & { readonly period: PeriodKind } =>
  form !== null && form.titles.length > 0 && form.period !== null && form.period !== 'payDate';
