// How the portal itself fares.
import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';
import { refresh } from './query-client.ts';

const LOOK_AGAIN_MS = 60_000;

/** Loaded at every visit, and once a minute: no list hears of what it tells. */
export function systemFactsQuery() {
  return queryOptions({
    queryKey: ['system'],
    queryFn: async ({ signal }) => {
      const facts = await call('system.facts', {}, { signal });
      // It counts the failed jobs that are listed on its page.
      void refresh('jobs');
      return facts;
    },
    refetchOnMount: 'always',
    refetchInterval: LOOK_AGAIN_MS,
  });
}
