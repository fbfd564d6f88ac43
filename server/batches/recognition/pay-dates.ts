// The days that a page says it was paid on.
import { datesIn, MONTH_NAME } from '#contract/written-dates.ts';
import { cellBelow, overlap } from './cell-below.ts';
import type { FoundPeriod, FoundPeriods, UnreadDay } from './found-periods.ts';
import { boxAround, type Cell, type PageWords, textOf } from './page-words.ts';
import { LETTERS_MAX, rangesIn } from './spoken-periods.ts';

/** Labels of the day of a pay run, also within a sentence: 'Liability for payroll dated'. Small print loses its first letter in scans. */
const PAY_DATE_LABELS =
  /\b(?:(?:c?heck|chk|ck|cheque)[ -]?(?:issue )?(?:date|dt)|(?:date|day) of (?:checks?|pay|payment|deposit|payroll)|pay(?:roll)?[ -]?(?:date|dt|day)|(?:payment|py?mt) date|date paid|paid on|(?:payrolls?|paychecks?|checks?|wages|deposits?) (?:dated|of)|settlement(?: date)?|deposit date|effective date|effective entry date)\b/gi;
const OTHER_RUN =
  'next|prev(?:ious)?|prior|last|latest|recent|first|earliest|following|upcoming|future|old|original|void(?:ed)?|cancell?ed|re-?issued?|replacement|revers(?:ed|al)|stop|estimated|projected|tentative|expected|proposed|anticipated|planned|scheduled';
const RUN = '(?:\\s+(?:regular|payroll|pay|period|run|cycle)){1,2}';
/** What turns a label into that of another run, or of none yet: 'Next Check Date', 'Prior Payroll: Check Date'. */
const ANOTHER_RUN = new RegExp(`\\b(?:${OTHER_RUN})\\.?(?:${RUN}\\s*[:–—-]?)?\\s+$`, 'i');
/** The same in a cell of its own, before the label. */
const ANOTHER_RUN_ALONE = new RegExp(`^(?:${OTHER_RUN})\\.?${RUN}\\s*[:–—-]?$`, 'i');
const ANOTHER_IN_BRACKETS = new RegExp(`\\(\\s*(?:${OTHER_RUN})\\b`, 'i');
/** Before the label of a date: the first or the last of the days that a report is for. */
const BOUND = /(?:\b(?:from|begin(?:ning)?|start(?:ing)?|end(?:ing)?|through|thru)|(?:^|\d)\s*to)\s+$/i;
/** Another label in the same cell: whose the day beside or below them is, nobody can say. */
const ANOTHER_LABEL = /(?:\b(?:date|dt|period)|\p{L}\s+(?:end|begin|start)(?:ed|ing|ning)?)\s*[/|,&-]?\s*$/iu;
/** Rates, deductions and orders have an effective date too: what is before the label of a bank's. */
const EFFECTIVE = /^effective date$/i;
const OF_BANK =
  /(?:^|[^\p{L}\p{N}\s]|\b(?:ach|nacha|eft|deposit|payment|payroll|settlement|transfer|debit|credit|file|batch|entry|transaction|register|report|summary))\s*$/iu;
const BY_BANK =
  /\bach\b|\bnacha\b|direct[ -]deposit|\beft(?:ps)?\b|electronic (?:funds|payment)|\b(?:deposit|payment) (?:confirmation|effective)\b/i;
/** The day on which something else was paid, but on paper that confirms just that. */
const PAYMENT = /^(?:paid on|date paid|(?:payment|py?mt) date|deposit date)$/i;
const OF_TAX = /\b(?:tax(?:es)?|invoices?|bills?|fees?|premiums?)\s+(?:(?:was|were|is|are)\s+)?$/i;
const CONFIRMS =
  /\beft(?:ps)?\b|\belectronic (?:funds|payment|federal)\b|\b(?:deposit|payment) (?:confirmation|acknowledge?ment|receipt)\b/i;
/** What may stand between a label and its day: signs, a remark in brackets, small words, the day of the week. */
const UP_TO_DAY =
  /^(?:[\s:#=.,*|–—-]|\([^)]{0,30}\)|(?:is|was|of|on|the|for|this|run|(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?)(?![a-z\d]))*/i;
/** Something that is meant to be a day, or is what is left of one. */
const MEANT_AS_DAY =
  /^(?:19|20)\d{2}$|^(?:\p{L}+[.,]?\s+){0,2}\d{1,4}(?:\D{0,4}\p{L}[\p{L}.]*\D{0,4}|\s?[./-]\s?\d{1,2}\s?[./-]\s?)\d{2,4}(?!\d)|^\p{L}+\.?\s\d{1,2},?\s(?:19|20|21)\d{2}(?!\d)|^(?:19|20|21)\d{2}\D{1,2}\d{1,2}\D{1,2}\d{1,2}/u;

/** A day without its year, or in six digits: neither the beginning of a time nor one of a list. */
const WITHOUT_YEAR = new RegExp(
  `^(?:${MONTH_NAME}[-. ]*\\d{1,2}|\\d{1,2}[-. ]*${MONTH_NAME}|\\d{1,2}[/-]\\d{1,2}|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])\\d{2})(?:st|nd|rd|th)?(?![\\d/]|\\s?(?:[-–,&.:]|and|to|thru|through)\\s?\\d)`,
  'i',
);

/** Between days that stand behind one label. */
const LISTED = /^[^\p{L}\p{N}]*(?:(?:and|or|until|till)[^\p{L}\p{N}]*)?$/iu;

/** The days that a text begins with, one or a list of them; a time between two days is none. */
function daysAtStart(text: string): readonly string[] | 'unread' {
  const value = text.slice(UP_TO_DAY.exec(text)?.[0].length ?? 0, LETTERS_MAX);
  const days = datesIn(value);
  if (days[0]?.from !== 0) return MEANT_AS_DAY.test(value) || WITHOUT_YEAR.test(value) ? 'unread' : [];
  const begins = new Set(rangesIn(value, days).map(([from]) => from));
  if (begins.has(days[0])) return [];
  const end = days.findIndex(
    (day, index) => index > 0 && (begins.has(day) || !LISTED.test(value.slice(days[index - 1]?.to, day.from))),
  );
  const listed = end < 0 ? days : days.slice(0, end);
  const dates = listed.flatMap(({ date }) => date ?? []);
  return dates.length < listed.length ? 'unread' : dates;
}

function beginsWithDay(text: string): boolean {
  const days = daysAtStart(text);
  return days === 'unread' || days.length > 0;
}

/** Whether a day is the first thing in a text that is no sign or small word. */
const isDay = (text: string): boolean =>
  datesIn(text.slice(UP_TO_DAY.exec(text)?.[0].length ?? 0, LETTERS_MAX))[0]?.from === 0;

/** A time of the day, behind a day and by itself; midnight is how programs write a day. */
const CLOCK = /^[\s,@|-]*(?:at )?(?!0?0:00(?!:?[1-9])|12:00(?::00)?\s*a)\d{1,2}:\d{2}/i;
const CLOCK_ALONE = /^\d{1,2}:\d{2}(?::\d{2})?\s?(?:[ap]\.?m?\.?)?$/i;

/** In points: farther to the right nothing is a label's value, and no time is that of a day. */
const NEAR_BESIDE = 260;
const NEAR_DAY = 60;

const isWithin = (points: number, cell: Cell, next: Cell | undefined): next is Cell =>
  next !== undefined && next.x - cell.x - cell.width < points;

/** Whether a cell begins with the moment at which something was printed, rather than with a day: the time may stand apart, on either side. */
function isMoment(page: PageWords, cell: Cell): boolean {
  const line = page.lines[cell.line] ?? [];
  const at = line.indexOf(cell);
  const [before, after] = [line[at - 1], line[at + 1]];
  if (before !== undefined && isWithin(NEAR_DAY, before, cell) && CLOCK_ALONE.test(before.text)) return true;
  const [day] = datesIn(cell.text.slice(0, LETTERS_MAX));
  const more = isWithin(NEAR_DAY, cell, after) ? ` ${after.text}` : '';
  return day !== undefined && CLOCK.test(`${cell.text.slice(day.to)}${more}`);
}

/** Whether a cell introduces what stands to its right. */
const isLabelBefore = ({ text }: Cell) =>
  /:$/.test(text) || /\b(?:date|dated|period|ended|ending|begin|end|from|to|through|run|printed|due)$/i.test(text);

/** Whether what is said on a line from a cell on is said of another run: 'Next Payroll:    Period Ending 09/30    Check Date 10/02'. */
function isOfAnotherRun(page: PageWords, cell: Cell): boolean {
  const line = page.lines[cell.line] ?? [];
  const before = line.slice(0, line.indexOf(cell)).reverse();
  // A day in a cell of its own is the value of what stands before it.
  const value = before.findIndex(({ text }) => isDay(text) || !/\p{L}/u.test(text));
  return before.slice(0, value < 0 ? before.length : value).some(({ text }) => ANOTHER_RUN_ALONE.test(text));
}

const AMOUNT = /^[$(-]*\d[\d,]*\.\d\d\)?$/;
/** From so many cells on, a line with amounts below it heads a table. */
const HEAD_CELLS = 3;

/** Whether a day stands in a row of a table that has another one farther down, also with totals between. */
function isInColumn({ lines }: PageWords, label: Cell, under: Cell): boolean {
  const isRow = (line: readonly Cell[]) => line.some(({ text }) => AMOUNT.test(text));
  if ((lines[label.line]?.length ?? 0) < HEAD_CELLS || !isRow(lines[under.line] ?? [])) return false;
  const days = String(daysAtStart(under.text));
  const isAnother = (other: Cell) =>
    overlap(other, under) > 0 && beginsWithDay(other.text) && String(daysAtStart(other.text)) !== days;
  return lines.slice(under.line + 1).some((line) => isRow(line) && line.some(isAnother));
}

/** The cell with the value of a label that has none in its own: the next one, else the one below, where that is no other label's. */
function valueCell(page: PageWords, cell: Cell): Cell | undefined {
  const line = page.lines[cell.line] ?? [];
  const next = line[line.indexOf(cell) + 1];
  if (isWithin(NEAR_BESIDE, cell, next) && beginsWithDay(next.text) && !isMoment(page, next)) return next;
  const under = cellBelow(page, cell);
  if (under === undefined || !beginsWithDay(under.text)) return undefined;
  const nearest = line.reduce((best, other) => (overlap(other, under) > overlap(best, under) ? other : best), cell);
  const below = page.lines[under.line] ?? [];
  const before = below[below.indexOf(under) - 1];
  if (nearest !== cell || (before !== undefined && isLabelBefore(before))) return undefined;
  if (isMoment(page, under) || isInColumn(page, cell, under)) return undefined;
  // A column of days is a table's.
  const further = cellBelow(page, under);
  return further !== undefined && beginsWithDay(further.text) ? undefined : under;
}

/** The days that a page says it was paid on. What a label has no value for of its own is never taken from another one's. */
export function payDates(page: PageWords): FoundPeriods {
  const periods: FoundPeriod[] = [];
  const bounds: FoundPeriod[] = [];
  const unread: UnreadDay[] = [];
  const isByBank = page.cells.some(({ text }) => BY_BANK.test(text));
  const isConfirmed = page.cells.some(({ text }) => CONFIRMS.test(text));
  for (const cell of page.cells) {
    if (cell.text.length > LETTERS_MAX) continue;
    for (const label of cell.text.matchAll(PAY_DATE_LABELS)) {
      const before = cell.text.slice(0, label.index);
      const rest = cell.text.slice(label.index + label[0].length);
      const gap = UP_TO_DAY.exec(rest)?.[0] ?? '';
      if (ANOTHER_RUN.test(before) || ANOTHER_IN_BRACKETS.test(gap)) continue;
      if (EFFECTIVE.test(label[0]) && !(isByBank && OF_BANK.test(before))) continue;
      if (PAYMENT.test(label[0]) && OF_TAX.test(before) && !isConfirmed) continue;
      const isOwn = gap.length !== rest.length;
      if (ANOTHER_LABEL.test(before) && (!isOwn || datesIn(rest).length > 1)) continue;
      const value = isOwn ? cell : valueCell(page, cell);
      if (value === undefined || (value.line === cell.line && isOfAnotherRun(page, cell))) continue;
      const days = daysAtStart(isOwn ? rest : value.text);
      const words = value === cell ? cell.words : [...cell.words, ...value.words];
      const place = { text: textOf(words), box: boxAround(value.words) };
      if (days === 'unread') {
        unread.push(place);
        continue;
      }
      const isBound = BOUND.test(before) && /(?:date|dt)$/i.test(label[0]);
      for (const period of days) (isBound ? bounds : periods).push({ ...place, period, kind: 'payDate' });
    }
  }
  // One bound alone is not the day of a run, and beside others it is one of several.
  const isOpen = bounds.length === 1 && periods.length === 0;
  return { periods: isOpen ? [] : [...periods, ...bounds], unread, isPartial: false };
}
