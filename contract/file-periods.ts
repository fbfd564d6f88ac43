// Periods of several files: counted, and set at once.
import { z } from 'zod';
import { Id } from './fields.ts';
import { atMost, PERIODS_AT_ONCE_MAX } from './file-kinds.ts';
import { Period } from './period-fields.ts';

/** How many files there are for a quarter, or for a year as a whole. */
export const PeriodCount = z.object({ period: z.string(), count: z.int() });
export type PeriodCount = z.infer<typeof PeriodCount>;

/** One period for several files. */
export const PeriodsInput = z.strictObject({
  ids: z
    .array(Id, { error: 'Please select at least one file' })
    .min(1, 'Please select at least one file')
    .max(PERIODS_AT_ONCE_MAX, atMost(PERIODS_AT_ONCE_MAX)),
  period: Period,
});
export type PeriodsInput = z.infer<typeof PeriodsInput>;

export const PeriodsSet = z.object({
  /** How many had another period before, or none. */
  changed: z.int(),
});
export type PeriodsSet = z.infer<typeof PeriodsSet>;
