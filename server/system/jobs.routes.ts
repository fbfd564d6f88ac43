// Background jobs over HTTP: listed, run again, cancelled.

import type { Handlers } from '../api/route.ts';
import type { Now } from '../platform/clock.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { JobKinds } from '../platform/jobs/kinds.ts';
import { cancelJob, retryJob } from './jobs.acts.ts';
import { listJobs } from './jobs.repo.ts';

export function jobRoutes({ jobs, now }: Now & { readonly jobs: Pick<Jobs<JobKinds>, 'titleOf'> }): Handlers<'jobs'> {
  const titleOf = (kind: string) => jobs.titleOf(kind);
  return {
    'jobs.list': ({ read, input }) => {
      read.authorize('jobs.read');
      return listJobs(read, input.query, titleOf);
    },

    'jobs.retry': ({ principal, input }) => retryJob(principal, input.params.id, { now, titleOf }),

    'jobs.cancel': ({ principal, input }) => cancelJob(principal, input.params.id, { now, titleOf }),
  };
}
