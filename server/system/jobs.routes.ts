// Background jobs over HTTP: listed, run again, cancelled.

import type { Handlers } from '../api/route.ts';
import type { Now } from '../platform/clock.ts';
import { cancelJob, retryJob } from './jobs.acts.ts';
import { type KnownKinds, listJobs } from './jobs.repo.ts';

export function jobRoutes({ jobs: kinds, now }: Now & { readonly jobs: KnownKinds }): Handlers<'jobs'> {
  return {
    'jobs.list': ({ read, input }) => {
      read.authorize('jobs.read');
      return listJobs(read, input.query, kinds);
    },

    'jobs.retry': ({ principal, input }) => retryJob(principal, input.params.id, { now, kinds }),

    'jobs.cancel': ({ principal, input }) => cancelJob(principal, input.params.id, { now, kinds }),
  };
}
