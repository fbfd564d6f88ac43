// What is done to roles: each with its entry in the log.

import { createdDetails } from '#contract/activity-words.ts';
import { refuse } from '#contract/errors.ts';
import type { RoleInput, RoleRow } from '#contract/roles.ts';
import { record } from '../../audit/record.ts';
import type { Now } from '../../platform/clock.ts';
import type { Principal } from '../access/principal.ts';
import { findRoleFacts, lastChangeOfRole } from '../access/role-facts.ts';
import type { WriteScope } from '../access/scope.ts';
import { type ExpectedVersions, requireVersion } from '../access/versions.ts';
import { findRole, insertRole, removeRole, renameRole } from './roles.repo.ts';

async function loadRole(scope: WriteScope, id: number) {
  const role = await findRoleFacts(scope, id);
  if (role === null) throw refuse('not_found');
  return role;
}

export function createRole(principal: Principal, input: RoleInput, { now }: Now): Promise<RoleRow> {
  return principal.change('roles.create', async (scope) => {
    const proof = scope.authorize('roles.create');
    const role = await insertRole(scope, proof, input, now());
    await record(scope, proof, { action: 'update', details: createdDetails('role', role.name) }, now());
    return role;
  });
}

/** Gives a role another name. Refuses `changed_meanwhile`. */
export function changeRole(
  principal: Principal,
  { id, input, expected }: { readonly id: number; readonly input: RoleInput; readonly expected: ExpectedVersions },
  { now }: Now,
): Promise<RoleRow> {
  return principal.change('roles.update', async (scope) => {
    const former = await loadRole(scope, id);
    const proof = scope.authorize('roles.update', former);
    const row = await findRole(scope, id);
    if (row === null) throw refuse('not_found');
    await requireVersion(scope, expected, row, () => lastChangeOfRole(scope, id), now());
    if (row.name === input.name) return row;
    const role = await renameRole(scope, proof, id, input, now());
    const details = `Renamed role: ${former.name} to ${role.name}`;
    await record(scope, proof, { action: 'update', details }, now());
    return role;
  });
}

export function deleteRole(principal: Principal, id: number, { now }: Now): Promise<void> {
  return principal.change('roles.delete', async (scope) => {
    const role = await loadRole(scope, id);
    const proof = scope.authorize('roles.delete', role);
    await removeRole(scope, proof, id);
    await record(scope, proof, { action: 'delete', details: `Deleted role: ${role.name}` }, now());
  });
}
