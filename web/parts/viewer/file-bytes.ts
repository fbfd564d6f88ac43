// The bytes of the file in the viewer: fetched once at each opening, because the server records each fetch as a view.
import { queryOptions } from '@tanstack/react-query';
import { noticeOpened } from '#web/data/news.ts';
import { refresh } from '#web/data/query-client.ts';
import { callBytes } from '#web/lib/api.ts';

/** Somebody who moves on within this time has not viewed the file, and the log must not say so. */
const PASSING_BY_MS = 150;

function pause(timeMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, timeMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** Leaving the page ends the transfer; the bytes are dropped at once, so that coming back is a view of its own. */
export function fileBytesQuery(id: number) {
  return queryOptions({
    queryKey: ['viewer', 'bytes', id],
    queryFn: async ({ signal }) => {
      await pause(PASSING_BY_MS, signal);
      const { blob } = await callBytes('files.view', { params: { id } }, { signal });
      void refresh('activity', 'overview');
      noticeOpened([id]);
      return blob;
    },
    gcTime: 0,
  });
}
