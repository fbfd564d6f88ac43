// Which texts are days and months of the calendar.
const DATE_ONLY = /^(19|20|21)\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** True for a day that the calendar has, written YYYY-MM-DD between 1900 and 2199. */
export function isCalendarDate(text: string): boolean {
  if (!DATE_ONLY.test(text)) return false;
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}

const MONTH = /^(?:19|20|21)\d{2}-(?:0[1-9]|1[0-2])$/;
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** True for a month, written YYYY-MM between 1900 and 2199. */
export const isCalendarMonth = (text: string): boolean => MONTH.test(text);

/** 'September 2026' of `2026-09`. */
export const monthInWords = (month: string): string => `${MONTHS[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`;
