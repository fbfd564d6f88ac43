// The screen of people who sign in.

import { Badge, Button, Text } from '@mantine/core';
import { IconPlus, IconShieldOff, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mayAttempt } from '#contract/policy.ts';
import type { UserRow } from '#contract/users.ts';
import { useDeleteUser, useResetSecondFactor, usersQuery } from '#web/data/users.ts';
import { formatCount } from '#web/lib/format.ts';
import { invitationState } from '#web/lib/invitation.ts';
import { empty } from '#web/lib/messages.ts';
import { safeguards } from '#web/lib/product.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { toastFault } from '#web/lib/toast-fault.ts';
import { useDeletion } from '#web/parts/files/use-deletion.ts';
import { ImportButton } from '#web/parts/import/import-button.tsx';
import { useLazyDialog } from '#web/parts/use-lazy-dialog.tsx';
import { lookAction } from '#web/parts/users/look-action.tsx';
import { ClearSearch } from '#web/ui/clear-search.tsx';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { actionsColumn } from '#web/ui/row-actions.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import type { Column } from '#web/ui/table-shape.ts';
import { toast } from '#web/ui/toast.tsx';
import { useAddressRequest } from '#web/ui/use-address-request.ts';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { MailRefused } from './mail-refused.tsx';
import { type RoleFacts, useRoleFacts } from './role-facts.ts';
import { userDone, userEmpty, userFailed, userQuestions } from './user-messages.ts';

const factsOf = ({ reachesAll, mayEdit }: RoleFacts): readonly Column<UserRow>[] => [
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
            <Text size="xs" c="dimmed">
              {state}
            </Text>
          )}
          <MailRefused user={row} mayEdit={mayEdit(row)} />
        </div>
      );
    },
    sort: 'fullName',
    width: '30%',
  },
  { key: 'username', header: 'Username', cell: (row) => row.username, sort: 'username', width: '26%' },
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
    width: '22%',
  },
  {
    key: 'client',
    header: 'Client',
    cell: ({ roleId, clientIds }) => {
      if (reachesAll(roleId)) return 'All clients';
      return clientIds.length === 0 ? 'No clients' : `${formatCount(clientIds.length)} client(s)`;
    },
    width: '14%',
    oneLine: '0,000 client(s)',
  },
];

const loadImport = () => import('./import-users.tsx').then(({ ImportUsers }) => ImportUsers);

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

export function UsersScreen() {
  const user = useSessionUser();
  const list = useListSearch({ sorts: ['fullName', 'username', 'roleName'], defaultSort: 'fullName' });
  const users = useQuery(usersQuery(list.query));
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
  const remove = useDeletion<UserRow>(useDeleteUser().mutateAsync, {
    title: (row) => `Delete ${row.fullName}?`,
    question: userQuestions.deleteUser,
    note: (row) => `Username: ${row.username}`,
    done: userDone.userDeleted,
    failed: userFailed.deleteUser,
  });

  const resetSecondFactor = useSecondFactorReset();
  const actions = actionsColumn<UserRow>({
    nameOf: (row) => row.fullName,
    edit: (row) => (roleFacts.mayEdit(row) ? () => void dialog.open(row) : null),
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
              onClick: () => resetSecondFactor(row),
            },
          ]
        : []),
    ],
    remove: (row) => (roleFacts.mayDelete(row) ? () => remove(row) : null),
  });

  return (
    <>
      <PageHeader
        title="User Management"
        subtitle="Manage users and their roles in the system"
        actions={
          mayAdd ? (
            <>
              <ImportButton label="Import users" load={loadImport} />
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
      <DataTable
        label="Users"
        columns={mayAttempt(user, 'users.update') ? [...factsOf(roleFacts), actions] : factsOf(roleFacts)}
        query={users}
        list={list}
        rowKey={(row) => row.id}
        empty={{
          title: userEmpty.users,
          hint: list.narrowed
            ? empty.nothingMatches
            : mayAttempt(user, 'users.create')
              ? userEmpty.usersHint
              : undefined,
          action: list.narrowed ? <ClearSearch list={list} /> : undefined,
          icon: <IconUsers size={24} stroke={1.5} />,
        }}
      />
      {dialog.element}
    </>
  );
}
