// Background jobs, as an Admin sees them.
import { z } from 'zod';
import { Id, Instant, pageQuery } from './fields.ts';
import { JOB_STATES } from './job-states.ts';

export const JobRow = z.object({
  id: Id,
  kind: z.string(),
  /** What the job does, in a few words. */
  title: z.string(),
  state: z.enum(JOB_STATES),
  /** On whose behalf it acts, with that person's rights; null for the server itself. */
  actingUserId: Id.nullable(),
  actingUserName: z.string().nullable(),
  /** How often it was started, and how often it may be. */
  attempts: z.int(),
  attemptsMax: z.int(),
  /** Per cent; null where the job reports none. */
  progress: z.int().nullable(),
  /** Why the last attempt failed. */
  error: z.string().nullable(),
  /** What it did, where there is something to say. */
  summary: z.string().nullable(),
  /** It runs and was asked to stop. */
  cancelRequested: z.boolean(),
  createdAt: Instant,
  /** When the next attempt is due, or was. */
  runAt: Instant,
  startedAt: Instant.nullable(),
  endedAt: Instant.nullable(),
});
export type JobRow = z.infer<typeof JobRow>;

export const JobQuery = z.strictObject({
  limit: pageQuery.limit,
  offset: pageQuery.offset,
  t: pageQuery.t,
  _: pageQuery._,
  state: z.enum(JOB_STATES).optional(),
});
export type JobQuery = z.infer<typeof JobQuery>;
