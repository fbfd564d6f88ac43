// What the badge of a batch says, and how far it is.
import { expect, test } from 'vitest';
import { RELEASING_ENDED } from '#contract/batch-words.ts';
import type { BatchRow } from '#contract/batches.ts';
import { batchProgress, batchStateWords } from './batch-state.tsx';

const batch = (more: Partial<BatchRow>) =>
  ({ state: 'review', fault: null, releasing: 0, released: 0, progress: null, ...more }) as BatchRow;

test('what has failed is named: the reading or the release', () => {
  expect(batchStateWords(batch({ state: 'reading', fault: 'Reading ended' }))).toBe('Reading failed');
  const releasing = batch({ releasing: 1, released: 3 });
  expect([batchStateWords(releasing), batchProgress(releasing)]).toEqual(['Releasing', 75]);
  const ended = { ...releasing, fault: RELEASING_ENDED };
  expect([batchStateWords(ended), batchProgress(ended)]).toEqual(['Releasing failed', null]);
  // What clients wait for is told first.
  const both = { ...ended, fault: `Reading a file ended. ${RELEASING_ENDED}` };
  expect([batchStateWords(both), batchProgress(both)]).toEqual(['Releasing failed', null]);
});
