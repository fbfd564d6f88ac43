// The dialog that creates or renames a role.

import { TextInput } from '@mantine/core';
import { RoleInput, type RoleRow } from '#contract/roles.ts';
import { useCreateRole, useUpdateRole } from '#web/data/roles.ts';
import { ApiFault, fieldFaultsOf, reasonOf } from '#web/lib/api.ts';
import { done, failed } from '#web/lib/messages.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { useDialogForm } from '#web/ui/use-dialog-form.ts';

export function RoleDialog({ opened, subject: role, close }: Dialog<RoleRow>) {
  const creation = useCreateRole();
  const change = useUpdateRole();
  const { form, dirty, submit } = useDialogForm<RoleInput>({
    opened,
    values: { name: role?.name ?? '' },
    schema: RoleInput,
  });

  const save = async (values: RoleInput) => {
    const body = RoleInput.parse(values);
    if (role === null) await creation.mutateAsync(body);
    else await change.mutateAsync({ id: role.id, ...body });
    toast.success(role === null ? done.roleCreated : done.roleUpdated);
    close();
  };

  const refused = (error: unknown) => {
    const reason = reasonOf(error);
    toast.error(role === null ? failed.createRole(reason) : failed.updateRole(reason));
    const taken = error instanceof ApiFault && error.code === 'role_name_taken';
    return taken ? { name: reason } : fieldFaultsOf(error);
  };

  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={role === null ? 'Add Role' : 'Edit Role'}
      dirty={dirty}
      busy={creation.isPending || change.isPending}
      onSubmit={submit(save, refused)}
      submitLabel={role === null ? 'Create Role' : 'Update Role'}
      busyLabel={role === null ? 'Creating...' : 'Updating...'}
      size="md"
    >
      <TextInput
        label="Role Name"
        description={role === null ? 'It starts without any permission. Grant them on User Permissions.' : undefined}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormDialog>
  );
}
