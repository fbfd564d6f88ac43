// The screen of people who sign in.

import { Badge, Button, Group } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { mayAttempt } from '#contract/policy.ts';
import type { UserRow } from '#contract/users.ts';
import { useDeleteUser, usersQuery } from '#web/data/users.ts';
import { reasonOf } from '#web/lib/api.ts';
import { formatCount } from '#web/lib/format.ts';
import { confirmations, done, empty, failed } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useDialog } from '#web/ui/use-dialog.ts';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { useRoleFacts } from './role-facts.ts';
import { UserDialog } from './user-dialog.tsx';

const facts: readonly Column<UserRow>[] = [
  { key: 'fullName', header: 'Full Name', cell: (row) => row.fullName, sort: 'fullName', width: '32%' },
  { key: 'username', header: 'Username', cell: (row) => row.username, sort: 'username', width: '26%' },
  {
    key: 'role',
    header: 'Role',
    // A role's name may be long: the badge ends in dots and tells the rest when pointed at.
    cell: (row) => (
      <Badge title={row.roleName} maw={220}>
        {row.roleName}
      </Badge>
    ),
    sort: 'roleName',
  },
  {
    key: 'client',
    header: 'Client',
    cell: ({ clientIds }) => (clientIds.length === 0 ? 'No clients' : `${formatCount(clientIds.length)} client(s)`),
    nowrap: true,
  },
];

interface UserActionsProps {
  row: UserRow;
  /** null where the viewer may not. */
  onEdit: (() => void) | null;
  onDelete: (() => void) | null;
}

function UserActions({ row, onEdit, onDelete }: UserActionsProps) {
  return (
    <Group gap={2} wrap="nowrap">
      {onEdit ? (
        <IconButton
          label={`Edit ${row.fullName}`}
          tip="Edit"
          icon={<IconPencil size={17} aria-hidden />}
          onClick={onEdit}
        />
      ) : null}
      {onDelete ? (
        <IconButton
          label={`Delete ${row.fullName}`}
          tip="Delete"
          icon={<IconTrash size={17} aria-hidden />}
          onClick={onDelete}
          danger
        />
      ) : null}
    </Group>
  );
}

export function UsersScreen() {
  const user = useSessionUser();
  const list = useListSearch({ sorts: ['fullName', 'username', 'roleName'], defaultSort: 'fullName' });
  const users = useQuery(usersQuery(list.query));
  const roleFacts = useRoleFacts();
  const dialog = useDialog<UserRow>();
  const confirm = useConfirm();
  const deletion = useDeleteUser();

  const remove = (row: UserRow) =>
    confirm({
      title: `Delete ${row.fullName}?`,
      message: confirmations.deleteUser,
      note: `Username: ${row.username}`,
      confirmLabel: 'Delete',
      busyLabel: 'Deleting...',
      onConfirm: async () => {
        try {
          await deletion.mutateAsync(row.id);
          toast.success(done.userDeleted);
        } catch (error) {
          toast.error(failed.deleteUser(reasonOf(error)));
        }
      },
    });

  const actions: Column<UserRow> = {
    key: 'actions',
    header: 'Actions',
    width: '1%',
    cell: (row) => {
      const onEdit = roleFacts.mayEdit(row) ? () => dialog.open(row) : null;
      const onDelete = roleFacts.mayDelete(row) ? () => remove(row) : null;
      return onEdit || onDelete ? <UserActions row={row} onEdit={onEdit} onDelete={onDelete} /> : null;
    },
  };

  return (
    <>
      <PageHeader
        title="User Management"
        subtitle="Manage users and their roles in the system"
        actions={
          mayAttempt(user, 'users.create') ? (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => dialog.open(null)}>
              Add User
            </Button>
          ) : null
        }
      />
      <Group mb="md">
        <SearchBox
          label="Search users"
          placeholder="Search users by name, username, role..."
          value={list.searchText}
          onChange={list.setSearchText}
        />
      </Group>
      <DataTable
        label="Users"
        columns={mayAttempt(user, 'users.update') ? [...facts, actions] : facts}
        query={users}
        list={list}
        rowKey={(row) => row.id}
        empty={{ title: empty.users, icon: <IconUsers size={24} stroke={1.5} /> }}
      />
      <UserDialog {...dialog} roleFacts={roleFacts} />
    </>
  );
}
