// A suggestion as it is in the database, for tests that need one without the batch that it came from.
import { type WordsOf, wordsKey } from '../batches/suggested-rows.ts';
import type { TestApp } from './test-app.ts';

/** The id of a new one. */
export async function insertTestSuggestion(
  { database, now }: TestApp,
  { kind, id, ownerId, words }: WordsOf & { readonly ownerId: number; readonly words: string },
): Promise<number> {
  const row = await database.transaction((tx) =>
    tx
      .insertInto('suggestions')
      .values({
        kind,
        owner_id: ownerId,
        owner_name: 'Somebody',
        report_type_id: kind === 'type' ? id : null,
        client_id: kind === 'client' ? id : null,
        words,
        words_key: wordsKey(kind, words),
        created_at: now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  return row.id;
}
