// Reports and company documents: their list, opening, saving, sending and deleting them.

import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import type { RefileInput } from '#contract/files.ts';
import { type CallInput, call, callList } from '#web/lib/api.ts';
import { downloadArchive, downloadExport, downloadFile, type OpenableFile, openFile } from '#web/lib/file-access.ts';
import { localTimeZone } from '#web/lib/format.ts';
import { inLocalDays } from './local-days.ts';
import { refresh } from './query-client.ts';

export type FilesFilter = NonNullable<CallInput<'files.list'>['query']>;

/** One page of files, newest first; `startDate` and `endDate` (YYYY-MM-DD) are whole days of this browser's time zone. */
export function filesQuery(query: FilesFilter) {
  const asked = inLocalDays(query);
  return queryOptions({
    queryKey: ['files', 'list', asked],
    queryFn: ({ signal }) => callList('files.list', { query: asked }, { signal }),
    placeholderData: keepPreviousData,
    // Others upload too: every visit and every change of the filters loads again.
    staleTime: 0,
  });
}

/** As `filesQuery` for reports; while others are awaited, no rows of another client or report type are in for them. */
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

/** A file, and its neighbours in the list that `within` narrows as `filesQuery` does. */
export function fileFactsQuery(id: number, within: Omit<FilesFilter, 'limit' | 'offset' | 'sort'> = {}) {
  const query = inLocalDays(within);
  return queryOptions({
    queryKey: ['files', 'facts', id, query],
    queryFn: ({ signal }) => call('files.facts', { params: { id }, query }, { signal }),
    staleTime: 0,
  });
}

/** Reloads everything that an upload changes (docs/behaviour.md, Files: uploading). */
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

/** Saves the files of these ids as one ZIP. Throws ApiFault. */
export function useDownloadArchive() {
  return useMutation({ mutationFn: (ids: readonly number[]) => downloadArchive(ids), onSuccess: refreshLog });
}

/** Saves the whole list that matches `query` as CSV. Throws ApiFault. */
export function useExportFiles() {
  return useMutation({
    mutationFn: (query: Omit<FilesFilter, 'limit' | 'offset'>) =>
      downloadExport('files.export', { query: { timeZone: localTimeZone, ...query } }),
  });
}

export function useRefileFile() {
  return useMutation({
    mutationFn: ({ id, ...body }: RefileInput & { id: number }) => call('files.refile', { params: { id }, body }),
    onSuccess: () => refreshAfterUpload(),
  });
}

export function useDeleteFile() {
  return useMutation({
    mutationFn: (id: number) => call('files.delete', { params: { id } }),
    onSuccess: () => refresh('files', 'activity', 'overview'),
  });
}
