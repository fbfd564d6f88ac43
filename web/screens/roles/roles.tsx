// The screen of roles.

import { Badge, Button, Group } from '@mantine/core';
import { IconKey, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { may, mayAttempt } from '#contract/policy.ts';
import type { RoleRow } from '#contract/roles.ts';
import { rolesQuery, useDeleteRole } from '#web/data/roles.ts';
import { reasonOf } from '#web/lib/api.ts';
import { confirmations, done, empty, failed } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useDialog } from '#web/ui/use-dialog.ts';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { RoleDialog } from './role-dialog.tsx';

const nameColumn: Column<RoleRow> = {
  key: 'name',
  header: 'Name',
  sort: 'name',
  cell: (role) => (
    <Group gap="xs">
      <span>{role.name}</span>
      {role.systemKey === null ? null : <Badge size="sm">Built-in</Badge>}
    </Group>
  ),
};

interface RoleActionsProps {
  role: RoleRow;
  onEdit: () => void;
  onDelete: () => void;
}

function RoleActions({ role, onEdit, onDelete }: RoleActionsProps) {
  const user = useSessionUser();
  return (
    <Group gap={2} wrap="nowrap">
      {may(user, 'roles.update', role) ? (
        <IconButton
          label={`Edit ${role.name}`}
          tip="Edit"
          icon={<IconPencil size={17} aria-hidden />}
          onClick={onEdit}
        />
      ) : null}
      {may(user, 'roles.delete', role) ? (
        <IconButton
          label={`Delete ${role.name}`}
          tip="Delete"
          icon={<IconTrash size={17} aria-hidden />}
          onClick={onDelete}
          danger
        />
      ) : null}
    </Group>
  );
}

export function RolesScreen() {
  const user = useSessionUser();
  const list = useListSearch({ sorts: ['name'], defaultSort: 'name' });
  const roles = useQuery(rolesQuery(list.query));
  const dialog = useDialog<RoleRow>();
  const confirm = useConfirm();
  const deletion = useDeleteRole();

  const remove = (role: RoleRow) =>
    confirm({
      title: 'Delete Role',
      message: confirmations.deleteRole,
      note: `Role: ${role.name}`,
      confirmLabel: 'Delete',
      busyLabel: 'Deleting...',
      onConfirm: async () => {
        try {
          await deletion.mutateAsync(role.id);
          toast.success(done.roleDeleted);
        } catch (error) {
          toast.error(failed.deleteRole(reasonOf(error)));
        }
      },
    });

  const actions: Column<RoleRow> = {
    key: 'actions',
    header: 'Actions',
    width: '1%',
    cell: (role) =>
      may(user, 'roles.update', role) || may(user, 'roles.delete', role) ? (
        <RoleActions role={role} onEdit={() => dialog.open(role)} onDelete={() => remove(role)} />
      ) : null,
  };

  return (
    <>
      <PageHeader
        title="Roles"
        actions={
          may(user, 'roles.create') ? (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => dialog.open(null)}>
              Add Role
            </Button>
          ) : null
        }
      />
      <DataTable
        label="Roles"
        columns={mayAttempt(user, 'roles.update') ? [nameColumn, actions] : [nameColumn]}
        query={roles}
        list={list}
        rowKey={(role) => role.id}
        empty={{ title: empty.roles, icon: <IconKey size={24} stroke={1.5} /> }}
      />
      <RoleDialog {...dialog} />
    </>
  );
}
