// The guide through a firm that is still empty: what of it is done, by whoever.
import { queryOptions } from '@tanstack/react-query';
import { mayAttempt } from '#contract/policy.ts';
import { call } from '#web/lib/api.ts';
import { getSession } from '#web/lib/session.ts';
import { useMutation } from './mutation.ts';
import { queryClient, refresh } from './query-client.ts';

const FIRST_STEPS = ['first-steps'];

export function firstStepsQuery() {
  return queryOptions({
    queryKey: FIRST_STEPS,
    queryFn: ({ signal }) => call('overview.first-steps', {}, { signal }),
    refetchOnMount: 'always',
  });
}

/** The guide moves what stands below it unless it is known before the home is drawn; where it cannot be had there is none. */
export async function awaitFirstSteps(): Promise<void> {
  const user = getSession()?.user;
  if (user === undefined || user.mustChangePassword || !mayAttempt(user, 'first-steps.read')) return;
  await queryClient.prefetchQuery(firstStepsQuery());
}

/** Something has changed: a step that is done by now is ticked at once. A guide that was put away is not asked about. */
export function hearOfFirstSteps(): void {
  const known = queryClient.getQueryData(firstStepsQuery().queryKey);
  if (known !== undefined && known.steps !== null) void queryClient.invalidateQueries({ queryKey: FIRST_STEPS });
}

/** Puts the guide away for everybody, or brings it back. */
export function useDismissFirstSteps() {
  return useMutation({
    mutationFn: (dismissed: boolean) => call('overview.dismiss-first-steps', { body: { dismissed } }),
    onSuccess: (now) => {
      queryClient.setQueryData(firstStepsQuery().queryKey, now);
      return refresh('activity', 'overview');
    },
  });
}
