// The keys of the review, as they are listed.
import type { PageKey } from '#web/lib/page-facts.ts';

export const reviewKeys: readonly PageKey[] = [
  { deed: 'Next document', keys: ['J', '↓'] },
  { deed: 'Previous document', keys: ['K', '↑'] },
  { deed: 'Accept and go to the next open one', keys: ['A', 'Enter'] },
  { deed: 'Accept all that are ready', keys: ['Shift A'] },
  { deed: 'Drop', keys: ['D'] },
  { deed: 'Choose the client', keys: ['C'] },
  { deed: 'Choose the report type', keys: ['T'] },
  { deed: 'Choose the period', keys: ['P'] },
  { deed: 'Split at the page in sight', keys: ['S'] },
  { deed: 'Join with the one before', keys: ['B'] },
];
