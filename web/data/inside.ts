// Files by what stands on their pages.
import { queryOptions } from '@tanstack/react-query';
import type { InsideQuery } from '#contract/inside.ts';
import { call } from '#web/lib/api.ts';

/** Searched anew each time, and kept by nobody: what stands in documents is confidential. */
export function insideQuery(query: Omit<InsideQuery, 'limit'>, limit: number) {
  return queryOptions({
    queryKey: ['files', 'inside', query, limit],
    queryFn: ({ signal }) => call('files.search-inside', { query: { ...query, limit } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
}
