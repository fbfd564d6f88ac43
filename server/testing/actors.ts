// People as the rules of rights see them, for the tests of those rules.
import { Refusal } from '#contract/errors.ts';
import {
  type Capability,
  type ListedActor,
  newRoleRights,
  type Reach,
  type RoleFacts,
  type SystemRole,
  systemRoles,
} from '#contract/policy/actor.ts';
import type { ActingActor } from '#contract/policy.ts';

export const ME = 7;
export const SOMEBODY = 8;

type Person = ListedActor & ActingActor;

export function actor(roleKey: SystemRole | null, more: Partial<Person> = {}): Person {
  const rights = roleKey === null ? newRoleRights : systemRoles[roleKey];
  const session = { credential: { kind: 'session' } as const, requiresStepUp: false, mustChangePassword: false };
  return { id: ME, roleKey, ...rights, clientIds: [1], allClients: false, reportTypeIds: [10], ...session, ...more };
}

export const admin = actor('admin', { clientIds: [], reportTypeIds: [] });
export const cpa = actor('cpa');
export const client = actor('client');
export const custom = actor(null);
export const holding = (...capabilities: Capability[]) => actor(null, { capabilities });
export const all: readonly ListedActor[] = [admin, cpa, client, custom];

export const roleFacts = (
  reach: Reach,
  capabilities: readonly Capability[],
  systemKey: SystemRole | null = null,
): RoleFacts => ({
  systemKey,
  reach,
  capabilities,
});
export const system = (key: SystemRole): RoleFacts => ({ systemKey: key, ...systemRoles[key] });

/** What whoever looks at a Client user holds beside reach over everything: by hand, so that a change of the rule is a question. */
export const neededToLook: readonly Capability[] = [
  'users.manage',
  'activity.read',
  'files.delete',
  'clients.manage',
  'documents.upload',
  'requests.manage',
];

/** The code `authorize` refuses with, or null. */
export function refusalOf(act: () => unknown): string | null {
  try {
    act();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}
