// Background jobs, as an Admin sees them, and as people see what they ordered themselves.
import { z } from 'zod';
import { Id, Instant, pageQuery } from './fields.ts';
import { JOB_STATES, OWN_JOB_STATES } from './job-states.ts';

export const JobRow = z.object({
  id: Id,
  kind: z.string(),
  /** What the job does, in a few words. */
  title: z.string(),
  state: z.enum(JOB_STATES),
  /** On whose behalf it acts, with that person's rights; null for the server itself. */
  actingUserId: Id.nullable(),
  actingUserName: z.string().nullable(),
  /** How often it was tried, and how often it may be. A run that made way for another job, or for the end of its process, does not count. */
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

/** How many of one's own jobs are answered: the newest. */
export const OWN_JOBS_MAX = 50;

/** What the asker has ordered in the background: known until two weeks after its end. */
export const OwnJobRow = z.object({
  id: Id,
  /** What is done, in a few words. */
  title: z.string(),
  state: z.enum(OWN_JOB_STATES),
  /** Per cent, of what runs and says it; else null. */
  progress: z.int().nullable(),
  /** Why it was not done; null unless it failed. */
  fault: z.string().nullable(),
  orderedAt: Instant,
  endedAt: Instant.nullable(),
  /** The ZIP it has made, or the batch or disposal that it is about: while that is there and within the asker's reach; else null. */
  made: z.object({ what: z.enum(['zip', 'batch', 'disposal']), id: Id, name: z.string() }).nullable(),
});
export type OwnJobRow = z.infer<typeof OwnJobRow>;
