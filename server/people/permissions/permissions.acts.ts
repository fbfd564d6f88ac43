// What is done to the permissions of a role.

import { isDeepStrictEqual } from 'node:util';
import { refuse } from '#contract/errors.ts';
import type { PermissionChange, RolePermissions } from '#contract/roles.ts';
import { record } from '../../audit/record.ts';
import { type Origin, recordAccessChanged } from '../../audit/security-events.ts';
import type { Now } from '../../platform/clock.ts';
import type { Principal } from '../access/principal.ts';
import { lastChangeOfRole } from '../access/role-facts.ts';
import { type ExpectedVersions, requireVersion } from '../access/versions.ts';
import { findPermissions, writePermissions } from './permissions.repo.ts';

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
    await record(scope, proof, { action: 'update', details: `Changed permissions of role: ${role.name}` }, now());
    const event = { origin, detail: `permissions of role ${role.name}` };
    await recordAccessChanged(scope, proof, { roleId: role.id }, event, now());
    const changed = await findPermissions(scope, role.id);
    if (changed === null) throw refuse('gone_meanwhile');
    return changed;
  });
}
