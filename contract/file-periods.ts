// Periods of several files: counted, and set at once.
import { z } from 'zod';
import { Id, Version } from './fields.ts';
import { atMost, PERIODS_AT_ONCE_MAX } from './file-kinds.ts';
import { Period } from './period-fields.ts';

/** How many files there are for a quarter, or for a year as a whole. */
export const PeriodCount = z.object({ period: z.string(), count: z.int() });
export type PeriodCount = z.infer<typeof PeriodCount>;

/** More than the version of a file has. */
const VERSION_LENGTH_MAX = 100;

/** One period for several files. */
export const PeriodsInput = z
  .strictObject({
    ids: z
      .array(Id, { error: 'Please select at least one file' })
      .min(1, 'Please select at least one file')
      .max(PERIODS_AT_ONCE_MAX, atMost(PERIODS_AT_ONCE_MAX)),
    /** Those that were looked at, in the order of `ids`: a file that has another one by now, or is there no more, is left out. */
    versions: z.array(Version.max(VERSION_LENGTH_MAX)).max(PERIODS_AT_ONCE_MAX).optional(),
    period: Period,
  })
  .refine(({ ids, versions }) => versions === undefined || versions.length === ids.length, {
    path: ['versions'],
    error: 'There must be as many versions as files',
  });
export type PeriodsInput = z.infer<typeof PeriodsInput>;

export const PeriodsSet = z.object({
  /** How many had another period before, or none. */
  changed: z.int(),
  /** Those that somebody has changed, deleted or put out of reach since, where there are `versions`: they are as they were. */
  leftOut: z.array(Id),
});
export type PeriodsSet = z.infer<typeof PeriodsSet>;
