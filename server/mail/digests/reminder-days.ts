// On which days clients are reminded of what they owe: told in the morning, at the hour at which daily mails are written.
import { localDay, localHour } from '#contract/days.ts';
import { DAILY_HOUR } from '#contract/digest-words.ts';
import { DUE_SOON_DAYS, dayAfterDays, isReminderDay } from '#contract/request-words.ts';
import type { FirmZone, Span } from './source.ts';

/** Nobody is reminded for longer than half a year. */
const REMINDED_DAYS = 26 * 7;

/** When people are told on a day: at seven of the firm's, which is no other moment once the zone was changed after it, and none before the change. */
function morningOf(day: string, { timeZone, changed }: FirmZone): number {
  if (day === changed?.lastDay) return changed.lastMorning;
  const at = localHour(day, DAILY_HOUR, timeZone);
  return changed !== null && day > changed.lastDay ? Math.max(at, changed.at) : at;
}

/** The days, YYYY-MM-DD, whose morning lies in the span. */
export function morningsIn({ after, until, ...zone }: Span): readonly string[] {
  const mornings: string[] = [];
  // A day more on either side: in the zone before it may have been another one.
  const last = dayAfterDays(localDay(until, zone.timeZone), 1);
  for (let day = dayAfterDays(localDay(after, zone.timeZone), -1); day <= last; day = dayAfterDays(day, 1)) {
    const at = morningOf(day, zone);
    if (at > after && at <= until) mornings.push(day);
  }
  return mornings;
}

/** What is to be known of `zone` once another follows it at the moment `at`. */
export function zoneChange(zone: FirmZone, at: number): NonNullable<FirmZone['changed']> {
  let lastDay = dayAfterDays(localDay(at, zone.timeZone), 1);
  while (morningOf(lastDay, zone) > at) lastDay = dayAfterDays(lastDay, -1);
  return { at, lastDay, lastMorning: morningOf(lastDay, zone) };
}

/** The due days, YYYY-MM-DD, of requests of which people are reminded on one of these mornings. */
export function remindedDueDays(span: Span): readonly string[] {
  const distances = Array.from({ length: DUE_SOON_DAYS + REMINDED_DAYS + 1 }, (_, nth) => DUE_SOON_DAYS - nth);
  return morningsIn(span).flatMap((day) => distances.filter(isReminderDay).map((days) => dayAfterDays(day, days)));
}
