// Sending a new request, or what was changed in one, and how it goes on from what is refused.
import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import type { FieldFaults } from '#contract/errors.ts';
import { RequestChange, type RequestDetails, RequestInput } from '#contract/requests.ts';
import { queryClient, refresh } from '#web/data/query-client.ts';
import { requestQuery, useAsk, useChangeRequest } from '#web/data/requests.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { ApiFault, fieldFaultsOf } from '#web/lib/api-fault.ts';
import { freshKey } from '#web/lib/api-upload.ts';
import { requestDone, requestFailed } from '#web/lib/request-messages.ts';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { type ItemLine, withoutEmptyEnd } from './request-item-fields.tsx';
import { withAnswered } from './with-answered.ts';

export interface Values extends Record<string, unknown> {
  clientIds: number[];
  title: string;
  message: string;
  dueOn: string | null;
  items: ItemLine[];
}

export type Named = { readonly id: number; readonly name: string };

const trimmed = (values: unknown) => {
  const { items, ...rest } = values as Values;
  return { ...rest, items: withoutEmptyEnd(items) };
};
export const New = z.preprocess(trimmed, RequestInput);
export const Changed = z.preprocess((values) => {
  const { clientIds: _, ...rest } = trimmed(values);
  return rest;
}, RequestChange);

/** Here, and not among the other sentences, which first pages load. */
const gone = {
  clients: (names: readonly string[]) =>
    `${new Intl.ListFormat('en-US').format(names)} ${names.length === 1 ? 'is' : 'are'} no longer there`,
  takenOff: (reason: string, others: number) =>
    `${reason}. ${others === 0 ? 'Select another client.' : 'Send the request again to ask the others.'}`,
};

/** The places among the clients asked that the server has a fault of: those are not there, or out of reach. */
const placesIn = (faults: FieldFaults): readonly number[] =>
  Object.keys(faults)
    .flatMap((path) => /^clientIds\.(\d+)$/.exec(path)?.[1] ?? [])
    .map(Number);

interface Saving extends Pick<Dialog<never>, 'opened' | 'close'> {
  /** The request that is changed; null for a new one. */
  details: RequestDetails | null;
  form: UseFormReturnType<Values>;
  /** Whom a new one is for, in the order in which they are sent. */
  clients: readonly Named[];
  setClients: (clients: readonly Named[]) => void;
}

/** What is sent again while the dialog is open, since no answer came, is made once. */
export function useRequestSaving({ details, form, clients, setClients, opened, close }: Saving) {
  const idempotencyKey = useRef('');
  /** As it was read after a refusal. */
  const [latest, setLatest] = useState<RequestDetails | null>(null);
  useEffect(() => {
    if (!opened) return;
    idempotencyKey.current = freshKey();
    setLatest(null);
  }, [opened]);
  const asking = useAsk();
  const changing = useChangeRequest();
  const save = async (values: Values, ifMatch?: string) => {
    if (details === null) {
      const body = New.parse(values);
      const { ids } = await asking.mutateAsync({ body, idempotencyKey: idempotencyKey.current });
      toast.success(requestDone.asked(ids.length));
    } else {
      await changing.mutateAsync({ id: details.request.id, body: Changed.parse(values), ifMatch });
      toast.success(requestDone.changed);
    }
    close();
  };

  /** What was answered since the dialog was opened is back in its place: without it the server refuses all the rest. */
  const putBack = async (id: number, faults: FieldFaults) => {
    const opening = idempotencyKey.current;
    const now = await queryClient.fetchQuery({ ...requestQuery(id), staleTime: 0 });
    if (opening !== idempotencyKey.current) return;
    setLatest(now);
    form.setFieldValue('items', withAnswered(form.getValues().items, now.items));
    form.setErrors(faults);
  };
  const refused = (error: unknown, isLeft: boolean): FieldFaults => {
    const faults = fieldFaultsOf(error);
    const places = placesIn(faults);
    if (places.length > 0) {
      const isGone = (_client: Named, nth: number) => places.includes(nth);
      const stay = clients.filter((client, nth) => !isGone(client, nth));
      const reason = gone.clients(clients.filter(isGone).map(({ name }) => name));
      toastFault(error, requestFailed.ask(reason));
      void refresh('clients');
      if (!isLeft) setClients(stay);
      return { clientIds: gone.takenOff(reason, stay.length) };
    }
    if (error instanceof ApiFault && error.code === 'request_closed') {
      toastFault(error, requestFailed.change(requestFailed.closed));
      // It stays in the dialog; a toast goes.
      return { items: requestFailed.closed };
    }
    toastFault(error, details === null ? requestFailed.ask : requestFailed.change);
    // Where it cannot be read, the next refusal tries again.
    if (details !== null && faults.items && !isLeft) putBack(details.request.id, faults).catch(() => undefined);
    return faults;
  };
  return { busy: asking.isPending || changing.isPending, save, refused, latest };
}
