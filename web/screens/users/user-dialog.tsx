// The dialog that creates or changes a user, with both access lists.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { RoleRow } from '#contract/roles.ts';
import { type UserRow, userCreate, userUpdate } from '#contract/users.ts';
import { allRolesQuery } from '#web/data/roles.ts';
import { loadUser, useCreateUser, useUpdateUser } from '#web/data/users.ts';
import { ApiFault } from '#web/lib/api.ts';
import { newInvitation } from '#web/lib/invitation.ts';
import { passwordProfile } from '#web/lib/product.ts';
import { toastFault } from '#web/lib/toast-fault.ts';
import { editedRow } from '#web/parts/edited-row.ts';
import { FormDialog, SAVE_AND_ADD_ANOTHER } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { useDialogForm } from '#web/ui/use-dialog-form.ts';
import { AccessFields } from './access-fields.tsx';
import { missingAccess } from './access-words.ts';
import { AccountFields } from './account-fields.tsx';
import { GivenSecrets } from './password-for-user.tsx';
import type { RoleFacts } from './role-facts.ts';
import { useAccessLists } from './use-access-lists.ts';
import { useGivenSecrets } from './use-given-secrets.ts';
import { useTakeOver } from './use-take-over.ts';
import { userDone, userFailed } from './user-messages.ts';
import { bodyOf, faultsOf, type UserForm, type Values, valuesOf } from './user-values.ts';

/** Chooses the role of a Client for somebody new, once the roles are known; whoever opened the dialog asked for it. */
function useStartAsClient(
  starts: boolean,
  roles: readonly RoleRow[] | undefined,
  form: Pick<UserForm, 'getInitialValues' | 'resetDirty' | 'setFieldValue'>,
) {
  const latest = useRef(form);
  latest.current = form;
  const roleId = roles?.find(({ systemKey }) => systemKey === 'client')?.id;
  useEffect(() => {
    if (!starts || roleId === undefined) return;
    const now = latest.current;
    now.resetDirty({ ...now.getInitialValues(), roleId });
    now.setFieldValue('roleId', roleId);
  }, [starts, roleId]);
}

export interface UserDialogProps extends Dialog<UserRow> {
  roleFacts: RoleFacts;
  /** Whether somebody new is to be a Client, unless another role is chosen. */
  asClient: boolean;
}

export function UserDialog({ opened, subject: user, close, roleFacts, asClient }: UserDialogProps) {
  const creation = useCreateUser();
  const change = useUpdateUser();
  const { form, dirty, submit, conflict, restart } = useDialogForm<Values>({
    opened,
    values: valuesOf(user),
    schema: (user === null ? userCreate : userUpdate)(passwordProfile),
    edited: editedRow(user, ({ id }) => loadUser(id), valuesOf),
  });

  const { generated, setGenerated, given, keep } = useGivenSecrets(opened);
  /** Saved, with a password to hand over: the form has made way for it. */
  const [isSaved, setSaved] = useState(false);
  useLayoutEffect(() => {
    if (opened) setSaved(false);
  }, [opened]);

  const roles = useQuery({ ...allRolesQuery(), enabled: opened });
  useStartAsClient(opened && user === null && asClient, roles.data?.rows, form);
  const lists = useAccessLists(opened, user, form);

  const roleId = form.values.roleId;
  const allClients = roleFacts.mayHoldAllClients(roleId) && form.values.allClients;

  const nextOne = () => {
    const { roleId, clientIds, reportTypeIds, mustChangePassword } = form.values;
    setSaved(false);
    source.forget();
    // Whoever invites one after the other goes on inviting.
    const invitation = form.values.invitation === null ? null : newInvitation();
    const password = invitation === null ? '' : null;
    const kept = { roleId, clientIds, allClients, reportTypeIds, mustChangePassword, password, invitation };
    restart({ ...valuesOf(null), ...kept });
  };

  const save = (then: (hasPassword: boolean) => void) => async (values: Values, ifMatch?: string) => {
    const body = bodyOf({ ...values, allClients });
    const saved =
      user === null ? await creation.mutateAsync(body) : await change.mutateAsync({ id: user.id, ifMatch, ...body });
    toast.success(user === null ? userDone.userCreated : userDone.userUpdated);
    then(keep(saved, body));
  };
  const leave = (hasPassword: boolean) => (hasPassword ? setSaved(true) : close());

  const refused = (error: unknown) => {
    const worded = error instanceof ApiFault && (error.hasServerMessage || error.status === 0);
    toastFault(error, worded ? error.message : user === null ? userFailed.createUser : userFailed.updateUser);
    return faultsOf(error);
  };

  const source = useTakeOver(opened, roleFacts, (taken) => form.setValues(taken));
  const role = roles.data?.rows.find((one) => one.id === roleId);
  const roleByLists = roleFacts.reachesAll(roleId) ? undefined : role;
  const { clientIds, reportTypeIds, fullName } = form.values;
  const hasLists = { hasClients: clientIds.length > 0 || allClients, hasReportTypes: reportTypeIds.length > 0 };
  const warning = roleByLists === undefined ? null : missingAccess({ fullName, ...hasLists });

  const title = user === null ? 'Add New User' : 'Edit User';
  if (isSaved) {
    // The same dialog goes on: one that opened anew would take the focus from what it shows.
    return (
      <FormDialog
        opened={opened}
        onClose={close}
        title={title}
        dirty={false}
        busy={false}
        onSubmit={(event) => {
          event.preventDefault();
          close();
        }}
        submitLabel="Done"
        busyLabel="Done"
        cancellable={false}
        another={user === null ? { label: 'Add another', go: nextOne } : undefined}
      >
        <GivenSecrets given={given} focus />
      </FormDialog>
    );
  }

  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={title}
      dirty={dirty}
      busy={creation.isPending || change.isPending}
      onSubmit={submit(save(leave), refused)}
      another={user === null ? { label: SAVE_AND_ADD_ANOTHER, go: submit(save(nextOne), refused) } : undefined}
      submitLabel={user === null ? 'Create User' : 'Update User'}
      busyLabel={user === null ? 'Creating...' : 'Updating...'}
      warning={warning}
      conflict={conflict}
      canSubmit={!lists.awaiting && !source.busy}
    >
      <GivenSecrets given={given} focus={false} />
      <AccountFields
        user={user}
        form={form}
        roles={roles}
        roleFacts={roleFacts}
        generated={generated}
        onGenerate={setGenerated}
      />
      <AccessFields
        opened={opened}
        user={user}
        form={form}
        roleByLists={roleByLists}
        roleFacts={roleFacts}
        lists={lists}
        source={source}
      />
    </FormDialog>
  );
}
