// What a change of a user means for the person, in words of the log.
import type { UserRow } from '#contract/users.ts';

const sameIds = (one: readonly number[], other: readonly number[]) => String(one) === String(other);

/** A summary of what changed in a person's reach or rights, or where links for a new password are sent; null where nothing did. */
export function accessChange(former: UserRow, user: UserRow): string | null {
  const changes = [
    ...(former.roleId === user.roleId ? [] : [`role ${user.roleName}`]),
    ...(sameIds(former.clientIds, user.clientIds) && former.allClients === user.allClients ? [] : ['clients']),
    ...(sameIds(former.reportTypeIds, user.reportTypeIds) ? [] : ['report types']),
    ...(former.email === user.email ? [] : ['mail address']),
  ];
  return changes.length === 0 ? null : changes.join(', ');
}

/**
 * What changed that a link was handed out for; null where it still stands. It went to the old address, and whoever has it was to get the
 * rights of the old role.
 */
export function endOfLink(former: UserRow, user: UserRow): string | null {
  if (former.email !== user.email) return 'the mail address';
  return former.roleId === user.roleId ? null : 'the role';
}
