// The Admin overview: totals and the latest of everything.

import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';

/** Loaded on every visit; its screen loads it again when the window regains focus (docs/behaviour.md, Overview). */
export function overviewQuery() {
  return queryOptions({
    queryKey: ['overview'],
    queryFn: ({ signal }) => call('overview.get', {}, { signal }),
    refetchOnMount: 'always',
  });
}
