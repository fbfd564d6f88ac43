// Suggestions as those see them who made them, and those who keep what they are of.

import { refuse } from '#contract/errors.ts';
import type { Proof } from '#contract/policy.ts';
import type { SuggestedFacts } from '#contract/suggestion-words.ts';
import type { SuggestionQuery, SuggestionRow } from '#contract/suggestions.ts';
import type { ReadScope, WriteScope } from '../../people/access/scope.ts';
import { type Page, pageValues, rowCount } from '../../platform/db/list.ts';

const described = (scope: ReadScope) =>
  scope
    .suggestions()
    .leftJoin('clients', 'clients.id', 'suggestions.client_id')
    .leftJoin('report_types', 'report_types.id', 'suggestions.report_type_id')
    .select([
      'suggestions.id as id',
      'suggestions.kind as kind',
      'suggestions.words as words',
      'suggestions.client_id as clientId',
      'clients.name as clientName',
      'suggestions.report_type_id as reportTypeId',
      'report_types.name as reportTypeName',
      'suggestions.owner_id as ownerId',
      'suggestions.owner_name as byName',
      'suggestions.created_at as createdAt',
    ]);

type Described = Awaited<ReturnType<ReturnType<typeof described>['execute']>>[number];

const presented = ({ viewer }: ReadScope, { ownerId, createdAt, ...row }: Described): SuggestionRow => ({
  ...row,
  own: ownerId === viewer.id,
  createdAt: new Date(createdAt).toISOString(),
});

/** Oldest first: whoever asked first is heard first. */
export async function listSuggestions(scope: ReadScope, query: SuggestionQuery): Promise<Page<SuggestionRow>> {
  const { limit, offset } = pageValues(query);
  const rows = await described(scope).orderBy('suggestions.id').limit(limit).offset(offset).execute();
  const { total } = await scope.suggestions().select(rowCount.as('total')).executeTakeFirstOrThrow();
  return { rows: rows.map((row) => presented(scope, row)), total };
}

/** One that nobody else accepts or removes until the transaction ends. */
export async function holdSuggestion(scope: WriteScope, id: number): Promise<SuggestionRow> {
  await scope.serialize('names');
  const row = await described(scope).where('suggestions.id', '=', id).executeTakeFirst();
  if (row === undefined) throw refuse('not_found');
  return presented(scope, row);
}

export async function removeSuggestion(
  scope: WriteScope,
  proof: Proof<'suggestions.accept'> | Proof<'suggestions.remove'>,
  id: number,
): Promise<void> {
  await scope.unscoped(proof).deleteFrom('suggestions').where('id', '=', id).execute();
}

/** A suggestion as the log names it. */
export const factsOf = ({ kind, words, clientName, reportTypeName }: SuggestionRow): SuggestedFacts => ({
  kind,
  words,
  name: clientName ?? reportTypeName ?? '',
});
