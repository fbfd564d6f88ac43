// What is done about background jobs: run again, cancelled.

import type { JobRow } from '#contract/jobs.ts';
import { record } from '../audit/record.ts';
import type { Principal } from '../people/access/principal.ts';
import type { Now } from '../platform/clock.ts';
import { cancel, type KnownKinds, retry } from './jobs.repo.ts';

type Steering = Now & { readonly kinds: KnownKinds };

export function retryJob(principal: Principal, id: number, { now, kinds }: Steering): Promise<JobRow> {
  return principal.change('jobs.manage', async (scope) => {
    const proof = scope.authorize('jobs.manage');
    const job = await retry(scope, proof, { id, at: now(), kinds });
    await record(scope, proof, { action: 'update', details: `Ran background job again: ${job.title}` }, now());
    return job;
  });
}

export function cancelJob(principal: Principal, id: number, { now, kinds }: Steering): Promise<JobRow> {
  return principal.change('jobs.manage', async (scope) => {
    const proof = scope.authorize('jobs.manage');
    const job = await cancel(scope, proof, { id, at: now(), kinds });
    await record(scope, proof, { action: 'update', details: `Canceled background job: ${job.title}` }, now());
    return job;
  });
}
