// What is found on a page of the period that it is for.
import type { PeriodKind } from '#contract/period.ts';
import type { Box } from './page-words.ts';

/** A period, with the words that say so. */
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

/** All that one page says of its period. */
export interface FoundPeriods {
  readonly periods: readonly FoundPeriod[];
  readonly unread: readonly UnreadDay[];
  /** It is for a pay period, a week or days that are no month, quarter or year. */
  readonly isPartial: boolean;
}
