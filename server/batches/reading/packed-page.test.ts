// A page that was packed is the same page again.
import { expect, it } from 'vitest';
import { packedPage, packedPageInTurns, pageIn, pageInTurns } from './packed-page.ts';
import type { PageText, TextRun } from './page-text.ts';

const run = (text: string, x: number): TextRun => ({ text, x, y: 0, width: 1, height: 1 });
const pageOf = (runs: readonly TextRun[]): PageText => ({ width: 612, height: 792, runs, tableTop: 3, turned: 90 });

it.each([
  ['without a word', 0],
  ['of one word', 1],
  ['of more pieces than are told at once', 12_000],
])('a page %s is whole again, packed at once and in turns', async (_what, pieces) => {
  const page = pageOf(Array.from({ length: pieces }, (_, nth) => run(`${nth % 10} “`, nth / 3)));
  for (const read of [packedPage(page), await packedPageInTurns(page)]) {
    expect([pageIn(read.packed), await pageInTurns(read.packed)]).toEqual([page, page]);
    expect([read.pieces, read.letters]).toEqual([pieces, Math.min(pieces, 201)]);
    expect(read.packed.buffer.byteLength).toBe(read.packed.length);
  }
});

it('what stands nowhere is counted and left out', () => {
  const { packed, pieces, letters } = packedPage(pageOf([run('Harbor', Number.NaN), run('Pine', 1)]));
  expect([pageIn(packed).runs, pieces, letters]).toEqual([[run('Pine', 1)], 2, 10]);
});
