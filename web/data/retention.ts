// Retention: what is due, how long files are kept, and what was disposed of.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DisposalRest, DisposalRow, RetentionRuleInput } from '#contract/retention.ts';
import { type CallInput, call, callList } from '#web/lib/api.ts';
import { useMutation } from './mutation.ts';
import { refresh } from './query-client.ts';

export type DueFilter = NonNullable<CallInput<'retention.list'>['query']>;

/** One page of what is due: loaded at every visit. */
export function dueQuery(query: DueFilter) {
  return queryOptions({
    queryKey: ['retention', 'due', query],
    queryFn: ({ signal }) => callList('retention.list', { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
}

export function rulesQuery() {
  return queryOptions({
    queryKey: ['retention', 'rules'],
    queryFn: ({ signal }) => call('retention.rules', {}, { signal }),
    staleTime: 0,
  });
}

/** Whether its files are being decided about. */
const isGoing = ({ endedAt, stopped }: DisposalRow) => endedAt === null && stopped === null;

/** While files wait, it is looked again. */
const LOOK_AGAIN_MS = 2_000;

export function disposalsQuery(query: NonNullable<CallInput<'retention.disposals'>['query']>) {
  return queryOptions({
    queryKey: ['retention', 'disposals', query],
    queryFn: ({ signal }) => callList('retention.disposals', { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.rows.some(isGoing) ? LOOK_AGAIN_MS : false),
  });
}

export function useSaveRule() {
  return useMutation({
    mutationFn: ({ ifMatch, ...body }: RetentionRuleInput & { ifMatch: string | undefined }) =>
      call('retention.save-rule', { body }, { ifMatch }),
    onSuccess: () => refresh('retention', 'activity'),
    // The type may be gone meanwhile, or somebody else has said other years.
    onError: () => void refresh('retention', 'report-types'),
  });
}

/** Which files are disposed of. */
export type DisposalChoice = Omit<CallInput<'retention.dispose'>['body'], 'expected'>;

export function useDispose() {
  return useMutation({
    mutationFn: (body: CallInput<'retention.dispose'>['body']) => call('retention.dispose', { body }),
    onSettled: () => refresh('retention', 'files', 'activity', 'overview'),
  });
}

export function useDecideRest() {
  return useMutation({
    mutationFn: ({ id, decision }: DisposalRest & { id: number }) =>
      call('retention.decide-rest', { params: { id }, body: { decision } }),
    onSettled: () => refresh('retention', 'files', 'activity', 'overview'),
  });
}
