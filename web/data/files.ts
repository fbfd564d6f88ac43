// Reports and company documents: their list, opening, saving, sending and deleting them.

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ArchiveOrder } from '#contract/archive-requests.ts';
import { type DocumentType, type FileType, PERIODS_AT_ONCE_MAX } from '#contract/file-kinds.ts';
import type { FileRow, RefileInput } from '#contract/files.ts';
import { type CallInput, call, callList } from '#web/lib/api.ts';
import { downloadArchive, downloadExport, downloadFile, type OpenableFile, openFile } from '#web/lib/file-access.ts';
import { localTimeZone } from '#web/lib/format.ts';
import { inLocalDays } from './local-days.ts';
import { useMutation } from './mutation.ts';
import { noticeOpened } from './news.ts';
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

/** What a file might correct: files of its client and type for exactly its period. */
export interface EarlierPlace {
  readonly clientId: number;
  readonly fileType: FileType;
  readonly reportTypeId: number | null;
  readonly documentType: DocumentType | null;
  readonly period: string;
}

/** More than this many are not looked through: then there is not one. */
const EARLIER_MAX = 50;

/** The only file at the place, or null where there is none or are several. */
export function onlyEarlierQuery({ clientId, fileType, reportTypeId, documentType, period }: EarlierPlace) {
  const type =
    fileType === 'report'
      ? reportTypeId === null
        ? {}
        : { reportTypeId }
      : documentType === null
        ? {}
        : { documentType };
  const query = { clientId, fileType, ...type, period, limit: EARLIER_MAX };
  return queryOptions({
    queryKey: ['files', 'only-earlier', query],
    queryFn: async ({ signal }): Promise<Pick<FileRow, 'id' | 'originalName' | 'onHold'> | null> => {
      const { rows, total } = await callList('files.list', { query }, { signal });
      const there = rows.filter(
        (file) => file.period === period && file.reportTypeId === reportTypeId && file.documentType === documentType,
      );
      const [only] = there;
      return only !== undefined && there.length === 1 && total <= EARLIER_MAX ? only : null;
    },
    staleTime: 0,
    // Nobody waits for it: then nothing is proposed.
    retry: false,
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

/** How many reports of a client there are for each quarter and year. */
export function reportPeriodsQuery(clientId: number) {
  const query = { clientId, fileType: 'report' } as const;
  return queryOptions({
    queryKey: ['files', 'periods', query],
    queryFn: ({ signal }) => call('files.periods', { query }, { signal }),
    staleTime: 0,
  });
}

/** Reloads everything that an upload changes (docs/behaviour.md, Files: uploading). */
export function refreshAfterUpload(): Promise<void> {
  return refresh('files', 'activity', 'overview', 'clients', 'users');
}

const refreshLog = () => refresh('activity', 'overview');

function afterOpening(_opened: unknown, { id }: OpenableFile): Promise<void> {
  noticeOpened([id]);
  return refreshLog();
}

export function useDownloadFile() {
  return useMutation({ mutationFn: (file: OpenableFile) => downloadFile(file), onSuccess: afterOpening });
}

/** Throws ApiFault and PopUpBlocked; start it straight from a click. */
export function useOpenFile() {
  return useMutation({ mutationFn: (file: OpenableFile) => openFile(file), onSuccess: afterOpening });
}

/**
 * Saves files as one ZIP, or has it prepared in the background and gives what was ordered; `startDate` and `endDate` are days of
 * this browser's time zone. Throws ApiFault.
 */
export function useArchive() {
  return useMutation({
    mutationFn: async ({ ids, matching, prepared }: ArchiveOrder & { prepared: boolean }) => {
      const files = matching === undefined ? { ids } : { matching: inLocalDays(matching) };
      const body = { ...files, timeZone: localTimeZone };
      if (prepared) return call('archives.order', { body });
      await downloadArchive(body);
      return null;
    },
    onSuccess: (_ordered, { ids, prepared }) => {
      if (!prepared) noticeOpened(ids ?? null);
      return refresh('activity', 'overview', 'archives');
    },
  });
}

/** Saves the whole list that matches `query`, or the files of the `ids`, as CSV. Throws ApiFault. */
export function useExportFiles() {
  return useMutation({
    mutationFn: (query: Omit<FilesFilter, 'limit' | 'offset'> | { readonly ids: string }) =>
      downloadExport('files.export', { query: { timeZone: localTimeZone, ...query } }),
  });
}

// A refusal often means that the row is out of date (put on hold, opened, deleted meanwhile): it is loaded again then too.

/** A file as it is now. Throws ApiFault. */
export const loadFile = async ({ id }: { readonly id: number }): Promise<FileRow> =>
  (await call('files.facts', { params: { id }, query: {} })).file;

export function useRefileFile() {
  return useMutation({
    mutationFn: ({ id, ifMatch, ...body }: RefileInput & { id: number; ifMatch: string | undefined }) =>
      call('files.refile', { params: { id }, body }, { ifMatch }),
    onSuccess: () => refreshAfterUpload(),
    onError: () => void refresh('files'),
  });
}

/**
 * Gives files one period, so many at a time; `onDone` is called with those that have it, and with those left out because somebody has
 * changed or deleted them since. Throws ApiFault.
 */
export function useSetPeriods() {
  return useMutation({
    mutationFn: async (asked: {
      files: readonly FileRow[];
      period: string;
      onDone: (files: readonly FileRow[], leftOut: readonly FileRow[]) => void;
    }) => {
      for (let from = 0; from < asked.files.length; from += PERIODS_AT_ONCE_MAX) {
        const some = asked.files.slice(from, from + PERIODS_AT_ONCE_MAX);
        const [ids, versions] = [some.map(({ id }) => id), some.map(({ version }) => version)];
        const { leftOut } = await call('files.set-period', { body: { ids, versions, period: asked.period } });
        const isLeftOut = ({ id }: FileRow) => leftOut.includes(id);
        asked.onDone(
          some.filter((file) => !isLeftOut(file)),
          some.filter(isLeftOut),
        );
      }
    },
    onSettled: () => refreshAfterUpload(),
  });
}

export function useDeleteFile() {
  return useMutation({
    mutationFn: ({ id, version }: Pick<FileRow, 'id' | 'version'>) =>
      call('files.delete', { params: { id } }, { ifMatch: version }),
    onSuccess: () => refresh('files', 'activity', 'overview', 'trash'),
    onError: () => void refresh('files'),
  });
}
