// Reports that nobody of their client has opened, and reminding of them.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ReminderOrder } from '#contract/unopened.ts';
import { type CallInput, call, callList } from '#web/lib/api.ts';
import { useMutation } from './mutation.ts';
import { refresh } from './query-client.ts';

export type UnopenedFilter = NonNullable<CallInput<'unopened.list'>['query']>;

/** One page, by client and report type: loaded at every visit, since others open files meanwhile. */
export function unopenedQuery(query: UnopenedFilter) {
  return queryOptions({
    queryKey: ['files', 'unopened', query],
    queryFn: ({ signal }) => callList('unopened.list', { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
}

export function useRemind() {
  return useMutation({
    mutationFn: (body: ReminderOrder) => call('unopened.remind', { body }),
    onSettled: () => refresh('files', 'activity', 'mail'),
  });
}
