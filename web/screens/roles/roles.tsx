// The screen of roles.

import { Badge, Button, Group } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { may, mayAttempt } from '#contract/policy.ts';
import type { RoleRow } from '#contract/roles.ts';
import { roleRightsQuery } from '#web/data/permissions.ts';
import { rolesQuery, useDeleteRole } from '#web/data/roles.ts';
import { empty } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { useDeletion } from '#web/parts/files/use-deletion.ts';
import { ClearSearch } from '#web/ui/clear-search.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { actionsColumn } from '#web/ui/row-actions.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import type { Column } from '#web/ui/table-shape.ts';
import { useLazyDialog } from '#web/ui/use-lazy-dialog.tsx';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { roleDone, roleEmpty, roleFailed, roleQuestions } from './role-messages.ts';

const nameColumn: Column<RoleRow> = {
  key: 'name',
  header: 'Name',
  sort: 'name',
  width: '92%',
  cell: (role) => (
    <Group gap="xs">
      <span>{role.name}</span>
      {role.systemKey === null ? null : <Badge size="sm">Built-in</Badge>}
    </Group>
  ),
};

const loadDialog = () => import('./role-dialog.tsx').then(({ RoleDialog }) => RoleDialog);

export function RolesScreen() {
  const user = useSessionUser();
  const list = useListSearch({ sorts: ['name'], defaultSort: 'name' });
  const roles = useQuery(rolesQuery(list.query));
  const dialog = useLazyDialog<RoleRow>(loadDialog);
  const remove = useDeletion<RoleRow>(useDeleteRole().mutateAsync, {
    title: () => 'Delete Role',
    question: roleQuestions.deleteRole,
    note: (role) => `Role: ${role.name}`,
    done: roleDone.roleDeleted,
    failed: roleFailed.deleteRole,
  });

  const rights = useQuery(roleRightsQuery());
  /** While the roles' rights are unknown, the action's route guard decides; the server has the last word. */
  const mayDo = (action: 'roles.update' | 'roles.delete', { id, systemKey }: RoleRow) => {
    const role = rights.data?.rows.find((known) => known.id === id);
    return role ? may(user, action, role) : systemKey === null && mayAttempt(user, action);
  };
  const actions = actionsColumn<RoleRow>({
    nameOf: (role) => role.name,
    edit: (role) => (mayDo('roles.update', role) ? () => void dialog.open(role) : null),
    remove: (role) => (mayDo('roles.delete', role) ? () => remove(role) : null),
  });

  return (
    <>
      <PageHeader
        title="Roles"
        actions={
          may(user, 'roles.create') ? (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => void dialog.open(null)}>
              Add Role
            </Button>
          ) : null
        }
      />
      <SearchBox
        label="Search roles"
        placeholder="Search roles..."
        value={list.searchText}
        onChange={list.setSearchText}
      />
      <DataTable
        label="Roles"
        columns={mayAttempt(user, 'roles.update') ? [nameColumn, actions] : [nameColumn]}
        query={roles}
        list={list}
        rowKey={(role) => role.id}
        empty={{
          title: empty.roles,
          hint: list.narrowed ? empty.nothingMatches : roleEmpty.rolesHint,
          action: list.narrowed ? <ClearSearch list={list} /> : undefined,
          icon: <IconKey size={24} stroke={1.5} />,
        }}
      />
      {dialog.element}
    </>
  );
}
