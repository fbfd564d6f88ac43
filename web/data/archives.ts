// The list of one's own prepared ZIPs; what is done with them is in `archive-acts.ts`, which the frame does without.
import { queryOptions } from '@tanstack/react-query';
import { callList } from '#web/lib/api.ts';

const WATCHED_EVERY_MS = 3_000;

/** Newest first; asked for again while one is being prepared and the page can be seen. */
export const archivesQuery = queryOptions({
  queryKey: ['archives'],
  queryFn: ({ signal }) => callList('archives.list', {}, { signal }),
  refetchInterval: ({ state }) => state.data?.rows.some((row) => row.state === 'preparing') && WATCHED_EVERY_MS,
});
