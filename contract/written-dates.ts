// How people write days in file names and on paper. Months go before days in numbers, as in the United States.
import { isCalendarDate } from './calendar-date.ts';

const MONTH_NAMES =
  'jan(?:uary)?|feb(?:r(?:uary)?)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** Source of a pattern with one group: a month's name in English, whole or short. */
export const MONTH_NAME = `(?<![a-z])(${MONTH_NAMES})(?![a-z])\\.?`;
/** Source of a pattern with one group: a year in four digits. Whether it is a likely one is not for the pattern to say. */
export const YEAR_DIGITS = '((?:19|20|21)\\d{2})';

/** The number of a month that `MONTH_NAME` found, from 1. */
export const monthNumber = (name: string): number => MONTHS.indexOf(name.toLowerCase().slice(0, 3)) + 1;

const YEAR_ANY = '((?:19|20|21)\\d{2}|\\d{2})';
/** Behind two digits: the next day of a list, or another name of a month, as in '7 March, 21 March 2025'. */
const LIST_GOES_ON = '(?:,|and|&|to|[-–])\\s?\\d';
const YEAR_FOLLOWS = '[-_./\\s](?:19|20|21)\\d{2}(?!\\d)';
/** No name of a month with which another whole day begins: 'Mar-01-26 Mar-15-26'. */
const MONTH_FOLLOWS = `[\\s-]?(?:of )?(?:${MONTH_NAMES})(?![a-z]|[-_./]\\d{1,2}[-_./]\\d)`;
/**
 * Beside a month's name two digits are no year where the next day or the year follows, nor where they end a time that began with a day
 * or begin one of the clock: 'March 7, 21 and 28, 2025', 'March 1-14, 2025', '7 March, 21 March 2025', '18 Sep 26 10:42'.
 */
const YEAR_OF_NAMED = `((?:19|20|21)\\d{2}|(?<![a-z\\s.]\\d{1,2}(?:st|nd|rd|th)?\\s?-\\s?)\\d{2}(?!\\s?${LIST_GOES_ON}|:\\d|${YEAR_FOLLOWS}|${MONTH_FOLLOWS}))`;
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';
/** Between the parts of a day in numbers: the same sign twice, with or without spaces around. */
const SIGN = '(\\s?[-–._/]\\s?)';
/** Between the parts of a day with its month's name. */
const GAP = '[-_./ ]*';
/** The same behind a month's name and no comma, where a whole day may follow: '01-Jan-26 to 31-Mar-26'. */
const YEAR_BEHIND_NAME = `((?:19|20|21)\\d{2}|\\d{2}(?!${LIST_GOES_ON}|\\s${LIST_GOES_ON}(?!\\d?(?:st|nd|rd|th)?${GAP}(?:${MONTH_NAMES}))|${YEAR_FOLLOWS}|${MONTH_FOLLOWS}))`;

type Parts = readonly (string | undefined)[];
type Day = readonly [year: string | undefined, month: string | number | undefined, day: string | undefined];

interface Writing {
  readonly pattern: RegExp;
  readonly read: (parts: Parts) => Day;
}

const writing = (source: string, read: (parts: Parts) => Day): Writing => ({
  pattern: new RegExp(source, 'gi'),
  read,
});
const named = (name: string | undefined) => monthNumber(name ?? '');
/** A day between two numbers that may both be its year: there is none that anybody could tell. */
const UNTOLD: Day = ['0000', 0, '0'];

const WRITINGS: readonly Writing[] = [
  // 2025-03-14, 2025.3.14, 2025_03_14, 2025 03 14
  writing(`(?<!\\d)${YEAR_DIGITS}(\\s?[-._/]\\s?| )(\\d{1,2})\\2(\\d{1,2})(?!\\d)`, ([year, , month, day]) => [
    year,
    month,
    day,
  ]),
  // 20250314
  writing('(?<!\\d)((?:19|20)\\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\\d|3[01])(?!\\d)', ([year, month, day]) => [
    year,
    month,
    day,
  ]),
  // 03142025: never the year first, which would begin with 19 or 20
  writing('(?<!\\d)(0[1-9]|1[0-2])(0[1-9]|[12]\\d|3[01])((?:19|20)\\d{2})(?!\\d)', ([month, day, year]) => [
    year,
    month,
    day,
  ]),
  // 3-14-25, 03.14.2025, 01 / 30 / 2026
  writing(`(?<!\\d)(\\d{1,2})${SIGN}(\\d{1,2})\\2${YEAR_ANY}(?!\\d)`, ([month, , day, year]) => [year, month, day]),
  // 3/14/ 2025 and 3/14, 2025, as scans are read
  writing(`(?<![\\d/])(\\d{1,2})\\s?/\\s?(\\d{1,2})\\s?[/,]\\s?${YEAR_DIGITS}(?!\\d)`, ([month, day, year]) => [
    year,
    month,
    day,
  ]),
  // 3 14 2025
  writing(`(?<!\\d)(\\d{1,2}) (\\d{1,2}) ${YEAR_DIGITS}(?!\\d)`, ([month, day, year]) => [year, month, day]),
  // 2025-Mar-14
  writing(`(?<!\\d)${YEAR_DIGITS}${GAP}${MONTH_NAME}${GAP}${DAY}(?!\\d)`, ([year, month, day]) => [
    year,
    named(month),
    day,
  ]),
  // 20Mar26, 20-Mar-26: what stands behind it is another number, as in '20Mar26 12 checks'
  writing(
    `(?<![\\da-z]-?)${DAY}([-_./]?)${MONTH_NAME}\\2(\\d{2})(?!\\2?\\d|${YEAR_FOLLOWS}|${MONTH_FOLLOWS})`,
    ([day, , month, year]) => [year, named(month), day],
  ),
  // 12 Mar 14 25
  writing(
    `(?<![\\da-z]|\\d[-_./])(?:0?[1-9]|[12]\\d|3[01])[-_./ ]?${MONTH_NAME}${GAP}${DAY}(?:\\s?,\\s?|[-_./ ]+)(?!(?:19|20|21)\\d\\d)${YEAR_OF_NAMED}(?!\\d)`,
    () => UNTOLD,
  ),
  // March 14, 2025, Sept. 18th 2026, Mar-14-25, January 30, '26
  writing(
    `(?<!\\d)${MONTH_NAME}${GAP}${DAY}(?:\\s?,\\s?|[-_./ ]+)(?:of )?['’]?${YEAR_OF_NAMED}(?!\\d)`,
    ([month, day, year]) => [year, named(month), day],
  ),
  // 14 March 2025, 31-Jan-26, 30JAN2026, 14th of March, 2025; the 2 of 'W-2 March 2026' is no day
  writing(
    `(?<![\\da-z]-?)${DAY}(?: of)?${GAP}${MONTH_NAME}(?:\\s?,\\s?['’]?${YEAR_OF_NAMED}|${GAP}['’]?${YEAR_BEHIND_NAME})(?!\\d)`,
    ([day, month, listed, year]) => [listed ?? year, named(month), day],
  ),
];

const two = (part: string | number | undefined) => String(part ?? '').padStart(2, '0');

/** Undefined for numbers that nobody takes for a day, null for a day that there is not, such as 31.04.2026 or 18.09.2026. */
function dayOf([year = '', month, day]: Day): string | null | undefined {
  const full = year.length === 2 ? `20${year}` : year;
  const date = `${full}-${two(month)}-${two(day)}`;
  if (isCalendarDate(date)) return date;
  const isDayFirst = isCalendarDate(`${full}-${two(day)}-${two(month)}`);
  return year.length === 4 || isDayFirst ? null : undefined;
}

export interface WrittenDate {
  /** `2025-03-14`; null for a day that the calendar does not have, or that is written in another order than here. */
  readonly date: string | null;
  readonly from: number;
  /** After its last sign. */
  readonly to: number;
}

/** Without digits or letters, so that nothing is read out of what was read before. */
const READ = '|';

/** The days that a text writes, in its order, none of them read out of another. */
export function datesIn(text: string): WrittenDate[] {
  const found: WrittenDate[] = [];
  // Hyphens that do not break, and those of typesetters, are as wide as a plain one.
  let left = text.replace(/[\u2010-\u2012\u2212]/g, '-');
  for (const { pattern, read } of WRITINGS) {
    left = left.replace(pattern, (whole: string, ...rest: unknown[]) => {
      const at = rest.findIndex((part) => typeof part === 'number');
      const date = dayOf(read(rest.slice(0, at) as Parts));
      if (date === undefined) return whole;
      const from = rest[at] as number;
      found.push({ date, from, to: from + whole.length });
      return READ.repeat(whole.length);
    });
  }
  return found.sort((one, other) => one.from - other.from);
}
