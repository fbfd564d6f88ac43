// How common words are in what is newer: where they are common, a walk along an index soon finds a page of rows that hold them.
import { type Expression, type SqlBool, sql } from 'kysely';
import type { WordMatch } from '../../platform/db/word-match.ts';
import type { ReadScope } from './scope.ts';

/** So many of the newest ids are sampled: more than one batch of uploads, which may all be of one kind, and few enough to walk. */
const NEWEST = 100_000;
/** So many rows are read of them, at equal distances. */
export const SAMPLED = 500;
/** If so many of these hold the words, they are common. */
const COMMON = 6;

/**
 * How many of the sampled rows hold the words. `on` is true for those rows, and `name` tells it from other conditions. The answer
 * only decides how rows are found, so rows out of reach count as well.
 */
export function countInSample(
  scope: ReadScope,
  table: 'files' | 'activity',
  name: string,
  match: WordMatch,
  on: (row: string) => Expression<SqlBool>,
): Promise<number> {
  return scope.estimate(`${table}.word-sample ${name} ${Object.values(match.values).join(' ')}`, async () => {
    const [row] = await scope.prepared<{ n: number }>(
      `${table}.word-sample ${name} ${match.key}`,
      (sources) =>
        sources.query(sql<{ n: number }>`with recursive spread (id, step, nth) as (
            select last.id, case when last.id < ${sql.lit(NEWEST)} then last.id / ${sql.lit(SAMPLED)} + 1
              else ${sql.lit(NEWEST / SAMPLED)} end, 1
            from (select max(id) as id from ${sql.table(table)}) as last where last.id is not null
            union all select id - step, step, nth + 1 from spread where id > step and nth < ${sql.lit(SAMPLED)}
          )
          select count(*) as n from spread join ${sql.table(table)} as sampled on sampled.id = spread.id
          where ${on('sampled')}`),
      match.values,
      // Rows far from each other: where they are not in memory yet, others must not wait.
      'long',
    );
    return row?.n ?? 0;
  });
}

/** Whether rows that hold the words are met soon. */
export async function areCommon(...given: Parameters<typeof countInSample>): Promise<boolean> {
  return (await countInSample(...given)) >= COMMON;
}
