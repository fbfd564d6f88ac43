// Documents that were scanned, recognised from their pictures alone.
import { expect, test } from 'vitest';
import { recognise } from '#server/batches/recognition/recognise.ts';
import { judge } from './judge.ts';
import { makeImageCorpus, makeScanCorpus } from './scan-files.ts';

test('G62: of twelve scanned documents, upright, turned, askew and faxed, what is ready is right', {
  timeout: 600_000,
}, async () => {
  const corpus = await makeScanCorpus('bench', 24, 12);
  const { all, wrong } = judge(corpus, recognise(corpus.files, corpus.world.known));
  expect(wrong).toEqual([]);
  expect(all.ready).toBeGreaterThan(0);
});

test('G62: of twelve documents as images that lie each way, what is ready is right', { timeout: 600_000 }, async () => {
  const corpus = await makeImageCorpus('bench', 12);
  const { all, byLayout, wrong } = judge(corpus, recognise(corpus.files, corpus.world.known));
  expect(wrong).toEqual([]);
  expect(all.ready).toBeGreaterThan(0);
  expect([...byLayout.values()].map(({ documents }) => documents)).toEqual([3, 3, 3, 3]);
});
