// What clients are asked for: lists, single requests, counts, templates, and what changes them.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { isClientUser } from '#contract/policy/actor.ts';
import { mayAttempt } from '#contract/policy.ts';
import type {
  ItemDecision,
  RequestChange,
  RequestInput,
  RequestRow,
  TemplateInput,
  TemplateRow,
} from '#contract/requests.ts';
import { type CallInput, call, callList } from '#web/lib/api.ts';
import { today } from '#web/lib/format.ts';
import { getSession } from '#web/lib/session.ts';
import { createdOnce } from './created-once.ts';
import { useMutation } from './mutation.ts';
import { queryClient, refresh } from './query-client.ts';

export type RequestsFilter = NonNullable<CallInput<'requests.list'>['query']>;

/** Clients answer while others look: every visit loads it again. */
export function requestsQuery(filter: RequestsFilter) {
  const query = { today: today(), ...filter };
  return queryOptions({
    queryKey: ['requests', 'list', query],
    queryFn: ({ signal }) => callList('requests.list', { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
}

/** How many open requests the home of a client shows item by item. */
const ASKED_SHOWN = 5;

const dueKey = ({ dueOn }: RequestRow) => dueOn ?? '9999-99-99';

/** What is asked of the viewer's companies and not settled, what is due first on top. What was sent whole does not push out what is owed. */
export function askedQuery() {
  const query = { state: 'open', sort: 'owed', limit: ASKED_SHOWN } as const;
  return queryOptions({
    queryKey: ['requests', 'asked', query],
    queryFn: async ({ signal }) => {
      const { rows, ...page } = await callList('requests.list', { query }, { signal });
      return { ...page, rows: rows.toSorted((one, other) => dueKey(one).localeCompare(dueKey(other))) };
    },
    refetchOnMount: 'always',
  });
}

export function requestQuery(id: number) {
  return queryOptions({
    queryKey: ['requests', 'one', id],
    queryFn: ({ signal }) => call('requests.get', { params: { id } }, { signal }),
    staleTime: 0,
  });
}

/** What the firm asks for is there with the home of a client, so that nothing moves; where it cannot be had, the home says so. */
export async function awaitAsked(): Promise<void> {
  const user = getSession()?.user;
  if (user === undefined || user.mustChangePassword || !isClientUser(user) || !mayAttempt(user, 'requests.read'))
    return;
  const { rows } = await queryClient.fetchQuery(askedQuery());
  // The items of the others are asked for when somebody unfolds them.
  const [first] = rows;
  // Never rejects.
  if (first) await queryClient.prefetchQuery(requestQuery(first.id));
}

export function requestSummaryQuery(day: string) {
  const query = { today: day };
  return queryOptions({
    queryKey: ['requests', 'summary', query],
    queryFn: ({ signal }) => call('requests.summary', { query }, { signal }),
    refetchOnMount: 'always',
  });
}

export function templatesQuery() {
  return queryOptions({
    queryKey: ['requests', 'templates'],
    queryFn: ({ signal }) => call('requests.templates', { query: {} }, { signal }),
    staleTime: 0,
  });
}

export const refreshRequests = () => refresh('requests', 'activity', 'overview', 'completeness');

export function useAsk() {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: { body: RequestInput; idempotencyKey: string }) =>
      call('requests.create', { body }, { idempotencyKey }),
    onSuccess: refreshRequests,
  });
}

export function useChangeRequest() {
  return useMutation({
    mutationFn: ({ id, body, ifMatch }: { id: number; body: RequestChange; ifMatch: string | undefined }) =>
      call('requests.update', { params: { id }, body }, { ifMatch }),
    onSuccess: refreshRequests,
    // A refusal often means that what is shown is out of date: it is loaded again then too.
    onError: () => void refreshRequests(),
  });
}

export function useSetClosed() {
  return useMutation({
    mutationFn: ({ id, closed }: { id: number; closed: boolean }) =>
      call(closed ? 'requests.close' : 'requests.reopen', { params: { id } }),
    onSettled: refreshRequests,
  });
}

/** Says it of an item as it was read: what a colleague has sent since is looked at first. */
export function useSayNot() {
  return useMutation({
    mutationFn: ({ id, version, note }: { id: number; version: string; note: string }) =>
      call('requests.say-not', { params: { id }, body: { note } }, { ifMatch: version }),
    onSettled: refreshRequests,
  });
}

/** Decides an item as it was read: what was sent since is looked at first. */
export function useDecide() {
  return useMutation({
    mutationFn: ({ id, version, decision }: { id: number; version: string; decision: ItemDecision }) =>
      call('requests.decide', { params: { id }, body: decision }, { ifMatch: version }),
    onSettled: refreshRequests,
  });
}

const createTemplate = createdOnce((body: TemplateInput) => call('requests.create-template', { body }), {
  keyOf: ({ name }) => name,
  taken: 'request_template_name_taken',
  refresh: () => refresh('requests', 'activity'),
});

export function useSaveTemplate() {
  return useMutation({
    mutationFn: ({ id, body, ifMatch }: { id: number | null; body: TemplateInput; ifMatch: string | undefined }) =>
      id === null ? createTemplate(body) : call('requests.update-template', { params: { id }, body }, { ifMatch }),
    onSuccess: () => refresh('requests', 'activity'),
    onError: () => void refresh('requests'),
  });
}

/** Adds those of `templates` that the firm does not have under their name. */
export function useAddTemplates() {
  return useMutation({
    mutationFn: async (templates: readonly TemplateInput[]) => {
      for (const body of templates) await call('requests.create-template', { body });
    },
    onSettled: () => refresh('requests', 'activity'),
  });
}

export function useDeleteTemplate() {
  return useMutation({
    mutationFn: ({ id }: TemplateRow) => call('requests.delete-template', { params: { id } }),
    onSettled: () => refresh('requests', 'activity'),
  });
}
