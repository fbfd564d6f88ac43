// The two dialogs about one item: the client says that it does not apply, or staff send it back.
import { Text, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { NotApplying, type RequestItem, SendingBack } from '#contract/requests.ts';
import { editedRow } from '#web/data/edited-row.ts';
import { queryClient } from '#web/data/query-client.ts';
import { answerFault } from '#web/data/request-faults.ts';
import { requestQuery, useDecide, useSayNot } from '#web/data/requests.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { fieldFaultsOf } from '#web/lib/api-fault.ts';
import { requestDone, requestFailed } from '#web/lib/request-messages.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { useDialogForm } from '#web/ui/use-dialog-form.ts';

type ItemDialog = Dialog<RequestItem> & { requestId: number };

const loadItem = (requestId: number) => async (before: RequestItem) => {
  const { items } = await queryClient.fetchQuery({ ...requestQuery(requestId), staleTime: 0 });
  return items.find(({ id }) => id === before.id) ?? before;
};

export function SayNotDialog({ opened, close, subject, requestId }: ItemDialog) {
  const saying = useSayNot();
  const note = useRef('');
  const { form, dirty, submit, conflict } = useDialogForm<NotApplying>({
    opened,
    values: { note: '' },
    schema: NotApplying,
    // Where a colleague has answered meanwhile, what was typed stays.
    edited: editedRow(subject, loadItem(requestId), () => ({ note: note.current })),
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
    toastFault(answerFault(error), requestFailed.sayNot);
    return fieldFaultsOf(error);
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

export function SendBackDialog({ opened, close, subject, requestId }: ItemDialog) {
  const decide = useDecide();
  const reason = useRef('');
  const { form, dirty, submit, conflict } = useDialogForm<SendingBack>({
    opened,
    values: { reason: '' },
    schema: SendingBack,
    // Where the client has sent more meanwhile, what was typed stays.
    edited: editedRow(subject, loadItem(requestId), () => ({ reason: reason.current })),
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
    toastFault(error, requestFailed.sendBack);
    return fieldFaultsOf(error);
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
