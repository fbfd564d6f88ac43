// Saves the log that the filters show, all its pages, as CSV.

import { IconTableExport } from '@tabler/icons-react';
import { type ActivityFilter, useExportActivity } from '#web/data/activity.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { activityFailed } from './activity-messages.ts';

export interface ExportButtonProps {
  /** The query of the list; its page does not matter. */
  query: ActivityFilter;
  disabled: boolean;
}

export function ExportButton({ query, disabled }: ExportButtonProps) {
  const exporting = useExportActivity();
  const { limit: _limit, offset: _offset, ...whole } = query;
  return (
    <BusyButton
      variant="default"
      leftSection={<IconTableExport size={16} aria-hidden />}
      busy={exporting.isPending}
      disabled={disabled}
      onClick={() => exporting.mutate(whole, { onError: (error) => toastFault(error, activityFailed.exportActivity) })}
    >
      {exporting.isPending ? 'Exporting...' : 'Export CSV'}
    </BusyButton>
  );
}
