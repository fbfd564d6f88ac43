// Roles over HTTP.
import { refuse } from '#contract/errors.ts';
import { authorize } from '#contract/policy.ts';
import type { RoleRow } from '#contract/roles.ts';
import { record } from '../../db/record.ts';
import type { ReadScope } from '../../db/scope.ts';
import type { Handlers } from '../../http/route.ts';
import type { Services } from '../../services.ts';
import { findRole, insertRole, listRoles, removeRole, renameRole } from './roles.repo.ts';

async function loadRole(scope: ReadScope, id: number): Promise<RoleRow> {
  const role = await findRole(scope, id);
  if (role === null) throw refuse('not_found');
  return role;
}

export function roleRoutes({ now }: Services): Handlers<'roles'> {
  return {
    'roles.list': ({ read, input }) => listRoles(read, input.query),

    'roles.create': ({ viewer, input, change }) =>
      change(async (scope) => {
        const proof = authorize(viewer, 'roles.create');
        const role = await insertRole(scope, proof, input.body, now());
        await record(scope, proof, { action: 'update', details: `Created role: ${role.name}` }, now());
        return role;
      }),

    'roles.update': ({ viewer, input, change }) =>
      change(async (scope) => {
        const former = await loadRole(scope, input.params.id);
        const proof = authorize(viewer, 'roles.update', former);
        const role = await renameRole(scope, proof, former.id, input.body);
        await record(
          scope,
          proof,
          { action: 'update', details: `Renamed role: ${former.name} to ${role.name}` },
          now(),
        );
        return role;
      }),

    'roles.delete': ({ viewer, input, change }) =>
      change(async (scope) => {
        await scope.serialize('roles-and-users');
        const role = await loadRole(scope, input.params.id);
        const proof = authorize(viewer, 'roles.delete', role);
        await removeRole(scope, proof, role.id);
        await record(scope, proof, { action: 'delete', details: `Deleted role: ${role.name}` }, now());
      }),
  };
}
