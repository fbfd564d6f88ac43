// Files that are dropped anywhere on a page of batches, or chosen with a button.
import { Button, FileButton } from '@mantine/core';
import { IconFolder, IconPlus } from '@tabler/icons-react';
import { type ComponentType, lazy, type ReactNode, Suspense, useRef } from 'react';
import type { UploadDropProps } from '#web/parts/uploads/upload-drop.tsx';
import { useDraggedFiles } from '#web/ui/use-dragged-files.ts';

/** Without it, files are chosen by the button. */
const UploadDrop = lazy(async (): Promise<{ default: ComponentType<UploadDropProps> }> => {
  const { UploadDrop: loaded } = await import('#web/parts/uploads/upload-drop.tsx').catch(() => ({
    UploadDrop: () => null,
  }));
  return { default: loaded };
});

/** The window as a drop zone; a folder comes with all its files. */
export function BatchDrop({ onFiles }: { onFiles: (files: File[]) => void }) {
  const dragged = useDraggedFiles({
    onEnter: () => undefined,
    onDropElsewhere: onFiles,
    // A question that waits for its answer has the floor.
    accepts: () => document.querySelector('[aria-modal="true"]') === null,
  });
  return (
    <Suspense>
      <UploadDrop shown={dragged} onDrop={onFiles} />
    </Suspense>
  );
}

/** Whether this browser lets somebody choose a folder; elsewhere its files are chosen. */
const CHOOSES_FOLDERS = 'webkitdirectory' in HTMLInputElement.prototype;

export interface FilesButtonProps {
  children: ReactNode;
  onFiles: (files: File[]) => void;
  variant?: 'default' | 'filled';
  busy?: boolean;
  /** A folder is chosen, with all that is in it. */
  folder?: boolean;
}

export function FilesButton({ children, onFiles, variant = 'filled', busy = false, folder = false }: FilesButtonProps) {
  const forgetChoice = useRef<() => void>(null);
  if (folder && !CHOOSES_FOLDERS) return null;
  const Icon = folder ? IconFolder : IconPlus;
  return (
    <FileButton
      multiple
      resetRef={forgetChoice}
      inputProps={{ 'aria-hidden': true, ...(folder ? { webkitdirectory: '' } : {}) }}
      onChange={(files) => {
        // The same files can be chosen again.
        forgetChoice.current?.();
        if (files.length > 0) onFiles(files);
      }}
    >
      {({ onClick }) => (
        <Button
          variant={variant}
          leftSection={<Icon size={16} aria-hidden />}
          onClick={onClick}
          aria-disabled={busy || undefined}
          data-disabled={busy}
        >
          {children}
        </Button>
      )}
    </FileButton>
  );
}
