// The dialog that creates or renames a role.

import { TextInput } from '@mantine/core';
import { RoleInput, type RoleRow } from '#contract/roles.ts';
import { editedRow } from '#web/data/edited-row.ts';
import { loadRole, useCreateRole, useUpdateRole } from '#web/data/roles.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { ApiFault, fieldFaultsOf, reasonOf } from '#web/lib/api-fault.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { useDialogForm } from '#web/ui/use-dialog-form.ts';
import { roleDone, roleFailed } from './role-messages.ts';

export function RoleDialog({ opened, subject: role, close }: Dialog<RoleRow>) {
  const creation = useCreateRole();
  const change = useUpdateRole();
  const { form, dirty, submit, conflict } = useDialogForm<RoleInput>({
    opened,
    values: { name: role?.name ?? '' },
    schema: RoleInput,
    edited: editedRow(
      role,
      ({ id }) => loadRole(id),
      ({ name }) => ({ name }),
    ),
  });

  const save = async (values: RoleInput, ifMatch?: string) => {
    const body = RoleInput.parse(values);
    if (role === null) await creation.mutateAsync(body);
    else await change.mutateAsync({ id: role.id, ifMatch, ...body });
    toast.success(role === null ? roleDone.roleCreated : roleDone.roleUpdated);
    close();
  };

  const refused = (error: unknown) => {
    toastFault(error, role === null ? roleFailed.createRole : roleFailed.updateRole);
    const taken = error instanceof ApiFault && error.code === 'role_name_taken';
    return taken ? { name: reasonOf(error) } : fieldFaultsOf(error);
  };

  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={role === null ? 'Add Role' : 'Edit Role'}
      dirty={dirty}
      busy={creation.isPending || change.isPending}
      conflict={conflict}
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
