// Saves the certificate of what was released from a batch.
import { IconCertificate } from '@tabler/icons-react';
import { useCertificate } from '#web/data/batches.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { batchFailed } from './batch-messages.ts';

export function CertificateButton({ batchId }: { batchId: number }) {
  const saving = useCertificate(batchId);
  return (
    <BusyButton
      variant="default"
      leftSection={<IconCertificate size={16} aria-hidden />}
      busy={saving.isPending}
      onClick={() => saving.mutate(undefined, { onError: (error) => toastFault(error, batchFailed.certificate) })}
    >
      {saving.isPending ? 'Saving...' : 'Certificate'}
    </BusyButton>
  );
}
