// What this screen alone says; what several say is in `web/lib/messages.ts`.
export const jobDone = {
  jobCancelled: 'Job canceled',
  jobStopping: 'The job was asked to stop',
} as const;

export const jobFailed = {
  cancelJob: (reason: string) => `Failed to cancel the job: ${reason}`,
} as const;

export const jobEmpty = {
  jobs: { title: 'No background jobs found', hint: 'What the server does in the background appears here.' },
  jobsSearched: 'No background jobs are in this state.',
} as const;
