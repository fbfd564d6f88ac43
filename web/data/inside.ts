// Files by what stands on their pages.
import { queryOptions } from '@tanstack/react-query';
import type { InsideQuery } from '#contract/inside.ts';
import { call } from '#web/lib/api.ts';
import { inLocalDays } from './local-days.ts';

/** Searched anew each time, and kept by nobody: what stands in documents is confidential. Days are those of the list of files. */
export function insideQuery(asked: Omit<InsideQuery, 'limit'>, limit: number) {
  const query = inLocalDays(asked);
  return queryOptions({
    queryKey: ['files', 'inside', query, limit],
    queryFn: ({ signal }) => call('files.search-inside', { query: { ...query, limit } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
}
