// What is done with people, roles and one's own account.
import type { ErrorCode } from '../errors.ts';
import { type Actor, can, type RoleFacts, type RoleRights } from './actor.ts';
import type { Rights, Rules } from './gate.ts';
import { activityReach, seesFederalIds, seesRequests, trashReach } from './reach.ts';

export const peopleRights = {
  'session.open': { gate: 'public', stepUp: 'never' },
  'session.use': { gate: 'signed-in', stepUp: 'never' },
  'session.devices': { gate: 'signed-in', stepUp: 'never' },
  'session.jobs': { gate: 'signed-in', stepUp: 'never' },
  'session.password': { gate: 'signed-in', stepUp: 'always' },
  'session.preferences': { gate: 'signed-in', stepUp: 'never' },
  'factors.read': { gate: 'signed-in', stepUp: 'never' },
  'factors.enrol': { gate: 'signed-in', stepUp: 'always' },
  'factors.change': { gate: 'signed-in', stepUp: 'always' },
  'users.read': { gate: 'signed-in', stepUp: 'never' },
  'users.create': { gate: ['users.manage'], stepUp: 'always' },
  'users.update': { gate: ['users.manage'], stepUp: 'always' },
  'users.delete': { gate: ['users.manage'], stepUp: 'always' },
  'users.look': { gate: ['users.manage'], stepUp: 'always' },
  'users.withdraw-invitation': { gate: ['users.manage'], stepUp: 'always' },
  'users.reset-second-factor': { gate: ['users.manage'], stepUp: 'always' },
  'roles.read': { gate: 'signed-in', stepUp: 'never' },
  // A new role has no rights yet.
  'roles.create': { gate: ['roles.manage'], stepUp: 'never' },
  'roles.update': { gate: ['roles.manage'], stepUp: 'always' },
  'roles.delete': { gate: ['roles.manage'], stepUp: 'always' },
  'permissions.read': { gate: 'signed-in', stepUp: 'never' },
  'permissions.explain': { gate: ['users.manage'], stepUp: 'never' },
  'permissions.update': { gate: ['roles.manage'], stepUp: 'always' },
} as const satisfies Rights<'session' | 'factors' | 'users' | 'roles' | 'permissions'>;

export interface PeopleSubjects {
  /** `listsReached`: everything the person reaches, before and after, is within the actor's own reach. */
  'users.create': { readonly role: RoleFacts; readonly listsReached: boolean };
  'users.update': {
    readonly userId: number;
    readonly formerRole: RoleFacts;
    readonly role: RoleFacts;
    readonly listsReached: boolean;
    readonly setsPassword: boolean;
  };
  'users.delete': { readonly userId: number; readonly role: RoleFacts; readonly listsReached: boolean };
  'users.look': { readonly userId: number; readonly role: RoleFacts };
  'users.withdraw-invitation': { readonly role: RoleFacts; readonly listsReached: boolean };
  'users.reset-second-factor': { readonly userId: number; readonly role: RoleFacts; readonly listsReached: boolean };
  'roles.update': RoleFacts;
  'roles.delete': RoleFacts;
  'permissions.update': { readonly role: RoleFacts; readonly change: RoleRights };
}

/** Nobody grants more than they hold, or takes over an account that may do or reach more. */
function covers(actor: Actor, rights: RoleRights): boolean {
  return (
    (actor.reach === 'all' || rights.reach === 'lists') &&
    rights.capabilities.every((capability) => can(actor, capability))
  );
}

/**
 * Whether nothing that anybody sees is hidden from the actor: every row, everybody's log and trash, federal ids whole, and what clients
 * are asked for, which Client users see without asking. A look never shows more than the looker may see.
 */
function seesEverything(actor: Actor): boolean {
  return (
    activityReach(actor) === 'all' && trashReach(actor).files === 'all' && seesFederalIds(actor) && seesRequests(actor)
  );
}

/** A role is assigned by its name, so renaming it too is only for those who hold all its rights. */
function ownableRole(actor: Actor, role: RoleFacts): ErrorCode | null {
  if (role.systemKey !== null) return 'role_built_in';
  return covers(actor, role) ? null : 'forbidden';
}

export const peopleRules: Rules<PeopleSubjects> = {
  'users.create': (actor, { role, listsReached }) => (covers(actor, role) && listsReached ? null : 'forbidden'),
  'users.update': (actor, { userId, formerRole, role, listsReached, setsPassword }) => {
    if (!covers(actor, formerRole) || !covers(actor, role) || !listsReached) return 'forbidden';
    // One's own password is changed where the old one is asked for.
    return setsPassword && userId === actor.id ? 'own_password' : null;
  },
  'users.delete': (actor, { userId, role, listsReached }) => {
    if (userId === actor.id) return 'own_account';
    return covers(actor, role) && listsReached ? null : 'forbidden';
  },
  'users.look': (actor, { userId, role }) =>
    userId !== actor.id &&
    role.systemKey !== 'admin' &&
    actor.reach === 'all' &&
    covers(actor, role) &&
    seesEverything(actor)
      ? null
      : 'forbidden',
  'users.withdraw-invitation': (actor, { role, listsReached }) =>
    covers(actor, role) && listsReached ? null : 'forbidden',
  // The last one of one's own stays.
  'users.reset-second-factor': (actor, { userId, role, listsReached }) =>
    userId !== actor.id && covers(actor, role) && listsReached ? null : 'forbidden',
  'roles.update': ownableRole,
  'roles.delete': ownableRole,
  'permissions.update': (actor, { role, change }) => {
    if (role.systemKey === 'admin') return 'role_built_in';
    if (role.systemKey !== null && change.reach !== role.reach) return 'role_built_in';
    return covers(actor, role) && covers(actor, change) ? null : 'forbidden';
  },
};
