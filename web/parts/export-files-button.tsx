// Saving the whole list of files that a screen shows, with its filters and its order, as CSV.
import { IconTableExport } from '@tabler/icons-react';
import { type FilesFilter, useExportFiles } from '#web/data/files.ts';
import { ApiFault, reasonOf } from '#web/lib/api.ts';
import { failed } from '#web/lib/messages.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { toast } from '#web/ui/toast.tsx';

export interface ExportFilesButtonProps {
  /** The query of the list; its page does not matter. */
  query: FilesFilter;
}

export function ExportFilesButton({ query }: ExportFilesButtonProps) {
  const exporting = useExportFiles();
  const { limit: _limit, offset: _offset, ...whole } = query;
  return (
    <BusyButton
      variant="default"
      size="xs"
      leftSection={<IconTableExport size={15} aria-hidden />}
      busy={exporting.isPending}
      onClick={() =>
        exporting.mutate(whole, {
          onError: (error) =>
            toast.error(
              error instanceof ApiFault && error.status === 401
                ? failed.authentication
                : failed.exportFiles(reasonOf(error)),
            ),
        })
      }
    >
      {exporting.isPending ? 'Exporting...' : 'Export CSV'}
    </BusyButton>
  );
}
