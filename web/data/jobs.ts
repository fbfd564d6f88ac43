// Background jobs: their list, and what runs one again or cancels it.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { isOpenJob } from '#contract/job-states.ts';
import type { JobRow } from '#contract/jobs.ts';
import { type CallInput, call, callList } from '#web/lib/api.ts';
import { useMutation } from './mutation.ts';
import { refresh } from './query-client.ts';

export type JobsFilter = NonNullable<CallInput<'jobs.list'>['query']>;

const WATCHED_EVERY_MS = 2_000;

/** Whether the job will change by itself within moments. */
function isMoving(job: JobRow): boolean {
  return isOpenJob(job) && (job.state === 'running' || Date.parse(job.runAt) <= Date.now());
}

/** One page of jobs, newest first: loaded at every visit, and polled while one of them runs. */
export function jobsQuery(query: JobsFilter) {
  return queryOptions({
    queryKey: ['jobs', 'list', query],
    queryFn: ({ signal }) => callList('jobs.list', { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.rows.some(isMoving) ? WATCHED_EVERY_MS : false),
  });
}

const refreshJobs = () => refresh('jobs', 'activity', 'system');

/** The list is loaded again after a refusal too: it often means that the list was out of date. */
const settled = { onSettled: refreshJobs };

export function useRetryJob() {
  return useMutation({ mutationFn: (id: number) => call('jobs.retry', { params: { id } }), ...settled });
}

export function useCancelJob() {
  return useMutation({ mutationFn: (id: number) => call('jobs.cancel', { params: { id } }), ...settled });
}
