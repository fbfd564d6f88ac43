// Which texts are days of the calendar.
const DATE_ONLY = /^(19|20|21)\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** True for a day that the calendar has, written YYYY-MM-DD between 1900 and 2199. */
export function isCalendarDate(text: string): boolean {
  if (!DATE_ONLY.test(text)) return false;
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}
