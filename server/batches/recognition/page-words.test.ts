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
