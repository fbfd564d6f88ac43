// What a change of a user means for the person, in words of the log.
import { isDeepStrictEqual } from 'node:util';
import type { UserRow, UserUpdate } from '#contract/users.ts';

const sameIds = (one: readonly number[], other: readonly number[]) => String(one) === String(other);

const inOrder = (ids: readonly number[]) => ids.toSorted((one, other) => one - other);

/** Whether a user who is saved with these `fields` is what they were. */
export function isSavedAsItIs(former: UserRow, fields: Omit<UserUpdate, 'password' | 'invitation'>): boolean {
  const saved: UserRow = {
    ...former,
    ...fields,
    clientIds: fields.allClients ? former.clientIds : inOrder(fields.clientIds),
    reportTypeIds: inOrder(fields.reportTypeIds),
    email: fields.email ?? former.email,
    mustChangePassword: fields.mustChangePassword ?? former.mustChangePassword,
  };
  return isDeepStrictEqual(saved, former);
}

/** A summary of what changed in a person's reach or rights, by which name they sign in, or where links for a new password are sent; null where nothing did. */
export function accessChange(former: UserRow, user: UserRow): string | null {
  const changes = [
    ...(former.username === user.username ? [] : [`username ${user.username}`]),
    ...(former.roleId === user.roleId ? [] : [`role ${user.roleName}`]),
    ...(sameIds(former.clientIds, user.clientIds) && former.allClients === user.allClients ? [] : ['clients']),
    ...(sameIds(former.reportTypeIds, user.reportTypeIds) ? [] : ['report types']),
    ...(former.email === user.email ? [] : ['mail address']),
  ];
  return changes.length === 0 ? null : changes.join(', ');
}

/** What the log tells of a change besides the lists, which have entries of their own: what the person may do, and what they sign in by. */
export const toldInLog = (former: UserRow, user: UserRow, setsPassword: boolean): string[] => [
  ...(former.roleId === user.roleId ? [] : [`role changed from ${former.roleName} to ${user.roleName}`]),
  ...(former.email === user.email ? [] : ['mail address changed']),
  ...(setsPassword ? ['password set'] : []),
];

/**
 * What changed that a link was handed out for; null where it still stands. It went to the old address, and whoever has it was to get the
 * rights of the old role.
 */
export function endOfLink(former: UserRow, user: UserRow): string | null {
  if (former.email !== user.email) return 'the mail address';
  return former.roleId === user.roleId ? null : 'the role';
}
