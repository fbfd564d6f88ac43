// Roles over HTTP.

import { expectedVersions } from '../../api/if-match.ts';
import type { Handlers } from '../../api/route.ts';
import type { Now } from '../../platform/clock.ts';
import { changeRole, createRole, deleteRole } from './roles.acts.ts';
import { listRoles } from './roles.repo.ts';

export function roleRoutes(services: Now): Handlers<'roles'> {
  return {
    'roles.list': ({ read, input }) => listRoles(read, input.query),

    'roles.create': ({ principal, input }) => createRole(principal, input.body, services),

    'roles.update': ({ principal, input, request }) =>
      changeRole(principal, { id: input.params.id, input: input.body, expected: expectedVersions(request) }, services),

    'roles.delete': ({ principal, input }) => deleteRole(principal, input.params.id, services),
  };
}
