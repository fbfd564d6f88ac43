// Recognition on batches that share no code with it: nothing ready is wrong, and little that is clean is left to people. First as words,
// which is quick, then as PDFs that are read like any other.
import { expect, test } from 'vitest';
import { recognise } from '#server/batches/recognition/recognise.ts';
import { breadth } from '#server/testing/breadth.ts';
import { type Corpus, makeCorpus } from './corpus.ts';
import { judge } from './judge.ts';
import { makePdfCorpus } from './pdf-files.ts';

/** What is aimed at, as docs/recognition.md says. */
function expectRight(corpus: Corpus): void {
  const { all, wrong, missed, lostPages } = judge(corpus, recognise(corpus.files, corpus.world.known));
  expect(wrong).toEqual([]);
  expect(all.cleanReady / all.clean, JSON.stringify(missed.slice(0, 3))).toBeGreaterThanOrEqual(0.97);
  expect(all.rightPages / all.documents, JSON.stringify(lostPages.slice(0, 3))).toBeGreaterThanOrEqual(0.995);
}

test.each(breadth(['one'], ['one', 'two', 'three']))(
  'G34: of a batch of 340 documents, seed %s, what is ready is right',
  (seed) => {
    expectRight(makeCorpus(seed, 340));
  },
);

test('G62: of 220 documents in PDFs, upright, turned, askew and with stamps, what is ready is right', {
  timeout: 60_000,
}, async () => {
  expectRight(await makePdfCorpus('pdf', 220));
});
