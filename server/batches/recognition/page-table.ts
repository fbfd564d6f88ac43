// The table on a page: by it, and by what stands above it, a page is known that goes on with the one before.
import type { Cell, PageWords, Word } from './page-words.ts';

export interface PageTable {
  /** What stands above the first row, each cell in plain letters without digits. */
  readonly above: ReadonlySet<string>;
  /** Where the figures of the first row begin and end, in points. */
  readonly first: readonly Edges[];
  /** The same of all rows, each once. */
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

const isRow = (line: readonly Cell[]): boolean => line.length > FIGURES && figuresIn(line).length >= FIGURES;

/** Cells in plain letters without digits; what numbers pages is left out. */
const textsOf = (cells: readonly Cell[]): ReadonlySet<string> =>
  new Set(
    cells
      .map(({ words }) => words.map(({ plain }) => (NUMBERING.has(plain) ? '' : plain.replace(/\d+/g, ''))).join(''))
      .filter((text) => text !== ''),
  );

/** Figures of one column begin and end alike, row after row, and those of every page are kept until all are read. */
const distinct = (edges: readonly Edges[]): readonly Edges[] => [
  ...new Map(edges.map((edge) => [`${edge.left} ${edge.right}`, edge])).values(),
];

/** Null where the page has none. */
export function tableOf({ lines }: PageWords): PageTable | null {
  const rows = lines.filter(isRow).map(figuresIn);
  const [first] = rows;
  if (first === undefined) return null;
  const above = textsOf(lines.slice(0, lines.findIndex(isRow)).flat());
  return { above, first, all: distinct(rows.flat().slice(0, MOST_EDGES)) };
}

const END = /\bend of (?:report|document|listing|journal|register)\b/i;
/** What ends and totals are said in. */
const CLOSING = new Set(
  'end grand total totals sum of for all report document listing journal register payroll company final printed run date time on am pm employee employees paid check checks count number hours earnings wages gross net pay tax taxes deductions direct deposit deposits regular overtime federal state local social security medicare'.split(
    ' ',
  ),
);
const isClosing = ({ plain }: Word): boolean => CLOSING.has(plain) || NUMBERING.has(plain) || !/\p{L}/u.test(plain);

/**
 * Of a page that says that a report ends, what else stands above its table, or anywhere where it has none, in plain letters: without
 * what only says so or introduces totals. Null where it does not say so.
 */
export function endOf({ lines, cells }: PageWords): ReadonlySet<string> | null {
  if (!cells.some(({ text }) => END.test(text))) return null;
  const at = lines.findIndex(isRow);
  const said = (at < 0 ? lines : lines.slice(0, at)).flat().concat(cells.filter(({ text }) => END.test(text)));
  return textsOf(said.filter(({ words }) => !words.every(isClosing)));
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
