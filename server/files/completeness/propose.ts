// What the history of one client and report type speaks for: how often it is delivered, and how soon after its period.
import type { Frequency } from '#contract/completeness-words.ts';
import type { PeriodKind } from '#contract/period.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { dateOf, dayNumber } from './windows.ts';

/** One period that has files: its key (`periodKey`), and when the first of them came, in ms since the epoch. */
export interface Delivered {
  readonly key: string;
  readonly at: number;
}

export interface Proposed {
  readonly frequency: Frequency;
  readonly dueDays: number;
  readonly starts: string;
  /** How many periods speak for it. */
  readonly seen: number;
  /** The last of them, as files name it. */
  readonly lastPeriod: string;
}

/** Fewer say nothing of how often; a month, a quarter or a year says it by itself. */
const LEAST_PAY_DATES = 3;
/** Two of three came within so many days; the rest was late. */
const USUAL_SHARE = 2 / 3;
/** What is said of a due day: few different ones. */
const DUE_STEPS = [0, 1, 2, 3, 5, 7, 10, 14, 21, 31, 45, 60, 90, 120, 180, 270, 366];

interface Period {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

function quarter(year: number, nth: number): { from: number; to: number } {
  const first = (month: number) => Date.UTC(year, month, 1) / DAY_MS;
  return { from: first(nth * 3 - 3), to: first(nth * 3) - 1 };
}

function readKey({ key, at }: Delivered): Period & { readonly kind: PeriodKind } {
  const year = Number(key.slice(0, 4));
  if (/^\d{4}-99$/.test(key)) {
    return { kind: 'year', text: String(year), from: quarter(year, 1).from, to: quarter(year, 4).to, at };
  }
  if (key.endsWith('-99')) {
    const nth = Number(key.slice(5, 7)) / 3;
    return { kind: 'quarter', text: `${year}-Q${nth}`, ...quarter(year, nth), at };
  }
  if (key.endsWith('-98')) {
    const month = Number(key.slice(5, 7));
    const [from, after] = [month - 1, month].map((nth) => Date.UTC(year, nth, 1) / DAY_MS) as [number, number];
    return { kind: 'month', text: key.slice(0, 7), from, to: after - 1, at };
  }
  return { kind: 'payDate', text: key, from: dayNumber(key), to: dayNumber(key), at };
}

/** By how many days most of what came before would have been in time. */
function dueDaysOf(periods: readonly Pick<Period, 'to' | 'at'>[]): number {
  const lags = periods.map(({ to, at }) => Math.max(0, Math.floor(at / DAY_MS) - to)).sort((a, b) => a - b);
  const usual = lags[Math.ceil(lags.length * USUAL_SHARE) - 1] ?? 0;
  return DUE_STEPS.find((step) => step >= usual) ?? (DUE_STEPS.at(-1) as number);
}

/** What the days between pay dates say. Banks' holidays move a date by a day or two. */
function payFrequency(days: readonly number[]): Frequency | null {
  const gaps = days.slice(1).map((day, nth) => day - (days[nth] as number));
  const share = (fits: (gap: number) => boolean) => gaps.filter(fits).length / gaps.length;
  const about = (length: number) => (gap: number) => Math.abs(gap - length) <= 1;
  if (share(about(7)) >= 0.6) return 'weekly';
  const biweekly = share((gap) => gap === 14);
  const halves = share((gap) => gap >= 12 && gap <= 18);
  if (biweekly >= 0.6) return 'biweekly';
  if (halves >= 0.6) return 'semimonthly';
  return share((gap) => gap >= 25 && gap <= 36) >= 0.6 ? 'monthly' : null;
}

/** The last day of the half month or month that a day is in. */
function endOfWindow(frequency: Frequency, day: number): number {
  const at = new Date(day * DAY_MS);
  if (frequency === 'semimonthly' && at.getUTCDate() <= 15) return day - at.getUTCDate() + 15;
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1) / DAY_MS - 1;
}

function proposePayDates(periods: readonly Period[]): Proposed | null {
  if (periods.length < LEAST_PAY_DATES) return null;
  const days = periods.map(({ to }) => to);
  const [first, last] = [days[0] as number, days.at(-1) as number];
  const frequency = payFrequency(days);
  if (frequency === null) return null;
  const length = { weekly: 7, biweekly: 14 }[frequency as string];
  const shared = { frequency, seen: periods.length, lastPeriod: dateOf(last) };
  if (length !== undefined) {
    // The latest pay date that the others are whole weeks from: a date before a holiday is not taken for the rule.
    const weekdays = Map.groupBy(days, (day) => day % length);
    const usual = [...weekdays.values()].reduce((most, some) => (some.length > most.length ? some : most));
    const starts = (usual[0] as number) - length + 1;
    return { ...shared, dueDays: dueDaysOf(periods), starts: dateOf(starts > first ? starts - length : starts) };
  }
  const ends = periods.map(({ to, at }) => ({ to: endOfWindow(frequency, to), at }));
  return { ...shared, dueDays: dueDaysOf(ends), starts: dateOf(first - new Date(first * DAY_MS).getUTCDate() + 1) };
}

/** How long after the last period something is taken for given up. */
const GIVEN_UP_DAYS: Record<PeriodKind, number> = { year: 550, quarter: 200, month: 100, payDate: 75 };

const FREQUENCIES = { year: 'yearly', quarter: 'quarterly', month: 'monthly' } as const;

/** Null where nothing can be said. `today` is YYYY-MM-DD. */
export function proposeFrom(history: readonly Delivered[], today: string): Proposed | null {
  const periods = history.map(readKey).sort((a, b) => a.to - b.to);
  const kinds = [...Map.groupBy(periods, ({ kind }) => kind)].sort(([, a], [, b]) => b.length - a.length);
  for (const [kind, some] of kinds) {
    const [first, last] = [some[0] as Period, some.at(-1) as Period];
    if (dayNumber(today) - last.to > GIVEN_UP_DAYS[kind]) continue;
    if (kind === 'payDate') {
      const proposed = proposePayDates(some);
      if (proposed !== null) return proposed;
    } else {
      return {
        frequency: FREQUENCIES[kind],
        dueDays: dueDaysOf(some),
        starts: dateOf(first.from),
        seen: some.length,
        lastPeriod: last.text,
      };
    }
  }
  return null;
}
