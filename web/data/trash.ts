// The trash: its list, and what takes files and clients out of it.
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import type { TrashRow } from '#contract/trash.ts';
import { ApiFault, type CallInput, call, callList } from '#web/lib/api.ts';
import { refreshClients, refreshOwnList } from './clients.ts';
import { refresh } from './query-client.ts';

export type TrashFilter = NonNullable<CallInput<'trash.list'>['query']>;

/** One page of the trash: loaded at every visit. */
export function trashQuery(query: TrashFilter) {
  return queryOptions({
    queryKey: ['trash', 'list', query],
    queryFn: ({ signal }) => callList('trash.list', { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
}

/** Somebody else was faster: what is wanted is there. */
const isThere = (error: unknown) => error instanceof ApiFault && error.code === 'already_restored';

async function unlessThere(restoring: Promise<unknown>): Promise<void> {
  try {
    await restoring;
  } catch (error) {
    if (!isThere(error)) throw error;
  }
}

/** Restores files one after the other. Throws the first fault, once the rest was tried. */
export async function restoreFiles(ids: readonly number[]): Promise<void> {
  const faults: unknown[] = [];
  for (const id of ids) {
    try {
      await unlessThere(call('files.restore', { params: { id } }));
    } catch (error) {
      faults.push(error);
    }
  }
  await refresh('files', 'activity', 'overview', 'trash');
  if (faults.length > 0) throw faults[0];
}

export async function restoreClient(id: number): Promise<void> {
  await unlessThere(call('clients.restore', { params: { id } }));
  await Promise.all([refreshClients(), refreshOwnList(), refresh('trash')]);
}

export function useRestore() {
  return useMutation({
    mutationFn: async ({ kind, id }: Pick<TrashRow, 'kind' | 'id'>) => {
      await (kind === 'file' ? restoreFiles([id]) : restoreClient(id));
    },
    onError: () => void refresh('trash'),
  });
}
