// The keys of the review, as they are listed.
import type { PageKey } from '#web/lib/page-facts.ts';

export const reviewKeys: readonly PageKey[] = [
  { deed: 'Next document', keys: ['J', '↓'] },
  { deed: 'Previous document', keys: ['K', '↑'] },
  { deed: 'Tick it', keys: ['X', 'Space'] },
  { deed: 'Tick up to the next or previous one', keys: ['Shift ↓', 'Shift ↑'] },
  { deed: 'Tick all in the list', keys: ['Ctrl A'] },
  { deed: 'Tick none', keys: ['Esc'] },
  { deed: 'Accept and go to the next open one', keys: ['A', 'Enter'] },
  { deed: 'Accept all that are ready', keys: ['Shift A'] },
  { deed: 'Drop, or skip what is there already', keys: ['D'] },
  { deed: 'Back to check', keys: ['U'] },
  { deed: 'Add it beside what is there', keys: ['N'] },
  { deed: 'It corrects what is there', keys: ['O'] },
  { deed: 'Replace what is there', keys: ['E'] },
  { deed: 'Choose the client', keys: ['C'] },
  { deed: 'Choose the report type', keys: ['T'] },
  { deed: 'Choose the period', keys: ['P'] },
  { deed: 'Enter the password of a locked file', keys: ['W'] },
  { deed: 'Split at the page in sight', keys: ['S'] },
  { deed: 'Join with the one before', keys: ['B'] },
  { deed: 'Release what is accepted', keys: ['R'] },
  { deed: 'Recall the document in view', keys: ['L'] },
];
