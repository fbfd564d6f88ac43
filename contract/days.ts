// What a date filter means: whole local days, both ends inclusive, in any time zone and across daylight saving.
import { isCalendarDate } from './calendar-date.ts';
import { formatsByZone } from './time-zones.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

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

/** The local day (YYYY-MM-DD) at an instant (ms since the epoch). */
export const localDay = (instantMs: number, timeZone: string) =>
  new Date(instantMs + offsetMs(instantMs, timeZone)).toISOString().slice(0, 10);

/** The instant (ms since the epoch) at which clocks read `hour` on the local day `date` (YYYY-MM-DD), or the first after it where they skip it. */
export function localHour(date: string, hour: number, timeZone: string): number {
  const wall = Date.parse(`${date}T00:00:00Z`) + hour * HOUR_MS;
  // Either side's offset may be the one in force then; the earliest instant that does not read as earlier wins.
  const candidates = [wall - DAY_MS, wall, wall + DAY_MS].map((around) => wall - offsetMs(around, timeZone));
  const inDay = candidates.filter((instant) => instant + offsetMs(instant, timeZone) >= wall);
  return Math.min(...(inDay.length > 0 ? inDay : candidates));
}

/** The first instant (ms since the epoch) of the local day `date` (YYYY-MM-DD): 01:00 where daylight saving skips midnight. */
export const startOfLocalDay = (date: string, timeZone: string) => localHour(date, 0, timeZone);

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
