// Report types: their list and what changes them.

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ListedActor } from '#contract/policy/actor.ts';
import { usesReportType } from '#contract/policy/reach.ts';
import type { ReportTypeInput, ReportTypeRow } from '#contract/report-types.ts';
import { USUAL_REPORT_TYPES } from '#contract/usual-report-types.ts';
import { type CallInput, call, callList } from '#web/lib/api.ts';
import { createdOnce } from './created-once.ts';
import { rowOf } from './edited-row.ts';
import { useMutation } from './mutation.ts';
import { queryClient, refresh } from './query-client.ts';

export type ReportTypesFilter = NonNullable<CallInput<'report-types.list'>['query']>;

export function reportTypesQuery(query: ReportTypesFilter) {
  return queryOptions({
    queryKey: ['report-types', 'list', query],
    queryFn: ({ signal }) => callList('report-types.list', { query }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** Every report type within reach, by name: for selects, checklists and the sidebar. */
export function allReportTypesQuery() {
  return queryOptions({
    queryKey: ['report-types', 'all'],
    queryFn: ({ signal }) => callList('report-types.list', { query: { sort: 'name' } }, { signal }),
  });
}

/** Those of them that this person may file under, expect and hand on: not all that whoever manages them finds in lists. */
export function usableReportTypesQuery(person: ListedActor) {
  return queryOptions({
    ...allReportTypesQuery(),
    select: ({ rows }) => {
      const usable = rows.filter(({ id }) => usesReportType(person, id));
      return { rows: usable, total: usable.length };
    },
  });
}

/** One report type as of now. Throws ApiFault. */
export async function loadReportType(id: number): Promise<ReportTypeRow> {
  return rowOf(await callList('report-types.list'), id);
}

/** How long the frame waits for what it can do without. */
const AWAITED_MS = 2000;

/** Resolves when every report type within reach is loaded, cannot be loaded, or takes too long. */
export async function awaitReportTypes(): Promise<void> {
  await Promise.race([
    queryClient.prefetchQuery(allReportTypesQuery()),
    new Promise((resolve) => setTimeout(resolve, AWAITED_MS)),
  ]);
}

const refreshReportTypes = () => refresh('report-types', 'activity', 'permissions');

const createReportType = createdOnce((body: ReportTypeInput) => call('report-types.create', { body }), {
  keyOf: ({ name }) => name,
  taken: 'report_type_name_taken',
  refresh: refreshReportTypes,
});

export function useCreateReportType() {
  return useMutation({ mutationFn: createReportType, onSuccess: refreshReportTypes });
}

/** Adds report types from a list, or asks what would be wrong with them. */
export async function importReportTypes(rows: CallInput<'report-types.import'>['body']['rows'], dryRun: boolean) {
  const result = await call('report-types.import', { body: { rows, dryRun } });
  if (!dryRun) await refreshReportTypes();
  return result;
}

/** Adds the usual report types that the firm does not have yet. */
export function useAddUsualReportTypes() {
  return useMutation({
    mutationFn: () =>
      call('report-types.import', {
        body: { rows: USUAL_REPORT_TYPES.map((name) => ({ name })), skipExisting: true },
      }),
    onSuccess: refreshReportTypes,
  });
}

export function useSavePhrases() {
  return useMutation({
    mutationFn: ({ id, phrases, ifMatch }: { id: number; phrases: readonly string[]; ifMatch: string | undefined }) =>
      call('report-types.save-phrases', { params: { id }, body: { phrases: [...phrases] } }, { ifMatch }),
    onSuccess: refreshReportTypes,
    // A phrase may have gone to another type meanwhile, or the type away.
    onError: () => void refreshReportTypes(),
  });
}

export function useUpdateReportType() {
  return useMutation({
    mutationFn: ({ id, ifMatch, ...body }: ReportTypeInput & { id: number; ifMatch?: string | undefined }) =>
      call('report-types.update', { params: { id }, body }, { ifMatch }),
    // Files and what is expected are shown with the name of their type.
    onSuccess: () => refresh('report-types', 'files', 'activity', 'permissions'),
    onError: () => void refreshReportTypes(),
  });
}

/** It leaves the access lists, and so the version of whoever had it changes. */
const refreshAfterDeletion = () => Promise.all([refreshReportTypes(), refresh('users')]);

export function useDeleteReportType() {
  return useMutation({
    mutationFn: (id: number) => call('report-types.delete', { params: { id } }),
    onSuccess: refreshAfterDeletion,
    // A refusal often means that the list is out of date: it is loaded again then too.
    onError: () => void refreshAfterDeletion(),
  });
}
