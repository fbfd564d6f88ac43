// Holds: those on a file or client, and what puts and lifts them.
import { queryOptions } from '@tanstack/react-query';
import type { HoldKind } from '#contract/hold-words.ts';
import { call, callList } from '#web/lib/api.ts';
import { useMutation } from './mutation.ts';
import { type OneByOne, oneByOne } from './one-by-one.ts';
import { refresh } from './query-client.ts';

/** Holds in force on a file and its client, or on a client. Staff alone may ask. */
export function holdsQuery(on: { readonly fileId: number } | { readonly clientId: number }) {
  const query = { ...on, inForce: 'true' } as const;
  return queryOptions({
    queryKey: ['files', 'holds', query],
    queryFn: async ({ signal }) => (await callList('holds.list', { query }, { signal })).rows,
    staleTime: 0,
  });
}

const refreshHeld = () => refresh('files', 'clients', 'activity', 'overview', 'trash');

export interface ToHold {
  readonly kind: HoldKind;
  readonly id: number;
  readonly originalName: string;
}

/** Puts each on hold for one reason, one after the other. Never rejects. */
export function usePlaceHolds() {
  return useMutation({
    mutationFn: ({ items, reason }: { items: readonly ToHold[]; reason: string }): Promise<OneByOne<ToHold>> =>
      oneByOne(
        items,
        ({ kind, id }) => call('holds.place', { body: { kind, id, reason } }),
        () => undefined,
      ),
    onSettled: refreshHeld,
  });
}

/** Lifts the hold on the file or client itself; false where it is kept by that on another. */
export function useLiftHoldOn() {
  return useMutation({
    mutationFn: async ({ kind, id }: Omit<ToHold, 'originalName'>): Promise<boolean> => {
      const query = { ...(kind === 'file' ? { fileId: id } : { clientId: id }), inForce: 'true' } as const;
      const { rows } = await callList('holds.list', { query });
      const own = rows.find((hold) => hold.kind === kind && hold.itemId === id);
      if (own === undefined) return false;
      await call('holds.lift', { params: { id: own.id } });
      return true;
    },
    onSettled: refreshHeld,
  });
}

export function useLiftHold() {
  return useMutation({
    mutationFn: (id: number) => call('holds.lift', { params: { id } }),
    onSettled: refreshHeld,
  });
}
