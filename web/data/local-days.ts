// Filters by day mean the days of this browser's time zone.

import { localTimeZone } from '#web/lib/format.ts';

/** The filter with this browser's time zone, where it names days. */
export function inLocalDays<Filter extends { startDate?: unknown; endDate?: unknown }>(query: Filter): Filter {
  return query.startDate === undefined && query.endDate === undefined ? query : { timeZone: localTimeZone, ...query };
}
