// The period of a file, and a period to narrow a list by, as they are sent.
import { z } from 'zod';
import { NO_PERIOD, NOT_A_PERIOD, periodKindOf } from './period.ts';

/** A pay date, a month, a quarter or a year: `2026-01-30`, `2026-01`, `2026-Q1`, `2026`. */
export const Period = z
  .string({ error: NOT_A_PERIOD })
  .max(10, { error: NOT_A_PERIOD, abort: true })
  .refine((text) => periodKindOf(text) !== null, NOT_A_PERIOD);

/** A period to narrow a list by, or `none`. */
export const PeriodFilter = z.union([z.literal(NO_PERIOD), Period], { error: `${NOT_A_PERIOD}, or none` });
