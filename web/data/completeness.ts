// What is expected of clients, and the board of what is there.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ExpectationsInput, ManyExpectations } from '#contract/completeness.ts';
import { type CallInput, call, callList } from '#web/lib/api.ts';
import { downloadExport } from '#web/lib/file-access.ts';
import { localTimeZone } from '#web/lib/format.ts';
import { useMutation } from './mutation.ts';
import { refresh } from './query-client.ts';

export type BoardFilter = NonNullable<CallInput<'completeness.board'>['query']>;

/** One page of the board. Files come from others too, so every visit loads it again. */
export function boardQuery(query: BoardFilter) {
  return queryOptions({
    queryKey: ['completeness', 'list', query],
    queryFn: ({ signal }) => callList('completeness.board', { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
}

/** How much of a period is there, of all clients unless it is narrowed. */
export function boardSummaryQuery(query: NonNullable<CallInput<'completeness.summary'>['query']>) {
  return queryOptions({
    queryKey: ['completeness', 'summary', query],
    queryFn: ({ signal }) => call('completeness.summary', { query }, { signal }),
    refetchOnMount: 'always',
  });
}

/** What is expected of one client. */
export function expectationsQuery(clientId: number) {
  return queryOptions({
    queryKey: ['completeness', 'of-client', clientId],
    queryFn: ({ signal }) => call('completeness.list', { params: { id: clientId } }, { signal }),
    staleTime: 0,
  });
}

const refreshBoard = () => refresh('completeness', 'activity', 'overview');

export function useSaveExpectations() {
  return useMutation({
    mutationFn: ({
      clientId,
      ifMatch,
      ...body
    }: ExpectationsInput & { clientId: number; ifMatch: string | undefined }) =>
      call('completeness.save', { params: { id: clientId }, body }, { ifMatch }),
    onSuccess: refreshBoard,
  });
}

/** Saves what was proposed, and not over what others have saved meanwhile. */
export function useSaveManyExpectations() {
  return useMutation({
    mutationFn: (expectations: ManyExpectations['expectations']) =>
      call('completeness.save-many', { body: { expectations, skipExisting: true } }),
    onSuccess: refreshBoard,
  });
}

/** Saves the board as CSV, with the days of this browser's time zone. Throws ApiFault. */
export function useExportBoard() {
  return useMutation({
    mutationFn: (query: NonNullable<CallInput<'completeness.export'>['query']>) =>
      downloadExport('completeness.export', { query: { timeZone: localTimeZone, ...query } }),
  });
}
