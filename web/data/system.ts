// How the portal itself fares.
import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';

const LOOK_AGAIN_MS = 60_000;

/** Loaded at every visit, and once a minute: no list hears of what it tells. */
export function systemFactsQuery() {
  return queryOptions({
    queryKey: ['system'],
    queryFn: ({ signal }) => call('system.facts', {}, { signal }),
    refetchOnMount: 'always',
    refetchInterval: LOOK_AGAIN_MS,
  });
}
