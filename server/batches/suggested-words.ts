// What a reviewer suggests and goes by: entered beside the firm's own words, which it never contradicts.

import { SUGGESTIONS_MAX } from '#contract/batch-words.ts';
import { refuseFields } from '#contract/errors.ts';
import type { Proof } from '#contract/policy.ts';
import { Phrase } from '#contract/report-types.ts';
import { searchForm } from '#contract/search.ts';
import { suggestedDetails } from '#contract/suggestion-words.ts';
import { record } from '../audit/record.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import type { Database } from '../platform/db/database.ts';
import { isListedKey, listText } from '../platform/db/id-list.ts';
import { rowCount } from '../platform/db/list.ts';
import type { KnownClient, KnownReportType } from './recognition/proposal.ts';
import { phraseTaken } from './report-type-phrases.ts';
import { readOwnSuggested, type Suggested, type WordsOf, wordsKey } from './suggested-rows.ts';

const TOO_MANY = `You have asked to remember ${SUGGESTIONS_MAX} things already. Remove some under Batches.`;

/**
 * Remembers words of a type or client in reach, named `name`, for the viewer's own batches, in place of what the viewer had these words
 * mean before. Refuses a phrase that the firm has for another type, as a fault of `field`.
 */
export async function suggest(
  scope: WriteScope,
  proof: Proof<'batches.use'>,
  { kind, id, name, words }: WordsOf & { readonly name: string; readonly words: string },
  { at, field }: { readonly at: number; readonly field: string },
): Promise<void> {
  await scope.serialize('names');
  const tx = scope.unscoped(proof);
  const key = wordsKey(kind, words);
  if (kind === 'type') {
    const { error } = Phrase.safeParse(words);
    if (error !== undefined) throw refuseFields({ [field]: error.issues[0]?.message ?? '' });
    const [firms] = await tx
      .selectFrom('report_type_phrases')
      .innerJoin('report_types', 'report_types.id', 'report_type_phrases.report_type_id')
      .select(['report_type_id', 'report_types.name as typeName'])
      .where('phrase_key', '=', key)
      .execute();
    if (firms !== undefined && firms.report_type_id !== id) throw await phraseTaken(scope, words, firms, field);
    if (firms !== undefined) return;
  }
  const own = tx.selectFrom('suggestions').where('owner_id', '=', scope.viewer.id);
  const there = await own
    .select(['report_type_id', 'client_id'])
    .where('kind', '=', kind)
    .where('words_key', '=', key)
    .executeTakeFirst();
  if ((there?.report_type_id ?? there?.client_id) === id) return;
  const { total } = await own.select(rowCount.as('total')).executeTakeFirstOrThrow();
  if (there === undefined && total >= SUGGESTIONS_MAX) throw refuseFields({ [field]: TOO_MANY });
  await tx
    .deleteFrom('suggestions')
    .where('owner_id', '=', scope.viewer.id)
    .where('kind', '=', kind)
    .where('words_key', '=', key)
    .execute();
  await tx
    .insertInto('suggestions')
    .values({
      kind,
      owner_id: scope.viewer.id,
      owner_name: scope.viewer.fullName,
      report_type_id: kind === 'type' ? id : null,
      client_id: kind === 'client' ? id : null,
      words,
      words_key: key,
      created_at: at,
    })
    .execute();
  const details = suggestedDetails({ kind, name, words });
  await record(scope, proof, { action: 'update', details, ...(kind === 'client' ? { client: { id, name } } : {}) }, at);
}

interface KnownWords {
  readonly clients: readonly KnownClient[];
  readonly reportTypes: readonly KnownReportType[];
}

/** With what the viewer suggested. The firm's own words win, also those of what is out of the viewer's reach. */
export async function withSuggested<Known extends KnownWords>(
  read: ReadScope,
  { reader }: Pick<Database, 'reader'>,
  known: Known,
): Promise<Known> {
  const suggested = await readOwnSuggested(read);
  if (suggested.length === 0) return known;
  const ofTypes = suggested.filter(({ kind }) => kind === 'type');
  const firms = await reader
    .selectFrom('report_type_phrases')
    .select('phrase_key as key')
    .where(isListedKey('phrase_key', listText(ofTypes.map(({ key }) => key))))
    .execute();
  const phrases = addedTo(ofTypes, new Set(firms.map(({ key }) => key)));
  const named = new Set(known.clients.flatMap(({ names }) => names.map(searchForm)));
  const names = addedTo(
    suggested.filter(({ kind }) => kind === 'client'),
    named,
  );
  return {
    ...known,
    clients: known.clients.map((client) => ({ ...client, names: [...client.names, ...(names.get(client.id) ?? [])] })),
    reportTypes: known.reportTypes.map((type) => ({
      ...type,
      phrases: [...type.phrases, ...(phrases.get(type.id) ?? [])],
    })),
  };
}

/** By type or client, those that the firm does not have. */
function addedTo(suggested: readonly Suggested[], firms: ReadonlySet<string>): ReadonlyMap<number, readonly string[]> {
  const added = Map.groupBy(
    suggested.filter(({ key }) => !firms.has(key)),
    ({ id }) => id,
  );
  return new Map([...added].map(([id, some]) => [id, some.map(({ words }) => words)]));
}
