// What a date filter means: whole local days, both ends inclusive, in any time zone and across daylight saving.
import { isCalendarDate } from './calendar-date.ts';
import { formatsByZone } from './time-zones.ts';

const DAY_MS = 86_400_000;

const clockOf = formatsByZone({
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** Offset of `timeZone` from UTC at `instantMs`, in ms (New York in winter: -18,000,000). */
function offsetMs(instantMs: number, timeZone: string): number {
  const parts = clockOf(timeZone).formatToParts(instantMs);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const local = Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second'));
  return local - Math.floor(instantMs / 1000) * 1000;
}

/** The first instant (ms since the epoch) of the local day `date` (YYYY-MM-DD): 01:00 where daylight saving skips midnight. */
export function startOfLocalDay(date: string, timeZone: string): number {
  const wall = Date.parse(`${date}T00:00:00Z`);
  // Either side's offset may be the one in force at local midnight; the earliest instant that reads as this day wins.
  const candidates = [wall - DAY_MS, wall, wall + DAY_MS].map((around) => wall - offsetMs(around, timeZone));
  const inDay = candidates.filter((instant) => instant + offsetMs(instant, timeZone) >= wall);
  return Math.min(...(inDay.length > 0 ? inDay : candidates));
}

function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
}

/** A filter's ends as a half-open range of instants in ms: `from` is in it, `before` is not. Absent ends are open. */
export function instantRange(filter: {
  startDate?: string | undefined;
  endDate?: string | undefined;
  timeZone?: string | undefined;
}): { from?: number; before?: number } {
  const timeZone = filter.timeZone ?? 'UTC';
  const range: { from?: number; before?: number } = {};
  if (filter.startDate !== undefined) {
    range.from = isCalendarDate(filter.startDate)
      ? startOfLocalDay(filter.startDate, timeZone)
      : Date.parse(filter.startDate);
  }
  if (filter.endDate !== undefined) {
    range.before = isCalendarDate(filter.endDate)
      ? startOfLocalDay(dayAfter(filter.endDate), timeZone)
      : Date.parse(filter.endDate) + 1;
  }
  return range;
}
