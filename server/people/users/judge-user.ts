// Whether somebody may make or change a user: by the roles and by the access lists before and after.

import { refuse, refuseFields } from '#contract/errors.ts';
import { mayHoldAllClients, reachesEveryClient } from '#contract/policy/reach.ts';
import type { UserRow, UserUpdate } from '#contract/users.ts';
import { findRoleFacts } from '../access/role-facts.ts';
import type { ReadScope } from '../access/scope.ts';
import { reachesLists } from './access-lists.repo.ts';
import { findUser } from './read-users.repo.ts';

export async function loadUser(scope: ReadScope, id: number): Promise<UserRow> {
  const user = await findUser(scope, id);
  if (user === null) throw refuse('not_found');
  return user;
}

export async function loadRole(scope: ReadScope, roleId: number) {
  const role = await findRoleFacts(scope, roleId);
  if (role === null) throw refuseFields({ roleId: 'Please select a role' });
  return role;
}

interface Lists {
  readonly clientIds: readonly number[];
  readonly allClients: boolean;
  readonly reportTypeIds: readonly number[];
}

/** Whether the viewer reaches all of `lists`. For anyone who reaches everything, what is not reached does not exist. */
export async function listsReached(scope: ReadScope, lists: Lists): Promise<boolean> {
  if (lists.allClients && !reachesEveryClient(scope.viewer)) return false;
  const { clientIds, reportTypeIds } = await reachesLists(scope, lists);
  if (clientIds && reportTypeIds) return true;
  if (scope.viewer.reach !== 'all') return false;
  throw refuseFields({
    ...(clientIds ? {} : { clientIds: 'Some of the chosen clients no longer exist' }),
    ...(reportTypeIds ? {} : { reportTypeIds: 'Some of the chosen report types no longer exist' }),
  });
}

type UserFields = Omit<UserUpdate, 'password' | 'invitation'>;

/**
 * The role that is given, with the lists; refuses to give all clients to a role that may not hold them. Who has them keeps them with
 * the role, which may have come to see everything since.
 */
async function loadRoleFor(scope: ReadScope, { roleId, allClients }: UserFields, former?: UserRow) {
  const role = await loadRole(scope, roleId);
  const keeps = former?.allClients === true && former.roleId === roleId;
  if (allClients && !keeps && !mayHoldAllClients(role)) {
    throw refuseFields({ allClients: 'All clients, also later ones, cannot be given to this role' });
  }
  return role;
}

/** The lists as they are stored: who gets all clients has no list to choose. */
export const chosen = (fields: UserFields): UserFields => (fields.allClients ? { ...fields, clientIds: [] } : fields);

/** Judges the creation of a user: once before the password is hashed, which costs most, and again in the transaction. */
export async function judgeCreation(scope: ReadScope, fields: UserFields) {
  const role = await loadRoleFor(scope, fields);
  return scope.authorize('users.create', { role, listsReached: await listsReached(scope, fields) });
}

/** Judges a change of a user, as often. */
export async function judgeChange(scope: ReadScope, former: UserRow, fields: UserFields, setsPassword: boolean) {
  return scope.authorize('users.update', {
    userId: former.id,
    formerRole: await loadRole(scope, former.roleId),
    role: await loadRoleFor(scope, fields, former),
    listsReached: await listsReached(scope, {
      allClients: fields.allClients || former.allClients,
      clientIds: both(fields.clientIds, former.clientIds),
      reportTypeIds: both(fields.reportTypeIds, former.reportTypeIds),
    }),
    setsPassword,
  });
}

const both = (one: readonly number[], other: readonly number[]) => [...new Set([...one, ...other])];
