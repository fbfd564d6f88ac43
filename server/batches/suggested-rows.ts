// Suggestions in the database: words of a report type or a client that hold for the batches of whoever suggested them.
import type { Kysely } from 'kysely';
import type { Remembered } from '#contract/batch-words.ts';
import { searchForm } from '#contract/search.ts';
import type { ReadScope } from '../people/access/scope.ts';
import { isListedKey, listText } from '../platform/db/id-list.ts';
import type { Schema } from '../platform/db/schema.ts';
import { phraseKey } from './recognition/type-index.ts';

/** The report type or client that words are of. */
export interface WordsOf {
  readonly kind: Remembered;
  readonly id: number;
}

/** Words of a kind as they are compared. */
export const wordsKey = (kind: Remembered, words: string): string =>
  kind === 'type' ? phraseKey(words) : searchForm(words);

export interface Suggested extends WordsOf {
  readonly words: string;
  readonly key: string;
}

/** What the viewer suggested, as far as client and report type are in reach still. */
export async function readOwnSuggested(scope: ReadScope): Promise<Suggested[]> {
  const rows = await scope
    .suggestions()
    .where('suggestions.owner_id', '=', scope.viewer.id)
    .select([
      'suggestions.kind as kind',
      'suggestions.report_type_id as typeId',
      'suggestions.client_id as clientId',
      'suggestions.words as words',
      'suggestions.words_key as key',
    ])
    .orderBy('suggestions.id')
    .execute();
  return rows.map(({ typeId, clientId, ...row }) => ({ ...row, id: typeId ?? clientId ?? 0 }));
}

/** Takes away what anybody suggested of a type or client that the firm has by now, by the keys of the words. */
export async function forgetSuggested(
  tx: Kysely<Schema>,
  { kind, id }: WordsOf,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await tx
    .deleteFrom('suggestions')
    .where('kind', '=', kind)
    .where(kind === 'type' ? 'report_type_id' : 'client_id', '=', id)
    .where(isListedKey('suggestions.words_key', listText(keys)))
    .execute();
}
