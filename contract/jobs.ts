// Background jobs, as an Admin sees them.
import { z } from 'zod';
import { Id, Instant, pageQuery } from './fields.ts';

/** `failed` is final: no more attempts unless somebody asks for them. */
export const JOB_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];

export const jobStateLabels: Record<JobState, string> = {
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

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

/** Whether a job may be cancelled: it has not ended. */
export function isOpenJob({ state }: Pick<JobRow, 'state'>): boolean {
  return state === 'waiting' || state === 'running';
}

/** Whether a job may be run again: it ended without being done. */
export function isRetryableJob({ state }: Pick<JobRow, 'state'>): boolean {
  return state === 'failed' || state === 'cancelled';
}
