// The dialog that creates or changes a user, with both access lists.

import { Anchor, PasswordInput, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import type { ClientRow } from '#contract/clients.ts';
import { type UserRow, userCreate, userUpdate } from '#contract/users.ts';
import { allClientsQuery } from '#web/data/clients.ts';
import { allReportTypesQuery } from '#web/data/report-types.ts';
import { allRolesQuery } from '#web/data/roles.ts';
import { type UserChange, useCreateUser, userAccessQuery, useUpdateUser } from '#web/data/users.ts';
import { ApiFault, fieldFaultsOf, reasonOf } from '#web/lib/api.ts';
import { done, empty, failed } from '#web/lib/messages.ts';
import { passwordProfile } from '#web/lib/product.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { Checklist, type ChecklistEntry } from '#web/ui/checklist.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { useDialogForm } from '#web/ui/use-dialog-form.ts';
import type { RoleFacts } from './role-facts.ts';

interface Values extends Record<string, unknown> {
  username: string;
  password: string;
  fullName: string;
  roleId: number | null;
  clientIds: number[];
  reportTypeIds: number[];
}

/** As the checklists keep them, so that undoing a tick leaves nothing to save. */
const ascending = (ids: readonly number[]) => [...ids].sort((one, other) => one - other);

function valuesOf(user: UserRow | null): Values {
  return {
    username: user?.username ?? '',
    password: '',
    fullName: user?.fullName ?? '',
    roleId: user?.roleId ?? null,
    clientIds: ascending(user?.clientIds ?? []),
    reportTypeIds: ascending(user?.reportTypeIds ?? []),
  };
}

/** What is sent: none selected travels as null (docs/behaviour.md, Users: User Management). */
function bodyOf(values: Values): UserChange & { password: string } {
  const orNull = (ids: number[]) => (ids.length > 0 ? ids : null);
  return {
    username: values.username.trim(),
    password: values.password,
    fullName: values.fullName.trim(),
    roleId: values.roleId ?? 0,
    clientIds: orNull(values.clientIds),
    reportTypeIds: orNull(values.reportTypeIds),
  };
}

/** The first fault of each field, as the form names its fields: `clientIds.2` belongs to `clientIds`. */
function faultsOf(error: unknown): Record<string, string> {
  if (error instanceof ApiFault && error.code === 'username_taken') return { username: error.message };
  if (error instanceof ApiFault && error.code === 'last_admin') return { roleId: error.message };
  const faults: Record<string, string> = {};
  for (const [path, message] of Object.entries(fieldFaultsOf(error))) faults[path.split('.')[0] ?? path] ??= message;
  return faults;
}

/** Clients of one name are distinguished by their federal id: access must not go to the wrong one. */
function clientEntries(clients: readonly ClientRow[]): ChecklistEntry[] {
  const times = new Map<string, number>();
  for (const { name } of clients) times.set(name, (times.get(name) ?? 0) + 1);
  return clients.map(({ id, name, federalId }) => ({
    id,
    name: (times.get(name) ?? 0) > 1 ? `${name} (${federalId})` : name,
  }));
}

/** The hint below the password field. One's own password is changed where the current one is asked for. */
function passwordHint(user: UserRow | null, ownId: number) {
  if (user === null) return undefined;
  if (user.id !== ownId) {
    return 'Leave blank to keep the current password. A new one signs this user out everywhere.';
  }
  return (
    <>
      You change your own password under{' '}
      <Anchor inherit underline="always" renderRoot={(props) => <Link to="/account-settings" {...props} />}>
        Account Settings
      </Anchor>
      .
    </>
  );
}

export interface UserDialogProps extends Dialog<UserRow> {
  roleFacts: RoleFacts;
}

export function UserDialog({ opened, subject: user, close, roleFacts }: UserDialogProps) {
  const me = useSessionUser();
  const creation = useCreateUser();
  const change = useUpdateUser();
  const { form, dirty, submit } = useDialogForm<Values>({
    opened,
    values: valuesOf(user),
    schema: (user === null ? userCreate : userUpdate)(passwordProfile),
  });

  const roles = useQuery({ ...allRolesQuery(), enabled: opened });
  const clients = useQuery({ ...allClientsQuery(), enabled: opened });
  const reportTypes = useQuery({ ...allReportTypesQuery(), enabled: opened });

  // The row that was clicked may be older than the lists; where loading them fails, the row's own lists are used.
  const access = useQuery({ ...userAccessQuery(user?.id ?? 0), enabled: opened && user !== null });
  const latestForm = useRef(form);
  latestForm.current = form;
  useEffect(() => {
    if (!opened || access.isFetching || !access.data) return;
    const now = latestForm.current;
    const lists = {
      clientIds: ascending(access.data.clientIds ?? now.values.clientIds),
      reportTypeIds: ascending(access.data.reportTypeIds ?? now.values.reportTypeIds),
    };
    now.resetDirty({ ...now.getInitialValues(), ...lists });
    now.setValues(lists);
  }, [opened, access.isFetching, access.data]);
  const awaitingAccess = access.isFetching;
  const lookUpFailed = !awaitingAccess && access.data && Object.values(access.data).includes(null);

  const save = async (values: Values) => {
    const body = bodyOf(values);
    if (user === null) await creation.mutateAsync(body);
    else await change.mutateAsync({ id: user.id, ...body });
    toast.success(user === null ? done.userCreated : done.userUpdated);
    close();
  };

  const refused = (error: unknown) => {
    const worded = error instanceof ApiFault && (error.hasServerMessage || error.status === 0);
    toast.error(worded ? error.message : user === null ? failed.createUser : failed.updateUser);
    return faultsOf(error);
  };

  const roleId = form.values.roleId;
  const offered = (roles.data?.rows ?? []).filter((role) => role.id === user?.roleId || roleFacts.mayGive(role.id));
  const held = offered.some((role) => role.id === user?.roleId) ? undefined : user?.role;
  const clientRows = clients.data?.rows;
  const clientChoices = useMemo(() => clientEntries(clientRows ?? []), [clientRows]);
  const unavailable = (list: { error: Error | null; isLoading: boolean }, none: string) => {
    if (list.error) return `This list could not be loaded: ${reasonOf(list.error)}`;
    return list.isLoading ? 'Loading...' : none;
  };

  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={user === null ? 'Add New User' : 'Edit User'}
      dirty={dirty}
      busy={creation.isPending || change.isPending}
      onSubmit={submit(save, refused)}
      submitLabel={user === null ? 'Create User' : 'Update User'}
      busyLabel={user === null ? 'Creating...' : 'Updating...'}
      // Until the lists are known, saving could undo what somebody else has just granted.
      canSubmit={!awaitingAccess}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="md">
        <TextInput
          label="Username"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('username')}
        />
        <PasswordInput
          label="Password"
          description={passwordHint(user, me.id)}
          disabled={user?.id === me.id}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <TextInput label="Full Name" autoComplete="off" {...form.getInputProps('fullName')} />
        <Select
          label="Role"
          placeholder="Select a role"
          allowDeselect={false}
          data={[...(held ? [held] : []), ...offered].map((role) => ({ value: String(role.id), label: role.name }))}
          nothingFoundMessage={unavailable(roles, empty.roles)}
          description={
            roleFacts.reachesAll(roleId)
              ? 'Sees every client and report type, whatever the lists below say.'
              : undefined
          }
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          {...form.getInputProps('roleId')}
          value={roleId === null ? null : String(roleId)}
          onChange={(chosen) => form.setFieldValue('roleId', chosen === null ? null : Number(chosen))}
        />
      </SimpleGrid>
      {lookUpFailed ? (
        <Text role="status" size="sm" c="dimmed">
          The latest access lists could not be loaded. Below is what this page knew.
        </Text>
      ) : null}
      <Checklist
        label="Client Access"
        path="clientIds"
        entries={clientChoices}
        selected={form.values.clientIds}
        onChange={(clientIds) => form.setFieldValue('clientIds', clientIds)}
        searchPlaceholder="Search clients..."
        emptyText={unavailable(clients, empty.checklistClients)}
        noun="clients"
        error={form.errors.clientIds as string | undefined}
        disabled={awaitingAccess}
        loading={clients.isLoading}
      />
      <Checklist
        label="Report Type Access"
        path="reportTypeIds"
        entries={reportTypes.data?.rows ?? []}
        selected={form.values.reportTypeIds}
        onChange={(reportTypeIds) => form.setFieldValue('reportTypeIds', reportTypeIds)}
        searchPlaceholder="Search report types..."
        emptyText={unavailable(reportTypes, empty.checklistReportTypes)}
        noun="report types"
        error={form.errors.reportTypeIds as string | undefined}
        disabled={awaitingAccess}
        loading={reportTypes.isLoading}
      />
    </FormDialog>
  );
}
