// The sentences of what reviewers have remembered, apart from `messages.ts`: a first page needs none of them.
import { endedSentence } from '#contract/plain-words.ts';
import type { SuggestionRow } from '#contract/suggestions.ts';

/** What a reviewer has remembered. */
export const rememberWords = {
  type: (heading: string, type: string) => `pages headed “${heading}” are ${type}`,
  client: (name: string, client: string) => `“${name}” is ${client}`,
} as const;

/** Those of others that wait for whoever keeps phrases (`type`) or other names (`client`), or one's `own`. */
export type SuggestionsShown = SuggestionRow['kind'] | 'own';

/** What is said of suggestions where they are listed. */
export const suggestionWords = {
  words: ({ kind, words, clientName, reportTypeName }: SuggestionRow) =>
    kind === 'type' ? rememberWords.type(words, reportTypeName ?? '') : rememberWords.client(words, clientName ?? ''),
  by: (name: string) => `Suggested by ${name}`,
  title: { type: 'Suggested phrases', client: 'Suggested other names', own: 'Remembered for your batches' },
  lead: {
    type: 'Reviewers go by these in their own batches. Accept one, and everybody’s batches are read by it.',
    client: 'Reviewers go by these in their own batches. Accept one, and everybody’s batches are read by it.',
    own: 'Your batches are read by these. For everybody else’s they are suggested.',
  },
  waiting: {
    type: (count: string, one: boolean) => `${count} ${one ? 'phrase is' : 'phrases are'} suggested by reviewers`,
    client: (count: string, one: boolean) =>
      `${count} other ${one ? 'name of a client is' : 'names of clients are'} suggested by reviewers`,
  },
  accepted: (words: string) => `Accepted for everybody: ${endedSentence(words)}`,
  declined: (words: string) => `Declined: ${endedSentence(words)}`,
  takenBack: (words: string) => `No longer remembered: ${endedSentence(words)}`,
  failed: {
    accept: (reason: string) => `Failed to accept the suggestion: ${reason}`,
    remove: (reason: string) => `Failed to remove the suggestion: ${reason}`,
  },
} as const;
