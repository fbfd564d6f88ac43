// The two dialogs about one item: the client says that it does not apply, or staff send it back.
import { Text, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { NotApplying, type RequestItem, SendingBack } from '#contract/requests.ts';
import { editedRow } from '#web/data/edited-row.ts';
import { queryClient } from '#web/data/query-client.ts';
import { answerFault, staffFault } from '#web/data/request-faults.ts';
import { requestQuery, useDecide, useSayNot } from '#web/data/requests.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { ApiFault, fieldFaultsOf } from '#web/lib/api-fault.ts';
import { requestDone, requestFailed } from '#web/lib/request-messages.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { useDialogForm } from '#web/ui/use-dialog-form.ts';

export type ItemOfRequest = RequestItem & { readonly requestId: number };

async function loadItem(before: ItemOfRequest): Promise<ItemOfRequest> {
  const { items } = await queryClient.fetchQuery({ ...requestQuery(before.requestId), staleTime: 0 });
  return { ...before, ...items.find(({ id }) => id === before.id) };
}

/** What no second try mends, such as a closed request, stays below what was typed; a toast goes. */
const faultsAt = (field: string, fault: unknown) =>
  fault instanceof ApiFault && [404, 409].includes(fault.status) ? { [field]: fault.message } : fieldFaultsOf(fault);

export function SayNotDialog({ opened, close, subject }: Dialog<ItemOfRequest>) {
  const saying = useSayNot();
  const note = useRef('');
  const { form, dirty, submit, conflict } = useDialogForm<NotApplying>({
    opened,
    values: { note: '' },
    schema: NotApplying,
    // Where a colleague has answered meanwhile, what was typed stays.
    edited: editedRow(subject, loadItem, () => ({ note: note.current })),
  });
  note.current = form.values.note;
  const send = async (values: NotApplying, ifMatch?: string) => {
    if (subject === null) return;
    const said = NotApplying.parse(values).note;
    await saying.mutateAsync({ id: subject.id, version: ifMatch ?? subject.version, note: said });
    toast.success(requestDone.saidNot);
    close();
  };
  const refused = (error: unknown) => {
    const fault = answerFault(error);
    toastFault(fault, requestFailed.sayNot);
    return faultsAt('note', fault);
  };
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={`${subject?.name ?? ''} does not apply`}
      dirty={dirty}
      conflict={conflict}
      busy={saying.isPending}
      onSubmit={submit(send, refused)}
      submitLabel="Tell my firm"
      busyLabel="Telling..."
      size="md"
    >
      <Text>Your firm reads it and accepts it, or asks again.</Text>
      <TextInput
        label="Why (optional)"
        placeholder="We have no such account"
        autoComplete="off"
        aria-required={false}
        data-autofocus
        {...form.getInputProps('note')}
      />
    </FormDialog>
  );
}

export function SendBackDialog({ opened, close, subject }: Dialog<ItemOfRequest>) {
  const decide = useDecide();
  const reason = useRef('');
  const { form, dirty, submit, conflict } = useDialogForm<SendingBack>({
    opened,
    values: { reason: '' },
    schema: SendingBack,
    // Where the client has sent more meanwhile, what was typed stays.
    edited: editedRow(subject, loadItem, () => ({ reason: reason.current })),
  });
  reason.current = form.values.reason;
  const send = async (values: SendingBack, ifMatch?: string) => {
    if (subject === null) return;
    const decision = { decision: 'sendBack', ...SendingBack.parse(values) } as const;
    await decide.mutateAsync({ id: subject.id, version: ifMatch ?? subject.version, decision });
    toast.success(requestDone.sentBack);
    close();
  };
  const refused = (error: unknown) => {
    const fault = staffFault(error);
    toastFault(fault, requestFailed.sendBack);
    return faultsAt('reason', fault);
  };
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={`Send back ${subject?.name ?? ''}`}
      dirty={dirty}
      conflict={conflict}
      busy={decide.isPending}
      onSubmit={submit(send, refused)}
      submitLabel="Send back"
      busyLabel="Sending back..."
      size="md"
    >
      <Text>The client sees the reason and sends the item again. What was sent stays.</Text>
      <TextInput
        label="What is wrong"
        placeholder="The second page is missing"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </FormDialog>
  );
}
