// What is done to the permissions of a role.

import { isDeepStrictEqual } from 'node:util';
import { capabilityLabels } from '#contract/capability-words.ts';
import { refuse } from '#contract/errors.ts';
import { CAPABILITIES, type Capability, type RoleRights } from '#contract/policy/actor.ts';
import type { PermissionChange, RolePermissions } from '#contract/roles.ts';
import { record } from '../../audit/record.ts';
import { type Origin, recordAccessChanged } from '../../audit/security-events.ts';
import type { Now } from '../../platform/clock.ts';
import type { Principal } from '../access/principal.ts';
import { lastChangeOfRole } from '../access/role-facts.ts';
import { type ExpectedVersions, requireVersion } from '../access/versions.ts';
import { findPermissions, writePermissions } from './permissions.repo.ts';

const quoted = (capabilities: readonly Capability[]) =>
  capabilities.map((capability) => `"${capabilityLabels[capability]}"`).join(', ');

/** The details of an entry about it: 'Changed permissions of role: CPA, granted "Manage users", taken "Ask clients", sees everything'. */
export function changedDetails(role: RoleRights & Pick<RolePermissions, 'name'>, next: RoleRights): string {
  const without = (some: RoleRights, others: RoleRights) =>
    CAPABILITIES.filter((key) => some.capabilities.includes(key) && !others.capabilities.includes(key));
  const [granted, taken] = [without(next, role), without(role, next)];
  return [
    `Changed permissions of role: ${role.name}`,
    ...(granted.length === 0 ? [] : [`granted ${quoted(granted)}`]),
    ...(taken.length === 0 ? [] : [`taken ${quoted(taken)}`]),
    ...(next.reach === role.reach ? [] : [next.reach === 'all' ? 'sees everything' : 'sees by access lists']),
  ].join(', ');
}

/** Gives a role other permissions; everybody who has it hears of it. Refuses `changed_meanwhile`. */
export function changePermissions(
  principal: Principal,
  input: PermissionChange,
  { expected, origin }: { readonly expected: ExpectedVersions; readonly origin: Origin },
  { now }: Now,
): Promise<RolePermissions> {
  return principal.change('permissions.update', async (scope) => {
    const role = await findPermissions(scope, input.roleId);
    if (role === null) throw refuse('not_found');
    const rights = { capabilities: input.capabilities, reach: input.reach ?? role.reach };
    const proof = scope.authorize('permissions.update', { role, change: rights });
    await requireVersion(scope, expected, role, () => lastChangeOfRole(scope, role.id), now());
    // Saved as they are, they are nobody's change: those who have the role hear of none.
    const held = (capabilities: RolePermissions['capabilities']) => new Set(capabilities);
    if (rights.reach === role.reach && isDeepStrictEqual(held(rights.capabilities), held(role.capabilities)))
      return role;
    await writePermissions(scope, proof, { roleId: role.id, ...rights }, now());
    await record(scope, proof, { action: 'update', details: changedDetails(role, rights) }, now());
    const event = { origin, detail: `permissions of role ${role.name}` };
    await recordAccessChanged(scope, proof, { roleId: role.id }, event, now());
    const changed = await findPermissions(scope, role.id);
    if (changed === null) throw refuse('gone_meanwhile');
    return changed;
  });
}
