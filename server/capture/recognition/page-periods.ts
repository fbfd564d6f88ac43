// The period that a page is for: its pay date, quarter or year, as forms and reports print them.
import { type PeriodKind, periodKindOf, periodRange, quarterOf } from '#contract/period.ts';
import { type Box, boxAround, type Cell, type PageWords, textOf } from './page-words.ts';

export interface FoundPeriod {
  readonly period: string;
  readonly kind: PeriodKind;
  readonly text: string;
  readonly box: Box;
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const MONTH = `(${MONTHS.map((month) => `${month.slice(0, 3)}(?:${month.slice(3)})?`).join('|')})\\.?`;
const DATE = `(?:(\\d{1,2})[/.-](\\d{1,2})[/.-]((?:19|20)?\\d{2})|((?:19|20)\\d{2})-(\\d{2})-(\\d{2})|${MONTH}\\s+(\\d{1,2}),?\\s+((?:19|20)\\d{2}))`;
/** 'First quarter of 2025' and '2025, 1st quarter', for each of the four. */
const ordinalQuarters = ['1st|first', '2nd|second', '3rd|third', '4th|fourth'].map(
  (names) =>
    [
      new RegExp(`\\b(?:${names}) (?:calendar )?quarter,?(?: of)? ((?:19|20)\\d{2})\\b`, 'i'),
      new RegExp(`\\b((?:19|20)\\d{2}),? (?:${names}) quarter\\b`, 'i'),
    ] as const,
);

const dateAt = new RegExp(DATE, 'i');
const rangeAt = new RegExp(`${DATE}\\s*(?:-|–|—|to|through|thru)\\s*${DATE}`, 'i');
const shortRangeAt = new RegExp(`${MONTH}\\s*(?:-|–|—|to|through)\\s*${MONTH},?\\s+((?:19|20)\\d{2})`, 'i');
const payDateLabel =
  /\b(?:check date|pay date|paydate|payment date|date paid|paid on|pay day|checks? dated|settlement date|deposit date|date of deposit|date of payment|effective date|effective entry date)\b/i;
const yearLabel = /\b(?:tax year|calendar year|for (?:the )?year|for tax year|year)\b:?\s*((?:19|20)\d{2})\b/i;
const yearEnded = new RegExp(`\\byear (?:ended|ending)\\b:?\\s*${DATE}`, 'i');
const quarterEnded = new RegExp(
  `\\b(?:quarter (?:ended|ending|end)(?: date)?|tax period(?: ended| ending)?|period (?:ended|ending))\\b:?\\s*${DATE}`,
  'i',
);
const YEAR_ALONE = /^((?:19|20)\d{2})$/;

function dayOf(parts: readonly (string | undefined)[]): string | null {
  const [month, day, year, isoYear, isoMonth, isoDay, monthName, nameDay, nameYear] = parts;
  const two = (text: string) => text.padStart(2, '0');
  let date: string;
  if (isoYear !== undefined) date = `${isoYear}-${isoMonth}-${isoDay}`;
  else if (monthName !== undefined) {
    const number = MONTHS.findIndex((name) => name.startsWith(monthName.toLowerCase().slice(0, 3))) + 1;
    date = `${nameYear}-${two(String(number))}-${two(nameDay ?? '')}`;
  } else date = `${(year ?? '').length === 2 ? `20${year}` : year}-${two(month ?? '')}-${two(day ?? '')}`;
  return periodKindOf(date) === 'payDate' ? date : null;
}

const isLastOf = (date: string, period: string) => {
  const next = new Date(`${date}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return (
    next.toISOString().slice(0, 7) === periodRange(period).before ||
    next.toISOString().startsWith(`${Number(date.slice(0, 4)) + 1}-01`)
  );
};

/** The quarter or year that two days bound. */
function boundedBy(from: string, to: string): string | null {
  const quarter = quarterOf(to);
  if (from === `${periodRange(quarter).from}-01` && quarterOf(from) === quarter && isLastOf(to, quarter))
    return quarter;
  const year = to.slice(0, 4);
  return from === `${year}-01-01` && to === `${year}-12-31` ? year : null;
}

/** The quarter that ends with a day. */
const quarterEndingOn = (date: string): string | null => (isLastOf(date, quarterOf(date)) ? quarterOf(date) : null);

/** Every way to write a period holds a year, or a date that ends with one. */
const mayHoldYear = /(?:19|20)\d{2}|[/.-]\d{2}(?!\d)/;
/** Labels whose values are periods. */
const periodLabel = /quarter|period|year|ended|ending/i;

/** In letters: no line that names a period is longer. */
const LONGEST = 300;

/** Quarters and years as a text writes them in words. */
function spokenPeriod(text: string): string | null {
  if (text.length > LONGEST || !mayHoldYear.test(text)) return null;
  const range = rangeAt.exec(text);
  if (range !== null) {
    const from = dayOf(range.slice(1, 10));
    const to = dayOf(range.slice(10, 19));
    return from !== null && to !== null ? boundedBy(from, to) : null;
  }
  const months = shortRangeAt.exec(text);
  if (months !== null) {
    const [from, to] = [months[1], months[2]].map((name) =>
      MONTHS.findIndex((month) => month.startsWith((name ?? '').toLowerCase().slice(0, 3))),
    ) as [number, number];
    if (from % 3 === 0 && to === from + 2) return `${months[3]}-Q${from / 3 + 1}`;
    return from === 0 && to === 11 ? `${months[3]}` : null;
  }
  const ended = quarterEnded.exec(text);
  if (ended !== null) {
    const date = dayOf(ended.slice(1, 10));
    return date === null ? null : quarterEndingOn(date);
  }
  const [, short, shortYear] = /\bQ(?:uarter )?([1-4])[\s,/'’-]*(?:of )?((?:19|20)\d{2})\b/i.exec(text) ?? [];
  if (short !== undefined) return `${shortYear}-Q${short}`;
  const [, yearFirst, quarter] = /\b((?:19|20)\d{2})[\s,/-]*Q([1-4])\b/i.exec(text) ?? [];
  if (yearFirst !== undefined) return `${yearFirst}-Q${quarter}`;
  for (const [index, [before, after]] of ordinalQuarters.entries()) {
    const named = before.exec(text)?.[1] ?? after.exec(text)?.[1];
    if (named !== undefined) return `${named}-Q${index + 1}`;
  }
  const year = yearEnded.exec(text);
  if (year !== null) {
    const date = dayOf(year.slice(1, 10));
    return date?.endsWith('-12-31') ? date.slice(0, 4) : null;
  }
  return yearLabel.exec(text)?.[1] ?? null;
}

const cellBelow = (page: PageWords, cell: Cell, lines: number): Cell | undefined =>
  page.lines[cell.line + lines]?.find((other) => other.x < cell.x + cell.width && other.x + other.width > cell.x);

/** The value of a label: in its own cell after it, else in the next one, else in the one below. */
function valueCell(page: PageWords, cell: Cell): Cell | undefined {
  const line = page.lines[cell.line] ?? [];
  const next = line[line.indexOf(cell) + 1];
  if (next !== undefined && next.x - cell.x - cell.width < 260 && dateAt.test(next.text)) return next;
  const under = cellBelow(page, cell, 1);
  if (under === undefined || !dateAt.test(under.text)) return undefined;
  // A column of dates is a table's.
  const further = cellBelow(page, cell, 2);
  return further !== undefined && dateAt.test(further.text) ? undefined : under;
}

function payDates(page: PageWords): FoundPeriod[] {
  return page.cells.flatMap((cell) => {
    const text = cell.text;
    const label = payDateLabel.exec(text);
    if (label === null) return [];
    const rest = text.slice(label.index + label[0].length);
    const own = dateAt.exec(rest);
    const value = own === null ? valueCell(page, cell) : cell;
    const match = own ?? (value === undefined ? null : dateAt.exec(value.text));
    const period = match === null ? null : dayOf(match.slice(1, 10));
    if (period === null || value === undefined) return [];
    const words = value === cell ? cell.words : [...cell.words, ...value.words];
    return [{ period, kind: 'payDate' as const, text: textOf(words), box: boxAround(value.words) }];
  });
}

const QUARTER_MONTHS = ['januaryfebruarymarch', 'aprilmayjune', 'julyaugustseptember', 'octobernovemberdecember'];
const CHECKS = new Set(['x', 'X', '✓', '✔', '☒', '☑', '✗', '✘', '×']);

/** The quarter whose box is checked, where the form lists all four. */
function checkedQuarter(page: PageWords, year: string | undefined): FoundPeriod[] {
  if (year === undefined) return [];
  const checked = page.lines.flatMap((line) => {
    const months = line.find(({ words }) => {
      const plain = words.map((word) => word.plain).join('');
      return QUARTER_MONTHS.some((quarter) => plain.endsWith(quarter));
    });
    if (months === undefined) return [];
    const plain = months.words.map((word) => word.plain).join('');
    const quarter = QUARTER_MONTHS.findIndex((name) => plain.endsWith(name)) + 1;
    const marks = line.flatMap(({ words }) =>
      words.filter((word) => CHECKS.has(word.text) && word.x < months.x + months.width && months.x - word.x < 45),
    );
    return marks.length === 0 ? [] : [{ quarter, box: boxAround([...marks, months]), text: months.text }];
  });
  const [only, more] = checked;
  if (only === undefined || more !== undefined) return [];
  return [{ period: `${year}-Q${only.quarter}`, kind: 'quarter', text: only.text, box: only.box }];
}

/** What is filed once a year: a tax period that ends with the year is the year's, or its last quarter's. */
const YEARLY_FORM = /\bform (?:940|943|944|945)\b/i;
const QUARTERLY_FORM = /\bform 941\b/i;

/** Every period that a page speaks of in a place that says so. `title` is the line of its title. */
export function findPeriods(page: PageWords, title: number | null): FoundPeriod[] {
  const found: FoundPeriod[] = [...payDates(page)];
  const add = (cells: readonly Cell[], period: string | null | undefined) => {
    const kind = typeof period === 'string' ? periodKindOf(period) : null;
    if (kind === null || typeof period !== 'string') return;
    const words = cells.flatMap((cell) => cell.words);
    found.push({ period, kind, text: textOf(words), box: boxAround(words) });
  };
  let formYear: string | undefined;
  for (const [at, line] of page.lines.entries()) {
    const inTop = (line[0]?.y ?? 0) < page.height * 0.5;
    for (const [index, cell] of line.entries()) {
      const text = cell.text;
      formYear ??= /(?:this quarter of|94\d(?:-x)? for) ((?:19|20)\d{2})/i.exec(text)?.[1];
      const spoken = spokenPeriod(text);
      if (spoken !== null) {
        add([cell], spoken);
        continue;
      }
      // A label with its value beside it or below it.
      for (const value of inTop && periodLabel.test(text) ? [line[index + 1], cellBelow(page, cell, 1)] : []) {
        if (value === undefined || spokenPeriod(value.text) !== null) continue;
        const both = spokenPeriod(`${text} ${value.text}`);
        if (both === null) continue;
        add([cell, value], both);
        break;
      }
      const nearTitle = title !== null && Math.abs(at - title) <= 1;
      const large = cell.height >= 1.25 * page.usualHeight && inTop;
      const alone = nearTitle || large ? YEAR_ALONE.exec(text)?.[1] : undefined;
      add([cell], alone ?? (nearTitle ? /\bfor ((?:19|20)\d{2})\b/i.exec(text)?.[1] : undefined));
    }
  }
  const names = (form: RegExp) => page.cells.some(({ text }) => form.test(text));
  const isYearly = names(YEARLY_FORM) && !names(QUARTERLY_FORM);
  const sure = isYearly
    ? found.filter(({ period, text }) => !(period.endsWith('Q4') && /december/i.test(text)))
    : found;
  return [...sure, ...checkedQuarter(page, formYear)];
}
