// Which cells of a page stand below one another.
import type { Box, Cell, PageWords } from './page-words.ts';

/** By how much two boxes stand above one another; negative where they do not. */
export const overlap = (one: Box, other: Box): number =>
  Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);

/** In heights of a label: farther below it nothing is its value. */
const NEAR_BELOW = 3;

/** The first cell that stands below another one, near enough to belong to it. */
export function cellBelow(page: PageWords, cell: Cell): Cell | undefined {
  const lowest = cell.y + cell.height + NEAR_BELOW * Math.max(cell.height, 8);
  for (const line of page.lines.slice(cell.line + 1)) {
    const below = line.find((other) => overlap(other, cell) > 0);
    if (below !== undefined) return below.y > lowest ? undefined : below;
  }
  return undefined;
}
