// The quarter that is checked on a form which lists all four.
import type { FoundPeriod } from './found-periods.ts';
import { type Box, boxAround, type Cell, type PageWords, textOf } from './page-words.ts';

const QUARTER_MONTHS = ['januaryfebruarymarch', 'aprilmayjune', 'julyaugustseptember', 'octobernovemberdecember'];
const CHECKS = new Set(['x', 'X', '✓', '✔', '☒', '☑', '✗', '✘', '×', '■', '●', '◼', '⬛']);

/** In points: how far before the months their box stands, and how far above or below them its middle. */
const BOX_BEFORE = 60;
const BOX_BESIDE = 8;

/** Where the months of a quarter begin, as forms list all four. */
function quarterMonths(page: PageWords): { readonly quarter: number; readonly words: Cell['words'] }[] {
  return page.cells.flatMap(({ words }) => {
    const from = words.findIndex((_, index) => {
      const rest = words
        .slice(index, index + 6)
        .map(({ plain }) => plain)
        .join('');
      return QUARTER_MONTHS.includes(rest);
    });
    if (from < 0) return [];
    const months = words.slice(from);
    return [{ quarter: QUARTER_MONTHS.indexOf(months.map(({ plain }) => plain).join('')) + 1, words: months }];
  });
}

/** The quarter whose box is checked, where the form lists all four. */
export function checkedQuarter(page: PageWords, year: string | undefined): FoundPeriod[] {
  const quarters = year === undefined ? [] : quarterMonths(page);
  if (quarters.length !== QUARTER_MONTHS.length) return [];
  const letters = page.cells.flatMap(({ words }) => words.filter(({ text }) => [...text].length === 1 && text !== ':'));
  const marked = quarters.map(({ quarter, words }) => {
    const months = boxAround(words);
    const middle = (box: Box) => box.y + box.height / 2;
    const marks = letters.filter(
      (mark) =>
        mark.x < months.x &&
        months.x - mark.x < BOX_BEFORE &&
        Math.abs(middle(mark) - middle(months)) < BOX_BESIDE &&
        mark.text !== `${quarter}`,
    );
    return { quarter, marks, box: boxAround([...marks, months]), text: textOf(words) };
  });
  const checked = marked.filter(({ marks }) => marks.some(({ text }) => CHECKS.has(text)));
  // A mark of a font of signs may come as any letter: then it is the only one there.
  const some = checked.length > 0 ? checked : marked.filter(({ marks }) => marks.length > 0);
  const [only, more] = some;
  if (only === undefined || more !== undefined) return [];
  return [{ period: `${year}-Q${only.quarter}`, kind: 'quarter', text: only.text, box: only.box }];
}
