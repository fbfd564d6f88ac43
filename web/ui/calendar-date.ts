// A calendar day as people type it.
import { isCalendarDate } from '#contract/calendar-date.ts';

export const DATE_FORMAT = 'MM/DD/YYYY';
const TYPED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

/** The day a person typed as MM/DD/YYYY (or M/D/YYYY, or YYYY-MM-DD), as YYYY-MM-DD; null for what the calendar lacks. */
export function parseTypedDate(text: string): string | null {
  const typed = text.trim();
  const [, month = '', day = '', year = ''] = TYPED.exec(typed) ?? [];
  const written = year === '' ? typed : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(written) ? written : null;
}
