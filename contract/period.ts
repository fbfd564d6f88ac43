// What a file is for: a pay date, a quarter or a year; how it is written, compared, and proposed from a file's name.
import { isCalendarDate } from './calendar-date.ts';

export const PERIOD_KINDS = ['payDate', 'quarter', 'year'] as const;
export type PeriodKind = (typeof PERIOD_KINDS)[number];

/** What a kind of period is called on screens. */
export const periodKindNames: Record<PeriodKind, string> = { payDate: 'Pay Date', quarter: 'Quarter', year: 'Year' };

const YEAR = /^(?:19|20|21)\d{2}$/;
const QUARTER = /^(?:19|20|21)\d{2}-Q[1-4]$/;

/** The kind of a period as it is written, `2026-01-30`, `2026-Q1` or `2026`; null for any other text. */
export function periodKindOf(text: string): PeriodKind | null {
  if (YEAR.test(text)) return 'year';
  if (QUARTER.test(text)) return 'quarter';
  return isCalendarDate(text) ? 'payDate' : null;
}

export const NOT_A_PERIOD = 'Must be a pay date like 2026-01-30, a quarter like 2026-Q1 or a year like 2026';

/** Of files that have no period. */
export const NO_PERIOD = 'none';

const QUARTER_ENDS = ['03', '06', '09', '12'] as const;

/**
 * A period as text that sorts by time: a quarter comes after the pay dates in it, a year after its quarters. Whatever is within a
 * period lies in its `periodRange`.
 */
export function periodKey(period: string): string {
  switch (periodKindOf(period)) {
    case 'year':
      return `${period}-99`;
    case 'quarter':
      return `${period.slice(0, 4)}-${QUARTER_ENDS[Number(period.slice(6)) - 1]}-99`;
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
    default:
      return { from: period, before: `${period}/` };
  }
}

/** 'Q1 2026', '2026', and a pay date by `day`. */
export function periodName(period: string, day: (date: string) => string): string {
  switch (periodKindOf(period)) {
    case 'year':
      return period;
    case 'quarter':
      return `${period.slice(5)} ${period.slice(0, 4)}`;
    default:
      return day(period);
  }
}

/** The quarter that a day falls in, and its year. */
export const quarterOf = (date: string) => `${date.slice(0, 4)}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`;

/** Digits that begin and end a number, so that nothing is read out of a longer one. */
const number = (pattern: string) => `(?<!\\d)${pattern}(?!\\d)`;
const YEAR_TEXT = '((?:19|20)\\d{2})';
const MONTH_TEXT = '(0?[1-9]|1[0-2])';
const DAY_TEXT = '(0?[1-9]|[12]\\d|3[01])';
const TWO_DIGITS = '(\\d{2})';

const fullYear = (year: string) => (year.length === 2 ? `20${year}` : year);
const dayOf = (year: string, month: string, day: string) =>
  `${fullYear(year)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;

/** How names write periods, the narrower kinds first. What one of them has read, the later ones do not read again. */
const writings: readonly { readonly pattern: RegExp; readonly read: (...parts: string[]) => string }[] = [
  // 2025-03-14, 2025.3.14, 2025_03_14
  {
    pattern: new RegExp(number(`${YEAR_TEXT}([-._/ ])${MONTH_TEXT}\\2${DAY_TEXT}`), 'g'),
    read: (year, _between, month, day) => dayOf(year as string, month as string, day as string),
  },
  // 20250314
  {
    pattern: new RegExp(number('((?:19|20)\\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\\d|3[01])'), 'g'),
    read: (year, month, day) => dayOf(year as string, month as string, day as string),
  },
  // 03142025: never the year first, which would begin with 19 or 20
  {
    pattern: new RegExp(number('(0[1-9]|1[0-2])(0[1-9]|[12]\\d|3[01])((?:19|20)\\d{2})'), 'g'),
    read: (month, day, year) => dayOf(year as string, month as string, day as string),
  },
  // 3-14-25, 03.14.2025: month first, as it is written in the United States
  {
    pattern: new RegExp(number(`${MONTH_TEXT}([-._/])${DAY_TEXT}\\2${YEAR_TEXT}`), 'g'),
    read: (month, _between, day, year) => dayOf(year as string, month as string, day as string),
  },
  {
    pattern: new RegExp(number(`${MONTH_TEXT}([-._/])${DAY_TEXT}\\2${TWO_DIGITS}`), 'g'),
    read: (month, _between, day, year) => dayOf(year as string, month as string, day as string),
  },
  // 2025Q1, 2025-Q1, 2025 Q1
  {
    pattern: new RegExp(`(?<!\\d)${YEAR_TEXT}[-_. ]?q([1-4])(?!\\d)`, 'gi'),
    read: (year, quarter) => `${year}-Q${quarter}`,
  },
  // Q1 2025, Q1-2025, Q1 25
  {
    pattern: new RegExp(`(?<![a-z\\d])q([1-4])[-_. ']{0,2}${YEAR_TEXT}(?!\\d)`, 'gi'),
    read: (quarter, year) => `${year}-Q${quarter}`,
  },
  {
    pattern: new RegExp(`(?<![a-z\\d])q([1-4])[-_. ']{0,2}${TWO_DIGITS}(?!\\d)`, 'gi'),
    read: (quarter, year) => `${fullYear(year as string)}-Q${quarter}`,
  },
  // 1Q25, 1Q2025
  {
    pattern: new RegExp(`(?<!\\d)([1-4])q[-_ ]?(?:${YEAR_TEXT}|${TWO_DIGITS})(?!\\d)`, 'gi'),
    read: (quarter, year, short) => `${fullYear((year ?? short) as string)}-Q${quarter}`,
  },
  // 2025
  { pattern: new RegExp(number(YEAR_TEXT), 'g'), read: (year) => year as string },
];

/**
 * The period that a file's name speaks of; null where it names none, or several that are not within one another. The extension is
 * not read.
 */
export function proposePeriod(fileName: string): string | null {
  let text = fileName.normalize('NFKC').replace(/\.[a-z\d]{1,5}$/i, '');
  const found = new Set<string>();
  for (const { pattern, read } of writings) {
    text = text.replace(pattern, (_whole, ...rest) => {
      const parts = rest.slice(
        0,
        rest.findIndex((part) => typeof part === 'number'),
      ) as string[];
      const period = read(...parts);
      // A day that the calendar does not have is no day; what is left of it is no year either.
      if (periodKindOf(period) !== null) found.add(period);
      return ' | ';
    });
  }
  const periods = [...found];
  const narrowest = periods.find((period) => periods.every((other) => isWithinPeriod(period, other)));
  return narrowest ?? null;
}

/** Whether a period is `other` or lies within it. */
export function isWithinPeriod(period: string, other: string): boolean {
  const { from, before } = periodRange(other);
  const key = periodKey(period);
  return key >= from && key < before;
}
