// What is done about background jobs: run again, cancelled.

import type { JobRow } from '#contract/jobs.ts';
import { record } from '../audit/record.ts';
import type { Principal } from '../people/access/principal.ts';
import type { Now } from '../platform/clock.ts';
import { cancel, retry } from './jobs.repo.ts';

type Titles = Now & { readonly titleOf: (kind: string) => string };

export function retryJob(principal: Principal, id: number, { now, titleOf }: Titles): Promise<JobRow> {
  return principal.change('jobs.manage', async (scope) => {
    const proof = scope.authorize('jobs.manage');
    const job = await retry(scope, proof, { id, at: now(), titleOf });
    await record(scope, proof, { action: 'update', details: `Ran background job again: ${job.title}` }, now());
    return job;
  });
}

export function cancelJob(principal: Principal, id: number, { now, titleOf }: Titles): Promise<JobRow> {
  return principal.change('jobs.manage', async (scope) => {
    const proof = scope.authorize('jobs.manage');
    const job = await cancel(scope, proof, { id, at: now(), titleOf });
    await record(scope, proof, { action: 'update', details: `Cancelled background job: ${job.title}` }, now());
    return job;
  });
}
