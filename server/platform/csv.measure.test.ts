// What it costs to write cells into a CSV.
import { expect, test } from 'vitest';
import { workMs } from '../testing/measure.ts';
import { csvText } from './csv.ts';

test('G17: a long cell of separators costs no more than short ones of the same length together', async () => {
  const pieces = ['\t', '; ', '|"', '\r\n', ' ', '"', ';\u0000', '\t ', '\r\u0000"'];
  for (const piece of pieces) {
    const write = (cells: number, times: number) => () => csvText(['x'], Array(cells).fill([piece.repeat(times)]));
    const { short, long } = await workMs({ short: write(200, 1_000), long: write(4, 50_000) });
    // Fifty times as much where each character looks at all that follow.
    expect([piece, short, long, long < 12 * short]).toEqual([piece, short, long, true]);
  }
});
