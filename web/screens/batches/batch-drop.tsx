// Files that are dropped anywhere on a page of batches, or chosen with a button.
import { Button, FileButton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ComponentType, lazy, type ReactNode, Suspense, useRef } from 'react';
import type { UploadDropProps } from '#web/parts/upload-drop.tsx';
import { useDraggedFiles } from '#web/ui/use-dragged-files.ts';

/** Without it, files are chosen by the button. */
const UploadDrop = lazy(async (): Promise<{ default: ComponentType<UploadDropProps> }> => {
  const { UploadDrop: loaded } = await import('#web/parts/upload-drop.tsx').catch(() => ({ UploadDrop: () => null }));
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

export interface FilesButtonProps {
  children: ReactNode;
  onFiles: (files: File[]) => void;
  variant?: 'default' | 'filled';
  busy?: boolean;
}

export function FilesButton({ children, onFiles, variant = 'filled', busy = false }: FilesButtonProps) {
  const forgetChoice = useRef<() => void>(null);
  return (
    <FileButton
      multiple
      resetRef={forgetChoice}
      inputProps={{ 'aria-hidden': true }}
      onChange={(files) => {
        // The same files can be chosen again.
        forgetChoice.current?.();
        if (files.length > 0) onFiles(files);
      }}
    >
      {({ onClick }) => (
        <Button
          variant={variant}
          leftSection={<IconPlus size={16} aria-hidden />}
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
