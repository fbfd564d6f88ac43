// What it costs to write cells into a CSV.
import { expect, test } from 'vitest';
import { workMs } from '../testing/measure.ts';
import { csvText } from './csv.ts';

test('G17: a long cell of separators costs no more than its length', async () => {
  const pieces = ['\t', '; ', '|"', '\r\n', ' ', '"', ';\u0000', '\t ', '\r\u0000"'];
  for (const piece of pieces) {
    const cellOf = (times: number) => () => csvText(['x'], [[piece.repeat(times)]]);
    const { one, four } = await workMs({ one: cellOf(100_000), four: cellOf(400_000) });
    // Sixteen times as much where each character looks at all that follow.
    expect([piece, one, four, four < 8 * one]).toEqual([piece, one, four, true]);
  }
});
