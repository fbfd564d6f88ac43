// Roles over HTTP.

import { createdDetails } from '#contract/activity-words.ts';
import { refuse } from '#contract/errors.ts';
import { expectedVersions } from '../../api/if-match.ts';
import type { Handlers } from '../../api/route.ts';
import { record } from '../../audit/record.ts';
import type { Now } from '../../platform/clock.ts';
import { findRoleFacts, lastChangeOfRole } from '../access/role-facts.ts';
import type { WriteScope } from '../access/scope.ts';
import { requireVersion } from '../access/versions.ts';
import { findRole, insertRole, listRoles, removeRole, renameRole } from './roles.repo.ts';

async function loadRole(scope: WriteScope, id: number) {
  const role = await findRoleFacts(scope, id);
  if (role === null) throw refuse('not_found');
  return role;
}

export function roleRoutes({ now }: Now): Handlers<'roles'> {
  return {
    'roles.list': ({ read, input }) => listRoles(read, input.query),

    'roles.create': ({ input, change }) =>
      change(async (scope) => {
        const proof = scope.authorize('roles.create');
        const role = await insertRole(scope, proof, input.body, now());
        await record(scope, proof, { action: 'update', details: createdDetails('role', role.name) }, now());
        return role;
      }),

    'roles.update': ({ input, change, request }) =>
      change(async (scope) => {
        const { id } = input.params;
        const former = await loadRole(scope, id);
        const proof = scope.authorize('roles.update', former);
        const row = await findRole(scope, id);
        if (row === null) throw refuse('not_found');
        await requireVersion(scope, expectedVersions(request), row, () => lastChangeOfRole(scope, id), now());
        const role = await renameRole(scope, proof, id, input.body, now());
        await record(
          scope,
          proof,
          { action: 'update', details: `Renamed role: ${former.name} to ${role.name}` },
          now(),
        );
        return role;
      }),

    'roles.delete': ({ input, change }) =>
      change(async (scope) => {
        const role = await loadRole(scope, input.params.id);
        const proof = scope.authorize('roles.delete', role);
        await removeRole(scope, proof, input.params.id);
        await record(scope, proof, { action: 'delete', details: `Deleted role: ${role.name}` }, now());
      }),
  };
}
