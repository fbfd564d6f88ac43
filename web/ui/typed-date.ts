// A calendar day as a person types it, and the fields of a form in which there is none to be read.
import { isCalendarDate } from '#contract/calendar-date.ts';

const TYPED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

/** The day a person typed as MM/DD/YYYY (or M/D/YYYY, or YYYY-MM-DD), as YYYY-MM-DD; null for what the calendar lacks. */
export function parseTypedDate(text: string): string | null {
  const typed = text.trim();
  const [, month = '', day = '', year = ''] = TYPED.exec(typed) ?? [];
  const written = year === '' ? typed : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(written) ? written : null;
}

export const isUnreadableDate = (text: string) => text.trim() !== '' && parseTypedDate(text) === null;

/** Leads to a date that cannot be read, which the form would send as none or as the one before; false where there is none. */
export function leadsToUnreadableDate(form: HTMLFormElement | null): boolean {
  const dates = [...(form?.querySelectorAll<HTMLInputElement>('[data-dates-input]') ?? [])];
  const unreadable = dates.find(({ value }) => isUnreadableDate(value));
  unreadable?.focus();
  return unreadable !== undefined;
}
