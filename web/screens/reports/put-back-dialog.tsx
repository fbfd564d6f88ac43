// The dialog that puts an earlier version back: it asks what becomes of the file that is there now.
import { Radio, Stack, Text } from '@mantine/core';
import { useLayoutEffect, useState } from 'react';
import type { FileVersion } from '#contract/file-versions.ts';
import type { FileRow } from '#contract/files.ts';
import { may } from '#contract/policy.ts';
import type { NewerFileFate } from '#contract/trash.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { usePutBackVersion } from '#web/data/versions.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { putBackWords } from '#web/lib/version-messages.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { rescueFocus } from '#web/ui/rescue-focus.ts';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';

export interface ToBePutBack {
  readonly version: FileVersion;
  /** The newest file. */
  readonly file: FileRow;
  /** Called with true before the newest goes to the trash, and with false where that failed. */
  readonly onTrashing: (isTrashing: boolean) => void;
  /** Called with what is in its place. */
  readonly onTrashed: (id: number) => void;
}

export function PutBackDialog({ opened, subject, close }: Dialog<ToBePutBack>) {
  const user = useSessionUser();
  const putting = usePutBackVersion();
  const [fate, setFate] = useState<NewerFileFate>('keep');
  useLayoutEffect(() => {
    if (opened) setFate('keep');
  }, [opened]);
  if (subject === null) return null;
  const { version, file, onTrashing, onTrashed } = subject;
  const fates = (['keep', 'trash'] as const).filter((each) => each === 'keep' || may(user, 'files.delete', file));
  const putBack = async () => {
    if (fate === 'trash') onTrashing(true);
    try {
      await putting.mutateAsync({ id: version.id, newer: fate });
      toast.success(putBackWords.done);
      close();
      if (fate === 'trash') onTrashed(version.id);
      // The pressed button goes with its row.
      rescueFocus();
    } catch (error) {
      onTrashing(false);
      toastFault(error, putBackWords.failed);
    }
  };
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={putBackWords.title(version.originalName)}
      dirty={false}
      busy={putting.isPending}
      onSubmit={(event) => {
        event.preventDefault();
        void putBack();
      }}
      submitLabel={putBackWords.label}
      busyLabel={putBackWords.busyLabel}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        Replaced by <Breakable text={file.originalName} />
      </Text>
      <Radio.Group
        label={putBackWords.newer}
        value={fate}
        onChange={(value) => setFate(fates.find((each) => each === value) ?? 'keep')}
      >
        <Stack gap="xs" mt="xs">
          {fates.map((each) => (
            <Radio
              key={each}
              value={each}
              label={putBackWords[each].label}
              description={putBackWords[each].hint}
              disabled={putting.isPending}
            />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}
