// The dialog that puts files or a client on hold: it asks for the reason.

import { Text, TextInput } from '@mantine/core';
import { useLayoutEffect, useState } from 'react';
import { z } from 'zod';
import type { HoldKind } from '#contract/hold-words.ts';
import { HoldInput } from '#contract/holds.ts';
import { counted } from '#contract/plain-words.ts';
import { type ToHold, usePlaceHolds } from '#web/data/holds.ts';
import { holdDone, holdFailed } from '#web/lib/hold-messages.ts';
import { namesOf } from '#web/lib/names-of.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { useDialogForm } from '#web/ui/use-dialog-form.ts';

export interface ToBeHeld {
  readonly items: readonly ToHold[];
  /** What is on hold already and keeps it as well: its client, or a file of it. */
  readonly already?: HoldKind | undefined;
  /** Called with those that are on hold then, each time some are. */
  readonly onHeld?: (items: readonly ToHold[]) => void;
}

const ALREADY: Readonly<Record<HoldKind, string>> = {
  client: 'Its client is on hold already. With a hold of its own it stays on hold once that of the client is lifted.',
  file: 'A file of it is on hold already. With a hold of its own it stays on hold once that of the file is lifted.',
};

const HoldReason = z.object({ reason: HoldInput.shape.reason });

export function HoldDialog({ opened, subject, close }: Dialog<ToBeHeld>) {
  const placing = usePlaceHolds();
  const { items: asked = [], already, onHeld } = subject ?? {};
  /** Those that could not be put on hold, once others are. */
  const [left, setLeft] = useState<readonly ToHold[] | null>(null);
  useLayoutEffect(() => {
    if (opened) setLeft(null);
  }, [opened]);
  const items = left ?? asked;
  const [first] = items;
  const { form, dirty, submit } = useDialogForm<{ reason: string }>({
    opened,
    values: { reason: '' },
    schema: HoldReason,
  });
  const send = async ({ reason }: { reason: string }) => {
    const { done, failures } = await placing.mutateAsync({ items, reason: HoldReason.parse({ reason }).reason });
    if (failures.length > 0) toast.error(holdFailed.place(namesOf(failures, done.length)));
    else toast.success(holdDone.placed(done.length));
    onHeld?.(done);
    // With its reason it stays for those that are left.
    if (failures.length > 0) setLeft(failures.map(({ file }) => file));
    else close();
  };
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={
        items.length === 1
          ? `Put ${first?.originalName ?? ''} on hold${already ? ' too' : ''}?`
          : `Put ${counted(items.length, 'file')} on hold?`
      }
      dirty={dirty}
      busy={placing.isPending}
      onSubmit={submit(send, () => ({}))}
      submitLabel="Put on Hold"
      busyLabel="Putting on hold..."
    >
      {already ? <Text size="sm">{ALREADY[already]}</Text> : null}
      <Text size="sm">
        {first?.kind === 'client'
          ? 'Nobody deletes, purges or replaces the client or any of its files, those that come later too, until the hold is lifted.'
          : `Nobody deletes, purges, replaces or files ${items.length === 1 ? 'it' : 'them'} under another client until the hold is lifted.`}
      </Text>
      <TextInput
        label="Why"
        description="Staff read it, Client users do not."
        required
        data-path="reason"
        data-autofocus
        value={form.values.reason}
        onChange={(event) => form.setValues({ reason: event.currentTarget.value })}
        error={form.errors.reason}
        disabled={placing.isPending}
      />
    </FormDialog>
  );
}
