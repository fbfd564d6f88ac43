// Pages for tests of recognition, typed as they look: a line of text is a line of the page, two spaces or more part columns.
import type { PageText, TextRun } from '../batches/reading/page-text.ts';

const LINE = 14;
const LETTER = 5;
const TOP = 36;

/** A line that begins with `#` is set as large as titles are. An empty one leaves its place free. */
export function typedPage(text: string, height = 792): PageText {
  const lines = text.replace(/^\n/, '').split('\n');
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)));
  const runs = lines.flatMap((line, index): TextRun[] => {
    const isTitle = line.trimStart().startsWith('#');
    const shown = line.slice(indent).replace('#', ' ');
    return [...shown.matchAll(/\S+(?: \S+)*/g)].map((column) => ({
      text: column[0],
      x: 30 + column.index * LETTER,
      y: TOP + index * LINE - (isTitle ? 3 : 0),
      width: column[0].length * LETTER,
      height: isTitle ? 12 : 8,
    }));
  });
  return { width: 612, height, runs };
}

/** A page on which nothing stands. */
export const emptyPage: PageText = { width: 612, height: 792, runs: [] };
/** The back of a sheet. */
export const blankPage: PageText = { ...emptyPage, blank: true };
