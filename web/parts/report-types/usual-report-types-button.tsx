// Adds the usual report types in one click, without those that exist.
import { counted } from '#contract/plain-words.ts';
import { USUAL_REPORT_TYPES } from '#contract/usual-report-types.ts';
import { useAddUsualReportTypes } from '#web/data/report-types.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { done, failed } from '#web/lib/messages.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { toast } from '#web/ui/toast.tsx';

export function UsualReportTypesButton() {
  const addition = useAddUsualReportTypes();
  const add = async () => {
    try {
      const { created } = await addition.mutateAsync();
      // Somebody else may have added them meanwhile.
      toast.success(
        created === 0 ? done.usualReportTypesThere : done.usualReportTypesAdded(counted(created, 'report type')),
      );
    } catch (error) {
      toastFault(error, failed.addUsualReportTypes);
    }
  };
  return (
    <BusyButton variant="default" size="xs" busy={addition.isPending} onClick={() => void add()}>
      Add the {USUAL_REPORT_TYPES.length} usual report types
    </BusyButton>
  );
}
