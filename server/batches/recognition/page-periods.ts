// The period that a page is for: its pay date, month, quarter or year, as forms and reports print them.
import { periodKindOf } from '#contract/period.ts';
import { cellBelow, overlap } from './cell-below.ts';
import { checkedQuarter } from './checked-quarter.ts';
import type { FoundPeriod, FoundPeriods } from './found-periods.ts';
import { boxAround, type Cell, type PageWords, textOf } from './page-words.ts';
import { saysPart } from './part-periods.ts';
import { payDates } from './pay-dates.ts';
import {
  ANOTHER_TIME,
  hasQuarterName,
  isByItsEnd,
  isChoiceOfQuarters,
  monthAlone,
  numberedPair,
  SAYS_QUARTER,
  spokenPeriod,
  spokenPeriods,
} from './spoken-periods.ts';

/** Labels whose values are periods. */
const periodLabel = /quarter|period|month|year|ended|ending/i;
const YEAR_ALONE = /^((?:19|20)\d{2})$/;

/** A label of another time than the page's: what stands behind it is not for the page. */
const ANOTHERS_LABEL = new RegExp(`(?:${ANOTHER_TIME.source})(?: (?:quarter|qtr|month|year|period))?\\W*$`, 'i');

/** In heights of a title: what is for its period stands no farther below it, whatever mark of a scan lies between them. */
const BELOW_TITLE = 1.5;

const isRightBelow = (cell: Cell, title: readonly Cell[]): boolean =>
  title.some(
    ({ x, y, width, height }) =>
      cell.y > y && cell.y - y - height < BELOW_TITLE * height && overlap(cell, { x, y, width, height }) > 0,
  );

/** What is filed once a year: a tax period that ends with the year is the year's, or its last quarter's. */
const YEARLY_FORM = /\bform (?:940|943|944|945)\b/i;
const QUARTERLY_FORM = /\bform 941\b/i;
/** Of other returns that are filed once a year, for a year that may end in any month. */
const OTHER_YEARLY_FORM = /\bform (?:1120|1065|104[0-2]|990|5500)/i;

/** Every period that a page speaks of in a place that says so. `title` is the line of its title. */
export function findPeriods(page: PageWords, title: number | null): FoundPeriods {
  const paid = payDates(page);
  const found: FoundPeriod[] = [...paid.periods];
  const names = (words: RegExp) => page.cells.some(({ text }) => words.test(text));
  const namesQuarter = names(SAYS_QUARTER);
  // A quarterly return counts its people in the first month, the second and the third.
  const saysQuarter = namesQuarter && !names(/\bmonthly\b|\bmonth (?:of|end)/i);
  const isChoice = page.lines.map((line) => isChoiceOfQuarters(line.map(({ text }) => text).join(' ')));
  const add = (cells: readonly Cell[], period: string | null | undefined) => {
    const kind = typeof period === 'string' ? periodKindOf(period) : null;
    if (kind === null || typeof period !== 'string') return;
    if (kind === 'quarter' && cells.some(({ line, text }) => isChoice[line] === true && hasQuarterName(text))) return;
    const words = cells.flatMap((cell) => cell.words);
    const byItsEnd = kind === 'quarter' && isByItsEnd(cells.map(({ text }) => text).join(' '));
    found.push({
      period,
      kind,
      text: textOf(words),
      box: boxAround(words),
      ...(byItsEnd && { byItsEnd: { saysQuarter } }),
    });
  };
  /** Where several stand in one place. */
  const lists: { readonly cell: Cell; readonly periods: readonly string[] }[] = [];
  let formYear: string | undefined;
  for (const [at, line] of page.lines.entries()) {
    const inTop = (line[0]?.y ?? 0) < page.height * 0.5;
    for (const [index, cell] of line.entries()) {
      const text = cell.text;
      formYear ??= /(?:this quarter of|94\d(?:-x)? for) ((?:19|20)\d{2})/i.exec(text)?.[1];
      const before = line[index - 1];
      const next = line[index + 1];
      const pair = next === undefined ? null : numberedPair(text, next.text);
      if (next !== undefined && pair !== null) {
        add([cell, next], pair);
        continue;
      }
      // The year of that pair.
      if (before !== undefined && numberedPair(before.text, text) !== null) continue;
      if (before !== undefined && ANOTHERS_LABEL.test(before.text)) continue;
      const spoken = [...new Set(spokenPeriods(text))];
      if (spoken.length > 1) lists.push({ cell, periods: spoken });
      if (spoken.length > 0) {
        if (spoken.length === 1) add([cell], spoken[0]);
        continue;
      }
      // A label with its value beside it or below it.
      for (const value of inTop && periodLabel.test(text) ? [line[index + 1], cellBelow(page, cell)] : []) {
        // A value with a label of its own is that one's.
        if (value === undefined || /\p{L}.*:/u.test(value.text) || spokenPeriod(value.text) !== null) continue;
        const both = spokenPeriod(`${text} ${value.text}`);
        if (both === null) continue;
        add([cell, value], both);
        break;
      }
      const nearTitle = title !== null && (Math.abs(at - title) <= 1 || isRightBelow(cell, page.lines[title] ?? []));
      const large = cell.height >= 1.25 * page.usualHeight && inTop;
      const isAnothers = ANOTHER_TIME.test(before?.text ?? '');
      const alone = (nearTitle || large) && !isAnothers ? YEAR_ALONE.exec(text)?.[1] : undefined;
      add([cell], nearTitle || large ? monthAlone(text) : null);
      add([cell], alone ?? (nearTitle ? /\bfor ((?:19|20)\d{2})\b/i.exec(text)?.[1] : undefined));
    }
  }
  // 'Q3 2026 vs Q3 2025' is of no other quarter than the page's; '2nd Quarter, 3rd Quarter or 4th Quarter' are as likely as the 1st.
  for (const { cell, periods } of lists) {
    if (found.some(({ period }) => periods.includes(period))) continue;
    for (const period of periods) add([cell], period);
  }
  const isQuarterly = names(QUARTERLY_FORM);
  const isYearly = names(YEARLY_FORM) && !isQuarterly;
  const isOtherYearly = names(OTHER_YEARLY_FORM) && !isQuarterly;
  const sure = found.filter(({ period, text, byItsEnd }) => {
    const isLast = period.endsWith('Q4');
    if (isYearly && isLast && /december/i.test(text)) return false;
    if (byItsEnd === undefined) return true;
    return !isYearly && !isOtherYearly && !(isLast && !isQuarterly && !namesQuarter);
  });
  return {
    periods: [...sure, ...checkedQuarter(page, formYear)],
    unread: paid.unread,
    isPartial: saysPart(page, sure),
  };
}
