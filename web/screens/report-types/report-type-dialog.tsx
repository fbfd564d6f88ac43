// The dialog that adds or renames a report type.

import { TextInput } from '@mantine/core';
import { ReportTypeInput, type ReportTypeRow } from '#contract/report-types.ts';
import { editedRow } from '#web/data/edited-row.ts';
import { loadReportType, useCreateReportType, useUpdateReportType } from '#web/data/report-types.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { ApiFault, fieldFaultsOf, reasonOf } from '#web/lib/api-fault.ts';
import { FormDialog, SAVE_AND_ADD_ANOTHER } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { useDialogForm } from '#web/ui/use-dialog-form.ts';
import { reportTypeDone, reportTypeFailed, reportTypeHints } from './report-type-messages.ts';

const NOTHING: ReportTypeInput = { name: '' };

export function ReportTypeDialog({ opened, subject: type, close }: Dialog<ReportTypeRow>) {
  const creation = useCreateReportType();
  const change = useUpdateReportType();
  const { form, dirty, submit, restart, conflict } = useDialogForm<ReportTypeInput>({
    opened,
    values: type === null ? NOTHING : { name: type.name },
    schema: ReportTypeInput,
    edited: editedRow(
      type,
      ({ id }) => loadReportType(id),
      ({ name }) => ({ name }),
    ),
  });

  const save = (then: () => void) => async (values: ReportTypeInput, ifMatch?: string) => {
    const body = ReportTypeInput.parse(values);
    if (type === null) await creation.mutateAsync(body);
    else await change.mutateAsync({ id: type.id, ifMatch, ...body });
    toast.success(type === null ? reportTypeDone.reportTypeAdded : reportTypeDone.reportTypeUpdated);
    then();
  };

  const refused = (error: unknown) => {
    toastFault(error, type === null ? reportTypeFailed.addReportType : reportTypeFailed.updateReportType);
    const taken = error instanceof ApiFault && error.code === 'report_type_name_taken';
    return taken ? { name: reasonOf(error) } : fieldFaultsOf(error);
  };

  const { name } = form.values;
  const blank = name.trim() === '';

  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={type === null ? 'Add Report Type' : 'Edit Report Type'}
      dirty={dirty}
      busy={creation.isPending || change.isPending}
      conflict={conflict}
      onSubmit={submit(save(close), refused)}
      another={
        type === null
          ? {
              label: SAVE_AND_ADD_ANOTHER,
              go: submit(
                save(() => restart(NOTHING)),
                refused,
              ),
            }
          : undefined
      }
      submitLabel={type === null ? 'Add' : 'Update'}
      busyLabel={type === null ? 'Adding...' : 'Updating...'}
      canSubmit={!blank}
      size="md"
    >
      <TextInput
        label="Report Type Name"
        description={type === null ? undefined : reportTypeHints.rename}
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
