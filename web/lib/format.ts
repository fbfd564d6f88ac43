// How values are shown on every screen (docs/behaviour.md, Fields: how values are shown).

import dayjs from 'dayjs';
import { isCalendarDate } from '#contract/calendar-date.ts';
import { inFigures } from '#contract/plain-words.ts';

export const DATE_FORMAT = 'MM/DD/YYYY';
/** Of dates, and wherever else the specification has it. */
export const NO_VALUE = 'N/A';
/** Where there is nothing to show. */
export const NOTHING = '—';
const BAD_DATE = 'Invalid Date';

const WRITTEN_DAY = /^(\d{4}-\d{2}-\d{2})(?:[T ]|$)/;

function formatted(value: string | null | undefined, format: string): string {
  if (!value?.trim()) return NO_VALUE;
  const day = WRITTEN_DAY.exec(value)?.[1];
  // 2026-02-30 is not silently moved on; a day alone is read as local, so that no zone moves it.
  if (day !== undefined && !isCalendarDate(day)) return BAD_DATE;
  const moment = dayjs(value);
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

const exact = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'full' });

/** An instant to the second, with the name of the local time zone; null when empty or unreadable. */
export function formatExactly(value: string | null): string | null {
  const moment = value === null ? Number.NaN : Date.parse(value);
  return Number.isNaN(moment) ? null : exact.format(moment);
}

const ago = new Intl.RelativeTimeFormat('en-US', { numeric: 'always' });
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** 'just now', '5 minutes ago', '3 days ago' at `now`; null for what is older than a week, to come, or unreadable. */
export function formatAgo(value: string, now: number): string | null {
  const passed = now - Date.parse(value);
  // The clocks of two machines differ a little.
  if (!(passed > -MINUTE_MS && passed < 7 * DAY_MS)) return null;
  if (passed < MINUTE_MS) return 'just now';
  if (passed < HOUR_MS) return ago.format(-Math.floor(passed / MINUTE_MS), 'minute');
  if (passed < DAY_MS) return ago.format(-Math.floor(passed / HOUR_MS), 'hour');
  return ago.format(-Math.floor(passed / DAY_MS), 'day');
}

/** Bytes as megabytes with two decimals: 1572864 is '1.50 MB'. Where those say nothing, in kilobytes too, which no line breaks: 3000 is '0.00 MB (3 KB)'. */
export function formatMegabytes(sizeBytes: number): string {
  const megabytes = `${(sizeBytes / 1024 / 1024).toFixed(2)} MB`;
  if (sizeBytes === 0 || !megabytes.startsWith('0.00')) return megabytes;
  return `${megabytes} (${sizeBytes < 1024 ? '<1' : Math.round(sizeBytes / 1024)}\u00a0KB)`;
}

/** The longest that each can read; figures are all equally wide. */
export const LONGEST = {
  date: '00/00/0000',
  dateTime: '00/00/0000 00:00 AM',
  phone: '(000)-000-0000',
  federalId: '00-0000000',
  /** Longer than most words of a person's name. */
  nameWord: 'Administrator',
} as const;

export function formatCount(count: number): string {
  return inFigures(count);
}

/** A total as it is shown: '312', or '1,000+' where there are more than were counted. */
export function formatTotal({ total, more = false }: { total: number; more?: boolean | undefined }): string {
  return `${formatCount(total)}${more ? '+' : ''}`;
}

export function formatClientName(name: string | null | undefined): string {
  return name || 'Unknown Client';
}

export function formatText(text: string | null | undefined): string {
  return text || NOTHING;
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
