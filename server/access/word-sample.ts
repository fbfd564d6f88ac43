// Whether a word is common in what is newer: then a walk along an index soon finds a page of rows that hold it.
import { sql } from 'kysely';
import { contains } from '../db/list.ts';
import type { ReadScope } from './scope.ts';

/** So many of the newest ids are sampled: more than one batch of uploads, which may all be of one kind, and few enough to walk. */
const NEWEST = 100_000;
/** So many rows are read of them, at equal distances, and if so many of these hold the word it is common. */
const SAMPLE = 500;
const COMMON = 6;

/** Where a table has its words. */
const searched = { files: 'name_key', activity: 'search_text' } as const;

/** `pattern` is that of `containsPattern`. The answer only decides how rows are found, so rows out of reach count as well. */
export async function isCommonWord(scope: ReadScope, table: keyof typeof searched, pattern: unknown): Promise<boolean> {
  const holding = await scope.estimate(`${table}.word-sample ${pattern}`, async () => {
    const [row] = await scope.prepared<{ n: number }>(
      `${table}.word-sample`,
      (sources) =>
        sources.query(sql<{ n: number }>`with recursive spread (id, step, nth) as (
            select last.id, case when last.id < ${sql.lit(NEWEST)} then last.id / ${sql.lit(SAMPLE)} + 1
              else ${sql.lit(NEWEST / SAMPLE)} end, 1
            from (select max(id) as id from ${sql.table(table)}) as last where last.id is not null
            union all select id - step, step, nth + 1 from spread where id > step and nth < ${sql.lit(SAMPLE)}
          )
          select count(*) as n from spread join ${sql.table(table)} as sampled on sampled.id = spread.id
          where ${contains(`sampled.${searched[table]}`)}`),
      { q: pattern },
      // Rows far from each other: where they are not in memory yet, others must not wait.
      'long',
    );
    return row?.n ?? 0;
  });
  return holding >= COMMON;
}
