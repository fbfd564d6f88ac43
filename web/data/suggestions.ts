// What reviewers have remembered for their own batches: their own list, and what waits for whoever keeps phrases and other names.
import { queryOptions } from '@tanstack/react-query';
import { mayAttempt } from '#contract/policy.ts';
import { call, callList } from '#web/lib/api.ts';
import { getSession } from '#web/lib/session.ts';
import { useMutation } from './mutation.ts';
import { queryClient, refresh } from './query-client.ts';

export function suggestionsQuery() {
  return queryOptions({
    queryKey: ['suggestions'],
    queryFn: ({ signal }) => callList('suggestions.list', { query: {} }, { signal }),
    refetchOnMount: 'always',
  });
}

/** The cards of the home move what stands below them unless this is known before the home is drawn; where it cannot be had there are none. */
export async function awaitSuggestions(): Promise<void> {
  const user = getSession()?.user;
  if (user === undefined || user.mustChangePassword || !mayAttempt(user, 'suggestions.accept')) return;
  await queryClient.prefetchQuery(suggestionsQuery());
}

/** Somebody else may have accepted or removed it before. */
const refreshSuggestions = () => refresh('suggestions', 'report-types', 'clients', 'activity');

export function useAcceptSuggestion() {
  return useMutation({
    mutationFn: (id: number) => call('suggestions.accept', { params: { id } }),
    onSettled: refreshSuggestions,
  });
}

export function useRemoveSuggestion() {
  return useMutation({
    mutationFn: (id: number) => call('suggestions.remove', { params: { id } }),
    onSettled: refreshSuggestions,
  });
}
