// Documents that were scanned, recognised from their pictures alone.
import { expect, test } from 'vitest';
import { recognise } from '#server/batches/recognition/recognise.ts';
import { judge } from './judge.ts';
import { makeImageCorpus, makeScanCorpus } from './scan-files.ts';

/** Fewer than of the same words in print: one letter that is misread leaves a document to a person (docs/recognition.md has 29 of 37). */
const CLEAN_READY = 0.75;

test('G62: of twelve scanned documents, upright, turned, askew and faxed, what is ready is right', {
  timeout: 600_000,
}, async () => {
  const corpus = await makeScanCorpus('bench', 24, 12);
  const { all, wrong, missed } = judge(corpus, recognise(corpus.files, corpus.world.known));
  expect(wrong).toEqual([]);
  expect(all.cleanReady / all.clean, JSON.stringify(missed)).toBeGreaterThanOrEqual(CLEAN_READY);
});

test('G62: of twelve documents as images that lie each way, what is ready is right', { timeout: 600_000 }, async () => {
  const corpus = await makeImageCorpus('bench', 12);
  const { all, byLayout, wrong } = judge(corpus, recognise(corpus.files, corpus.world.known));
  expect(wrong).toEqual([]);
  expect(all.ready).toBeGreaterThan(0);
  expect([...byLayout.values()].map(({ documents }) => documents)).toEqual([3, 3, 3, 3]);
});
