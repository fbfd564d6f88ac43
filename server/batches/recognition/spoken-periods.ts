// Months, quarters and years as a text spells them: by their days, names or numbers.
import { monthsPeriod } from '#contract/period-in-name.ts';
import { datesIn, MONTH_NAME, monthNumber, type WrittenDate } from '#contract/written-dates.ts';
import { boundedBy, monthEndingOn, quarterEndingOn } from './period-ends.ts';

/** No line that names a period is longer. */
export const LETTERS_MAX = 300;
/** Every way to write a period holds a year, or a date that ends with one. */
const mayHoldYear = /(?:19|20)\d{2}|[/.’' -]\d{2}(?!\d)/;
const YEAR = '((?:19|20)\\d{2})';
const ORDINALS = ['1st|first', '2nd|second', '3rd|third', '4th|fourth'];
/** 'First quarter of 2025' and '2025, 1st quarter', for each of the four. */
const ordinalQuarters = ORDINALS.map(
  (names) =>
    [
      new RegExp(`\\b(?:${names}) (?:calendar )?(?:quarter|qtr\\.?),?(?: of)? ${YEAR}\\b`, 'gi'),
      new RegExp(`\\b${YEAR},? (?:${names}) (?:quarter|qtr)\\b`, 'gi'),
    ] as const,
);
const QUARTER_FIRST = /\bQ(?:uarter |tr\.? )?([1-4])[\s,/'’-]*(?:of )?((?:19|20)\d{2})\b/gi;
const QUARTER_LAST = /\b((?:19|20)\d{2})[\s,/-]*Q(?:uarter |tr\.? )?([1-4])\b/gi;
/** '3Q 2026'; the 2 of 'W-2 Q 2026' counts no quarter. */
const QUARTER_COUNTED = /(?<![\p{L}\d.,/-])([1-4])Q(?:tr\.?)?[\s,/'’-]*((?:19|20)\d{2})(?!\d)/giu;

/** Each of the four without its year: '1st', 'Qtr 1', '1Q'. */
const namedQuarters = ORDINALS.map(
  (names, index) =>
    new RegExp(`\\b(?:${names}|q(?:uarter|tr)?\\.?[\\s:#]{0,2}${index + 1}|${index + 1}q(?:tr)?)\\b`, 'i'),
);

const TO = '(?:[-‐‑‒–—−]|to|through|thru)';
const betweenDays = new RegExp(`^\\s*${TO}\\s*$`, 'i');
/** 'January - March 2026' and 'January 2026 to March 2026'. */
const monthRangeAt = new RegExp(`${MONTH_NAME}(?:,?\\s+${YEAR})?\\s*${TO}\\s*${MONTH_NAME},?\\s+${YEAR}`, 'i');
/** 'January 1 - 15, 2026' and 'January 1, 2026 - March 31, 2026'. */
const daysInWords = new RegExp(
  `${MONTH_NAME}\\s+(\\d{1,2})(?:,?\\s+${YEAR})?\\s*${TO}\\s*(?:${MONTH_NAME}\\s+)?(\\d{1,2}),?\\s+${YEAR}(?!\\d)`,
  'gi',
);
const yearLabel = /\b(?:tax year|calendar year|for (?:the )?year|for tax year|year)\b:?\s*((?:19|20)\d{2})\b/i;
const yearEnded = /\byear (?:ended|ending)\b:?\s*$/i;
const quarterEnded =
  /\b(?:quarter(?: (?:ende?.?|ending)(?: date)?)?|tax period(?: ended| ending)?|(?<!\b(?:pay|payroll|weekly|monthly)[ -])period (?:ended|ending))\b:?\s*$/i;
/** Whether a text speaks of quarters at all. */
export const SAYS_QUARTER = /quarter|\bqtr\b/i;
/** Another time than the calendar's, or than that of the page: of its last return, of an overpayment, of the year so far. */
export const ANOTHER_TIME =
  /\bfiscal\b|\bfy(?![a-z])|\b(?:prior|previous|preceding|last|next|plan|policy|benefit)[ -](?:quarter|qtr|month|year|period)\b|\b(?:last|next) (?:filed|filing|return)\b|\boverpa(?:id|yment)\b|\bcarried (?:forward|over|from|to)\b|\bhired\b|\bytd\b|\byear[- ]to[- ]date\b/i;
/** 'Quarter: 3 Year: 2026' and 'Year 2026, Month 9', in one cell or two. */
const NUMBERED = '(quarter|qtr|month)\\.?(?: no\\.?| number)?\\s*[:#]?\\s*(1[0-2]|0?[1-9])(?!\\d)';
const OF_YEAR = `(?:(?:tax|calendar) )?(?:year|yr)\\.?\\s*:?\\s*${YEAR}(?!\\d)`;
const numberedFirst = new RegExp(`\\b${NUMBERED}[\\s,;|/-]+(?:of )?${OF_YEAR}`, 'i');
const yearFirst = new RegExp(`\\b${OF_YEAR}[\\s,;|/-]+${NUMBERED}`, 'i');
const NUMBERED_CELL = new RegExp(`^(?:${NUMBERED}|${OF_YEAR})$`, 'i');
const labelOfMonth = (notPeriodOf: string) =>
  `(?:\\bmonth|(?<!\\b(?:${notPeriodOf}) )\\bperiod)(?: (?:of|ended|ending))?\\s*:?\\s*`;
/**
 * 'Month of September 2026' and 'Period: 09/2026'. A tax period is that of a return, which ends with its month, and the numbers of a
 * pay period may count the periods of the year.
 */
const monthLabelled = new RegExp(
  `${labelOfMonth('tax')}${MONTH_NAME},?\\s+${YEAR}\\b|${labelOfMonth('tax|pay|payroll')}(0?[1-9]|1[0-2])\\s?[/-]\\s?${YEAR}(?![\\d/-])`,
  'i',
);
const MONTH_ALONE = new RegExp(`^(?:for )?${MONTH_NAME},?\\s+${YEAR}$`, 'i');
const monthEnded = /\bmonth (?:ended|ending|end)\b:?\s*$/i;

/** The month that `monthLabelled` or `MONTH_ALONE` found. */
function monthOf([, name, year, number, numbersYear]: readonly (string | undefined)[]): string {
  const month = name === undefined ? Number(number) : monthNumber(name);
  return `${year ?? numbersYear}-${String(month).padStart(2, '0')}`;
}

/** The month that a text names and nothing else. */
export function monthAlone(text: string): string | null {
  const month = MONTH_ALONE.exec(text);
  return month === null ? null : monthOf(month);
}

/** A text with the year, and the month, of days in words behind both of them, and no sign between: a year before a month may begin a day. */
export const withYears = (text: string): string =>
  text.replace(
    daysInWords,
    (
      _whole: string,
      month: string,
      day: string,
      firstYear: string | undefined,
      lastMonth: string | undefined,
      lastDay: string,
      year: string,
    ) => `${month} ${day}, ${firstYear ?? year} to ${lastMonth ?? month} ${lastDay}, ${year}`,
  );

/** Two days with nothing but 'to' between them, each time. */
export function rangesIn(text: string, days: readonly WrittenDate[]): (readonly [WrittenDate, WrittenDate])[] {
  return days.flatMap((to, index) => {
    const from = days[index - 1];
    return from !== undefined && betweenDays.test(text.slice(from.to, to.from)) ? [[from, to] as const] : [];
  });
}

/** The one that all are; null where there are several. */
const onlyOf = (periods: readonly string[]): string | null =>
  new Set(periods).size === 1 ? (periods[0] ?? null) : null;

/** The quarter or month that is numbered beside its year. */
function numberedPeriod(text: string): string | null {
  const [, name, number, year] = numberedFirst.exec(text) ?? [];
  const [, before, nameBehind, numberBehind] = yearFirst.exec(text) ?? [];
  const [kind, count] = [name ?? nameBehind, Number(number ?? numberBehind)];
  if (kind === undefined) return null;
  if (kind.toLowerCase() === 'month') return `${year ?? before}-${String(count).padStart(2, '0')}`;
  return count <= 4 ? `${year ?? before}-Q${count}` : null;
}

/** The quarter or month of two cells that hold nothing but its number and its year. */
export const numberedPair = (first: string, second: string): string | null =>
  NUMBERED_CELL.test(first) && NUMBERED_CELL.test(second) ? numberedPeriod(`${first} ${second}`) : null;

/** Quarters by their numbers and names: 'Q1 2025', '2025 Q1', 'First quarter of 2025'. */
const quartersIn = (text: string): string[] => [
  ...[...text.matchAll(QUARTER_FIRST)].map(([, quarter, year]) => `${year}-Q${quarter}`),
  ...[...text.matchAll(QUARTER_LAST)].map(([, year, quarter]) => `${year}-Q${quarter}`),
  ...[...text.matchAll(QUARTER_COUNTED)].map(([, quarter, year]) => `${year}-Q${quarter}`),
  ...ordinalQuarters.flatMap((patterns, index) =>
    patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, year]) => `${year}-Q${index + 1}`)),
  ),
];

export const hasQuarterName = (text: string): boolean => namedQuarters.some((name) => name.test(text));

/** Whether a line names all four quarters, of which one is ticked: the year behind the last of them is that of any. */
export const isChoiceOfQuarters = (line: string): boolean =>
  line.length <= LETTERS_MAX && namedQuarters.every((name) => name.test(line)) && new Set(quartersIn(line)).size < 2;

/** The day that stands right behind a label. */
const dayBehind = (text: string, days: readonly WrittenDate[], label: RegExp): WrittenDate | undefined =>
  days.find(({ from }) => label.test(text.slice(0, from)));

/** The day behind a label of the end of a quarter, or of any period. */
export const periodEnd = (text: string, days: readonly WrittenDate[]): WrittenDate | undefined =>
  dayBehind(text, days, quarterEnded);

/** Months, quarters and years as a text writes them in words; null also for several. */
export const spokenPeriod = (text: string): string | null => onlyOf(spokenPeriods(text));

/** All that a text writes in one way: by the days that bound them, as quarters, or else the one that it writes in words. */
export function spokenPeriods(spoken: string): readonly string[] {
  if (spoken.length > LETTERS_MAX || !mayHoldYear.test(spoken)) return [];
  if (ANOTHER_TIME.test(spoken)) return [];
  const text = withYears(spoken);
  const days = datesIn(text);
  const ranges = rangesIn(text, days).map(([from, to]) =>
    from.date !== null && to.date !== null ? boundedBy(from.date, to.date) : null,
  );
  if (ranges.length > 0) return ranges.includes(null) ? [] : ranges.filter((period) => period !== null);
  const worded = wordedPeriod(text, days);
  if (worded !== undefined) return worded === null ? [] : [worded];
  const quarters = quartersIn(text);
  if (quarters.length > 0) return quarters;
  const year = dayBehind(text, days, yearEnded);
  if (year !== undefined) return year.date?.endsWith('-12-31') ? [year.date.slice(0, 4)] : [];
  return yearLabel.exec(text)?.slice(1, 2) ?? [];
}

/** The month or quarter with a label of its own, or the months from one to another; null where these are none, undefined without any. */
function wordedPeriod(text: string, days: readonly WrittenDate[]): string | null | undefined {
  const numbered = numberedPeriod(text);
  if (numbered !== null) return numbered;
  const months = monthRangeAt.exec(text);
  if (months !== null) {
    const [, first = '', firstYear, last = '', year = ''] = months;
    return firstYear === undefined || firstYear === year ? monthsPeriod(year, first, last) : null;
  }
  const labelled = monthLabelled.exec(text);
  if (labelled !== null) return monthOf(labelled);
  const monthEnds = dayBehind(text, days, monthEnded);
  if (monthEnds !== undefined) return monthEnds.date === null ? null : monthEndingOn(monthEnds.date);
  const ended = periodEnd(text, days);
  if (ended === undefined) return undefined;
  return ended.date === null ? null : quarterEndingOn(ended.date);
}

/** Whether it is by a label of the end of any period that `spokenPeriod` found a quarter. */
export function isByItsEnd(text: string): boolean {
  const days = datesIn(text);
  const day = periodEnd(text, days);
  if (day === undefined || rangesIn(text, days).length > 0) return false;
  return !SAYS_QUARTER.test(quarterEnded.exec(text.slice(0, day.from))?.[0] ?? '') && quartersIn(text).length === 0;
}
