// The states of background jobs in words. Without schemas, so that a page that lists them needs none.
/** `failed` is final: no more attempts unless somebody asks for them. */
export const JOB_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];

export const jobStateLabels: Record<JobState, string> = {
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Canceled',
};

/** The states of what a person has ordered, as that person reads them: what was cancelled was not done. */
export const OWN_JOB_STATES = ['waiting', 'running', 'done', 'failed'] as const;
export type OwnJobState = (typeof OWN_JOB_STATES)[number];

/** Whether a job may be cancelled: it has not ended. */
export function isOpenJob({ state }: { readonly state: JobState }): boolean {
  return state === 'waiting' || state === 'running';
}

/** Whether a job may be run again: it ended without being done. */
export function isRetryableJob({ state }: { readonly state: JobState }): boolean {
  return state === 'failed' || state === 'cancelled';
}
