// Which files are new to a person: their counts, and that one was opened.
import { queryOptions } from '@tanstack/react-query';
import type { FileRow } from '#contract/files.ts';
import type { NewFiles } from '#contract/new-files.ts';
import { call, type ListPage } from '#web/lib/api.ts';
import { getSession } from '#web/lib/session.ts';
import { queryClient, refresh } from './query-client.ts';

const NEWS = ['news'];
/** A file that opens in a tab of its own, or that the browser saves by itself, is served a moment after this tab has asked for it. */
const SERVED_AFTER_MS = 1_000;

/** Of one client; null for all. */
export function newFilesQuery(clientId: number | null) {
  return queryOptions({
    queryKey: [...NEWS, clientId],
    queryFn: ({ signal }) => call('files.news', { query: clientId === null ? {} : { clientId } }, { signal }),
  });
}

export function refreshNews(): void {
  void queryClient.invalidateQueries({ queryKey: NEWS });
}

/** What was opened, to the other tabs of this browser: the stream of changes tells nothing of it. Null stands for any files. */
const otherTabs = new BroadcastChannel('coffer-opened');
otherTabs.onmessage = ({ data }: MessageEvent<readonly number[] | null>) => {
  if (!isLook()) takeMarks(data);
};

/** What somebody opens who looks as another person stays new to that person. */
const isLook = () => Boolean(getSession()?.user.look);

const isSomeNew = ({ reports, documents, unopenedByStaff }: NewFiles) =>
  reports.length > 0 || documents > 0 || unopenedByStaff > 0;

/** Takes the marks of these files, whose rows stay where they are, and counts anew. */
function takeMarks(ids: readonly number[] | null): void {
  if (ids === null) {
    // Which of them are in sight, the server knows.
    setTimeout(() => void refresh('files'), SERVED_AFTER_MS);
    return;
  }
  // Where nothing is new, opening changes nothing.
  const counts = queryClient.getQueriesData<NewFiles>({ queryKey: NEWS });
  if (counts.some(([, known]) => known && isSomeNew(known))) setTimeout(refreshNews, SERVED_AFTER_MS);
  queryClient.setQueriesData<ListPage<FileRow>>(
    { queryKey: ['files', 'list'] },
    (page) =>
      page && {
        ...page,
        rows: page.rows.map((file) => (ids.includes(file.id) ? { ...file, isNew: false } : file)),
      },
    // Not as if it had been read just now: a list of what is new alone is read again at the next visit.
    { updatedAt: 0 },
  );
}

/** These files are new no longer, in every tab. Null stands for any files. */
export function noticeOpened(ids: readonly number[] | null): void {
  if (isLook()) return;
  takeMarks(ids);
  otherTabs.postMessage(ids);
}
