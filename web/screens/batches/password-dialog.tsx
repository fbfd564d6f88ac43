// The password of a locked file of a batch: asked for, tried, and not kept here either.
import { PasswordInput, Text } from '@mantine/core';
import { type BatchFileRow, FilePassword } from '#contract/batches.ts';
import { useUnlockFile } from '#web/data/batches.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { fieldFaultsOf } from '#web/lib/api-fault.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { useDialogForm } from '#web/ui/use-dialog-form.ts';
import { batchFailed, lockedWords } from './batch-messages.ts';

export interface PasswordAsked {
  readonly batchId: number;
  /** What opened the dialog is gone by then. */
  readonly onUnlocked: () => void;
}

export function PasswordDialog({ batchId, onUnlocked, opened, subject, close }: Dialog<BatchFileRow> & PasswordAsked) {
  const unlocking = useUnlockFile(batchId);
  const { form, submit } = useDialogForm<{ password: string }>({
    opened,
    values: { password: '' },
    schema: FilePassword.pick({ password: true }),
  });
  const send = async ({ password }: { password: string }) => {
    if (subject === null) return;
    await unlocking.mutateAsync({ fileId: subject.id, password });
    form.setValues({ password: '' });
    unlocking.reset();
    close();
    toast.success(lockedWords.opened);
    onUnlocked();
  };
  const refused = (error: unknown) => {
    unlocking.reset();
    const faults = fieldFaultsOf(error);
    if (faults.password === undefined) toastFault(error, batchFailed.unlockFile);
    return faults;
  };
  return (
    <FormDialog
      opened={opened}
      onClose={() => {
        form.setValues({ password: '' });
        close();
      }}
      title="Enter password"
      size="sm"
      dirty={false}
      busy={unlocking.isPending}
      onSubmit={submit(send, refused)}
      submitLabel="Open"
      busyLabel="Opening..."
    >
      <Text size="sm">
        <Breakable text={subject?.name ?? ''} />
      </Text>
      <PasswordInput
        label="Password of the file"
        description={lockedWords.hint}
        // Neither a password of the portal nor one to be offered next time.
        autoComplete="off"
        data-1p-ignore
        data-lpignore="true"
        data-path="password"
        data-autofocus
        {...form.getInputProps('password')}
        disabled={unlocking.isPending}
      />
    </FormDialog>
  );
}
