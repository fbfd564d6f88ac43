// The period that a page is for: its pay date, month, quarter or year, as forms and reports print them.
import { type PeriodKind, periodKey, periodKindOf, periodRange, quarterOf } from '#contract/period.ts';
import { monthsPeriod } from '#contract/period-in-name.ts';
import { datesIn, MONTH_NAME, monthNumber, type WrittenDate } from '#contract/written-dates.ts';
import { isInHead } from './labels.ts';
import { type Box, boxAround, type Cell, type PageWords, textOf } from './page-words.ts';

export interface FoundPeriod {
  readonly period: string;
  readonly kind: PeriodKind;
  readonly text: string;
  readonly box: Box;
  /**
   * A quarter of which the page only says the day on which a period ends, as it may of a month or a pay run: whether the page says
   * besides that it is for a quarter.
   */
  readonly byItsEnd?: { readonly saysQuarter: boolean };
}

/** A day that a page says it is for and that cannot be read: in another language, or one that the calendar does not have. */
export type UnreadDay = Pick<FoundPeriod, 'text' | 'box'>;

export interface FoundPeriods {
  readonly periods: readonly FoundPeriod[];
  readonly unread: readonly UnreadDay[];
  /** It is for a pay period, a week or days that are no month, quarter or year. */
  readonly isPartial: boolean;
}

const YEAR = '((?:19|20)\\d{2})';
/** 'First quarter of 2025' and '2025, 1st quarter', for each of the four. */
const ordinalQuarters = ['1st|first', '2nd|second', '3rd|third', '4th|fourth'].map(
  (names) =>
    [
      new RegExp(`\\b(?:${names}) (?:calendar )?(?:quarter|qtr\\.?),?(?: of)? ${YEAR}\\b`, 'gi'),
      new RegExp(`\\b${YEAR},? (?:${names}) (?:quarter|qtr)\\b`, 'gi'),
    ] as const,
);
const QUARTER_FIRST = /\bQ(?:uarter |tr\.? )?([1-4])[\s,/'’-]*(?:of )?((?:19|20)\d{2})\b/gi;
const QUARTER_LAST = /\b((?:19|20)\d{2})[\s,/-]*Q(?:uarter |tr\.? )?([1-4])\b/gi;

const TO = '(?:-|–|—|to|through|thru)';
const betweenDays = new RegExp(`^\\s*${TO}\\s*$`, 'i');
/** 'January - March 2026' and 'January 2026 to March 2026'. */
const monthRangeAt = new RegExp(`${MONTH_NAME}(?:,?\\s+${YEAR})?\\s*${TO}\\s*${MONTH_NAME},?\\s+${YEAR}`, 'i');
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
const yearLabel = /\b(?:tax year|calendar year|for (?:the )?year|for tax year|year)\b:?\s*((?:19|20)\d{2})\b/i;
const yearEnded = /\byear (?:ended|ending)\b:?\s*$/i;
const quarterEnded =
  /\b(?:quarter(?: (?:ende?.?|ending)(?: date)?)?|tax period(?: ended| ending)?|(?<!\b(?:pay|payroll|weekly|monthly)[ -])period (?:ended|ending))\b:?\s*$/i;
const SAYS_QUARTER = /quarter|\bqtr\b/i;
/** Another time than the calendar's, or than that of the page. */
const ANOTHER_TIME =
  /\bfiscal\b|\bfy(?![a-z])|\b(?:prior|previous|preceding|last|next|plan|policy|benefit)[ -](?:quarter|qtr|month|year|period)\b/i;
/** 'Quarter: 3 Year: 2026' and 'Year 2026, Month 9', in one cell or two. */
const NUMBERED = '(quarter|qtr|month)\\.?(?: no\\.?| number)?\\s*[:#]?\\s*(1[0-2]|0?[1-9])(?!\\d)';
const OF_YEAR = `(?:(?:tax|calendar) )?(?:year|yr)\\.?\\s*:?\\s*${YEAR}(?!\\d)`;
const numberedFirst = new RegExp(`\\b${NUMBERED}[\\s,;|/-]+(?:of )?${OF_YEAR}`, 'i');
const yearFirst = new RegExp(`\\b${OF_YEAR}[\\s,;|/-]+${NUMBERED}`, 'i');
const NUMBERED_CELL = new RegExp(`^(?:${NUMBERED}|${OF_YEAR})$`, 'i');
const YEAR_ALONE = /^((?:19|20)\d{2})$/;
const labelOfMonth = (notPeriodOf: string) =>
  `(?:\\bmonth|(?<!\\b(?:${notPeriodOf}) )\\bperiod)(?: (?:of|ended|ending))?:?\\s*`;
/**
 * 'Month of September 2026' and 'Period: 09/2026'. A tax period is that of a return, which ends with its month, and the numbers of a
 * pay period may count the periods of the year.
 */
const monthLabelled = new RegExp(
  `${labelOfMonth('tax')}${MONTH_NAME},?\\s+${YEAR}\\b|${labelOfMonth('tax|pay|payroll')}(0?[1-9]|1[0-2])\\s?[/-]\\s?${YEAR}(?![\\d/-])`,
  'i',
);
const MONTH_ALONE = new RegExp(`^(?:for )?${MONTH_NAME},?\\s+${YEAR}$`, 'i');
const monthEnded = /\bmonth (?:ended|ending|end)\b:?\s*$/i;

const isLastOf = (date: string, period: string) => {
  const next = new Date(`${date}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return (
    next.toISOString().slice(0, 7) === periodRange(period).before ||
    next.toISOString().startsWith(`${Number(date.slice(0, 4)) + 1}-01`)
  );
};

/** The month, quarter or year that two days bound. */
function boundedBy(from: string, to: string): string | null {
  const quarter = quarterOf(to);
  if (from === `${periodRange(quarter).from}-01` && quarterOf(from) === quarter && isLastOf(to, quarter))
    return quarter;
  const year = to.slice(0, 4);
  if (from === `${year}-01-01` && to === `${year}-12-31`) return year;
  const month = monthEndingOn(to);
  return month !== null && from === `${month}-01` ? month : null;
}

/** The month that ends with a day. */
function monthEndingOn(date: string): string | null {
  const next = new Date(`${date}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.getUTCDate() === 1 ? date.slice(0, 7) : null;
}

/** The month that `monthLabelled` or `MONTH_ALONE` found. */
function monthOf([, name, year, number, numbersYear]: readonly (string | undefined)[]): string {
  const month = name === undefined ? Number(number) : monthNumber(name);
  return `${year ?? numbersYear}-${String(month).padStart(2, '0')}`;
}

/** The quarter that ends with a day. */
const quarterEndingOn = (date: string): string | null => (isLastOf(date, quarterOf(date)) ? quarterOf(date) : null);

/** Every way to write a period holds a year, or a date that ends with one. */
const mayHoldYear = /(?:19|20)\d{2}|[/.’' -]\d{2}(?!\d)/;
/** Labels whose values are periods. */
const periodLabel = /quarter|period|month|year|ended|ending/i;

/** In letters: no line that names a period is longer. */
const LONGEST = 300;

/** Two days with nothing but 'to' between them, each time. */
function rangesIn(text: string, days: readonly WrittenDate[]): (readonly [WrittenDate, WrittenDate])[] {
  return days.flatMap((to, index) => {
    const from = days[index - 1];
    return from !== undefined && betweenDays.test(text.slice(from.to, to.from)) ? [[from, to] as const] : [];
  });
}

/** The one that all are; null where there are several. */
const onlyOf = (periods: readonly string[]): string | null =>
  new Set(periods).size === 1 ? (periods[0] ?? null) : null;

/** The quarter or month that is numbered beside its year. */
function numberedPeriod(text: string): string | null {
  const [, name, number, year] = numberedFirst.exec(text) ?? [];
  const [, before, nameBehind, numberBehind] = yearFirst.exec(text) ?? [];
  const [kind, count] = [name ?? nameBehind, Number(number ?? numberBehind)];
  if (kind === undefined) return null;
  if (kind.toLowerCase() === 'month') return `${year ?? before}-${String(count).padStart(2, '0')}`;
  return count <= 4 ? `${year ?? before}-Q${count}` : null;
}

/** Quarters by their numbers and names: 'Q1 2025', '2025 Q1', 'First quarter of 2025'. */
const quartersIn = (text: string): string[] => [
  ...[...text.matchAll(QUARTER_FIRST)].map(([, quarter, year]) => `${year}-Q${quarter}`),
  ...[...text.matchAll(QUARTER_LAST)].map(([, year, quarter]) => `${year}-Q${quarter}`),
  ...ordinalQuarters.flatMap((patterns, index) =>
    patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, year]) => `${year}-Q${index + 1}`)),
  ),
];

/** The day that stands right behind a label. */
const dayBehind = (text: string, days: readonly WrittenDate[], label: RegExp): WrittenDate | undefined =>
  days.find(({ from }) => label.test(text.slice(0, from)));

/** Months, quarters and years as a text writes them in words; null also for several. */
const spokenPeriod = (text: string): string | null => onlyOf(spokenPeriods(text));

/** All that a text writes in one way: by the days that bound them, as quarters, or else the one that it writes in words. */
function spokenPeriods(text: string): readonly string[] {
  if (text.length > LONGEST || !mayHoldYear.test(text)) return [];
  const days = datesIn(text);
  const ranges = rangesIn(text, days).map(([from, to]) =>
    from.date !== null && to.date !== null ? boundedBy(from.date, to.date) : null,
  );
  if (ranges.length > 0) return ranges.includes(null) ? [] : ranges.filter((period) => period !== null);
  if (ANOTHER_TIME.test(text)) return [];
  const worded = wordedPeriod(text, days);
  if (worded !== undefined) return worded === null ? [] : [worded];
  const quarters = quartersIn(text);
  if (quarters.length > 0) return quarters;
  const year = dayBehind(text, days, yearEnded);
  if (year !== undefined) return year.date?.endsWith('-12-31') ? [year.date.slice(0, 4)] : [];
  return yearLabel.exec(text)?.slice(1, 2) ?? [];
}

/** The month or quarter with a label of its own, or the months from one to another; null where these are none, undefined without any. */
function wordedPeriod(text: string, days: readonly WrittenDate[]): string | null | undefined {
  const numbered = numberedPeriod(text);
  if (numbered !== null) return numbered;
  const months = monthRangeAt.exec(text);
  if (months !== null) {
    const [, first = '', firstYear, last = '', year = ''] = months;
    return firstYear === undefined || firstYear === year ? monthsPeriod(year, first, last) : null;
  }
  const labelled = monthLabelled.exec(text);
  if (labelled !== null) return monthOf(labelled);
  const monthEnds = dayBehind(text, days, monthEnded);
  if (monthEnds !== undefined) return monthEnds.date === null ? null : monthEndingOn(monthEnds.date);
  const ended = dayBehind(text, days, quarterEnded);
  if (ended === undefined) return undefined;
  return ended.date === null ? null : quarterEndingOn(ended.date);
}

/** Whether it is by a label of the end of any period that `spokenPeriod` found a quarter. */
function isByItsEnd(text: string): boolean {
  const days = datesIn(text);
  const day = dayBehind(text, days, quarterEnded);
  if (day === undefined || rangesIn(text, days).length > 0) return false;
  return !SAYS_QUARTER.test(quarterEnded.exec(text.slice(0, day.from))?.[0] ?? '') && quartersIn(text).length === 0;
}

/** Labels of what is shorter than a month, or may be; neither 'Pay periods: 26' nor 'Hours per week: 40'. */
const SHORT_TIME = new RegExp(
  [
    '\\b(?:pay|payroll|work)[ -]?period\\b',
    '(?<!\\btax )\\bperiod(?:\\s*#?\\s*\\d|:| (?:begin|start|end|from|no\\b|number|date))',
    '(?<!\\bper |/)\\bweek(?:$|:|\\s*#?\\s*\\d|s? (?:begin|start|end|from|of\\b|no\\b|number))',
    '\\bw/e\\b',
  ].join('|'),
  'i',
);
/** 'Check dates 09/04/2026 - 09/25/2026' are the runs of whatever the page is for. */
const DAYS_OF_RUNS = /\b(?:check|pay(?:ment)?|deposit) dates\b/i;
/** In days: what takes longer is no pay period. */
const LONGEST_PAY_PERIOD = 31;
const DAY_MS = 86_400_000;
/** The value of such a label: the number of a pay period or week, or days. */
const TIME_VALUE = /^#?\s*(?:\d{1,2}(?:$|\s+(?:of|to|through|thru)\b)|\d{1,4}\s?[-–—./]\s?\d)/i;
const ANY_YEAR = /\b(?:19|20)\d{2}\b/g;

const isTime = (text: string): boolean => TIME_VALUE.test(text) || datesIn(text.slice(0, LONGEST))[0]?.from === 0;

const isLong = ([from, to]: readonly [WrittenDate, WrittenDate]): boolean =>
  from.date !== null && to.date !== null && Date.parse(to.date) - Date.parse(from.date) > LONGEST_PAY_PERIOD * DAY_MS;

/** From so many cells on, a line may be a row of a table. */
const TABLE_CELLS = 4;

/** Whether a period ends in the month that ends with a day. */
const endsOn = ({ period, kind, byItsEnd }: FoundPeriod, day: string): boolean =>
  kind !== 'payDate' &&
  byItsEnd === undefined &&
  monthEndingOn(day) === (kind === 'year' ? `${period}-12` : periodKey(period).slice(0, 7));

/** What a label of a short time is for: what stands in its own cell, beside it or below it; a column of numbers or days is a table's. */
function textOfTime(page: PageWords, cell: Cell): string | null {
  const own = cell.text.replace(ANY_YEAR, '');
  if (/\d/.test(own)) return cell.text;
  // 'Period: 2026' is its year.
  if (own !== cell.text) return null;
  const line = page.lines[cell.line] ?? [];
  const below = cellBelow(page, cell);
  const further = below === undefined ? undefined : cellBelow(page, below);
  const isColumn = further !== undefined && isTime(further.text);
  const values = [line[line.indexOf(cell) + 1], isColumn ? undefined : below];
  const value = values.find((each) => each !== undefined && isTime(each.text));
  return value === undefined ? null : `${cell.text} ${value.text}`;
}

/** Whether the head of a page speaks of a pay period, a week, or days that are no month, quarter or year, nor the end of one `found`. */
function saysPart(page: PageWords, found: readonly FoundPeriod[]): boolean {
  const isPart = (text: string) => {
    const days = datesIn(text);
    const day = dayBehind(text, days, quarterEnded)?.date ?? null;
    if (day !== null && found.some((each) => endsOn(each, day))) return false;
    if (rangesIn(text, days).some(isLong)) return false;
    return spokenPeriod(text) === null || isByItsEnd(text);
  };
  const head = page.cells.filter((cell) => isInHead(cell) && cell.text.length <= LONGEST);
  const isLabelled = head.some((cell) => {
    const text = SHORT_TIME.test(cell.text) ? textOfTime(page, cell) : null;
    return text !== null && text.length <= LONGEST && isPart(text);
  });
  // Several times without a label are a list of them.
  const loose = head.filter(({ text, line }) => {
    const isRange = rangesIn(text, datesIn(text)).length > 0;
    const isLoose = isRange && !SHORT_TIME.test(text) && !DAYS_OF_RUNS.test(text);
    return isLoose && (page.lines[line]?.length ?? 0) < TABLE_CELLS && isPart(text);
  });
  return isLabelled || loose.length === 1;
}

/** In heights of a title: what is for its period stands no farther below it, whatever mark of a scan lies between them. */
const BELOW_TITLE = 1.5;

const isRightBelow = (cell: Cell, title: readonly Cell[]): boolean =>
  title.some(
    ({ x, y, width, height }) =>
      cell.y > y && cell.y - y - height < BELOW_TITLE * height && overlap(cell, { x, y, width, height }) > 0,
  );

const overlap = (one: Box, other: Box) => Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);

/** In heights of a label: farther below it nothing is its value. */
const NEAR_BELOW = 3;

/** The first cell that stands below another one, near enough to belong to it. */
function cellBelow(page: PageWords, cell: Cell): Cell | undefined {
  const lowest = cell.y + cell.height + NEAR_BELOW * Math.max(cell.height, 8);
  for (const line of page.lines.slice(cell.line + 1)) {
    const below = line.find((other) => overlap(other, cell) > 0);
    if (below !== undefined) return below.y > lowest ? undefined : below;
  }
  return undefined;
}

type DayValue = { readonly date: string } | 'unread' | null;

/** The day that a text begins with; a time between two days is none. */
function dayAtStart(text: string): DayValue {
  const value = text.slice(UP_TO_DAY.exec(text)?.[0].length ?? 0, LONGEST);
  const [first, second] = datesIn(value);
  if (first?.from !== 0) return MEANT_AS_DAY.test(value) ? 'unread' : null;
  if (second !== undefined && betweenDays.test(value.slice(first.to, second.from))) return null;
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
function payDates(page: PageWords): FoundPeriods {
  const periods: FoundPeriod[] = [];
  const unread: UnreadDay[] = [];
  for (const cell of page.cells) {
    if (cell.text.length > LONGEST) continue;
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
function checkedQuarter(page: PageWords, year: string | undefined): FoundPeriod[] {
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
  const add = (cells: readonly Cell[], period: string | null | undefined) => {
    const kind = typeof period === 'string' ? periodKindOf(period) : null;
    if (kind === null || typeof period !== 'string') return;
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
      const isNumbered = (beside: Cell | undefined): beside is Cell =>
        beside !== undefined && NUMBERED_CELL.test(text) && NUMBERED_CELL.test(beside.text);
      const pair = isNumbered(next) ? numberedPeriod(`${text} ${next.text}`) : null;
      if (next !== undefined && pair !== null) {
        add([cell, next], pair);
        continue;
      }
      // The year of that pair.
      if (isNumbered(before) && numberedPeriod(`${before.text} ${text}`) !== null) continue;
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
      const month = nearTitle || large ? MONTH_ALONE.exec(text) : null;
      if (month !== null) add([cell], monthOf(month));
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
