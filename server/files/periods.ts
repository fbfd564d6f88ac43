// How many files of a client there are for each quarter and year.
import { sql } from 'kysely';
import type { PeriodCount } from '#contract/file-periods.ts';
import type { FilePeriodsQuery } from '#contract/files.ts';
import { quarterOf } from '#contract/period.ts';
import { narrowed } from '../people/access/read-plan.ts';
import type { ReadScope } from '../people/access/scope.ts';
import { narrowingOf, onePlaceOf } from './list/narrowing.ts';

/** What stands in the place of a month in the key of a year (`periodKey`). */
const WHOLE_YEAR = '99';

/**
 * The files in reach by quarter, and those of a whole year by their year, newest first. Files without a period count for the day of their
 * upload, as the filter by period has it.
 */
export async function countByPeriod(scope: ReadScope, query: FilePeriodsQuery): Promise<PeriodCount[]> {
  const narrowing = narrowingOf(query);
  if (narrowing === null) return [];
  const rows = await scope.prepared<{ month: string; n: number }>(
    `files.periods ${narrowing.key}`,
    (sources) => {
      const ofClient = sources.filesAlong('files_client_period', onePlaceOf(narrowing));
      const { from, where } = narrowed(ofClient, narrowing.on('file'));
      return sources.query(sql`select substr(file.period_key, 1, 7) as month, cast(count(*) as bigint) as n from ${from}
        where ${where} group by substr(file.period_key, 1, 7)`);
    },
    narrowing.values,
    'long',
  );
  const counts = new Map<string, number>();
  for (const { month, n } of rows) {
    const period = month.endsWith(WHOLE_YEAR) ? month.slice(0, 4) : quarterOf(`${month}-01`);
    counts.set(period, (counts.get(period) ?? 0) + n);
  }
  return [...counts]
    .map(([period, count]) => ({ period, count }))
    .sort((one, other) => (one.period < other.period ? 1 : -1));
}
