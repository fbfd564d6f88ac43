// Entries of the log about suggestions, in words. Without schemas, as those about everything else.

/** What a suggestion is of: words for a report type or a client, which nobody but its maker goes by yet. */
export interface SuggestedFacts {
  readonly kind: 'type' | 'client';
  /** The report type's or the client's. */
  readonly name: string;
  readonly words: string;
}

const suggestedFacts = ({ kind, name, words }: SuggestedFacts) =>
  kind === 'type' ? `report type: ${name}, the phrase "${words}"` : `client: ${name}, the other name "${words}"`;

/** The details of an entry about words that a reviewer suggests: 'Suggested for report type: Timesheets, the phrase "Weekly hours"'. */
export const suggestedDetails = (facts: SuggestedFacts) => `Suggested for ${suggestedFacts(facts)}`;

/** The details of an entry about a suggestion that its maker takes back. */
export const suggestionTakenBackDetails = (facts: SuggestedFacts) =>
  `Took back what was suggested for ${suggestedFacts(facts)}`;

/** The details of an entry about a suggestion that became the firm's. */
export const suggestionAcceptedDetails = (facts: SuggestedFacts, byName: string) =>
  `Accepted what ${byName} suggested for ${suggestedFacts(facts)}`;

/** The details of an entry about a suggestion that did not. */
export const suggestionDeclinedDetails = (facts: SuggestedFacts, byName: string) =>
  `Declined what ${byName} suggested for ${suggestedFacts(facts)}`;
