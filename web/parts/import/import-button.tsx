// The button that opens an import; its dialog loads when it is needed.
import { Button } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { type ComponentType, useState } from 'react';
import { flushSync } from 'react-dom';
import { failed } from '#web/lib/messages.ts';
import { toast } from '#web/ui/toast.tsx';
import { useAddressRequest } from '#web/ui/use-address-request.ts';
import type { Dialog as DialogState } from '#web/ui/use-dialog.ts';

type ImportDialogLike = ComponentType<Pick<DialogState<never>, 'opened' | 'close'>>;

export interface ImportButtonProps {
  /** For screen readers: 'Import clients'. */
  label: string;
  load: () => Promise<ImportDialogLike>;
}

export function ImportButton({ label, load }: ImportButtonProps) {
  const [Dialog, setDialog] = useState<ImportDialogLike | null>(null);
  const [opened, setOpened] = useState(false);

  const open = async () => {
    try {
      const loaded = await load();
      // First there, then opened: a dialog that is born open does not know whom to give the focus back to.
      flushSync(() => setDialog(() => loaded));
      setOpened(true);
    } catch {
      toast.error(failed.loadPart);
    }
  };

  useAddressRequest('import', () => void open());

  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFileImport size={16} aria-hidden />}
        aria-label={label}
        onClick={() => void open()}
      >
        Import
      </Button>
      {Dialog ? <Dialog opened={opened} close={() => setOpened(false)} /> : null}
    </>
  );
}
