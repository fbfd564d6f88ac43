// How much memory files take that are made to fill the machine.
import { expect, it } from 'vitest';
import { memoryPeakBytes } from '#server/testing/measure.ts';
import { BOMB_LIMITS, pdfBombs } from '#server/testing/pdf-bombs.ts';
import { readDocument } from './read-document.ts';

const MEGABYTE = 1024 * 1024;

it.each(pdfBombs())('a file of %s takes little more memory than it was given', async (_, bytes) => {
  const options = { contentType: 'application/pdf', signal: new AbortController().signal, limits: BOMB_LIMITS };
  expect(await memoryPeakBytes(() => readDocument(bytes, options))).toBeLessThan(500 * MEGABYTE);
});
