// The dialog that creates or changes a user, with both access lists.
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { RoleRow } from '#contract/roles.ts';
import { type UserRow, userCreate, userUpdate } from '#contract/users.ts';
import { editedRow } from '#web/data/edited-row.ts';
import { allRolesQuery } from '#web/data/roles.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { loadUser, useCreateUser, useUpdateUser } from '#web/data/users.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { passwordProfile } from '#web/lib/product.ts';
import { FormDialog, type FormDialogProps, SAVE_AND_ADD_ANOTHER } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { useDialogForm } from '#web/ui/use-dialog-form.ts';
import { AccessFields } from './access-fields.tsx';
import { missingAccess, seesEveryClient } from './access-words.ts';
import { AccountFields } from './account-fields.tsx';
import { GivenSecrets } from './password-for-user.tsx';
import type { RoleFacts } from './role-facts.ts';
import { useAccessLists } from './use-access-lists.ts';
import { useGivenSecrets } from './use-given-secrets.ts';
import { useTakeOver } from './use-take-over.ts';
import { notCopied, userDone, userFailed } from './user-messages.ts';
import { bodyOf, faultsOf, nextAfter, type UserForm, type Values, valuesOf } from './user-values.ts';

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

/** Whether somebody is saved, with a password to hand over: the form has made way for it. Each opening begins with the form. */
function useSaved(opened: boolean) {
  const [isSaved, setSaved] = useState(false);
  useLayoutEffect(() => {
    if (opened) setSaved(false);
  }, [opened]);
  return [isSaved, setSaved] as const;
}

/** The user as last read: with what somebody else has saved come the invitation and what else is no field. */
function usePerson(opened: boolean, user: UserRow | null) {
  const [read, setRead] = useState<UserRow | null>(null);
  useLayoutEffect(() => {
    if (opened) setRead(null);
  }, [opened]);
  const load = async ({ id }: UserRow): Promise<UserRow> => {
    const now = await loadUser(id);
    setRead(now);
    return now;
  };
  // What was asked for a dialog that was left may come into the next one.
  return { person: read !== null && read.id === user?.id ? read : user, load };
}

/** Takes away a chosen role that is gone when the roles are read again: it was deleted since. */
function useGoneRole(roles: UseQueryResult<{ readonly rows: readonly RoleRow[] }>, form: UserForm) {
  const latest = useRef(form);
  latest.current = form;
  return async () => {
    const now = await roles.refetch();
    const { values, errors, setFieldValue, setErrors } = latest.current;
    if (!now.isSuccess || now.data.rows.some(({ id }) => id === values.roleId)) return;
    setFieldValue('roleId', null);
    // What is said at the fields stays.
    setErrors(errors);
  };
}

/** Saves somebody new, or what was changed of a user. */
function useSaving(user: UserRow | null) {
  const creation = useCreateUser();
  const change = useUpdateUser();
  const save = async (body: ReturnType<typeof bodyOf>, ifMatch: string | undefined) => {
    const saved =
      user === null ? await creation.mutateAsync(body) : await change.mutateAsync({ id: user.id, ifMatch, ...body });
    toast.success(user === null ? userDone.userCreated : userDone.userUpdated);
    return saved;
  };
  const refused = (error: unknown) => {
    const worded = error instanceof ApiFault && (error.hasServerMessage || error.status === 0);
    toastFault(error, worded ? error.message : user === null ? userFailed.createUser : userFailed.updateUser);
    return faultsOf(error);
  };
  return { busy: creation.isPending || change.isPending, save, refused };
}

/** What the chosen access means, where hardly anybody means it; null for nothing. `everyClient` is how many clients there are to choose. */
function warningOf(
  { fullName, clientIds, reportTypeIds, allClients }: Values,
  roleByLists: RoleRow | undefined,
  everyClient: number,
): string | null {
  const hasLists = { hasClients: clientIds.length > 0 || allClients, hasReportTypes: reportTypeIds.length > 0 };
  const hasEveryClient = roleByLists?.systemKey === 'client' && everyClient > 1 && clientIds.length >= everyClient;
  const warnings = [
    hasEveryClient ? seesEveryClient(fullName, everyClient) : null,
    roleByLists === undefined ? null : missingAccess({ fullName, ...hasLists }),
  ].filter((words) => words !== null);
  return warnings.length === 0 ? null : warnings.join(' ');
}

/** Whether the answer to this brings a link or a password that is shown once. */
const makesSecret = ({ invitation, password }: Values, generated: string | null) =>
  invitation !== null || (generated !== null && password === generated);

interface HandedOver extends Pick<FormDialogProps, 'opened' | 'onClose' | 'title' | 'losing' | 'another'> {
  secrets: ReturnType<typeof useGivenSecrets>;
}

/** What the dialog shows of somebody who is saved. The same dialog goes on: one that opened anew would take the focus from it. */
function handedOver({ secrets: { given, losesOne, noteCopied }, ...dialog }: HandedOver) {
  return (
    <FormDialog
      {...dialog}
      dirty={losesOne}
      busy={false}
      onSubmit={(event) => {
        event.preventDefault();
        dialog.onClose();
      }}
      submitLabel="Done"
      busyLabel="Done"
      cancellable={false}
    >
      <GivenSecrets given={given} focus onCopied={noteCopied} />
    </FormDialog>
  );
}

export interface UserDialogProps extends Dialog<UserRow> {
  roleFacts: RoleFacts;
  /** Whether somebody new is to be a Client, unless another role is chosen. */
  asClient: boolean;
}

export function UserDialog({ opened, subject: user, close, roleFacts, asClient }: UserDialogProps) {
  const saving = useSaving(user);
  const { person, load } = usePerson(opened, user);
  const { form, dirty, submit, conflict, restart } = useDialogForm<Values>({
    opened,
    values: valuesOf(user),
    schema: (user === null ? userCreate : userUpdate)(passwordProfile),
    edited: editedRow(user, load, valuesOf),
  });

  const secrets = useGivenSecrets(opened);
  const { generated, setGenerated, given, noteCopied, losesOne, keep } = secrets;
  const losing = losesOne ? notCopied : undefined;
  const [isSaved, setSaved] = useSaved(opened);

  const roles = useQuery({ ...allRolesQuery(), enabled: opened });
  useStartAsClient(opened && user === null && asClient, roles.data?.rows, form);
  const takeGoneRole = useGoneRole(roles, form);
  const lists = useAccessLists(opened, user, form);
  const roleId = form.values.roleId;
  const allClients = roleFacts.mayHoldAllClients(roleId, person) && form.values.allClients;

  const nextOne = () => {
    setSaved(false);
    source.forget();
    restart(nextAfter({ ...form.values, allClients }));
  };

  const save = (then: (hasPassword: boolean) => void) => async (values: Values, ifMatch?: string) => {
    const body = bodyOf({ ...values, allClients });
    const saved = await saving.save(body, ifMatch);
    then(keep(saved, body));
  };
  const leave = (hasPassword: boolean) => (hasPassword ? setSaved(true) : close());
  const refused = (error: unknown) => {
    const faults = saving.refused(error);
    if (faults.clientIds !== undefined || faults.reportTypeIds !== undefined) void lists.untickGone();
    if (faults.roleId !== undefined) void takeGoneRole();
    return faults;
  };

  const source = useTakeOver(opened, roleFacts, (taken) => form.setValues(taken));
  const role = roles.data?.rows.find((one) => one.id === roleId);
  const roleByLists = roleFacts.reachesAll(roleId) ? undefined : role;

  const title = user === null ? 'Add New User' : 'Edit User';
  if (isSaved) {
    const another = user === null ? { label: 'Add another', go: nextOne } : undefined;
    return handedOver({ opened, onClose: close, title, losing, another, secrets });
  }

  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={title}
      dirty={dirty || losesOne}
      losing={losing}
      busy={saving.busy}
      showsOnce={makesSecret(form.values, generated)}
      onSubmit={submit(save(leave), refused)}
      another={user === null ? { label: SAVE_AND_ADD_ANOTHER, go: submit(save(nextOne), refused) } : undefined}
      submitLabel={user === null ? 'Create User' : 'Update User'}
      busyLabel={user === null ? 'Creating...' : 'Updating...'}
      warning={warningOf({ ...form.values, allClients }, roleByLists, lists.clients.data?.rows.length ?? 0)}
      conflict={conflict}
      canSubmit={!lists.awaiting && !source.busy}
    >
      <GivenSecrets given={given} focus={false} onCopied={noteCopied} />
      <AccountFields
        user={person}
        form={form}
        roles={roles}
        roleFacts={roleFacts}
        generated={generated}
        onGenerate={setGenerated}
        onCopied={noteCopied}
      />
      <AccessFields
        opened={opened}
        user={person}
        form={form}
        roleByLists={roleByLists}
        roleFacts={roleFacts}
        lists={lists}
        source={source}
      />
    </FormDialog>
  );
}
