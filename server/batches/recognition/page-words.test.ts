// The words of pages that lie askew: read as if they were level, and marked where they are printed.
import { expect, test } from 'vitest';
import { typedPage } from '#server/testing/typed-page.ts';
import type { PageText } from '../reading/page-text.ts';
import { isInFooter } from './labels.ts';
import { readWords } from './page-words.ts';

/** A page whose words were turned about its middle by `degrees` to the right. */
function askew({ width, height, runs }: PageText, degrees: number): PageText {
  const turn = (degrees * Math.PI) / 180;
  return {
    width,
    height,
    runs: runs.map((run) => {
      const [x, y] = [run.x + run.width / 2 - width / 2, run.y + run.height / 2 - height / 2];
      const [across, down] = [x * Math.cos(turn) - y * Math.sin(turn), x * Math.sin(turn) + y * Math.cos(turn)];
      return { ...run, x: width / 2 + across - run.width / 2, y: height / 2 + down - run.height / 2 };
    }),
  };
}

/** Each column of a line as a run of its own, as recognition leaves them. */
const PAGE = typedPage(
  Array.from({ length: 20 }, (_, row) => `Yara Coldwell   ${row}.00   22,300.81   19,603.96   4,839.99`).join('\n'),
);
const FOOT = ['Cedar', 'Payroll', 'Bureau', 'EIN', '00-7777777', 'Page'].map((text, at) => ({
  text,
  x: 36 + at * 95,
  y: 750,
  width: 40,
  height: 7,
}));

/** What is left of a register that was scanned askew and recognised, where a coarse slope parts a line of its small print. */
const SCANNED: readonly (readonly [text: string, x: number, y: number, width: number, height: number])[] = [
  ['Rowan', 94.7, 65.9, 21.6, 5],
  ['Check', 486, 61.2, 23, 6.1],
  ['date', 512.3, 60.8, 15.5, 6.1],
  ['11/30/2026', 531.7, 60.1, 41, 6.5],
  ['Payroll', 104, 261.4, 24.5, 8.3],
  ['checking', 131.4, 261, 32.8, 7.9],
  ['18,152.34', 535, 255.2, 36.7, 6.8],
  ['Deductions', 444.6, 316.8, 42.5, 10.8],
  ['Net', 545, 317.2, 11.9, 6.1],
  ['by', 80.3, 754.2, 4.7, 3.6],
  ['1', 568.1, 745.9, 1.1, 0.7],
  ['of', 572.8, 746.3, 2.9, 3.2],
];

test('small print of a scan keeps its lines across the page', () => {
  const runs = SCANNED.map(([text, x, y, width, height]) => ({ text, x, y, width, height }));
  const { cells } = readWords({ width: 624.24, height: 801.36, runs });
  expect(cells.map(({ text }) => text)).toContain('Check date 11/30/2026');
});

test.each([-2, -1.3, 0, 1.3, 2])('a page askew by %d degrees has the lines it was printed with', (degrees) => {
  const printed = { ...PAGE, runs: [...PAGE.runs, ...FOOT] };
  const page = askew(printed, degrees);
  const words = readWords(page);
  const texts = (lines: typeof words.lines) => lines.map((line) => line.map(({ text }) => text).join(' '));
  expect(texts(words.lines)).toEqual(texts(readWords(printed).lines));

  const foot = words.lines.at(-1) ?? [];
  expect(foot.map((cell) => isInFooter(words, cell))).toEqual(FOOT.map(() => true));
  for (const [at, cell] of foot.entries()) {
    const run = page.runs.find(({ text }) => text === FOOT[at]?.text);
    const mark = words.onPage(cell);
    expect(Math.abs(mark.y - (run?.y ?? 0))).toBeLessThan(1);
    expect(Math.abs(mark.x - (run?.x ?? 0))).toBeLessThan(1);
  }
});
