// What a file is for: a pay date, a month, a quarter or a year; how it is written, compared, and proposed from a file's name.
import { isCalendarDate, isCalendarMonth, monthInWords } from './calendar-date.ts';
import { datesIn, MONTH_NAME, monthNumber, YEAR_DIGITS } from './written-dates.ts';

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

const TWO_DIGITS = '(\\d{2})';
/** Between the parts of a period in a name. */
const BETWEEN = "[-_., '’]{0,3}";
const QUARTER_WORD = '(?:quarter|qtr|q)';
const ORDINALS = '(1st|2nd|3rd|4th|first|second|third|fourth)';

const fullYear = (year: string) => (year.length === 2 ? `20${year}` : year);
const quarterNumber = (text: string) =>
  /\d/.exec(text)?.[0] ?? ['first', 'second', 'third', 'fourth'].indexOf(text.toLowerCase()) + 1;

const monthOf = (year: string, month: number) => `${year}-${String(month).padStart(2, '0')}`;

/** The month, the quarter or the year that months bound, by their names; null for any other months. */
export function monthsPeriod(year: string, first: string, last: string): string | null {
  const [from, to] = [monthNumber(first), monthNumber(last)];
  if (from === to) return monthOf(year, from);
  if (from % 3 === 1 && to === from + 2) return `${year}-Q${to / 3}`;
  return from === 1 && to === 12 ? year : null;
}

type Parts = readonly (string | undefined)[];
const writing = (source: string, read: (parts: Parts) => string | null) => ({
  pattern: new RegExp(source, 'gi'),
  read,
});

/** How names write quarters and months: null for months that are no quarter, and for a day without a year. */
const writings = [
  // Jan-Mar 2025
  writing(
    `${MONTH_NAME}\\s?(?:-|–|_|to|thru|through)\\s?${MONTH_NAME}${BETWEEN}${YEAR_DIGITS}(?!\\d)`,
    ([first = '', last = '', year = '']) => monthsPeriod(year, first, last),
  ),
  // 2025Q1, 2025-Q1, 2025 Qtr 1
  writing(
    `(?<!\\d)${YEAR_DIGITS}${BETWEEN}${QUARTER_WORD}${BETWEEN}([1-4])(?!\\d)`,
    ([year, quarter]) => `${year}-Q${quarter}`,
  ),
  // Q1 2025, Q1-2025, Qtr 1 2025, Quarter 1, 2025
  writing(
    `(?<![a-z\\d])${QUARTER_WORD}${BETWEEN}([1-4])${BETWEEN}(?:of )?${YEAR_DIGITS}(?!\\d)`,
    ([quarter, year]) => `${year}-Q${quarter}`,
  ),
  // Q1 25
  writing(
    `(?<![a-z\\d])q([1-4])[-_. '’]{0,2}${TWO_DIGITS}(?!\\d)`,
    ([quarter, year = '']) => `${fullYear(year)}-Q${quarter}`,
  ),
  // 1Q25, 1Q2025
  writing(
    `(?<!\\d)([1-4])q[-_ ]?(?:${YEAR_DIGITS}|${TWO_DIGITS})(?!\\d)`,
    ([quarter, year, short = '']) => `${fullYear(year ?? short)}-Q${quarter}`,
  ),
  // 1st Quarter 2025, First Qtr of 2025
  writing(
    `(?<![a-z\\d])${ORDINALS}[-_ ]?(?:quarter|qtr)${BETWEEN}(?:of )?${YEAR_DIGITS}(?!\\d)`,
    ([quarter = '', year]) => `${year}-Q${quarterNumber(quarter)}`,
  ),
  // 2025 1st Quarter
  writing(
    `(?<!\\d)${YEAR_DIGITS}${BETWEEN}${ORDINALS}[-_ ]?(?:quarter|qtr)(?![a-z])`,
    ([year, quarter = '']) => `${year}-Q${quarterNumber(quarter)}`,
  ),
  // January 2025
  writing(`${MONTH_NAME}${BETWEEN}${YEAR_DIGITS}(?!\\d)`, ([month = '', year = '']) =>
    monthsPeriod(year, month, month),
  ),
  // 2025 Jan
  writing(`(?<!\\d)${YEAR_DIGITS}${BETWEEN}${MONTH_NAME}`, ([year = '', month = '']) =>
    monthsPeriod(year, month, month),
  ),
  // 2025-01
  writing(`(?<!\\d)${YEAR_DIGITS}[-.](0[1-9]|1[0-2])(?!\\d)`, ([year, month]) => `${year}-${month}`),
  // 01-2025
  writing(`(?<![\\da-z]-?)(0[1-9]|1[0-2])[-./]${YEAR_DIGITS}(?!\\d)`, ([month, year]) => `${year}-${month}`),
  // March 14, without a year
  writing(`${MONTH_NAME}[-_. ]?\\d{1,2}(?:st|nd|rd|th)?(?!\\d)`, () => null),
];
/** A quarter by itself, whose year stands elsewhere: '2025 Form 941 Q1'. */
const QUARTER_ALONE = new RegExp(
  `(?<![a-z\\d])(?:${QUARTER_WORD}[-_. ]?([1-4])(?![a-z\\d])|([1-4])q(?![a-z\\d])|${ORDINALS}[-_ ]?(?:quarter|qtr)(?![a-z]))`,
  'gi',
);
const YEAR_ALONE = new RegExp(`(?<!\\d)${YEAR_DIGITS}(?!\\d)`, 'g');

/** What was read is not read again by what comes later. */
const READ = ' | ';

/**
 * The period that a file's name speaks of; null where it names none, several that are not within one another, or something that is
 * no period, such as two months. Never less exact than what stands there. The extension is not read.
 */
export function proposePeriod(fileName: string): string | null {
  let text = fileName.normalize('NFKC').replace(/\.[a-z\d]{1,5}$/i, '');
  const found = new Set<string | null>();
  for (const { date, from, to } of datesIn(text).reverse()) {
    found.add(date);
    text = text.slice(0, from) + READ + text.slice(to);
  }
  for (const { pattern, read } of writings) {
    text = text.replace(pattern, (_whole, ...rest) => {
      found.add(
        read(
          rest.slice(
            0,
            rest.findIndex((part) => typeof part === 'number'),
          ) as Parts,
        ),
      );
      return READ;
    });
  }
  const quarters = new Set(
    [...text.matchAll(QUARTER_ALONE)].map(([, number, first, word = '']) => number ?? first ?? quarterNumber(word)),
  );
  const years = [...text.matchAll(YEAR_ALONE)].map(([year]) => year);
  const namesYears = new Set([...years, ...[...found].flatMap((period) => period?.slice(0, 4) ?? [])]);
  if (quarters.size > 0)
    for (const year of namesYears) for (const quarter of quarters) found.add(`${year}-Q${quarter}`);
  for (const year of years) found.add(year);
  const periods = [...found].flatMap((period) => period ?? []);
  if (periods.length < found.size) return null;
  return periods.find((period) => periods.every((other) => isWithinPeriod(period, other))) ?? null;
}

/** Whether a period is `other` or lies within it. */
export function isWithinPeriod(period: string, other: string): boolean {
  const { from, before } = periodRange(other);
  const key = periodKey(period);
  return key >= from && key < before;
}
