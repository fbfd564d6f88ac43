// What reviewers have remembered for their own batches, where it is looked after; nothing where there is none.
import { useQuery } from '@tanstack/react-query';
import { keepsWords } from '#contract/policy/reach.ts';
import { mayAttempt } from '#contract/policy.ts';
import type { SuggestionRow } from '#contract/suggestions.ts';
import { suggestionsQuery } from '#web/data/suggestions.ts';
import type { SuggestionsShown } from '#web/lib/remember-messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import type { SuggestionListProps } from './suggestion-list.tsx';

const SuggestionList = lazyPart<SuggestionListProps>(() =>
  import('./suggestion-list.tsx').then(({ SuggestionList }) => SuggestionList),
);

const isShown = ({ own, kind }: SuggestionRow, shown: SuggestionsShown) =>
  shown === 'own' ? own : !own && kind === shown;

/** Those that are shown; none while they are not known. */
export function useSuggestions(shown: SuggestionsShown): readonly SuggestionRow[] {
  const user = useSessionUser();
  const enabled = mayAttempt(user, 'suggestions.read') && (shown === 'own' || keepsWords(user, shown));
  const { data } = useQuery({ ...suggestionsQuery(), enabled });
  return enabled ? (data?.rows.filter((row) => isShown(row, shown)) ?? []) : [];
}

export function Suggestions({ shown }: { shown: SuggestionsShown }) {
  const rows = useSuggestions(shown);
  return rows.length === 0 ? null : <SuggestionList shown={shown} rows={rows} />;
}
