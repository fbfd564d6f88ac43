// What is done with prepared ZIPs: saving, preparing again and removing them.
import type { ArchiveRow } from '#contract/archives.ts';
import { call } from '#web/lib/api.ts';
import { downloadPrepared } from '#web/lib/prepared-zip.ts';
import { useMutation } from './mutation.ts';
import { noticeOpened } from './news.ts';
import { refresh } from './query-client.ts';

/** The list is loaded again after a refusal too: it often means that the list was out of date. */
const settled = { onSettled: () => refresh('archives', 'own-jobs') };

/** Throws ApiFault. */
export function useDownloadPrepared() {
  return useMutation({
    mutationFn: (archive: Pick<ArchiveRow, 'id' | 'name'>) => downloadPrepared(archive),
    onSuccess: () => noticeOpened(null),
    onSettled: () => refresh('archives', 'own-jobs', 'activity', 'overview'),
  });
}

export function useRetryArchive() {
  return useMutation({ mutationFn: (id: number) => call('archives.retry', { params: { id } }), ...settled });
}

export function useRemoveArchive() {
  return useMutation({ mutationFn: (id: number) => call('archives.delete', { params: { id } }), ...settled });
}
