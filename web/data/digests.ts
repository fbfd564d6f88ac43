// What people hear of by mail: one's own choices, what the firm sets as usual, and the link that ends one kind.
import { queryOptions } from '@tanstack/react-query';
import type { DigestChoice, UsualDigestsInput } from '#contract/digests.ts';
import { call } from '#web/lib/api.ts';
import { useMutation } from './mutation.ts';
import { queryClient, refresh } from './query-client.ts';

const OWN = ['digests', 'own'];
const USUAL = ['digests', 'usual'];

/** One choice after the other, so that the last answer is the newest; an answer to what was asked before would take them back. */
const keeps = (queryKey: readonly string[]) => ({
  scope: { id: queryKey.join(' ') },
  onMutate: () => queryClient.cancelQueries({ queryKey }),
});

export function ownDigestsQuery() {
  return queryOptions({
    queryKey: OWN,
    queryFn: ({ signal }) => call('digests.own', {}, { signal }),
    refetchOnMount: 'always',
  });
}

export function useChooseDigest() {
  return useMutation({
    ...keeps(OWN),
    mutationFn: (body: DigestChoice) => call('digests.choose', { body }),
    onSuccess: (own) => queryClient.setQueryData(OWN, own),
  });
}

/** Somebody else may have changed it since: loaded at every visit. */
export function usualDigestsQuery() {
  return queryOptions({
    queryKey: USUAL,
    queryFn: ({ signal }) => call('digests.usual', {}, { signal }),
    refetchOnMount: 'always',
  });
}

export function useSetUsualDigests() {
  return useMutation({
    ...keeps(USUAL),
    mutationFn: (body: UsualDigestsInput) => call('digests.set-usual', { body }),
    onSuccess: (usual) => queryClient.setQueryData(USUAL, usual),
    onSettled: () => refresh('activity'),
  });
}

/** Ends the mails that the link is about. Throws ApiFault. */
export async function endMails(token: string): Promise<void> {
  await call('digests.end', { query: { token } });
}
