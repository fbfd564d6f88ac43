// The button that saves a ZIP that was prepared.
import { IconDownload } from '@tabler/icons-react';
import { useDownloadPrepared } from '#web/data/archive-acts.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { failed } from '#web/lib/messages.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';

export function SaveZip({ id, name }: { id: number; name: string }) {
  const download = useDownloadPrepared();
  return (
    <BusyButton
      variant="default"
      size="xs"
      leftSection={<IconDownload size={15} aria-hidden />}
      busy={download.isPending}
      onClick={() => download.mutate({ id, name }, { onError: (fault) => toastFault(fault, failed.downloadFile) })}
      aria-label={`Download ${name}`}
    >
      Download
    </BusyButton>
  );
}
