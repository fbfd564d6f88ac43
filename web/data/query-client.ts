// How answers are cached: never stale by themselves, never refetched automatically (docs/behaviour.md, Screens: how answers are kept).
import { QueryClient } from '@tanstack/react-query';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 5 * 60_000,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      // Without a network a call fails at once and says so, instead of waiting invisibly.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

const NOUNS = [
  'clients',
  'users',
  'roles',
  'report-types',
  'files',
  'activity',
  'jobs',
  'overview',
  'permissions',
  'devices',
  'factors',
  'security-events',
] as const;
export type Noun = (typeof NOUNS)[number];

/** Reloads everything shown of these nouns; resolves when the answers are there. */
export async function refresh(...nouns: readonly Noun[]): Promise<void> {
  await Promise.all(nouns.map((noun) => queryClient.invalidateQueries({ queryKey: [noun] })));
}

/** Repeats what failed or is pending: the session or the connection that it lacked is back. */
export async function refreshFailed(): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({ state }) => state.status === 'error' || state.fetchStatus === 'fetching',
  });
}
