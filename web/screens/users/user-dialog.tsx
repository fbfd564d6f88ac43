// The dialog that creates or changes a user, with both access lists.

import { Anchor, Button, Checkbox, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ClientRow } from '#contract/clients.ts';
import { reachesClient, reachesEveryClient } from '#contract/policy.ts';
import type { RoleRow } from '#contract/roles.ts';
import { type UserRow, userCreate, userUpdate } from '#contract/users.ts';
import { allClientsQuery } from '#web/data/clients.ts';
import { allReportTypesQuery } from '#web/data/report-types.ts';
import { allRolesQuery } from '#web/data/roles.ts';
import {
  loadUser,
  type UserChange,
  useCreateUser,
  userAccessQuery,
  usersQuery,
  useUpdateUser,
} from '#web/data/users.ts';
import { ApiFault, fieldFaultsOf, reasonOf } from '#web/lib/api.ts';
import { formatCount } from '#web/lib/format.ts';
import { invitationLink, newInvitation } from '#web/lib/invitation.ts';
import { done, empty, failed } from '#web/lib/messages.ts';
import { mailIsOn, passwordProfile } from '#web/lib/product.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { toastFault } from '#web/lib/toast-fault.ts';
import { editedRow } from '#web/parts/edited-row.ts';
import { NothingToChoose } from '#web/parts/nothing-to-choose.tsx';
import { UserSelect } from '#web/parts/users/user-select.tsx';
import { Checklist, type ChecklistEntry } from '#web/ui/checklist.tsx';
import { FormDialog, SAVE_AND_ADD_ANOTHER } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { useDialogForm } from '#web/ui/use-dialog-form.ts';
import { bothLists, missingAccess, takenWords, trashedWords } from './access-words.ts';
import { InvitationOf } from './invitation.tsx';
import { type GivenSecret, GivenSecrets, PasswordForUser } from './password-for-user.tsx';
import type { RoleFacts } from './role-facts.ts';
import classes from './user-dialog.module.css';

interface Values extends Record<string, unknown> {
  username: string;
  /** Null where the person is invited to choose one. */
  password: string | null;
  invitation: string | null;
  fullName: string;
  email: string;
  roleId: number | null;
  clientIds: number[];
  allClients: boolean;
  reportTypeIds: number[];
  mustChangePassword: boolean;
}

/** As the checklists keep them, so that undoing a tick leaves nothing to save. */
const ascending = (ids: readonly number[]) => [...ids].sort((one, other) => one - other);

function valuesOf(user: UserRow | null): Values {
  return {
    username: user?.username ?? '',
    password: '',
    invitation: null,
    fullName: user?.fullName ?? '',
    email: user?.email ?? '',
    roleId: user?.roleId ?? null,
    clientIds: ascending(user?.clientIds ?? []),
    allClients: user?.allClients ?? false,
    reportTypeIds: ascending(user?.reportTypeIds ?? []),
    // Who sets a password for somebody else knows it.
    mustChangePassword: user?.mustChangePassword ?? true,
  };
}

type Secrets = Pick<Values, 'password' | 'invitation'>;

/** What is sent: none selected travels as null (docs/behaviour.md, Users: User Management). */
function bodyOf(values: Values): UserChange & Secrets {
  const orNull = (ids: number[]) => (ids.length > 0 ? ids : null);
  return {
    username: values.username.trim(),
    password: values.password,
    invitation: values.invitation,
    fullName: values.fullName.trim(),
    email: values.email.trim(),
    roleId: values.roleId ?? 0,
    clientIds: values.allClients ? null : orNull(values.clientIds),
    allClients: values.allClients,
    mustChangePassword: values.mustChangePassword,
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

const NONE: readonly number[] = [];

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
  if (user.invitation !== null) return 'There is none yet. One that you set here ends the invitation.';
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

const INVITE = 'Invite instead: a link by which they choose their own password';
const INVITE_AGAIN = 'Invite anew: a link by which they choose another password, which ends this one now';
const INVITE_ANEW = 'Invite anew: a new link, which ends the old one';

/** What people with a role usually get; nothing of it is given before somebody presses the button. */
interface Template {
  readonly words: (types: number) => string;
  readonly label: string;
  readonly allClients: boolean;
}

function templateFor({ systemKey }: RoleRow, mayGiveAllClients: boolean): Template | null {
  const types = (count: number) => (count === 1 ? 'the report type' : `all ${formatCount(count)} report types`);
  if (systemKey === 'cpa' && mayGiveAllClients) {
    const words = (count: number) => `A new CPA often gets ${types(count)} and all clients, also later ones.`;
    return { words, label: 'Tick these', allClients: true };
  }
  if (systemKey === 'cpa' || systemKey === 'client') {
    const who = systemKey === 'cpa' ? 'A new CPA' : 'A new Client';
    const words = (count: number) => `${who} often gets ${types(count)}, and the clients that you tick.`;
    return { words, label: 'Tick the report types', allClients: false };
  }
  return null;
}

type Access = Pick<Values, 'clientIds' | 'allClients' | 'reportTypeIds'> & { roleId?: number };

/** Takes over a colleague's access as it is now, as far as one may give it on. */
function useTakeOver(opened: boolean, roleFacts: RoleFacts, set: (access: Access) => void) {
  const me = useSessionUser();
  const [colleague, setColleague] = useState<UserRow | null>(null);
  const [words, setWords] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const wanted = useRef(0);
  useEffect(() => {
    if (opened) return;
    wanted.current = 0;
    setColleague(null);
    setWords(null);
    setBusy(false);
  }, [opened]);

  const takeOver = async (chosen: UserRow) => {
    wanted.current = chosen.id;
    setColleague(chosen);
    setWords(null);
    setBusy(true);
    try {
      const now = await loadUser(chosen.id);
      if (wanted.current !== chosen.id) return;
      const mayGive = roleFacts.mayGive(now.roleId);
      const allClients = now.allClients && mayGive && reachesEveryClient(me);
      const clientIds = now.clientIds.filter((id) => reachesClient(me, id));
      const reportTypeIds = now.reportTypeIds.filter((id) => me.reach === 'all' || me.reportTypeIds.includes(id));
      set({ clientIds, allClients, reportTypeIds, ...(mayGive ? { roleId: now.roleId } : {}) });
      setWords(
        takenWords({
          from: now.fullName,
          roleName: mayGive ? now.roleName : null,
          clients: clientIds.length,
          allClients,
          reportTypes: reportTypeIds.length,
          left: now.clientIds.length - clientIds.length + now.reportTypeIds.length - reportTypeIds.length,
        }),
      );
    } catch (error) {
      if (wanted.current !== chosen.id) return;
      setColleague(null);
      toastFault(error, failed.takeOverAccess);
    } finally {
      if (wanted.current === chosen.id) setBusy(false);
    }
  };
  /** What it says was about somebody who is saved by now. */
  const forget = () => {
    setColleague(null);
    setWords(null);
  };
  return { colleague, words, busy, takeOver, forget };
}

/** Passwords and links that were made here, for as long as the dialog is open. */
function useGivenSecrets(opened: boolean) {
  const [generated, setGenerated] = useState<string | null>(null);
  const [given, setGiven] = useState<readonly GivenSecret[]>([]);
  useEffect(() => {
    if (opened) return;
    setGenerated(null);
    setGiven([]);
  }, [opened]);
  return {
    generated,
    setGenerated,
    given,
    /** Keeps what somebody who was saved is to be handed, where it was made here; whether it was. */
    keep: ({ fullName, username, email, invitation: asSaved }: UserRow, { password, invitation }: Secrets) => {
      const hasPassword = password !== null && password !== '' && password === generated;
      if (!(invitation || hasPassword)) return false;
      const secret = invitation ? invitationLink(invitation) : (password ?? '');
      const until = invitation ? (asSaved?.until ?? null) : null;
      const mailedTo = invitation && mailIsOn ? email : '';
      setGiven((before) => [...before, { key: before.length, fullName, username, secret, until, mailedTo }]);
      setGenerated(null);
      return true;
    },
  };
}

/** Chooses the role of a Client for somebody new, once the roles are known; whoever opened the dialog asked for it. */
function useStartAsClient(
  starts: boolean,
  roles: readonly RoleRow[] | undefined,
  form: Pick<UseFormReturnType<Values>, 'getInitialValues' | 'resetDirty' | 'setFieldValue'>,
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
  const me = useSessionUser();
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
  const inTrash = access.data?.clientsInTrash ?? [];
  const lookUpFailed = !awaitingAccess && access.data && Object.values(access.data).includes(null);

  const roleId = form.values.roleId;
  const invites = form.values.invitation !== null;
  const mayHoldAll = roleFacts.mayHoldAllClients(roleId);
  const allClients = mayHoldAll && form.values.allClients;

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
    toast.success(user === null ? done.userCreated : done.userUpdated);
    then(keep(saved, body));
  };
  const leave = (hasPassword: boolean) => (hasPassword ? setSaved(true) : close());

  const refused = (error: unknown) => {
    const worded = error instanceof ApiFault && (error.hasServerMessage || error.status === 0);
    toastFault(error, worded ? error.message : user === null ? failed.createUser : failed.updateUser);
    return faultsOf(error);
  };

  const offered = (roles.data?.rows ?? []).filter((role) => role.id === user?.roleId || roleFacts.mayGive(role.id));
  const held = offered.some((role) => role.id === user?.roleId) ? undefined : user?.role;
  const clientRows = clients.data?.rows;
  const clientChoices = useMemo(() => clientEntries(clientRows ?? []), [clientRows]);
  const source = useTakeOver(opened, roleFacts, (taken) => form.setValues(taken));
  // Besides oneself and the person who is edited; until the number is known the field keeps its room.
  const people = useQuery({ ...usersQuery({ limit: 1 }), enabled: opened }).data?.total;
  const others = user === null || user.id === me.id ? 1 : 2;
  const hasColleagues = people === undefined || people > others;
  const role = roles.data?.rows.find((one) => one.id === roleId);
  const byLists = role !== undefined && !roleFacts.reachesAll(roleId);
  const { clientIds, reportTypeIds, fullName } = form.values;
  const untouched = clientIds.length === 0 && reportTypeIds.length === 0 && !allClients;
  const warning = byLists
    ? missingAccess({
        fullName,
        hasClients: clientIds.length > 0 || allClients,
        hasReportTypes: reportTypeIds.length > 0,
      })
    : null;
  const everyType = ascending((reportTypes.data?.rows ?? []).map(({ id }) => id));
  const template =
    user === null && byLists && untouched && everyType.length > 0
      ? templateFor(role, reachesEveryClient(me) && mayHoldAll)
      : null;
  const everyClient = useMemo(() => ascending(clientChoices.map(({ id }) => id)), [clientChoices]);
  const unavailable = <None,>(list: { error: Error | null; isLoading: boolean }, none: None) => {
    if (list.error) return `This list could not be loaded: ${reasonOf(list.error)}`;
    return list.isLoading ? 'Loading...' : none;
  };

  const title = user === null ? 'Add New User' : 'Edit User';
  if (isSaved) {
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
      // Until the lists are known, saving could undo what somebody else has just granted.
      canSubmit={!awaitingAccess && !source.busy}
    >
      <GivenSecrets given={given} focus={false} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="md">
        <TextInput
          label="Username"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('username')}
        />
        <PasswordForUser
          label="Password"
          aria-required={user === null && !invites}
          description={invites ? undefined : passwordHint(user, me.id)}
          disabled={user?.id === me.id || invites}
          generated={generated}
          onGenerate={(password) => {
            setGenerated(password);
            form.setFieldValue('password', password);
          }}
          {...form.getInputProps('password')}
          value={form.values.password ?? ''}
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
        <TextInput
          label="Email"
          type="email"
          autoComplete="off"
          aria-required={false}
          {...form.getInputProps('email')}
        />
      </SimpleGrid>
      {user === null ? null : <InvitationOf key={user.id} user={user} />}
      {user?.id === me.id ? null : (
        <Checkbox
          label={user === null ? INVITE : user.invitation === null ? INVITE_AGAIN : INVITE_ANEW}
          data-path="invitation"
          checked={invites}
          error={form.errors.invitation}
          onChange={({ currentTarget }) => {
            // Another one each time: what was refused is not sent again.
            form.setFieldValue('invitation', currentTarget.checked ? newInvitation() : null);
            form.setFieldValue('password', currentTarget.checked ? null : '');
          }}
        />
      )}
      {user?.id === me.id || invites ? null : (
        <Checkbox
          label={`Must change the password at the ${user === null ? 'first' : 'next'} sign-in`}
          {...form.getInputProps('mustChangePassword', { type: 'checkbox' })}
        />
      )}
      {hasColleagues ? (
        <UserSelect
          label="Same access as..."
          aria-required={false}
          placeholder="Choose a colleague"
          value={source.colleague?.id ?? null}
          knownAs={source.colleague ?? undefined}
          onChange={(_id, colleague) => colleague && void source.takeOver(colleague)}
          description={source.words === null ? undefined : <span role="status">{source.words}</span>}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
        />
      ) : null}
      {template ? (
        <div className={classes.offer} role="status">
          <span>{template.words(everyType.length)}</span>
          <Button
            variant="default"
            size="xs"
            onClick={() => form.setValues({ reportTypeIds: everyType, allClients: template.allClients })}
          >
            {template.label}
          </Button>
        </div>
      ) : null}
      {lookUpFailed ? (
        <Text role="status" size="sm" c="dimmed">
          The latest access lists could not be loaded. Below is what this page knew.
        </Text>
      ) : null}
      {inTrash.length > 0 ? (
        <Text role="status" size="sm">
          {trashedWords(inTrash)}
        </Text>
      ) : null}
      {roleFacts.reachesAll(roleId) ? null : (
        <Text size="sm" c="dimmed">
          {bothLists}
        </Text>
      )}
      {mayHoldAll && (reachesEveryClient(me) || form.values.allClients) ? (
        <Checkbox
          label="All clients, also later ones"
          description="Every client that is added later comes into the list by itself."
          data-path="allClients"
          {...form.getInputProps('allClients', { type: 'checkbox' })}
        />
      ) : null}
      <Checklist
        label="Client Access"
        path="clientIds"
        entries={clientChoices}
        selected={allClients ? everyClient : clientIds}
        first={user?.clientIds ?? NONE}
        onChange={(clientIds) => form.setFieldValue('clientIds', clientIds)}
        searchPlaceholder="Search clients..."
        emptyText={unavailable(clients, <NothingToChoose of="clients" />)}
        noun="clients"
        error={form.errors.clientIds as string | undefined}
        disabled={awaitingAccess || allClients}
        loading={clients.isLoading}
      />
      <Checklist
        label="Report Type Access"
        path="reportTypeIds"
        entries={reportTypes.data?.rows ?? []}
        selected={form.values.reportTypeIds}
        first={user?.reportTypeIds ?? NONE}
        onChange={(reportTypeIds) => form.setFieldValue('reportTypeIds', reportTypeIds)}
        searchPlaceholder="Search report types..."
        emptyText={unavailable(reportTypes, <NothingToChoose of="reportTypes" />)}
        noun="report types"
        error={form.errors.reportTypeIds as string | undefined}
        disabled={awaitingAccess}
        loading={reportTypes.isLoading}
      />
    </FormDialog>
  );
}
