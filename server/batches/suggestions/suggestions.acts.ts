// What becomes of suggestions: made the firm's, declined or taken back, each with its entry in the log.

import {
  suggestionAcceptedDetails,
  suggestionDeclinedDetails,
  suggestionTakenBackDetails,
} from '#contract/suggestion-words.ts';
import type { SuggestionRow } from '#contract/suggestions.ts';
import { record } from '../../audit/record.ts';
import type { Principal } from '../../people/access/principal.ts';
import type { WriteScope } from '../../people/access/scope.ts';
import type { Now } from '../../platform/clock.ts';
import { addOtherName } from '../other-names.ts';
import { addPhrase } from '../report-type-phrases.ts';
import { factsOf, holdSuggestion, removeSuggestion } from './suggestions.repo.ts';

export function acceptSuggestion(principal: Principal, id: number, { now }: Now): Promise<void> {
  return principal.change('suggestions.accept', async (scope) => {
    const proof = scope.authorize('suggestions.accept');
    const suggestion = await holdSuggestion(scope, id);
    await makeFirms(scope, suggestion, now());
    await removeSuggestion(scope, proof, suggestion.id);
    const details = suggestionAcceptedDetails(factsOf(suggestion), suggestion.byName);
    await record(scope, proof, { action: 'update', details, ...clientOf(suggestion) }, now());
  });
}

/** Declines what somebody else suggested, or takes back what the principal did. */
export function declineSuggestion(principal: Principal, id: number, { now }: Now): Promise<void> {
  return principal.change('suggestions.remove', async (scope) => {
    const proof = scope.authorize('suggestions.remove');
    const suggestion = await holdSuggestion(scope, id);
    await removeSuggestion(scope, proof, suggestion.id);
    const facts = factsOf(suggestion);
    const details = suggestion.own
      ? suggestionTakenBackDetails(facts)
      : suggestionDeclinedDetails(facts, suggestion.byName);
    await record(scope, proof, { action: 'update', details, ...clientOf(suggestion) }, now());
  });
}

/** The words become the firm's, by the right to those of their kind. */
async function makeFirms(
  scope: WriteScope,
  { kind, clientId, reportTypeId, words }: SuggestionRow,
  at: number,
): Promise<void> {
  const place = { at, field: 'words' };
  if (kind === 'type') {
    await addPhrase(scope, scope.authorize('report-types.update'), reportTypeId ?? 0, words, place);
  } else {
    await addOtherName(scope, scope.authorize('clients.update'), clientId ?? 0, words, place);
  }
}

const clientOf = ({ clientId, clientName }: SuggestionRow) =>
  clientId === null || clientName === null ? {} : { client: { id: clientId, name: clientName } };
