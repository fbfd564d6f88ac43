// Finds files by a part of their name: by the threes of its letters where it is rare, by looking where it is common.
import type { ReadScope, RowSource, Sources } from '../access/scope.ts';
import { idsWithWord, threesOf } from '../db/text-search.ts';
import type { Narrowing } from './narrowing.ts';

/** Files in reach among those that hold the letters of the word; null where they cannot be looked up. */
export function filesWithWord(
  scope: ReadScope,
  { word }: Narrowing,
): { readonly source: (sources: Sources) => RowSource; readonly values: Readonly<Record<string, unknown>> } | null {
  const threes = word === null || !scope.hasWordIndex ? null : threesOf(scope.engine, word);
  if (threes === null) return null;
  return { source: (sources) => sources.filesAmong(idsWithWord(sources.engine, 'files')), values: { threes } };
}
