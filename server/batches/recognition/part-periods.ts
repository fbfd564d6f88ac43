// Whether a page is for a part of a period: a pay period, a week, or other days.
import { periodKey } from '#contract/period.ts';
import { datesIn, type WrittenDate } from '#contract/written-dates.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { cellBelow } from './cell-below.ts';
import type { FoundPeriod } from './found-periods.ts';
import { isInHead } from './labels.ts';
import type { Cell, PageWords } from './page-words.ts';
import { monthEndingOn } from './period-ends.ts';
import {
  ANOTHER_TIME,
  isByItsEnd,
  LETTERS_MAX,
  periodEnd,
  rangesIn,
  spokenPeriod,
  withYears,
} from './spoken-periods.ts';

/** Labels of what is shorter than a month, or may be: 'Week#: 38', 'P/E', 'Pay Run 18'; neither 'Pay periods: 26' nor 'Hours per week: 40'. */
const SHORT_TIME = new RegExp(
  [
    '\\b(?:pay|payroll|work)[ -]?period\\b',
    '(?<!\\btax )\\bperiod(?:\\s*#?\\s*[\\d:]|\\s*#$| (?:begin|start|end|from|no\\b|number|date))',
    '(?<!\\bper |/)\\bw(?:ee)?k(?:\\s*#?\\s*(?:$|[\\d:])|s? (?:begin|start|end|from|of\\b|no\\b|number))',
    '\\b[wp]/e\\b|\\bppe\\b',
    '\\bpay(?:roll)? ?(?:run|cycle|no|number|#)\\.?\\s*[:#]*\\s*(?:$|\\d{1,2}(?![\\d/.-]))',
  ].join('|'),
  'i',
);
/** 'Check dates 09/04/2026 - 09/25/2026' are the runs of whatever the page is for. */
const DAYS_OF_RUNS = /\b(?:check|pay(?:ment)?|deposit) dates\b/i;
/** In days: what takes longer is no pay period. */
const LONGEST_PAY_PERIOD = 31;
/** The value of such a label: the number of a pay period or week, or days. */
const TIME_VALUE = /^#?\s*(?:\d{1,2}(?:$|\s+(?:of|to|through|thru)\b)|\d{1,4}\s?[-–—./]\s?\d)/i;
const ANY_YEAR = /\b(?:19|20)\d{2}\b/g;

const isTime = (text: string): boolean => TIME_VALUE.test(text) || datesIn(text.slice(0, LETTERS_MAX))[0]?.from === 0;

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
export function saysPart(page: PageWords, found: readonly FoundPeriod[]): boolean {
  const isPart = (said: string) => {
    const text = withYears(said);
    const days = datesIn(text);
    const day = periodEnd(text, days)?.date ?? null;
    if (day !== null && found.some((each) => endsOn(each, day))) return false;
    if (rangesIn(text, days).some(isLong)) return false;
    return spokenPeriod(text) === null || isByItsEnd(text);
  };
  const head = page.cells.filter((cell) => isInHead(cell) && cell.text.length <= LETTERS_MAX);
  const isLabelled = head.some((cell) => {
    const text = SHORT_TIME.test(cell.text) ? textOfTime(page, cell) : null;
    return text !== null && text.length <= LETTERS_MAX && isPart(text);
  });
  // Several times without a label are a list of them.
  const loose = head.filter(({ text, line }) => {
    const written = withYears(text);
    const isRange = rangesIn(written, datesIn(written)).length > 0;
    const isLoose = isRange && ![SHORT_TIME, DAYS_OF_RUNS, ANOTHER_TIME].some((words) => words.test(text));
    return isLoose && (page.lines[line]?.length ?? 0) < TABLE_CELLS && isPart(text);
  });
  return isLabelled || loose.length === 1;
}
