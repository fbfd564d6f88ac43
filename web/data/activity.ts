// The activity log.

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type CallInput, callList } from '#web/lib/api.ts';
import { localTimeZone } from '#web/lib/format.ts';

export type ActivityFilter = NonNullable<CallInput<'activity.list'>['query']>;

/** One page of the log, newest first. Others write it too, so every visit asks again. */
export function activityQuery(query: ActivityFilter) {
  const dated = query.startDate !== undefined || query.endDate !== undefined;
  const asked: ActivityFilter = dated ? { timeZone: localTimeZone, ...query } : query;
  return queryOptions({
    queryKey: ['activity', 'list', asked],
    queryFn: ({ signal }) => callList('activity.list', { query: asked }, { signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
}
