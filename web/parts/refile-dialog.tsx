// The dialog that files a file elsewhere: under another client, kind or type.
import { Text } from '@mantine/core';
import { type FileRow, RefileInput } from '#contract/files.ts';
import { may } from '#contract/policy.ts';
import { useRefileFile } from '#web/data/files.ts';
import { fieldFaultsOf, reasonOf } from '#web/lib/api.ts';
import { done, failed } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useDialogForm } from '#web/ui/use-dialog-form.ts';
import { ClientSelect } from './client-select.tsx';
import { type FileKind, FileKindFields } from './file-kind-fields.tsx';
import { refilableTypes } from './refile-types.ts';

interface Values extends FileKind, Record<string, unknown> {
  clientId: number | null;
}

export interface RefileDialogProps {
  opened: boolean;
  file: FileRow;
  onClose: () => void;
}

export function RefileDialog({ opened, file, onClose }: RefileDialogProps) {
  const user = useSessionUser();
  const refiling = useRefileFile();
  const { clientId, fileType, reportTypeId, documentType } = file;
  const { form, dirty, submit } = useDialogForm<Values>({
    opened,
    values: { clientId, fileType, reportTypeId, documentType },
    schema: RefileInput,
  });
  const { values } = form;
  const mayRefile = (kind: FileKind) =>
    may(user, 'files.refile', {
      from: file,
      to: {
        fileType: kind.fileType,
        clientReached: values.clientId !== null,
        reportTypeReached: kind.reportTypeId === null ? null : true,
      },
    });

  const save = async (place: Values) => {
    await refiling.mutateAsync({ id: file.id, ...RefileInput.parse(place) });
    toast.success(done.fileRefiled);
    onClose();
  };

  const refused = (error: unknown) => {
    toast.error(failed.refileFile(reasonOf(error)));
    return fieldFaultsOf(error);
  };

  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Re-file"
      dirty={dirty}
      busy={refiling.isPending}
      onSubmit={submit(save, refused)}
      submitLabel="Re-file"
      busyLabel="Saving..."
      canSubmit={dirty && mayRefile(values)}
    >
      <Text style={{ overflowWrap: 'anywhere' }}>
        <Breakable text={file.originalName} />
      </Text>
      <ClientSelect
        label="Client Name"
        placeholder="Select Client Name"
        value={values.clientId}
        onChange={(id) => form.setValues({ clientId: id })}
        error={form.errors.clientId}
        disabled={refiling.isPending}
        data-autofocus
      />
      <FileKindFields
        fileTypes={refilableTypes(user, file)}
        value={values}
        onChange={(kind) => form.setValues({ ...kind })}
        untyped={mayRefile({ fileType: 'report', reportTypeId: null, documentType: null })}
        errors={form.errors}
        disabled={refiling.isPending}
      />
    </FormDialog>
  );
}
