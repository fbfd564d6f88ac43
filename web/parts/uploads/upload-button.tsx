// The button that opens an upload dialog, and the window around it as a drop zone; both load when needed.

import { Button } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { type ComponentType, useState } from 'react';
import { flushSync } from 'react-dom';
import type { FileType } from '#contract/file-kinds.ts';
import { failed } from '#web/lib/messages.ts';
import { toast } from '#web/ui/toast.tsx';
import { useAddressRequest } from '#web/ui/use-address-request.ts';
import { useDraggedFiles } from '#web/ui/use-dragged-files.ts';
import { setUploadPanel, showUploadDetails } from './background-upload.ts';
import type { UploadDialogProps } from './upload-dialog.tsx';
import type { UploadStart } from './upload-form.ts';

export interface UploadButtonProps {
  label: string;
  /** Of the dialog. */
  title: string;
  fileTypes: readonly FileType[];
  start: UploadStart;
  /** Whether the dialog's Add File takes several files at a time. */
  several: boolean;
  /** Where it is not what the page is for. */
  variant?: 'default';
}

const load = async () => {
  const { uploadParts } = await import('./upload-parts.ts');
  // Ready before anything can be left to it.
  setUploadPanel(uploadParts.UploadPanel);
  return uploadParts;
};

export function UploadButton({ label, title, fileTypes, start, several, variant }: UploadButtonProps) {
  const [Dialog, setDialog] = useState<ComponentType<UploadDialogProps> | null>(null);
  const [opened, setOpened] = useState(false);

  /** A failed load is reported when the dialog is opened, not when the pointer passes. */
  const preload = () =>
    void load().then(
      ({ UploadDialog }) => setDialog(() => UploadDialog),
      () => undefined,
    );

  const open = async (files: File[] = []) => {
    try {
      const { UploadDialog, addUploads } = await load();
      // There is one list: what goes on in the background is shown again.
      if (showUploadDetails()) {
        addUploads(files);
        return;
      }
      // First there, then opened: a dialog that is born open does not know whom to give the focus back to.
      flushSync(() => setDialog(() => UploadDialog));
      setOpened(true);
      if (files.length > 0) addUploads(files);
    } catch {
      toast.error(failed.loadPart);
    }
  };

  useAddressRequest('upload', () => void open());

  const dragged = useDraggedFiles({
    onEnter: preload,
    onDropElsewhere: (files) => void open(files),
    // A question that waits for its answer is not covered by another dialog.
    accepts: () => opened || document.querySelector('[aria-modal="true"]') === null,
  });

  return (
    <>
      <Button
        {...(variant === undefined ? {} : { variant })}
        leftSection={<IconUpload size={16} aria-hidden />}
        onClick={() => void open()}
        onPointerEnter={preload}
        onFocus={preload}
      >
        {label}
      </Button>
      {Dialog ? (
        <Dialog
          opened={opened}
          onClose={() => setOpened(false)}
          title={title}
          fileTypes={fileTypes}
          start={start}
          several={several}
          dragged={dragged}
          onDrop={(files) => void open(files)}
        />
      ) : null}
    </>
  );
}
