// The dialog that adds a report type.

import { TextInput } from '@mantine/core';
import { ReportTypeInput } from '#contract/report-types.ts';
import { useCreateReportType } from '#web/data/report-types.ts';
import { ApiFault, fieldFaultsOf, reasonOf } from '#web/lib/api.ts';
import { toastFault } from '#web/lib/toast-fault.ts';
import { FormDialog, SAVE_AND_ADD_ANOTHER } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { useDialogForm } from '#web/ui/use-dialog-form.ts';
import { reportTypeDone, reportTypeFailed } from './report-type-messages.ts';

const NOTHING: ReportTypeInput = { name: '' };

export function ReportTypeDialog({ opened, close }: Pick<Dialog<never>, 'opened' | 'close'>) {
  const creation = useCreateReportType();
  const { form, dirty, submit, restart } = useDialogForm<ReportTypeInput>({
    opened,
    values: NOTHING,
    schema: ReportTypeInput,
  });

  const save = (then: () => void) => async (values: ReportTypeInput) => {
    await creation.mutateAsync(ReportTypeInput.parse(values));
    toast.success(reportTypeDone.reportTypeAdded);
    then();
  };

  const refused = (error: unknown) => {
    toastFault(error, reportTypeFailed.addReportType);
    const taken = error instanceof ApiFault && error.code === 'report_type_name_taken';
    return taken ? { name: reasonOf(error) } : fieldFaultsOf(error);
  };

  const { name } = form.values;
  const blank = name.trim() === '';

  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title="Add Report Type"
      dirty={dirty}
      busy={creation.isPending}
      onSubmit={submit(save(close), refused)}
      another={{
        label: SAVE_AND_ADD_ANOTHER,
        go: submit(
          save(() => restart(NOTHING)),
          refused,
        ),
      }}
      submitLabel="Add"
      busyLabel="Adding..."
      canSubmit={!blank}
      size="md"
    >
      <TextInput
        label="Report Type Name"
        placeholder="Payroll Journals"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
        // Spaces alone look like a name: the message says why the button stays off.
        error={form.errors.name ?? (blank && name !== '' ? reportTypeFailed.reportTypeNameEmpty : undefined)}
      />
    </FormDialog>
  );
}
