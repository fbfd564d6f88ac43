// The table on a page: by it, and by what stands above it, a page is known that goes on with the one before.
import type { Cell, PageWords } from './page-words.ts';

export interface PageTable {
  /** What stands above the first row, each cell in plain letters without digits; what numbers pages is left out. */
  readonly above: ReadonlySet<string>;
  /** Where the figures of the first row begin and end, in points. */
  readonly first: readonly Edges[];
  /** The same of all rows. */
  readonly all: readonly Edges[];
}

interface Edges {
  readonly left: number;
  readonly right: number;
}

const FIGURE = /^[\s$()*\d.,%-]*\d[\s$()*\d.,%-]*$/;
/** A row has a name and as many figures at least. */
const FIGURES = 2;
const NUMBERING = new Set(['page', 'pg', 'of', 'continued', 'cont', 'sheet']);
/** In points: figures of one column begin or end within it. */
const SAME_COLUMN = 5;
const MOST_EDGES = 400;

const figuresIn = (line: readonly Cell[]): Edges[] =>
  line.flatMap(({ text, x, width }) => (FIGURE.test(text) ? [{ left: x, right: x + width }] : []));

/** Null where the page has none. */
export function tableOf({ lines }: PageWords): PageTable | null {
  const rows = lines.map((line) => (line.length > FIGURES ? figuresIn(line) : []));
  const at = rows.findIndex((figures) => figures.length >= FIGURES);
  const first = rows[at];
  if (first === undefined) return null;
  const above = lines
    .slice(0, at)
    .flatMap((line) =>
      line.map(({ words }) =>
        words.map(({ plain }) => (NUMBERING.has(plain) ? '' : plain.replace(/\d+/g, ''))).join(''),
      ),
    );
  const all = rows.filter((figures) => figures.length >= FIGURES).flat();
  return { above: new Set(above.filter((text) => text !== '')), first, all: all.slice(0, MOST_EDGES) };
}

/** Whether a page goes on with the table of a document's first one, and says nothing above it that does not stand there. */
export function goesOnWith(table: PageTable | null, start: PageTable | null): boolean {
  if (table === null || start === null || table.above.size >= start.above.size) return false;
  const inColumns = table.first.every((figure) =>
    start.all.some(
      ({ left, right }) => Math.abs(left - figure.left) < SAME_COLUMN || Math.abs(right - figure.right) < SAME_COLUMN,
    ),
  );
  return inColumns && [...table.above].every((text) => start.above.has(text));
}
