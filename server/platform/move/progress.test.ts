// The lines that an operator reads while a firm is moved.
import { expect, it } from 'vitest';
import { type Advance, progressLines } from './progress.ts';

/** The lines for these reports, each of which comes `everyMs` after the one before. */
function linesOf(advances: readonly Advance[], everyMs: number): string[] {
  const lines: string[] = [];
  let atMs = 0;
  const report = progressLines(
    (line) => lines.push(line),
    () => atMs,
  );
  for (const advance of advances) {
    report(advance);
    atMs += everyMs;
  }
  return lines;
}

const rows = (done: number): Advance => ({ step: 'copy rows', name: 'files', done, total: 20_000_000, unit: 'rows' });
const bytes = (done: number): Advance => ({
  step: 'copy files',
  files: 1_454,
  done,
  total: 40 * 1024 * 1024,
  unit: 'bytes',
});

it('says how much is done and how long the rest takes, at most every two seconds', () => {
  expect(linesOf([rows(0), rows(1_000_000), rows(2_000_000), rows(3_000_000)], 1_000)).toEqual([
    'copy rows: 2,000,000 of 20,000,000 rows, 10 % (files), less than a minute left',
  ]);
  expect(linesOf([rows(0), rows(1_000_000)], 60_000)).toEqual([
    'copy rows: 1,000,000 of 20,000,000 rows, 5 % (files), about 19 min left',
  ]);
  expect(linesOf([rows(0), rows(1_000_000)], 3_600_000)).toEqual([
    'copy rows: 1,000,000 of 20,000,000 rows, 5 % (files), about 19 h left',
  ]);
});

it('says the end of a step, however soon it comes, and the number of files in figures like the others', () => {
  expect(linesOf([rows(20_000_000), bytes(10_500_000), bytes(40 * 1024 * 1024)], 1)).toEqual([
    'copy rows: 20,000,000 of 20,000,000 rows, 100 % (files)',
    'copy files: 40 MB of 40 MB, 100 % (1,454 files)',
  ]);
});
