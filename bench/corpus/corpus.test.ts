// Recognition on batches that share no code with it: nothing ready is wrong, and little that is clean is left to people. First as words,
// which is quick, then as PDFs that are read like any other.
import { expect, test } from 'vitest';
import { recognise } from '#server/batches/recognition/recognise.ts';
import { breadth } from '#server/testing/breadth.ts';
import { type Corpus, makeCorpus } from './corpus.ts';
import { judge } from './judge.ts';
import { LYING, makePdfCorpus } from './pdf-files.ts';

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

/** Without an ending of companies, a name below a letterhead cannot be told from other words. */
const NAMED_AS_COMPANY = /\b(?:LLC|Inc|Corp|Co|Ltd|PLLC|LLP)\.?$/;
/** So many of the thousand documents and more, in which a few are printed for somebody with such a name; docs/recognition.md has 10 of 18,000. */
const TAKEN_FOR_ANOTHER = 3;

test('G126: of 40 batches of 24 documents, in which the bureau stands on few pages, what is ready is right', () => {
  const verdicts = Array.from({ length: 40 }, (_, nth) => {
    const corpus = makeCorpus(`small ${nth}`, 24);
    return judge(corpus, recognise(corpus.files, corpus.world.known));
  });
  const wrong = verdicts.flatMap((verdict) => verdict.wrong);
  expect(wrong.filter(({ truth }) => truth === null || NAMED_AS_COMPANY.test(truth.company))).toEqual([]);
  expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(TAKEN_FOR_ANOTHER);
  const sum = (of: 'clean' | 'cleanReady') => verdicts.reduce((total, { all }) => total + all[of], 0);
  expect(sum('cleanReady') / sum('clean')).toBeGreaterThanOrEqual(0.97);
});

test('G62: of 220 documents in PDFs, upright, turned, askew and with stamps, what is ready is right', {
  timeout: 60_000,
}, async () => {
  expectRight(await makePdfCorpus('pdf', 220));
});

test('G62: of 220 documents in PDFs whose text lies on its side or upside down, what is ready is right', {
  timeout: 60_000,
}, async () => {
  expectRight(await makePdfCorpus('pdf', 220, LYING));
});
