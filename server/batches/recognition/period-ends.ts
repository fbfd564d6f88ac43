// Which month, quarter or year two days bound, and which of them ends with a day.
import { periodRange, quarterOf } from '#contract/period.ts';

const isLastOf = (date: string, period: string) => {
  const next = new Date(`${date}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return (
    next.toISOString().slice(0, 7) === periodRange(period).before ||
    next.toISOString().startsWith(`${Number(date.slice(0, 4)) + 1}-01`)
  );
};

/** The month, quarter or year that two days bound. */
export function boundedBy(from: string, to: string): string | null {
  const quarter = quarterOf(to);
  if (from === `${periodRange(quarter).from}-01` && quarterOf(from) === quarter && isLastOf(to, quarter))
    return quarter;
  const year = to.slice(0, 4);
  if (from === `${year}-01-01` && to === `${year}-12-31`) return year;
  const month = monthEndingOn(to);
  return month !== null && from === `${month}-01` ? month : null;
}

/** The month that ends with a day. */
export function monthEndingOn(date: string): string | null {
  const next = new Date(`${date}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.getUTCDate() === 1 ? date.slice(0, 7) : null;
}

/** The quarter that ends with a day. */
export const quarterEndingOn = (date: string): string | null =>
  isLastOf(date, quarterOf(date)) ? quarterOf(date) : null;
