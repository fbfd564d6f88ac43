// Uploads that name another company: which they are, and what staff say about them.
import { queryOptions } from '@tanstack/react-query';
import { mayAttempt } from '#contract/policy.ts';
import { call, callList } from '#web/lib/api.ts';
import { getSession } from '#web/lib/session.ts';
import { useMutation } from './mutation.ts';
import { queryClient, refresh } from './query-client.ts';

/** They come from a background job, which no other list hears of. */
const LOOK_AGAIN_MS = 60_000;

/** Those of some files. */
export function marksQuery(ids: readonly number[]) {
  const asked = ids.join();
  return queryOptions({
    queryKey: ['files', 'marked', asked],
    queryFn: ({ signal }) => callList('files.marked', { query: { ids: asked, limit: ids.length } }, { signal }),
    staleTime: 0,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

/** How many there are within reach: known for a minute, or until one of these files changes. */
export function markedCountQuery() {
  return queryOptions({
    queryKey: ['files', 'marked', 'count'],
    queryFn: async ({ signal }) => (await callList('files.marked', { query: { limit: 1 } }, { signal })).total,
    staleTime: LOOK_AGAIN_MS,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

/** The card of the home moves what stands below it unless this is known before the home is drawn; where it cannot be had there is no card. */
export async function awaitMarkedCount(): Promise<void> {
  const user = getSession()?.user;
  if (user === undefined || user.mustChangePassword || !mayAttempt(user, 'files.read-marks')) return;
  await queryClient.prefetchQuery(markedCountQuery());
}

/** Says that a file is right where it is. */
export function useSettleMark() {
  return useMutation({
    mutationFn: (id: number) => call('files.settle-mark', { params: { id } }),
    onSuccess: () => refresh('files', 'activity', 'overview'),
    // Settled or filed elsewhere by somebody else meanwhile, perhaps.
    onError: () => void refresh('files'),
  });
}
