// How answers are cached: never stale by themselves, never refetched automatically (docs/behaviour.md, Screens: how answers are kept).
import { MutationCache, QueryClient } from '@tanstack/react-query';
import { toast } from '#web/ui/toast.tsx';

export const queryClient = new QueryClient({
  // An act that succeeds without a word of its own, such as opening a file, takes back what an earlier failure said.
  mutationCache: new MutationCache({ onSuccess: () => toast.clearError() }),
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
  'news',
  'archives',
  'batches',
  'suggestions',
  'trash',
  'retention',
  'activity',
  'jobs',
  'own-jobs',
  'system',
  'mail',
  'overview',
  'first-steps',
  'completeness',
  'requests',
  'permissions',
  'firm-settings',
  'devices',
  'factors',
  'security-events',
] as const;
export type Noun = (typeof NOUNS)[number];

/** What else is made of some nouns. */
const SEEN_IN: Partial<Record<Noun, readonly Noun[]>> = {
  files: ['news', 'completeness', 'first-steps'],
  clients: ['completeness', 'first-steps'],
  users: ['first-steps'],
  'report-types': ['completeness', 'first-steps'],
  'firm-settings': ['first-steps'],
};

/** Reloads everything shown of these nouns; resolves when the answers are there. */
export async function refresh(...nouns: readonly Noun[]): Promise<void> {
  const meant = new Set(nouns.flatMap((noun) => [noun, ...(SEEN_IN[noun] ?? [])]));
  await Promise.all([...meant].map((noun) => queryClient.invalidateQueries({ queryKey: [noun] })));
}

/** Repeats what failed or is pending: the session or the connection that it lacked is back. */
export async function refreshFailed(): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({ state }) => state.status === 'error' || state.fetchStatus === 'fetching',
  });
}
