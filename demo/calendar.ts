// Calendar days of the demo as whole numbers (days since 1970-01-01), their names, and the one day everything ends at.

/** Days since 1970-01-01. */
export type Day = number;

const DAY_MS = 86_400_000;
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

export function dayOf(year: number, month: number, date: number): Day {
  return Date.UTC(year, month - 1, date) / DAY_MS;
}

/** The demo's today: nothing in it happens later, whatever the real date is. */
export const ANCHOR_DAY: Day = dayOf(2026, 11, 20);
/** The first day of the firm's files. A quarter's first day, so that each Form 941 on file has its registers on file too. */
export const HISTORY_START_DAY: Day = dayOf(2024, 10, 1);

/** Milliseconds since the epoch, `minutes` after midnight UTC of `day`. */
export function momentMs(day: Day, minutes: number): number {
  return day * DAY_MS + Math.round(minutes * 60_000);
}

export function dayOfMoment(atMs: number): Day {
  return Math.floor(atMs / DAY_MS);
}

export interface DayParts {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly date: number;
}

export function partsOf(day: Day): DayParts {
  const at = new Date(day * DAY_MS);
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, date: at.getUTCDate() };
}

export function yearOf(day: Day): number {
  return partsOf(day).year;
}

/** 1 to 4. */
export function quarterOf(day: Day): number {
  return Math.ceil(partsOf(day).month / 3);
}

export function lastDayOfMonth(year: number, month: number): Day {
  return dayOf(year, month + 1, 0);
}

export function lastDayOfQuarter(year: number, quarter: number): Day {
  return lastDayOfMonth(year, quarter * 3);
}

/** 0 is Sunday. */
export function weekdayOf(day: Day): number {
  return (((day + 4) % 7) + 7) % 7;
}

function isBusinessDay(day: Day): boolean {
  const weekday = weekdayOf(day);
  return weekday !== 0 && weekday !== 6;
}

export function businessDayOnOrBefore(day: Day): Day {
  let found = day;
  while (!isBusinessDay(found)) found -= 1;
  return found;
}

export function businessDayBefore(day: Day): Day {
  return businessDayOnOrBefore(day - 1);
}

export function businessDayOnOrAfter(day: Day): Day {
  let found = day;
  while (!isBusinessDay(found)) found += 1;
  return found;
}

const two = (value: number) => String(value).padStart(2, '0');

/** 2025-03-14 */
export function isoDate(day: Day): string {
  const { year, month, date } = partsOf(day);
  return `${year}-${two(month)}-${two(date)}`;
}

/** 03/14/2025 */
export function usDate(day: Day): string {
  const { year, month, date } = partsOf(day);
  return `${two(month)}/${two(date)}/${year}`;
}

/** 3-14-25 */
export function shortDate(day: Day): string {
  const { year, month, date } = partsOf(day);
  return `${month}-${date}-${two(year % 100)}`;
}

/** 20250314 */
export function compactDate(day: Day): string {
  return isoDate(day).replaceAll('-', '');
}

/** March 14, 2025 */
export function longDate(day: Day): string {
  const { year, month, date } = partsOf(day);
  return `${monthName(month)} ${date}, ${year}`;
}

/** `month` from 1 to 12. */
export function monthName(month: number): string {
  const name = MONTHS[month - 1];
  if (name === undefined) throw new RangeError(`No month ${month}`);
  return name;
}

export const quarterLabel = ({ year, quarter }: { readonly year: number; readonly quarter: number }) =>
  `Quarter ${quarter}, ${year}`;
