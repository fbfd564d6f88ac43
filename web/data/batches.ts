// Batches: their list, one of them with its files and documents, and what changes them.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { DOCUMENTS_LISTED_MAX } from '#contract/batch-words.ts';
import type {
  BatchDetails,
  BatchRow,
  DocumentDecision,
  DocumentRow,
  FilePassword,
  RecallResult,
} from '#contract/batches.ts';
import { type CallInput, call, callList, type ListPage } from '#web/lib/api.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { isToldOfChanges } from '#web/lib/changes.ts';
import { downloadCertificate } from '#web/lib/file-access.ts';
import { createdOnce } from './created-once.ts';
import { useMutation } from './mutation.ts';
import { queryClient, refresh } from './query-client.ts';

export type BatchesFilter = NonNullable<CallInput<'batches.list'>['query']>;

/** Where the stream of changes does not tell: while a batch is read or released. */
const MOVING_EVERY_MS = 1_500;
/** In review: what somebody else decides is seen soon. */
const REVIEWED_EVERY_MS = 10_000;

/** Whether a batch will change by itself within moments. */
const isMoving = ({ state, fault, releasing }: BatchRow) => (state === 'reading' && fault === null) || releasing > 0;

/** Whether nobody tells of its changes: those of a colleague's batch are told to the colleague. */
const isUntold = ({ shared }: BatchRow) => shared || !isToldOfChanges();

/** Of a list: while one of them is read or released, and as often as its own page where a colleague's is decided about. */
function listEveryMs(rows: readonly BatchRow[]): number | false {
  if (rows.some((row) => isUntold(row) && isMoving(row))) return MOVING_EVERY_MS;
  return rows.some(({ shared, state }) => shared && state === 'review') ? REVIEWED_EVERY_MS : false;
}

/** One page of batches, newest first: loaded at every visit, and where changes are not told, asked again. */
export function batchesQuery(query: BatchesFilter) {
  return queryOptions({
    queryKey: ['batches', 'list', query],
    queryFn: ({ signal }) => callList('batches.list', { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => listEveryMs(state.data?.rows ?? []),
  });
}

/** A file that its password has opened is read by itself. */
const isReadingFile = ({ batch, files }: BatchDetails) =>
  batch.fault === null && batch.state !== 'adding' && files.some(({ state }) => state === 'waiting');

const everyMs = (details: BatchDetails | undefined) => {
  if (details === undefined || !isUntold(details.batch) || details.batch.state === 'discarded') return false;
  return isMoving(details.batch) || isReadingFile(details) ? MOVING_EVERY_MS : REVIEWED_EVERY_MS;
};

export function batchQuery(id: number) {
  return queryOptions({
    queryKey: ['batches', 'one', id],
    queryFn: ({ signal }) => call('batches.get', { params: { id } }, { signal }),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => everyMs(state.data),
  });
}

/** So many are decided at once: others wait no longer than for these. */
const DECIDED_AT_ONCE = 500;

/** All documents of a batch, one page after the other; from the beginning again where some were split or joined meanwhile. */
async function allDocuments(id: number, signal: AbortSignal): Promise<ListPage<DocumentRow>> {
  const rows: DocumentRow[] = [];
  for (let total: number | null = null; ; ) {
    const query = { limit: DOCUMENTS_LISTED_MAX, offset: rows.length };
    const page = await callList('batches.documents', { params: { id }, query }, { signal });
    if (total !== null && page.total !== total) {
      rows.length = 0;
      total = null;
      continue;
    }
    total = page.total;
    rows.push(...page.rows);
    if (rows.length >= total || page.rows.length === 0) return { rows, total, more: false };
  }
}

/** The documents of a batch: asked again as often as the batch itself. */
export function documentsQuery(id: number) {
  return queryOptions({
    queryKey: ['batches', 'documents', id],
    queryFn: ({ signal }) => allDocuments(id, signal),
    refetchOnMount: 'always',
    refetchInterval: () => everyMs(queryClient.getQueryData<BatchDetails>(['batches', 'one', id])),
  });
}

/** Who opened what was released, newest first: loaded each time. */
export function accessesQuery(id: number) {
  return queryOptions({
    queryKey: ['batches', 'accesses', id],
    queryFn: ({ signal }) => callList('batches.accesses', { params: { id } }, { signal }),
    staleTime: 0,
  });
}

/** An own empty batch that a lost answer has left behind is filled, and no second one made beside it. */
export const createBatch = createdOnce((name: string) => call('batches.create', { body: { name } }), {
  keyOf: (name) => name,
  found: async (name) => {
    const { rows } = await callList('batches.list', { query: { state: 'adding' } });
    return rows.find((row) => row.name === name && !row.shared && row.files + row.leftOut === 0);
  },
  refresh: () => refresh('batches'),
});

export async function readBatch(id: number): Promise<void> {
  await call('batches.read', { params: { id } });
  await refresh('batches');
}

/** Opens a file with its password. Nothing of the call is kept once it has ended. */
export function useUnlockFile(id: number) {
  return useMutation({
    mutationFn: (body: FilePassword) => call('batches.unlock-file', { params: { id }, body }),
    onSettled: () => refresh('batches'),
    gcTime: 0,
  });
}

const documentsKey = (id: number) => documentsQuery(id).queryKey;

/** The documents of a batch as they are kept. */
export const keptDocuments = (id: number): readonly DocumentRow[] =>
  queryClient.getQueryData<ListPage<DocumentRow>>(documentsKey(id))?.rows ?? [];

function change(id: number, changed: (document: DocumentRow) => DocumentRow): void {
  queryClient.setQueryData<ListPage<DocumentRow>>(
    documentsKey(id),
    (page) => page && { ...page, rows: page.rows.map(changed) },
  );
}

/** How many decisions are on their way, and whether something else has changed meanwhile. */
let deciding = 0;
let isOutdated = false;

/** Batches have changed: what is shown of them is read again, once no decision is on its way that the answer would not have. */
export function hearOfBatches(): void {
  isOutdated = deciding > 0;
  if (!isOutdated) void refresh('batches');
}

/** What a person says of a document, with the name of the client or type for the list. */
export type Said = Omit<DocumentDecision, 'ids' | 'version'> & {
  readonly clientName?: string;
  readonly reportTypeName?: string;
};

/** The versions of documents that somebody has looked at, by id. */
export type SeenVersions = ReadonlyMap<number, number>;

export const versionsOf = (documents: readonly DocumentRow[]): SeenVersions =>
  new Map(documents.map(({ id, version }) => [id, version]));

interface Deciding {
  /** As they were looked at: what somebody else has changed since is not decided unseen. */
  readonly seen: SeenVersions;
  /** Told which are decided, some at a time, and how they are then. */
  readonly done: (ids: readonly number[], rows: readonly DocumentRow[]) => void;
}

/** Decides on documents: what is said of them is shown at once, and their answer when it is there. */
export async function decideDocuments(
  id: number,
  ids: readonly number[],
  said: Said,
  { done, seen }: Deciding,
): Promise<void> {
  deciding += 1;
  try {
    for (let from = 0; from < ids.length; from += DECIDED_AT_ONCE) {
      const some = ids.slice(from, from + DECIDED_AT_ONCE);
      done(some, await decideNow(id, some, said, seen));
    }
  } finally {
    deciding -= 1;
    if (deciding === 0 && isOutdated) hearOfBatches();
  }
}

async function decideNow(
  id: number,
  ids: readonly number[],
  said: Said,
  seen: SeenVersions,
): Promise<readonly DocumentRow[]> {
  const { clientName, reportTypeName, ...decision } = said;
  isOutdated ||= queryClient.isFetching({ queryKey: documentsKey(id) }) > 0;
  // An answer that is on its way would show what was before.
  await queryClient.cancelQueries({ queryKey: documentsKey(id) });
  const chosen = new Set(ids);
  const versions = ids.flatMap((each) => seen.get(each) ?? []);
  const { decision: _state, remember, ...place } = decision;
  const names = {
    ...(clientName === undefined ? {} : { clientName }),
    ...(reportTypeName === undefined ? {} : { reportTypeName }),
  };
  change(id, (document) => (chosen.has(document.id) ? ({ ...document, ...place, ...names } as DocumentRow) : document));
  const rows = await call('batches.decide', {
    params: { id },
    body: { ids: [...ids], ...decision, ...(versions.length === ids.length ? { versions } : {}) },
  });
  // It is a phrase of the type or a name of the client from now on, or suggested as one.
  if (remember !== undefined) void refresh('report-types', 'clients', 'suggestions');
  const after = new Map(rows.map((row) => [row.id, row]));
  change(id, (document) => after.get(document.id) ?? document);
  void queryClient.invalidateQueries({ queryKey: batchQuery(id).queryKey });
  return rows;
}

export async function splitDocument(id: number, documentId: number, page: number): Promise<DocumentRow[]> {
  const version = keptDocuments(id).find((document) => document.id === documentId)?.version;
  const rows = await call('batches.split', { params: { id }, body: { documentId, page, version } });
  await refresh('batches');
  return rows;
}

export async function joinDocument(id: number, documentId: number): Promise<DocumentRow[]> {
  const kept = keptDocuments(id);
  const document = kept.find((each) => each.id === documentId);
  const before = kept.find((each) => each.fileId === document?.fileId && each.toPage === document.fromPage - 1);
  const rows = await call('batches.join', {
    params: { id },
    body: { documentId, version: document?.version, before: before && { id: before.id, version: before.version } },
  });
  await refresh('batches');
  return rows;
}

/** Whether what was looked at is no longer what is there. */
export const isOvertaken = (error: unknown) =>
  error instanceof ApiFault &&
  (error.code === 'gone_meanwhile' || error.code === 'document_not_open' || error.status === 404);

export const refreshBatches = () => refresh('batches');

/** What a release or a recall has changed elsewhere. */
export const refreshReleased = () => refresh('batches', 'files', 'activity', 'overview', 'trash');

/** Has documents released. `done` is told which are on their way, some at a time. */
export async function releaseDocuments(
  id: number,
  ids: readonly number[],
  done: (ids: readonly number[]) => void,
): Promise<void> {
  const { queryKey } = batchQuery(id);
  for (let from = 0; from < ids.length; from += DECIDED_AT_ONCE) {
    const some = ids.slice(from, from + DECIDED_AT_ONCE);
    const batch = await call('batches.release', { params: { id }, body: { ids: some } });
    // Seen as it is released, however soon that is over: what it came to is told by the difference.
    await queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData(queryKey, (details) => details && { ...details, batch });
    done(some);
  }
  await refresh('batches');
}

/** What a recall came to, also where it failed half way: `left` are then not recalled, and `fault` says why. */
export interface RecallOutcome extends RecallResult {
  readonly left: number;
  readonly fault: unknown;
}

export function useRecall(id: number) {
  return useMutation({
    mutationFn: async ({ ids, reason }: { ids: readonly number[] | null; reason: string }): Promise<RecallOutcome> => {
      const params = { id };
      if (ids === null) {
        return { ...(await call('batches.recall', { params, body: { reason } })), left: 0, fault: null };
      }
      const all = { recalled: 0, alreadyGone: 0, accesses: [] as RecallResult['accesses'] };
      for (let from = 0; from < ids.length; from += DECIDED_AT_ONCE) {
        const body = { reason, ids: ids.slice(from, from + DECIDED_AT_ONCE) };
        try {
          const { recalled, alreadyGone, accesses } = await call('batches.recall', { params, body });
          all.recalled += recalled;
          all.alreadyGone += alreadyGone;
          all.accesses.push(...accesses);
        } catch (fault) {
          if (from === 0) throw fault;
          return { ...all, left: ids.length - from, fault };
        }
      }
      return { ...all, left: 0, fault: null };
    },
    onSettled: refreshReleased,
  });
}

/** Saves the certificate of what was released. Throws ApiFault. */
export function useCertificate(id: number) {
  return useMutation({ mutationFn: () => downloadCertificate(id), onSuccess: () => refresh('activity') });
}

export async function discardBatch(id: number): Promise<void> {
  await call('batches.discard', { params: { id } });
  await refresh('batches');
}
