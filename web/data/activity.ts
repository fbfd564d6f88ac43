// The activity log.

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type CallInput, callList } from '#web/lib/api.ts';
import { downloadExport } from '#web/lib/file-access.ts';
import { localTimeZone } from '#web/lib/format.ts';
import { inLocalDays } from './local-days.ts';
import { useMutation } from './mutation.ts';

export type ActivityFilter = NonNullable<CallInput<'activity.list'>['query']>;

/** One page of the log, newest first. Others write it too, so every visit loads it again. */
export function activityQuery(query: ActivityFilter) {
  const asked = inLocalDays(query);
  return queryOptions({
    queryKey: ['activity', 'list', asked],
    queryFn: ({ signal }) => callList('activity.list', { query: asked }, { signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
}

/** Saves the whole log that matches `query` as CSV. Throws ApiFault. */
export function useExportActivity() {
  return useMutation({
    mutationFn: (query: Omit<ActivityFilter, 'limit' | 'offset'>) =>
      downloadExport('activity.export', { query: { timeZone: localTimeZone, ...query } }),
  });
}
