// What the home of a Client user begins with: the reports that are new, or the latest where none are.
import { isClientUser } from '#contract/policy/actor.ts';
import { getSession } from '#web/lib/session.ts';
import { filesQuery } from './files.ts';
import { queryClient } from './query-client.ts';

const SHOWN = 5;
/** What was asked for with the page is not asked for again when it is drawn. */
const FRESH_MS = 5_000;

export const newReportsQuery = () => ({
  ...filesQuery({ fileType: 'report', isNew: 'true', limit: SHOWN }),
  staleTime: FRESH_MS,
});

export const latestReportsQuery = () => ({ ...filesQuery({ fileType: 'report', limit: SHOWN }), staleTime: FRESH_MS });

/** The list of clients stands below them, and moves unless they are known before the home is drawn; where they cannot be had, the home says so. */
export async function awaitHomeReports(): Promise<void> {
  const user = getSession()?.user;
  if (user === undefined || user.mustChangePassword || !isClientUser(user)) return;
  await queryClient.prefetchQuery(newReportsQuery());
  if (queryClient.getQueryData(newReportsQuery().queryKey)?.total === 0) {
    await queryClient.prefetchQuery(latestReportsQuery());
  }
}
