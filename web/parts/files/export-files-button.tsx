// Saving a list of files as CSV: the whole list that a screen shows, with its filters and its order, or the ticked files.
import { IconTableExport } from '@tabler/icons-react';
import { type FilesFilter, useExportFiles } from '#web/data/files.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { failed } from '#web/lib/messages.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';

export interface ExportFilesButtonProps {
  /** The query of the list, whose page does not matter, or ids of files, separated by commas. */
  query: FilesFilter | { readonly ids: string };
  disabled?: boolean;
  /** Why it is off. */
  refused?: string | undefined;
}

export function ExportFilesButton({ query, disabled = false, refused }: ExportFilesButtonProps) {
  const exporting = useExportFiles();
  const { limit: _limit, offset: _offset, ...whole } = { limit: undefined, offset: undefined, ...query };
  return (
    <BusyButton
      variant="default"
      size="xs"
      leftSection={<IconTableExport size={15} aria-hidden />}
      busy={exporting.isPending}
      disabled={disabled || refused !== undefined}
      title={refused}
      onClick={() =>
        exporting.mutate(whole, {
          onError: (error) =>
            toastFault(
              error,
              error instanceof ApiFault && error.status === 401 ? failed.authentication : failed.exportFiles,
            ),
        })
      }
    >
      {exporting.isPending ? 'Exporting...' : 'Export CSV'}
    </BusyButton>
  );
}
