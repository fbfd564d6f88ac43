// The trash: its list, and what takes files and clients out of it.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ClientRestore, FileRestore, TrashRow } from '#contract/trash.ts';
import { type CallInput, call, callList } from '#web/lib/api.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { refreshClients, refreshOwnList } from './clients.ts';
import { inLocalDays } from './local-days.ts';
import { useMutation } from './mutation.ts';
import { type OneByOne, oneByOne } from './one-by-one.ts';
import { refresh } from './query-client.ts';

export type TrashFilter = NonNullable<CallInput<'trash.list'>['query']>;

/** One page of the trash: loaded at every visit. */
export function trashQuery(query: TrashFilter) {
  return queryOptions({
    queryKey: ['trash', 'list', query],
    queryFn: ({ signal }) => callList('trash.list', { query: inLocalDays(query) }, { signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
}

type Trashed = Pick<TrashRow, 'kind' | 'id'>;

/** Where to, and by which names, where it does not fit as it was. */
export type RestoreChoice = FileRestore & ClientRestore;

/** Answers how many reports came back with a client without their type, as far as that is for this person to know. */
async function restore({ kind, id }: Trashed, body: RestoreChoice = {}): Promise<number> {
  const params = { id };
  try {
    if (kind === 'client') return (await call('clients.restore', { params, body })).withoutType ?? 0;
    await call('files.restore', { params, body });
  } catch (error) {
    // Where somebody else was faster, what is wanted is there.
    if (!(error instanceof ApiFault && error.code === 'already_restored')) throw error;
  }
  return 0;
}

/** Restores files one after the other. Never rejects. */
export async function restoreFiles(ids: readonly number[]): Promise<OneByOne<number>> {
  const outcome = await oneByOne(
    ids,
    (id) => restore({ kind: 'file', id }),
    () => undefined,
  );
  await refresh('files', 'activity', 'overview', 'trash');
  return outcome;
}

export async function restoreClient(id: number): Promise<void> {
  await restore({ kind: 'client', id });
  await Promise.all([refreshClients(), refreshOwnList(), refresh('trash')]);
}

export function useRestore() {
  return useMutation({
    mutationFn: async ({ choice, ...row }: Trashed & { readonly choice?: RestoreChoice }) => {
      const withoutType = await restore(row, choice);
      await refreshAll([row]);
      return withoutType;
    },
    onError: () => void refresh('trash'),
  });
}

/** Clients first: a file comes back only where its client is. */
const clientsFirst = <Row extends Trashed>(rows: readonly Row[]) =>
  rows.toSorted((one, other) => Number(one.kind === 'file') - Number(other.kind === 'file'));

async function refreshAll(rows: readonly Trashed[]): Promise<void> {
  const clients = rows.some(({ kind }) => kind === 'client') ? [refreshClients(), refreshOwnList()] : [];
  await Promise.all([...clients, refresh('files', 'activity', 'overview', 'trash')]);
}

/** Restores rows of the trash, one after the other, and says how many reports came back without their type. Never rejects. */
export async function restoreMany<Row extends Trashed>(
  rows: readonly Row[],
  onStep: () => void,
): Promise<OneByOne<Row> & { readonly withoutType: number }> {
  let withoutType = 0;
  const back = async (row: Row) => {
    const count = await restore(row);
    withoutType += count;
  };
  const outcome = await oneByOne(clientsFirst(rows), back, onStep);
  await refreshAll(rows);
  return { ...outcome, withoutType };
}

/** Deletes rows of the trash for ever, one after the other. Never rejects; what is gone already is as wanted. */
export async function deleteForEver<Row extends Trashed>(
  rows: readonly Row[],
  onStep: () => void,
): Promise<OneByOne<Row>> {
  const end = async ({ kind, id }: Row) => {
    try {
      await call(kind === 'file' ? 'files.purge' : 'clients.purge', { params: { id } });
    } catch (error) {
      if (!(error instanceof ApiFault && error.status === 404)) throw error;
    }
  };
  // Files before the clients that would take them along.
  const outcome = await oneByOne(clientsFirst(rows).reverse(), end, onStep);
  await refreshAll(rows);
  return outcome;
}
