// The periods in which a report is expected: which there are for each frequency, and which files count as delivered in them.
import { boardPeriodDays, type Frequency } from '#contract/completeness-words.ts';
import { periodKey } from '#contract/period.ts';
import { DAY_MS, HOUR_MS } from '../../platform/clock.ts';

/** A day is over when it is over everywhere on earth (UTC-12): what came in time by anybody's calendar is not called late. */
const OVER_EVERYWHERE_MS = 12 * HOUR_MS;

/** Since 1970. */
export const dayNumber = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY_MS;
export const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

const WEEKS: Partial<Record<Frequency, number>> = { weekly: 7, biweekly: 14 };
/** Without a first day, weeks begin on Mondays, and every second one is counted from this one. */
const A_MONDAY = '2024-01-01';

/** On which of its days a series of weeks begins; 0 where the calendar says when. */
export function phaseOf(frequency: Frequency, starts: string | null): number {
  const length = WEEKS[frequency];
  return length === undefined ? 0 : dayNumber(starts ?? A_MONDAY) % length;
}

/** One period of one frequency (and phase), in which a report is expected once. */
export interface Window {
  readonly frequency: Frequency;
  readonly phase: number;
  /** As a file names it; for weeks and half months the last day, on or before which people were paid. */
  readonly period: string;
  readonly from: string;
  readonly to: string;
  /** The keys of the files that count as delivered in it: those for its month, quarter or year, or with a pay date in it. */
  readonly keyFrom: string;
  readonly keyBefore: string;
  /** 1 where pay dates count. */
  readonly byPayDate: 0 | 1;
  /** When its last day is over, in ms since the epoch. */
  readonly endedAt: number;
}

function toWindow(frequency: Frequency, phase: number, from: number, to: number, named: string | null): Window {
  const last = dateOf(to);
  const byPayDate = named === null || frequency === 'monthly';
  return {
    frequency,
    phase,
    period: named ?? last,
    from: dateOf(from),
    to: last,
    keyFrom: byPayDate ? dateOf(from) : periodKey(named),
    // After every key that begins like it.
    keyBefore: `${named === null ? last : periodKey(named)}/`,
    byPayDate: byPayDate ? 1 : 0,
    endedAt: (to + 1) * DAY_MS + OVER_EVERYWHERE_MS,
  };
}

/** First and last day of each half, month, quarter or year that ends in these months. */
function ofCalendar(frequency: Frequency, year: number, month: number): Window[] {
  const first = (of: number) => Date.UTC(year, of, 1) / DAY_MS;
  const last = first(month + 1) - 1;
  switch (frequency) {
    case 'semimonthly':
      return [
        toWindow(frequency, 0, first(month), first(month) + 14, null),
        toWindow(frequency, 0, first(month) + 15, last, null),
      ];
    case 'monthly':
      return [toWindow(frequency, 0, first(month), last, dateOf(last).slice(0, 7))];
    case 'quarterly':
      return month % 3 === 2
        ? [toWindow(frequency, 0, first(month - 2), last, `${year}-Q${Math.floor(month / 3) + 1}`)]
        : [];
    case 'yearly':
      return month === 11 ? [toWindow(frequency, 0, first(0), last, String(year))] : [];
    default:
      return [];
  }
}

/** Every window whose last day is in this period of the board: a quarter is looked for where it ends, and so is a week. */
export function windowsWithin(boardPeriod: string): Window[] {
  const { from, before } = boardPeriodDays(boardPeriod);
  const [firstDay, endDay] = [dayNumber(from), dayNumber(before)];
  const found: Window[] = [];
  for (let day = firstDay; day < endDay; ) {
    const at = new Date(day * DAY_MS);
    const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
    for (const frequency of ['semimonthly', 'monthly', 'quarterly', 'yearly'] as const) {
      found.push(...ofCalendar(frequency, year, month));
    }
    day = Date.UTC(year, month + 1, 1) / DAY_MS;
  }
  for (const [frequency, length] of Object.entries(WEEKS) as [Frequency, number][]) {
    for (let last = firstDay; last < endDay; last += 1) {
      const begins = last - length + 1;
      found.push(toWindow(frequency, begins % length, begins, last, null));
    }
  }
  return found;
}
