// Finds files by a part of their name: by the threes of its letters where it is rare, by looking where it is common.
import { sql } from 'kysely';
import type { ReadScope, RowSource, Sources } from '../access/scope.ts';
import { contains } from '../db/list.ts';
import { idsWithWord, threesOf } from '../db/text-search.ts';
import type { Narrowing } from './narrowing.ts';

/** Of the newest files so many are looked at, and with so many of them a word is common. */
const SAMPLE = 1_000;
const COMMON = 12;

/** Whether a walk along an index soon meets enough names that hold the word. */
export async function isCommonWord(scope: ReadScope, { values }: Narrowing): Promise<boolean> {
  const [row] = await scope.prepared<{ n: number }>(
    'files.word-sample',
    (sources) =>
      sources.query(sql<{ n: number }>`select count(*) as n from (select newest.name_key from files newest
        order by newest.uploaded_at desc, newest.id desc limit ${sql.lit(SAMPLE)}) as sample
        where ${contains('sample.name_key')}`),
    { q: values['q'] },
  );
  return (row?.n ?? 0) >= COMMON;
}

/** Files in reach among those that hold the letters of the word; null where they cannot be looked up. */
export function filesWithWord(
  scope: ReadScope,
  { word }: Narrowing,
): { readonly source: (sources: Sources) => RowSource; readonly values: Readonly<Record<string, unknown>> } | null {
  const threes = word === null || !scope.hasWordIndex ? null : threesOf(scope.engine, word);
  if (threes === null) return null;
  return { source: (sources) => sources.filesAmong(idsWithWord(sources.engine, 'files')), values: { threes } };
}
