// Recognition on batches that share no code with it: nothing ready is wrong, and little that is clean is left to people.
import { expect, test } from 'vitest';
import { recognise } from '#server/capture/recognition/recognise.ts';
import { makeCorpus } from './corpus.ts';
import { judge } from './judge.ts';

test.each(['one', 'two', 'three'])('G34: of a batch of 340 documents, seed %s, what is ready is right', (seed) => {
  const corpus = makeCorpus(seed, 340);
  const { all, wrong, missed, lostPages } = judge(corpus, recognise(corpus.files, corpus.world.known));
  expect(wrong).toEqual([]);
  expect(all.cleanReady / all.clean, JSON.stringify(missed.slice(0, 3))).toBeGreaterThanOrEqual(0.95);
  expect(all.rightPages / all.documents, JSON.stringify(lostPages.slice(0, 3))).toBeGreaterThanOrEqual(0.99);
});
