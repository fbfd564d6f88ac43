// The job that reads periods out of the names of files that have none, once, after the schema learned of periods.

import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import { proposePeriod } from '#contract/period-in-name.ts';
import { inFigures } from '#contract/plain-words.ts';
import type { Database } from '../platform/db/database.ts';
import { jobKind } from '../platform/jobs/kinds.ts';
import { periodColumns } from './file-columns.ts';
import { filesEverIn } from './list/counts.ts';

/** How many files at once: anyone who wants to write waits some milliseconds. */
const BATCH = 200;

/**
 * Fills in the period of every file whose name speaks of exactly one and that has none. What was filled in stays when it is run
 * again, and what somebody has said is never changed.
 */
export function periodsJob(database: Database) {
  return jobKind({
    title: 'Read the periods of files from their names',
    acts: 'system',
    payload: z.strictObject({}),
    attempts: 20,
    retryAfterMs: 60_000,
    atOnce: 1,
    async run({ signal, progress }) {
      const total = await filesEverIn(database.reader);
      let [told, untold] = [0, 0];
      for (let last = 0; ; ) {
        signal.throwIfAborted();
        const startedMs = performance.now();
        const files = await withoutPeriod(database, last);
        const end = files.at(-1);
        if (end === undefined) break;
        last = end.id;
        const known = files.flatMap(({ id, name, at }) => {
          const period = proposePeriod(name);
          return period === null ? [] : [{ id, ...periodColumns(period, at) }];
        });
        told += known.length;
        untold += files.length - known.length;
        if (known.length > 0) await fill(database, known);
        progress(last, total);
        // Two thirds of the time are left to everybody else.
        await setTimeout(2 * (performance.now() - startedMs), undefined, { signal });
      }
      return {
        summary:
          `Filled in the period of ${inFigures(told)} ${told === 1 ? 'file' : 'files'}. ` +
          `The names of ${inFigures(untold)} do not say it: Files, Period "No period" lists them.`,
      };
    },
  });
}

function withoutPeriod(database: Database, after: number) {
  return database.reader
    .selectFrom('files')
    .select(['id', 'original_name as name', 'uploaded_at as at'])
    .where('period', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(BATCH)
    .execute();
}

async function fill(
  database: Database,
  known: readonly { id: number; period: string | null; period_key: string }[],
): Promise<void> {
  await database.transaction(async (tx) => {
    const rows =
      database.kind === 'postgres'
        ? sql`json_to_recordset(${JSON.stringify(known)}::json) as known (id bigint, period text, period_key text)`
        : sql`(select value ->> 'id' as id, value ->> 'period' as period, value ->> 'period_key' as period_key
            from json_each(${JSON.stringify(known)})) as known`;
    await sql`update files set period = known.period, period_key = known.period_key from ${rows}
      where files.id = known.id and files.period is null`.execute(tx);
  });
}
