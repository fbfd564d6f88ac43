// A list of suggestions, each with what can be done about it: accepted or declined, or taken back by whoever made it.
import type { SuggestionRow } from '#contract/suggestions.ts';
import { useAcceptSuggestion, useRemoveSuggestion } from '#web/data/suggestions.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { type SuggestionsShown, suggestionWords } from '#web/lib/remember-messages.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { toast } from '#web/ui/toast.tsx';
import classes from './suggestion-list.module.css';

export interface SuggestionListProps {
  shown: SuggestionsShown;
  rows: readonly SuggestionRow[];
}

export function SuggestionList({ shown, rows }: SuggestionListProps) {
  const acceptance = useAcceptSuggestion();
  const removal = useRemoveSuggestion();
  const busy = acceptance.isPending || removal.isPending;

  const accept = (row: SuggestionRow) =>
    acceptance.mutateAsync(row.id).then(
      () => toast.success(suggestionWords.accepted(suggestionWords.words(row))),
      (error: unknown) => toastFault(error, suggestionWords.failed.accept),
    );
  const remove = (row: SuggestionRow) =>
    removal.mutateAsync(row.id).then(
      () => toast.success(suggestionWords[row.own ? 'takenBack' : 'declined'](suggestionWords.words(row))),
      (error: unknown) => toastFault(error, suggestionWords.failed.remove),
    );

  const title = suggestionWords.title[shown];
  return (
    <section aria-label={title} className={classes.suggestions}>
      <h2 className={classes.title}>{title}</h2>
      <p className={classes.lead}>{suggestionWords.lead[shown]}</p>
      <ul className={classes.list}>
        {rows.map((row) => (
          <li key={row.id} className={classes.row}>
            <span className={classes.words}>
              <Breakable text={suggestionWords.words(row)} />
              {row.own ? null : <span className={classes.by}>{suggestionWords.by(row.byName)}</span>}
            </span>
            <span className={classes.acts}>
              {row.own ? null : (
                <BusyButton
                  size="xs"
                  variant="light"
                  busy={busy}
                  aria-label={`Accept: ${suggestionWords.words(row)}`}
                  onClick={() => void accept(row)}
                >
                  Accept
                </BusyButton>
              )}
              <BusyButton
                size="xs"
                variant="default"
                busy={busy}
                aria-label={`${row.own ? 'Take back' : 'Decline'}: ${suggestionWords.words(row)}`}
                onClick={() => void remove(row)}
              >
                {row.own ? 'Take Back' : 'Decline'}
              </BusyButton>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
