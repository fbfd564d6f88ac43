// What the signed-in person may do to people with a role: nobody grants, or acts on, more than they hold.

import { useQuery } from '@tanstack/react-query';
import { mayHoldAllClients, reachesClient, reachesEveryClient, usesReportType } from '#contract/policy/reach.ts';
import { may, mayAttempt } from '#contract/policy.ts';
import type { RolePermissions } from '#contract/roles.ts';
import type { UserRow } from '#contract/users.ts';
import { roleRightsQuery } from '#web/data/permissions.ts';
import { safeguards } from '#web/lib/product.ts';
import { useSessionUser } from '#web/lib/session.ts';

export interface RoleFacts {
  /** True where the role sees every client and report type, whatever the lists say. */
  reachesAll: (roleId: number | null) => boolean;
  mayGive: (roleId: number) => boolean;
  /** Whether `person` may have all clients, also later ones, with the role; who has them keeps them with it. */
  mayHoldAllClients: (roleId: number | null, person: UserRow | null) => boolean;
  mayEdit: (row: UserRow) => boolean;
  mayDelete: (row: UserRow) => boolean;
  isClient: (roleId: number) => boolean;
  /** Whether one may look at the portal as the person has it; nobody while the roles’ rights are unknown. */
  mayLook: (row: UserRow) => boolean;
  /** Oneself has the account settings for it. */
  mayResetSecondFactor: (row: UserRow) => boolean;
}

/** While the roles' rights are unknown, the route guard of the action decides; the server has the last word. */
export function useRoleFacts(): RoleFacts {
  const user = useSessionUser();
  const { data } = useQuery(roleRightsQuery());
  const listsReached = (row: UserRow) =>
    (!row.allClients || reachesEveryClient(user)) &&
    row.clientIds.every((id) => reachesClient(user, id)) &&
    row.reportTypeIds.every((id) => usesReportType(user, id));
  const roleOf = (roleId: number): RolePermissions | undefined => data?.rows.find((role) => role.id === roleId);
  return {
    reachesAll: (roleId) => roleId !== null && roleOf(roleId)?.reach === 'all',
    mayGive: (roleId) => {
      const role = roleOf(roleId);
      return role ? may(user, 'users.create', { role, listsReached: true }) : mayAttempt(user, 'users.create');
    },
    mayHoldAllClients: (roleId, person) => {
      // The role may have come to see everything since, or its rights are not known here.
      if (person?.allClients === true && person.roleId === roleId) return true;
      const role = roleId === null ? undefined : roleOf(roleId);
      return role !== undefined && mayHoldAllClients(role);
    },
    mayEdit: (row) => {
      const role = roleOf(row.roleId);
      return role
        ? may(user, 'users.update', {
            userId: row.id,
            formerRole: role,
            role,
            listsReached: listsReached(row),
            setsPassword: false,
          })
        : mayAttempt(user, 'users.update');
    },
    mayDelete: (row) => {
      const role = roleOf(row.roleId);
      return role
        ? may(user, 'users.delete', { userId: row.id, role, listsReached: listsReached(row) })
        : row.id !== user.id && mayAttempt(user, 'users.delete');
    },
    isClient: (roleId) => roleOf(roleId)?.systemKey === 'client',
    mayLook: (row) => {
      const role = roleOf(row.roleId);
      return role !== undefined && may(user, 'users.look', { userId: row.id, role });
    },
    mayResetSecondFactor: (row) => {
      if (!safeguards) return false;
      const role = roleOf(row.roleId);
      return role
        ? may(user, 'users.reset-second-factor', { userId: row.id, role, listsReached: listsReached(row) })
        : row.id !== user.id && mayAttempt(user, 'users.reset-second-factor');
    },
  };
}
