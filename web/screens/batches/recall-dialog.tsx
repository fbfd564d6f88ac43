// Taking released documents from everybody: asks for a reason, and then says who had opened what.

import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type DocumentRow, RecallRequest } from '#contract/batches.ts';
import { counted } from '#contract/plain-words.ts';
import { type RecallOutcome, useRecall } from '#web/data/batches.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { fieldFaultsOf } from '#web/lib/api-fault.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { useDialogForm } from '#web/ui/use-dialog-form.ts';
import { Accesses } from './access-list.tsx';
import { batchFailed, recallWords } from './batch-messages.ts';
import type { Recallable } from './document-groups.ts';
import classes from './review.module.css';

/** Those that are free are recalled unless one is the subject. */
export interface Recalled extends Recallable {
  readonly batchId: number;
  /** How many are released in a moment, which nothing recalls before. */
  readonly releasing: number;
}

export function RecallDialog({
  batchId,
  released,
  freeIds,
  held,
  closed,
  releasing,
  opened,
  subject,
  close,
}: Dialog<DocumentRow> & Recalled) {
  const recalling = useRecall(batchId);
  const [result, setResult] = useState<RecallOutcome | null>(null);
  const leavesSome = subject === null && freeIds.length < released;
  const count = subject === null ? freeIds.length : 1;
  const { form, dirty, submit } = useDialogForm<{ reason: string }>({
    opened,
    values: { reason: '' },
    schema: RecallRequest,
  });
  const send = async ({ reason }: { reason: string }) => {
    // All without naming them, unless some stay: nothing that is released meanwhile is left behind.
    const ids = subject === null ? (leavesSome ? freeIds : null) : [subject.id];
    const answer = await recalling.mutateAsync({ ids, reason: RecallRequest.parse({ reason }).reason });
    close();
    setResult(answer);
    if (answer.left > 0) toastFault(answer.fault, (why) => batchFailed.recallRest(answer.left, why));
  };
  const refused = (error: unknown) => {
    toastFault(error, batchFailed.recallBatch);
    return fieldFaultsOf(error);
  };
  return (
    <>
      <FormDialog
        opened={opened}
        onClose={close}
        title={
          subject === null
            ? `Recall ${counted(count === 0 ? released : count, 'document')}?`
            : `Recall ${subject.name}?`
        }
        dirty={dirty}
        busy={recalling.isPending}
        onSubmit={submit(send, refused)}
        submitLabel="Recall"
        busyLabel="Recalling..."
        destructive
        warning={[
          ...(leavesSome ? [recallWords.stays({ held, closed, of: released })] : []),
          ...(subject === null && releasing > 0 ? [recallWords.releasing(releasing)] : []),
          ...(count === 0 ? [] : [recallWords.warning]),
        ].join(' ')}
        canSubmit={count > 0}
      >
        <TextInput
          label="Why"
          required
          data-path="reason"
          data-autofocus
          value={form.values.reason}
          onChange={(event) => form.setValues({ reason: event.currentTarget.value })}
          error={form.errors.reason}
          disabled={recalling.isPending}
        />
      </FormDialog>
      <Modal
        opened={result !== null}
        onClose={() => setResult(null)}
        title="Recalled"
        size="lg"
        styles={{ title: { fontWeight: 600 } }}
      >
        {result === null ? null : (
          <Stack gap="md">
            <Text>
              {counted(result.recalled, 'document')} taken from everybody.
              {result.alreadyGone > 0
                ? ` ${counted(result.alreadyGone, 'document')} had been deleted or replaced before.`
                : ''}
            </Text>
            {result.left > 0 ? <Text>{recallWords.left(result.left)}</Text> : null}
            <section aria-label="Who had opened what">
              <p className={classes.whyTitle}>Who had opened what</p>
              <Accesses rows={result.accesses} named several={result.recalled + result.alreadyGone > 1} />
            </section>
            <Group justify="flex-end">
              <Button onClick={() => setResult(null)}>Close</Button>
            </Group>
          </Stack>
        )}
      </Modal>
    </>
  );
}
