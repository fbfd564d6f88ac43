// Background jobs over HTTP: listed, run again, cancelled.

import type { Handlers } from '../api/route.ts';
import { record } from '../audit/record.ts';
import type { Now } from '../platform/clock.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { JobKinds } from '../platform/jobs/kinds.ts';
import { cancel, listJobs, retry } from './jobs.repo.ts';

export function jobRoutes({ jobs, now }: Now & { readonly jobs: Pick<Jobs<JobKinds>, 'titleOf'> }): Handlers<'jobs'> {
  const titleOf = (kind: string) => jobs.titleOf(kind);
  return {
    'jobs.list': ({ read, input }) => {
      read.authorize('jobs.read');
      return listJobs(read, input.query, titleOf);
    },

    'jobs.retry': ({ input, change }) =>
      change(async (scope) => {
        const proof = scope.authorize('jobs.manage');
        const job = await retry(scope, proof, { id: input.params.id, at: now(), titleOf });
        await record(scope, proof, { action: 'update', details: `Ran background job again: ${job.title}` }, now());
        return job;
      }),

    'jobs.cancel': ({ input, change }) =>
      change(async (scope) => {
        const proof = scope.authorize('jobs.manage');
        const job = await cancel(scope, proof, { id: input.params.id, at: now(), titleOf });
        await record(scope, proof, { action: 'update', details: `Cancelled background job: ${job.title}` }, now());
        return job;
      }),
  };
}
