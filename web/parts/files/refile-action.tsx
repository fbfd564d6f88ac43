// Re-filing a file, as an icon in a table or as a button; the dialog loads when it is needed.
import { Button } from '@mantine/core';
import { IconFolderSymlink } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useCallback, useState } from 'react';
import { flushSync } from 'react-dom';
import type { FileRow } from '#contract/files.ts';
import { failed } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { toast } from '#web/ui/toast.tsx';
import { refilableTypes } from './refile-types.ts';
import type { RefileDialogProps } from './use-refile-form.ts';

export interface Refiling {
  open: (file: FileRow) => Promise<void>;
  /** To be drawn outside of what a re-filed file may vanish from. */
  dialog: ReactNode;
}

/** One dialog for all the files of a screen; `onRefiled` is told each that it has filed elsewhere. */
export function useRefiling(onRefiled?: (file: FileRow) => void): Refiling {
  const [Dialog, setDialog] = useState<ComponentType<RefileDialogProps> | null>(null);
  const [opened, setOpened] = useState(false);
  const [file, setFile] = useState<FileRow | null>(null);

  const open = useCallback(async (next: FileRow) => {
    try {
      const { RefileDialog } = await import('./refile-dialog.tsx');
      // First there, then opened: a dialog that is born open does not know whom to give the focus back to.
      flushSync(() => {
        setFile(next);
        setDialog(() => RefileDialog);
      });
      setOpened(true);
    } catch {
      toast.error(failed.loadPart);
    }
  }, []);

  return {
    open,
    dialog:
      Dialog && file ? (
        <Dialog opened={opened} file={file} onClose={() => setOpened(false)} onRefiled={onRefiled} />
      ) : null,
  };
}

export interface FileRefileActionProps {
  file: FileRow;
  onRefile: Refiling['open'];
}

/** Re-file as an icon button; nothing where the viewer may not. */
export function FileRefileAction({ file, onRefile }: FileRefileActionProps) {
  const user = useSessionUser();
  if (refilableTypes(user, file).length === 0) return null;
  return (
    <IconButton
      label={`Re-file ${file.originalName}`}
      tip="Re-file"
      icon={<IconFolderSymlink size={17} aria-hidden />}
      onClick={() => void onRefile(file)}
    />
  );
}

/** Re-file as a button; nothing where the viewer may not. */
export function FileRefileButton({ file, onRefile }: FileRefileActionProps) {
  const user = useSessionUser();
  if (refilableTypes(user, file).length === 0) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconFolderSymlink size={16} aria-hidden />}
      onClick={() => void onRefile(file)}
    >
      Re-file
    </Button>
  );
}
