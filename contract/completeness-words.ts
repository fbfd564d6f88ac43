// What is expected of a client and what became of it: its words, and the periods that the board is read by.
import { isCalendarMonth, monthInWords } from './calendar-date.ts';

export const FREQUENCIES = ['weekly', 'biweekly', 'semimonthly', 'monthly', 'quarterly', 'yearly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

export const frequencyNames: Record<Frequency, string> = {
  weekly: 'Weekly',
  biweekly: 'Every two weeks',
  semimonthly: 'Twice a month',
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  yearly: 'Yearly',
};

/** What became of one expected report; each has one. */
export const EXPECTED_STATES = ['expected', 'delivered', 'opened', 'late', 'missing'] as const;
export type ExpectedState = (typeof EXPECTED_STATES)[number];

export const expectedStateNames: Record<ExpectedState, string> = {
  expected: 'Expected',
  delivered: 'Delivered',
  opened: 'Opened',
  late: 'Late',
  missing: 'Missing',
};

/** What a cell with several expected reports is called after: the first of these that one of them is. */
const URGENCY: readonly ExpectedState[] = ['missing', 'late', 'expected', 'delivered', 'opened'];

export function stateOfCell(states: readonly ExpectedState[]): ExpectedState {
  return URGENCY.find((state) => states.includes(state)) ?? 'expected';
}

/** The latest that a report may be due, in days after its period. */
export const DUE_DAYS_MAX = 366;

/** The most expectations of one client. */
export const EXPECTATIONS_OF_CLIENT_MAX = 200;
/** The most clients that proposals are made for at once, and the most expectations that are saved at once. */
export const PROPOSED_CLIENTS_MAX = 1_000;
export const EXPECTATIONS_AT_ONCE_MAX = 5_000;

const QUARTER = /^(?:19|20|21)\d{2}-Q[1-4]$/;
const YEAR = /^(?:19|20|21)\d{2}$/;
const twoYearsFrom = (year: string) => `${year}-${Number(year) + 1}`;
const isTwoYears = (text: string) =>
  [text.slice(0, 4), text.slice(5)].every((year) => YEAR.test(year)) && text === twoYearsFrom(text.slice(0, 4));

export const NOT_A_BOARD_PERIOD =
  'Must be a year like 2026, two years like 2025-2026, a quarter like 2026-Q3 or a month like 2026-09';

export type BoardPeriodKind = 'years' | 'year' | 'quarter' | 'month';

/** The kind of a period of the board; null for any other text. */
export function boardPeriodKind(text: string): BoardPeriodKind | null {
  if (YEAR.test(text)) return 'year';
  if (QUARTER.test(text)) return 'quarter';
  if (isTwoYears(text)) return 'years';
  return isCalendarMonth(text) ? 'month' : null;
}

/** '2026', '2025 and 2026', 'Q3 2026', 'September 2026'. */
export function boardPeriodName(period: string): string {
  const year = period.slice(0, 4);
  switch (boardPeriodKind(period)) {
    case 'years':
      return `${year} and ${period.slice(5)}`;
    case 'quarter':
      return `${period.slice(5)} ${year}`;
    case 'month':
      return monthInWords(period);
    default:
      return period;
  }
}

const pad = (n: number) => String(n).padStart(2, '0');

/** The first and the last month of a period of the board, counted from the year 0. */
function monthsOf(period: string): { readonly first: number; readonly length: number } {
  const year = Number(period.slice(0, 4)) * 12;
  switch (boardPeriodKind(period)) {
    case 'years':
      return { first: year, length: 24 };
    case 'quarter':
      return { first: year + (Number(period.slice(6)) - 1) * 3, length: 3 };
    case 'month':
      return { first: year + Number(period.slice(5)) - 1, length: 1 };
    default:
      return { first: year, length: 12 };
  }
}

/** The period of this kind that a day falls in. */
function boardPeriodOf(kind: BoardPeriodKind, day: string): string {
  const year = day.slice(0, 4);
  if (kind === 'year') return year;
  if (kind === 'years') return twoYearsFrom(year);
  return kind === 'month' ? day.slice(0, 7) : `${year}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`;
}

/** The period so many periods later, or earlier where `by` is negative. */
export function shiftBoardPeriod(period: string, by: number): string {
  const { first, length } = monthsOf(period);
  const month = first + by * length;
  const day = `${String(Math.floor(month / 12)).padStart(4, '0')}-${pad((month % 12) + 1)}-01`;
  return boardPeriodOf(boardPeriodKind(period) ?? 'year', day);
}

/** Its first day, and the first day after it. */
export function boardPeriodDays(period: string): { readonly from: string; readonly before: string } {
  const { first, length } = monthsOf(period);
  const day = (month: number) => `${Math.floor(month / 12)}-${pad((month % 12) + 1)}-01`;
  return { from: day(first), before: day(first + length) };
}

/** The quarter that ended last: the one whose holes are looked for first. `today` is YYYY-MM-DD. */
export const lastQuarter = (today: string) => shiftBoardPeriod(boardPeriodOf('quarter', today), -1);

/** The years whose reports may be past due: in January most that is missing is of the year before, and what never came stays missing. */
export const yearsDueNow = (today: string) => twoYearsFrom(String(Number(today.slice(0, 4)) - 1));
