// What roles may do and who can see what.

import { Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { SYSTEM_ROLES } from '#contract/policy/actor.ts';
import { mayAttempt } from '#contract/policy.ts';
import type { RolePermissions } from '#contract/roles.ts';
import { permissionsQuery } from '#web/data/permissions.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { useLazyDialog } from '#web/ui/use-lazy-dialog.tsx';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { FourEyes } from './four-eyes.tsx';
import { PermissionMatrix } from './permission-matrix.tsx';
import { ReachQuestion } from './who-can-see.tsx';

const loadDialog = () =>
  import('./role-permissions-dialog.tsx').then(({ RolePermissionsDialog }) => RolePermissionsDialog);

const MATRIX = 'roles';
const WHO = 'who';

export function PermissionsScreen() {
  // Only the tab is in this state; each tab keeps its own.
  const { filters, setFilters } = useListSearch({ sorts: ['name'], defaultSort: 'name', filters: ['tab'] });
  return (
    <>
      <PageHeader title="User Permissions" subtitle="What each role may do, and who sees what because of it." />
      <Tabs
        value={filters.tab === WHO ? WHO : MATRIX}
        onChange={(tab) => setFilters({ tab: tab === WHO ? WHO : '' })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value={MATRIX}>Roles</Tabs.Tab>
          <Tabs.Tab value={WHO}>Who can see this?</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={MATRIX}>
          <RoleRights />
        </Tabs.Panel>
        <Tabs.Panel value={WHO}>
          <ReachQuestion />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** The built-in roles as people know them, from the most to the least, then the firm's own by name. */
function inOrder(roles: readonly RolePermissions[]): RolePermissions[] {
  const rank = ({ systemKey }: RolePermissions) =>
    systemKey === null ? SYSTEM_ROLES.length : SYSTEM_ROLES.indexOf(systemKey);
  return roles.toSorted((one, other) => rank(one) - rank(other));
}

function RoleRights() {
  const user = useSessionUser();
  // Rights are granted by the current state, not by the state when the page was first opened.
  const { data, error, isFetching, refetch } = useQuery({ ...permissionsQuery(), refetchOnMount: 'always' });
  const dialog = useLazyDialog<RolePermissions>(loadDialog);
  if (error !== null && data === undefined) {
    return <ErrorState message={error.message} onRetry={() => void refetch()} busy={isFetching} />;
  }
  return (
    <>
      <Text c="dimmed" mb="md" maw="48rem">
        {mayAttempt(user, 'permissions.update')
          ? 'Admin may always do and see everything. What CPA and Client may do can be changed; they always see what their access lists name.'
          : 'You can read this. Whoever manages roles can change it.'}
      </Text>
      <PermissionMatrix roles={data && inOrder(data.rows)} onEdit={(role) => void dialog.open(role)} />
      {/* The rows push it down when they come, so that it comes with them. */}
      {data !== undefined && mayAttempt(user, 'firm-settings.read') ? <FourEyes /> : null}
      {dialog.element}
    </>
  );
}
