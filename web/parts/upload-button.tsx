// The button that opens an upload dialog; the dialog and its machinery load when the button is first reached for.

import { Button } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { type ComponentType, useState } from 'react';
import { flushSync } from 'react-dom';
import type { FileType } from '#contract/files.ts';
import { failed } from '#web/lib/messages.ts';
import { toast } from '#web/ui/toast.tsx';
import type { UploadDialogProps } from './upload-dialog.tsx';
import type { UploadStart } from './upload-form.ts';

export interface UploadButtonProps {
  label: string;
  /** Of the dialog. */
  title: string;
  fileTypes: readonly FileType[];
  start: UploadStart;
}

const load = () => import('./upload-dialog.tsx');
/** A part that cannot be had is told of when it is wanted, not when the pointer passes. */
const preload = () => void load().catch(() => undefined);

export function UploadButton({ label, title, fileTypes, start }: UploadButtonProps) {
  const [Dialog, setDialog] = useState<ComponentType<UploadDialogProps> | null>(null);
  const [opened, setOpened] = useState(false);

  const open = async () => {
    try {
      const { UploadDialog } = await load();
      // First there, then opened: a dialog that is born open does not know whom to give the focus back to.
      flushSync(() => setDialog(() => UploadDialog));
      setOpened(true);
    } catch {
      toast.error(failed.loadPart);
    }
  };

  return (
    <>
      <Button
        leftSection={<IconUpload size={16} aria-hidden />}
        onClick={() => void open()}
        onPointerEnter={preload}
        onFocus={preload}
      >
        {label}
      </Button>
      {Dialog ? (
        <Dialog opened={opened} onClose={() => setOpened(false)} title={title} fileTypes={fileTypes} start={start} />
      ) : null}
    </>
  );
}
