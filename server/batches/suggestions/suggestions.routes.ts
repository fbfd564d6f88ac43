// Suggestions over HTTP: listed, made the firm's, declined or taken back.

import {
  suggestionAcceptedDetails,
  suggestionDeclinedDetails,
  suggestionTakenBackDetails,
} from '#contract/activity-words.ts';
import type { SuggestionRow } from '#contract/suggestions.ts';
import type { Handlers } from '../../api/route.ts';
import { record } from '../../audit/record.ts';
import type { WriteScope } from '../../people/access/scope.ts';
import type { Now } from '../../platform/clock.ts';
import { addOtherName } from '../other-names.ts';
import { addPhrase } from '../report-type-phrases.ts';
import { factsOf, holdSuggestion, listSuggestions, removeSuggestion } from './suggestions.repo.ts';

export function suggestionRoutes({ now }: Now): Handlers<'suggestions'> {
  return {
    'suggestions.list': ({ read, input }) => listSuggestions(read, input.query),

    'suggestions.accept': ({ input, change }) =>
      change(async (scope) => {
        const proof = scope.authorize('suggestions.accept');
        const suggestion = await holdSuggestion(scope, input.params.id);
        await makeFirms(scope, suggestion, now());
        await removeSuggestion(scope, proof, suggestion.id);
        const details = suggestionAcceptedDetails(factsOf(suggestion), suggestion.byName);
        await record(scope, proof, { action: 'update', details, ...clientOf(suggestion) }, now());
      }),

    'suggestions.remove': ({ input, change }) =>
      change(async (scope) => {
        const proof = scope.authorize('suggestions.remove');
        const suggestion = await holdSuggestion(scope, input.params.id);
        await removeSuggestion(scope, proof, suggestion.id);
        const facts = factsOf(suggestion);
        const details = suggestion.own
          ? suggestionTakenBackDetails(facts)
          : suggestionDeclinedDetails(facts, suggestion.byName);
        await record(scope, proof, { action: 'update', details, ...clientOf(suggestion) }, now());
      }),
  };
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
