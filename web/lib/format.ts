// How values are shown on every screen (docs/behaviour.md, Fields: how values are shown).

import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat.js';
import { DATE_FORMAT } from '#web/ui/calendar-date.ts';

dayjs.extend(customParseFormat);

const NO_VALUE = 'N/A';
const BAD_DATE = 'Invalid Date';

const WRITTEN_DAY = /^(\d{4}-\d{2}-\d{2})(?:[T ]|$)/;

function formatted(value: string | null | undefined, format: string): string {
  if (!value?.trim()) return NO_VALUE;
  const day = WRITTEN_DAY.exec(value)?.[1];
  // Read strictly as written: a calendar day has no zone that could move it, and 2026-02-30 is not silently moved on.
  const written = day === undefined ? undefined : dayjs(day, 'YYYY-MM-DD', true);
  if (written?.isValid() === false) return BAD_DATE;
  const moment = written !== undefined && day === value ? written : dayjs(value);
  return moment.isValid() ? moment.format(format) : BAD_DATE;
}

/** `2026-01-31` or an instant as 01/31/2026 in local time; 'N/A' when empty, 'Invalid Date' when unreadable. */
export function formatDate(value: string | null | undefined): string {
  return formatted(value, DATE_FORMAT);
}

/** An instant as 01/31/2026 3:05 PM in local time. */
export function formatDateTime(value: string | null | undefined): string {
  return formatted(value, `${DATE_FORMAT} h:mm A`);
}

/** Bytes as megabytes with two decimals: 1572864 is '1.50 MB'. */
export function formatMegabytes(sizeBytes: number): string {
  return `${(sizeBytes / 1024 / 1024).toFixed(2)} MB`;
}

/** The longest that each can read; figures are all equally wide. */
export const LONGEST = {
  date: '00/00/0000',
  dateTime: '00/00/0000 00:00 AM',
  megabytes: '0000.00 MB',
  phone: '(000)-000-0000',
  federalId: '00-0000000',
} as const;

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** A total as it is shown: '312', or '1,000+' where there are more than were counted. */
export function formatTotal({ total, more = false }: { total: number; more?: boolean | undefined }): string {
  return `${formatCount(total)}${more ? '+' : ''}`;
}

export function formatClientName(name: string | null | undefined): string {
  return name || 'Unknown Client';
}

export function formatText(text: string | null | undefined): string {
  return text || NO_VALUE;
}

/** Up to two initials: of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const first = words[0] ?? '';
  const last = words.length > 1 ? (words.at(-1) ?? '') : '';
  return [first, last]
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();
}

/** Today in local time, YYYY-MM-DD. */
export function today(): string {
  return dayjs().format('YYYY-MM-DD');
}

export const localTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
