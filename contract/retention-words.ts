// How long files are kept, in words. Without schemas, so that a page that lists what is due needs none.
import { periodKindOf, periodName } from './period.ts';
import { counted } from './plain-words.ts';

export const RETENTION_YEARS_MAX = 100;

/** What 26 CFR 31.6001-1 asks of employment tax records: four years from the due date of the tax, or from the day it was paid. */
export const USUAL_RETENTION_YEARS = 4;

/** Nothing is due before 15 April of this many years after its own: then the year's returns were due, and four years are over. */
const FLOOR_YEARS = 1 + USUAL_RETENTION_YEARS;
export const FLOOR_DAY = '-04-15';
export const floorYearOf = (year: number) => year + FLOOR_YEARS;

export const RULE_SOURCE = '26 CFR 31.6001-1 and IRC 6001';

/** What no day that is due can take into account. */
export const LATE_PAYMENT =
  'Where tax was paid after it was due, its four years count from the payment, which the portal does not know: that is for the firm to see to.';

/** So many files are disposed of in one order. */
export const DISPOSAL_FILES_MAX = 5_000;

export const OUTCOMES = ['waiting', 'purged', 'left'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Why a disposal that has not ended goes on no more; `lost` where nothing is known of its job. */
export const DISPOSAL_STOPS = ['cancelled', 'failed', 'lost'] as const;
export type DisposalStop = (typeof DISPOSAL_STOPS)[number];

/** By which rule a file is due on `dueOn` (YYYY-MM-DD): '7 years after the end of Q1 2019'. */
export function ruleWords({
  years,
  period,
  uploadedAt,
  dueOn,
}: {
  readonly years: number;
  readonly period: string | null;
  readonly uploadedAt: string;
  readonly dueOn: string;
}): string {
  const after = `${counted(years, 'year')} after `;
  const year = Number((period ?? uploadedAt).slice(0, 4));
  const floored = dueOn === `${floorYearOf(year)}${FLOOR_DAY}`;
  const floor = floored ? `, and not before four years after April 15, ${year + 1}` : '';
  if (period === null) return `${after}the upload${floor}`;
  const isDay = periodKindOf(period) === 'payDate';
  return `${after}${isDay ? `the pay date ${period}` : `the end of ${periodName(period, (day) => day)}`}${floor}`;
}
