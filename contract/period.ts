// What a file is for: a pay date, a month, a quarter or a year; how it is written and compared. Names are read by `period-in-name.ts`.
import { isCalendarDate, isCalendarMonth, monthInWords } from './calendar-date.ts';

export const PERIOD_KINDS = ['payDate', 'month', 'quarter', 'year'] as const;
export type PeriodKind = (typeof PERIOD_KINDS)[number];

/** What a kind of period is called on screens. */
export const periodKindNames: Record<PeriodKind, string> = {
  payDate: 'Pay Date',
  month: 'Month',
  quarter: 'Quarter',
  year: 'Year',
};

const YEAR = /^(?:19|20|21)\d{2}$/;
const QUARTER = /^(?:19|20|21)\d{2}-Q[1-4]$/;

/** The kind of a period as it is written, `2026-01-30`, `2026-01`, `2026-Q1` or `2026`; null for any other text. */
export function periodKindOf(text: string): PeriodKind | null {
  if (YEAR.test(text)) return 'year';
  if (QUARTER.test(text)) return 'quarter';
  if (isCalendarMonth(text)) return 'month';
  return isCalendarDate(text) ? 'payDate' : null;
}

export const NOT_A_PERIOD =
  'Must be a pay date like 2026-01-30, a month like 2026-01, a quarter like 2026-Q1 or a year like 2026';

/** Of files that have no period. */
export const NO_PERIOD = 'none';

const QUARTER_ENDS = ['03', '06', '09', '12'] as const;

/**
 * A period as text that sorts by time: a month comes after the pay dates in it, a quarter after its months, a year after its quarters.
 * Whatever is within a period lies in its `periodRange`.
 */
export function periodKey(period: string): string {
  switch (periodKindOf(period)) {
    case 'year':
      return `${period}-99`;
    case 'quarter':
      return `${period.slice(0, 4)}-${QUARTER_ENDS[Number(period.slice(6)) - 1]}-99`;
    case 'month':
      return `${period}-98`;
    default:
      return period;
  }
}

/** The keys of everything within a period: from `from`, and before `before`. */
export function periodRange(period: string): { readonly from: string; readonly before: string } {
  const year = Number(period.slice(0, 4));
  const month = (n: number) => `${year}-${String(n).padStart(2, '0')}`;
  switch (periodKindOf(period)) {
    case 'year':
      return { from: `${year}-`, before: `${year + 1}-` };
    case 'quarter': {
      const quarter = Number(period.slice(6));
      return { from: month(quarter * 3 - 2), before: month(quarter * 3 + 1) };
    }
    case 'month':
      // Not the quarter that ends with it.
      return { from: `${period}-`, before: `${period}-99` };
    default:
      return { from: period, before: `${period}/` };
  }
}

/** 'January 2026', 'Q1 2026', '2026', and a pay date by `day`. */
export function periodName(period: string, day: (date: string) => string): string {
  switch (periodKindOf(period)) {
    case 'year':
      return period;
    case 'quarter':
      return `${period.slice(5)} ${period.slice(0, 4)}`;
    case 'month':
      return monthInWords(period);
    default:
      return day(period);
  }
}

/** The quarter that a day or a month falls in, and its year. */
export const quarterOf = (date: string) => `${date.slice(0, 4)}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`;

/** Whether a period is `other` or lies within it. */
export function isWithinPeriod(period: string, other: string): boolean {
  const { from, before } = periodRange(other);
  const key = periodKey(period);
  return key >= from && key < before;
}
