// A calendar day as people type it.
import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat.js';

dayjs.extend(customParseFormat);

export const DATE_FORMAT = 'MM/DD/YYYY';

/** The day a person typed as MM/DD/YYYY (or M/D/YYYY, or YYYY-MM-DD), as YYYY-MM-DD; null for what the calendar lacks. */
export function parseTypedDate(text: string): string | null {
  const typed = text.trim();
  for (const format of [DATE_FORMAT, 'M/D/YYYY', 'YYYY-MM-DD']) {
    const day = dayjs(typed, format, true);
    if (day.isValid() && day.year() >= 1900 && day.year() <= 2199) return day.format('YYYY-MM-DD');
  }
  return null;
}
