// Suggestions over HTTP: listed, made the firm's, declined or taken back.

import type { Handlers } from '../../api/route.ts';
import type { Now } from '../../platform/clock.ts';
import { acceptSuggestion, declineSuggestion } from './suggestions.acts.ts';
import { listSuggestions } from './suggestions.repo.ts';

export function suggestionRoutes(services: Now): Handlers<'suggestions'> {
  return {
    'suggestions.list': ({ read, input }) => listSuggestions(read, input.query),

    'suggestions.accept': ({ principal, input }) => acceptSuggestion(principal, input.params.id, services),

    'suggestions.remove': ({ principal, input }) => declineSuggestion(principal, input.params.id, services),
  };
}
