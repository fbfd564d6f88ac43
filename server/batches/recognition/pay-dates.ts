// The days that a page says it was paid on.
import { datesIn } from '#contract/written-dates.ts';
import { cellBelow, overlap } from './cell-below.ts';
import type { FoundPeriod, FoundPeriods, UnreadDay } from './found-periods.ts';
import { boxAround, type Cell, type PageWords, textOf } from './page-words.ts';
import { LETTERS_MAX, rangesIn } from './spoken-periods.ts';

/** Labels of the day of a pay run, also within a sentence: 'Liability for payroll dated'. Small print loses its first letter in scans. */
const PAY_DATE_LABELS =
  /\b(?:(?:c?heck|chk|cheque) (?:issue )?(?:date|dt)|(?:date|day) of (?:checks?|pay|payment|deposit|payroll)|pay(?:roll)? ?(?:date|dt|day)|payment date|date paid|paid on|(?:payrolls?|paychecks?|checks?|wages|deposits?) (?:dated|of)|settlement(?: date)?|deposit date|effective date|effective entry date)\b/gi;
/** What turns a label into that of another run. */
const ANOTHER_RUN =
  /\b(?:next|previous|prior|last|first|following|future|old|original|void(?:ed)?|reissued?|replacement|reversed)\s+$/i;
/** What may stand between a label and its day: signs, a remark in brackets, small words, the day of the week. */
const UP_TO_DAY =
  /^(?:[\s:#=.,*|–—-]|\([^)]{0,30}\)|(?:is|was|of|on|the|for|this|run|(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?)(?![a-z\d]))*/i;
/** Something that is meant to be a day, or is what is left of one. */
const MEANT_AS_DAY =
  /^(?:19|20)\d{2}$|^(?:\p{L}+[.,]?\s+){0,2}\d{1,4}(?:\D{0,4}\p{L}[\p{L}.]*\D{0,4}|\s?[./-]\s?\d{1,2}\s?[./-]\s?)\d{2,4}(?!\d)|^\p{L}+\.?\s\d{1,2},?\s(?:19|20|21)\d{2}(?!\d)|^(?:19|20|21)\d{2}\D{1,2}\d{1,2}\D{1,2}\d{1,2}/u;

type DayValue = { readonly date: string } | 'unread' | null;

/** The day that a text begins with; a time between two days is none. */
function dayAtStart(text: string): DayValue {
  const value = text.slice(UP_TO_DAY.exec(text)?.[0].length ?? 0, LETTERS_MAX);
  const [first, second] = datesIn(value);
  if (first?.from !== 0) return MEANT_AS_DAY.test(value) ? 'unread' : null;
  if (second !== undefined && rangesIn(value, [first, second]).length > 0) return null;
  return first.date === null ? 'unread' : { date: first.date };
}

/** In points: farther to the right nothing is a label's value. */
const NEAR_BESIDE = 260;

/** Whether a cell introduces what stands to its right. */
const isLabelBefore = ({ text }: Cell) =>
  /:$/.test(text) || /\b(?:date|dated|period|ended|ending|begin|end|from|to|through|run|printed|due)$/i.test(text);

/** The cell with the value of a label that has none in its own: the next one, else the one below, where that is no other label's. */
function valueCell(page: PageWords, cell: Cell): Cell | undefined {
  const line = page.lines[cell.line] ?? [];
  const next = line[line.indexOf(cell) + 1];
  if (next !== undefined && next.x - cell.x - cell.width < NEAR_BESIDE && dayAtStart(next.text) !== null) return next;
  const under = cellBelow(page, cell);
  if (under === undefined || dayAtStart(under.text) === null) return undefined;
  const nearest = line.reduce((best, other) => (overlap(other, under) > overlap(best, under) ? other : best), cell);
  const below = page.lines[under.line] ?? [];
  const before = below[below.indexOf(under) - 1];
  if (nearest !== cell || (before !== undefined && isLabelBefore(before))) return undefined;
  // A column of days is a table's.
  const further = cellBelow(page, under);
  return further !== undefined && dayAtStart(further.text) !== null ? undefined : under;
}

/** The days that a page says it was paid on. What a label has no value for of its own is never taken from another one's. */
export function payDates(page: PageWords): FoundPeriods {
  const periods: FoundPeriod[] = [];
  const unread: UnreadDay[] = [];
  for (const cell of page.cells) {
    if (cell.text.length > LETTERS_MAX) continue;
    for (const label of cell.text.matchAll(PAY_DATE_LABELS)) {
      if (ANOTHER_RUN.test(cell.text.slice(0, label.index))) continue;
      const rest = cell.text.slice(label.index + label[0].length);
      const isOwn = UP_TO_DAY.exec(rest)?.[0].length !== rest.length;
      const value = isOwn ? cell : valueCell(page, cell);
      if (value === undefined) continue;
      const day = dayAtStart(isOwn ? rest : value.text);
      if (day === null) continue;
      const words = value === cell ? cell.words : [...cell.words, ...value.words];
      const place = { text: textOf(words), box: boxAround(value.words) };
      if (day === 'unread') unread.push(place);
      else periods.push({ ...place, period: day.date, kind: 'payDate' });
    }
  }
  return { periods, unread, isPartial: false };
}
