// Whether a word is common in what is newest: then a walk along an index soon finds a page of rows that hold it.
import { type RawBuilder, sql } from 'kysely';
import { contains } from '../db/list.ts';
import type { ReadScope } from './scope.ts';

/** So many of the newest rows are read, and if so many of them hold the word it is common. */
const SAMPLE = 1_000;
const COMMON = 12;

/** Where a table has its words, and what makes a row newer than another. */
const searched = {
  files: { column: 'name_key', newest: sql`newest.uploaded_at desc, newest.id desc` },
  activity: { column: 'search_text', newest: sql`newest.at desc, newest.id desc` },
} as const satisfies Record<string, { column: string; newest: RawBuilder<unknown> }>;

/** `pattern` is that of `containsPattern`. The answer only decides how rows are found, so rows out of reach count as well. */
export async function isCommonWord(scope: ReadScope, table: keyof typeof searched, pattern: unknown): Promise<boolean> {
  const { column, newest } = searched[table];
  const [row] = await scope.prepared<{ n: number }>(
    `${table}.word-sample`,
    (sources) =>
      sources.query(sql<{ n: number }>`select count(*) as n from (select ${sql.ref(`newest.${column}`)}
        from ${sql.table(table)} as newest order by ${newest} limit ${sql.lit(SAMPLE)}) as sample
        where ${contains(`sample.${column}`)}`),
    { q: pattern },
  );
  return (row?.n ?? 0) >= COMMON;
}
