// The screen of people who sign in.

import { Badge, Button, Group, Text } from '@mantine/core';
import { IconMailForward, IconPlus, IconShieldOff, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { INVITATION_STATES, type InvitationState } from '#contract/invitation.ts';
import { mayAttempt } from '#contract/policy.ts';
import type { SessionUser } from '#contract/session.ts';
import type { UserRow } from '#contract/users.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { type UsersFilter, useDeleteUser, useLoadUsers, useResetSecondFactor, usersQuery } from '#web/data/users.ts';
import { formatCount, NOTHING } from '#web/lib/format.ts';
import { invitationLabels, invitationState } from '#web/lib/invitation.ts';
import { empty } from '#web/lib/messages.ts';
import { safeguards } from '#web/lib/product.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { useDeletion } from '#web/parts/files/use-deletion.ts';
import { useImport } from '#web/parts/import/use-import.tsx';
import { lookAction } from '#web/parts/users/look-action.tsx';
import { Breakable } from '#web/ui/breakable.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { ChoiceFilter } from '#web/ui/choice-filter.tsx';
import { ClearSearch } from '#web/ui/clear-search.tsx';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import type { EmptyStateProps } from '#web/ui/empty-state.tsx';
import { FilterBar } from '#web/ui/filter-bar.tsx';
import { nothingMatches } from '#web/ui/nothing-matches.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { actionsColumn } from '#web/ui/row-actions.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import type { Column } from '#web/ui/table-shape.ts';
import { toast } from '#web/ui/toast.tsx';
import { useAddressRequest } from '#web/ui/use-address-request.ts';
import { useLazyDialog } from '#web/ui/use-lazy-dialog.tsx';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { type RowSelection, useRowSelection } from '#web/ui/use-row-selection.ts';
import { MailRefused } from './mail-refused.tsx';
import { type RoleFacts, useRoleFacts } from './role-facts.ts';
import { userDone, userEmpty, userFailed, userQuestions } from './user-messages.ts';

const isState = (text: string): text is InvitationState => (INVITATION_STATES as readonly string[]).includes(text);

const rowKey = ({ id }: UserRow) => id;
const nameOf = ({ fullName }: UserRow) => fullName;

const factsOf = (
  { reachesAll, mayEdit }: RoleFacts,
  onInvite: (people: readonly UserRow[]) => void,
): readonly Column<UserRow>[] => [
  {
    key: 'fullName',
    header: 'Full Name',
    cell: (row) => {
      const state = invitationState(row);
      if (state === null && row.mailRefusedAt === null) return row.fullName;
      return (
        <div>
          {row.fullName}
          {state === null ? null : (
            <Group gap="xs">
              <Text size="xs" c="dimmed">
                {state}
              </Text>
              {mayEdit(row) ? (
                <Button
                  variant="default"
                  size="compact-xs"
                  aria-label={`Invite anew: ${row.fullName}`}
                  onClick={() => onInvite([row])}
                >
                  Invite Anew
                </Button>
              ) : null}
            </Group>
          )}
          <MailRefused user={row} mayEdit={mayEdit(row)} />
        </div>
      );
    },
    sort: 'fullName',
    width: '25%',
  },
  { key: 'username', header: 'Username', cell: (row) => row.username, sort: 'username', width: '19%' },
  {
    key: 'email',
    header: 'Email',
    // Whoever has none hears nothing by mail.
    cell: ({ email }) => (email === '' ? NOTHING : <Breakable text={email} />),
    width: '20%',
  },
  {
    key: 'role',
    header: 'Role',
    // A role's name may be long: the badge is truncated and shows the rest on hover.
    cell: (row) => (
      <Badge title={row.roleName} maw={220} style={{ verticalAlign: 'middle' }}>
        {row.roleName}
      </Badge>
    ),
    sort: 'roleName',
    width: '16%',
  },
  {
    key: 'client',
    header: 'Client',
    cell: ({ roleId, clientIds }) => {
      if (reachesAll(roleId)) return 'All clients';
      return clientIds.length === 0 ? 'No clients' : `${formatCount(clientIds.length)} client(s)`;
    },
    width: '12%',
    oneLine: '0,000 client(s)',
  },
];

const loadImport = () => import('./import-users.tsx').then(({ ImportUsers }) => ImportUsers);

const loadInvite = () => import('./invite-anew.tsx').then(({ InviteAnew }) => InviteAnew);

const loadDialog = () => import('./user-dialog.tsx').then(({ UserDialog }) => UserDialog);

/** Asks, and takes the second factor of a person away. */
function useSecondFactorReset() {
  const confirm = useConfirm();
  const reset = useResetSecondFactor();
  return (row: UserRow) =>
    confirm({
      title: `Reset second factor of ${row.fullName}?`,
      message: userQuestions.resetSecondFactor,
      note: `Username: ${row.username}`,
      confirmLabel: 'Reset',
      busyLabel: 'Resetting...',
      onConfirm: async () => {
        try {
          await reset.mutateAsync(row.id);
          toast.success(userDone.secondFactorReset);
        } catch (error) {
          toastFault(error, userFailed.resetSecondFactor);
        }
      },
    });
}

/** Asks, and deletes a person. */
function useUserDeletion() {
  return useDeletion<UserRow>(useDeleteUser().mutateAsync, {
    title: (row) => `Delete ${row.fullName}?`,
    question: userQuestions.deleteUser,
    note: (row) => `Username: ${row.username}`,
    done: userDone.userDeleted,
    failed: userFailed.deleteUser,
  });
}

type UserAct = (row: UserRow) => void;

const actionsOf = (
  user: SessionUser,
  roleFacts: RoleFacts,
  acts: Readonly<Record<'edit' | 'resetSecondFactor' | 'remove', UserAct>>,
): Column<UserRow> =>
  actionsColumn<UserRow>({
    nameOf,
    edit: (row) => (roleFacts.mayEdit(row) ? () => acts.edit(row) : null),
    most: safeguards ? 'four' : 'three',
    others: (row) => [
      ...(mayAttempt(user, 'users.look')
        ? [roleFacts.mayLook(row) ? lookAction(row, roleFacts.isClient(row.roleId)) : null]
        : []),
      ...(roleFacts.mayResetSecondFactor(row)
        ? [
            {
              label: `Reset second factor of ${row.fullName}`,
              tip: 'Reset second factor',
              icon: <IconShieldOff size={17} aria-hidden />,
              onClick: () => acts.resetSecondFactor(row),
            },
          ]
        : []),
    ],
    remove: (row) => (roleFacts.mayDelete(row) ? () => acts.remove(row) : null),
  });

function emptyOf(
  list: { readonly q: string; readonly clear: () => void },
  { isFiltered, mayAdd }: { isFiltered: boolean; mayAdd: boolean },
): EmptyStateProps {
  if (isFiltered) return nothingMatches({ title: userEmpty.usersFiltered, onClear: list.clear });
  return {
    title: userEmpty.users,
    hint: list.q === '' ? (mayAdd ? userEmpty.usersHint : undefined) : empty.nothingMatches,
    action: list.q === '' ? undefined : <ClearSearch list={list} />,
    icon: <IconUsers size={24} stroke={1.5} />,
  };
}

export function UsersScreen() {
  const user = useSessionUser();
  const list = useListSearch({
    sorts: ['fullName', 'username', 'roleName'],
    defaultSort: 'fullName',
    filters: ['state'],
  });
  const manages = mayAttempt(user, 'users.update');
  const state = manages && isState(list.filters.state) ? list.filters.state : undefined;
  const asked = { ...list.query, ...(state === undefined ? {} : { state }) };
  const users = useQuery(usersQuery(asked));
  const ticked = useRowSelection<UserRow>({
    rowKey,
    scope: JSON.stringify([list.q, state]),
    shown: users.data?.rows,
    isPlaceholderData: users.isPlaceholderData,
    total: users.data?.total,
  });
  const inviting = useLazyDialog<readonly UserRow[], { onInvited: (people: readonly UserRow[]) => void }>(loadInvite, {
    onInvited: (people) => ticked.set(people, false),
  });
  const invite = (people: readonly UserRow[]) => void inviting.open(people);
  const roleFacts = useRoleFacts();
  const [asClient, setAsClient] = useState(false);
  const dialog = useLazyDialog<UserRow, { roleFacts: RoleFacts; asClient: boolean }>(loadDialog, {
    roleFacts,
    asClient,
  });
  const mayAdd = mayAttempt(user, 'users.create');
  const add = (isClient: boolean) => {
    if (!mayAdd) return;
    setAsClient(isClient);
    void dialog.open(null);
  };
  useAddressRequest('add', () => add(false));
  useAddressRequest('add-client-user', () => add(true));
  const importing = useImport('Import users', loadImport, mayAdd);
  const remove = useUserDeletion();
  const resetSecondFactor = useSecondFactorReset();
  const actions = actionsOf(user, roleFacts, { edit: (row) => void dialog.open(row), resetSecondFactor, remove });

  return (
    <>
      <PageHeader
        title="User Management"
        subtitle="Manage users and their roles in the system"
        actions={
          mayAdd ? (
            <>
              {importing.button}
              <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => add(false)}>
                Add User
              </Button>
            </>
          ) : null
        }
      />
      <SearchBox
        label="Search users"
        placeholder="Search users by name, username, role, email..."
        value={list.searchText}
        onChange={list.setSearchText}
      />
      {manages ? (
        <FilterBar>
          <ChoiceFilter
            label="State"
            allLabel="All States"
            choices={INVITATION_STATES}
            names={invitationLabels}
            value={state}
            onChange={(chosen) => list.setFilters({ state: chosen })}
            width={200}
          />
        </FilterBar>
      ) : null}
      <DataTable
        label="Users"
        columns={manages ? [...factsOf(roleFacts, invite), actions] : factsOf(roleFacts, invite)}
        query={users}
        list={list}
        rowKey={rowKey}
        {...(state === undefined || state === 'joined'
          ? {}
          : {
              selection: {
                ticked,
                nameOf,
                matching: { count: users.data?.total ?? 0, words: `all ${formatCount(users.data?.total ?? 0)}` },
                actions: <TickedActions ticked={ticked} asked={asked} mayEdit={roleFacts.mayEdit} onInvite={invite} />,
              },
            })}
        empty={emptyOf(list, { isFiltered: state !== undefined, mayAdd })}
      />
      {dialog.element}
      {inviting.element}
      {importing.dialog}
    </>
  );
}

interface TickedActionsProps {
  ticked: RowSelection<UserRow>;
  /** What the list was asked for. */
  asked: UsersFilter;
  mayEdit: RoleFacts['mayEdit'];
  onInvite: (people: readonly UserRow[]) => void;
}

function TickedActions({ ticked, asked, mayEdit, onInvite }: TickedActionsProps) {
  const everybody = useLoadUsers();
  const invitedOf = (rows: readonly UserRow[]) => rows.filter((row) => row.invitation !== null && mayEdit(row));
  const inviteAll = async () => {
    const { limit: _limit, offset: _offset, ...matching } = asked;
    try {
      const invited = invitedOf(await everybody.mutateAsync(matching));
      if (invited.length > 0) onInvite(invited);
      else toast.error(userFailed.inviteAnew(userFailed.inviteNobody));
    } catch (error) {
      toastFault(error, userFailed.inviteAnew);
    }
  };
  const invited = invitedOf(ticked.rows);
  const count = ticked.rows.length;
  return (
    <BusyButton
      variant="default"
      size="xs"
      leftSection={<IconMailForward size={15} aria-hidden />}
      busy={everybody.isPending}
      disabled={!ticked.all && invited.length === 0}
      onClick={() => (ticked.all ? void inviteAll() : onInvite(invited))}
    >
      {invited.length === count ? 'Invite Anew' : `Invite ${formatCount(invited.length)} of ${formatCount(count)} Anew`}
    </BusyButton>
  );
}
