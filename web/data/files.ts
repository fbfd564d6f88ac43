// Reports and company documents: their list, opening, saving, sending and deleting them.

import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { type CallInput, call, callList } from '#web/lib/api.ts';
import { downloadFile, type OpenableFile, openFile } from '#web/lib/file-access.ts';
import { localTimeZone } from '#web/lib/format.ts';
import { refresh } from './query-client.ts';

export type FilesFilter = NonNullable<CallInput<'files.list'>['query']>;

/** One page of files, newest first; `startDate` and `endDate` (YYYY-MM-DD) are whole days of this browser's time zone. */
export function filesQuery(query: FilesFilter) {
  const dated = query.startDate !== undefined || query.endDate !== undefined;
  const asked: FilesFilter = dated ? { timeZone: localTimeZone, ...query } : query;
  return queryOptions({
    queryKey: ['files', 'list', asked],
    queryFn: ({ signal }) => callList('files.list', { query: asked }, { signal }),
    placeholderData: keepPreviousData,
    // Others upload too: every visit and every change of the filters asks again.
    staleTime: 0,
  });
}

/** As `filesQuery` for reports; while others are awaited, no rows of another client or report type stand in for them. */
export function reportsQuery(query: Omit<FilesFilter, 'fileType'>) {
  const options = filesQuery({ ...query, fileType: 'report' });
  return queryOptions({
    ...options,
    placeholderData: (rows, before) => {
      const asked = before?.queryKey[2] as FilesFilter | undefined;
      const sameSubject = asked?.clientId === query.clientId && asked?.reportTypeId === query.reportTypeId;
      return sameSubject ? rows : undefined;
    },
  });
}

/** Asks again for all that an upload changes (spec 4). */
export function refreshAfterUpload(): Promise<void> {
  return refresh('files', 'activity', 'overview', 'clients', 'users');
}

const refreshLog = () => refresh('activity', 'overview');

export function useDownloadFile() {
  return useMutation({ mutationFn: (file: OpenableFile) => downloadFile(file), onSuccess: refreshLog });
}

/** Throws ApiFault and PopUpBlocked; start it straight from a click. */
export function useOpenFile() {
  return useMutation({ mutationFn: (file: OpenableFile) => openFile(file), onSuccess: refreshLog });
}

export function useDeleteFile() {
  return useMutation({
    mutationFn: (id: number) => call('files.delete', { params: { id } }),
    onSuccess: () => refresh('files', 'activity', 'overview'),
  });
}
