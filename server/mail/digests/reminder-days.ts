// On which days clients are reminded of what they owe: told in the morning, at the hour at which daily mails are written.
import { localDay, localHour } from '#contract/days.ts';
import { DAILY_HOUR } from '#contract/digest-words.ts';
import { DUE_SOON_DAYS, dayAfterDays, isReminderDay } from '#contract/request-words.ts';
import type { Span } from './source.ts';

/** Nobody is reminded for longer than half a year. */
const REMINDED_DAYS = 26 * 7;

/** The days, YYYY-MM-DD, whose morning in the firm's time zone lies in the span. */
export function morningsIn({ after, until, timeZone }: Span): readonly string[] {
  const mornings: string[] = [];
  const last = localDay(until, timeZone);
  for (let day = localDay(after, timeZone); day <= last; day = dayAfterDays(day, 1)) {
    const at = localHour(day, DAILY_HOUR, timeZone);
    if (at > after && at <= until) mornings.push(day);
  }
  return mornings;
}

/** The due days, YYYY-MM-DD, of requests of which people are reminded on one of these mornings. */
export function remindedDueDays(span: Span): readonly string[] {
  const distances = Array.from({ length: DUE_SOON_DAYS + REMINDED_DAYS + 1 }, (_, nth) => DUE_SOON_DAYS - nth);
  return morningsIn(span).flatMap((day) => distances.filter(isReminderDay).map((days) => dayAfterDays(day, days)));
}
